// Describes each step once, and numbers its description and its cost.
#include "explain/step_catalogue.h"

#include <xxhash.h>

#include <algorithm>

#include "core/facets/describer.h"
#include "explore/search.h"

namespace heddle::explain {
namespace {

// Everything but the steps that a process does itself is a fault of the environment, whatever kinds come later.
bool is_fault(const std::string& kind) { return kind != "step" && kind != "timeout" && kind != "deliver"; }

void append(std::string& text, const std::string& part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

}  // namespace

std::size_t SlotHash::operator()(const SlotVector& slots) const {
  return XXH3_64bits(slots.data(), slots.size() * sizeof(Slot));
}

std::uint32_t StepCatalogue::number(const std::string& text) {
  return numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

const StepFacts& StepCatalogue::facts(std::span<const Slot> state, Step step, std::span<const Change> changes) {
  accesses_.clear();
  system_.footprint(state, step, accesses_);
  key_.assign({step.transition, step.detail});
  for (const Access& access : accesses_) {
    if (access.kind == Access::Kind::Append) continue;
    key_.push_back(access.slot);
    key_.push_back(access.slot < state.size() ? state[access.slot] : 0);
  }
  if (const auto known = known_.find(key_); known != known_.end()) return facts_[known->second];

  const trace::Step described = system_.describer().describe_step(state, step, apply_changes(state, changes));
  std::vector<std::string> received;
  for (const trace::Message& m : described.received) {
    std::string& text = received.emplace_back(std::to_string(m.from) + ">" + std::to_string(m.to) + " ");
    append(text, m.type);
    text += m.body;
  }
  std::ranges::sort(received);
  std::string identity = std::to_string(described.lane) + " ";
  append(identity, described.name);
  append(identity, described.kind);
  append(identity, described.choice);
  for (const std::string& text : received) append(identity, text);
  std::string outcome = identity + " sends ";
  for (const trace::Message& m : described.sent) {
    outcome += std::to_string(m.to) + " ";
    append(outcome, m.type);
  }

  StepFacts facts;
  facts.identity = number(identity);
  facts.outcome = number(outcome);
  facts.lane = described.lane;
  facts.thread = system_.threads() != nullptr;
  facts.messages = static_cast<std::uint32_t>(described.sent.size());
  facts.faults = is_fault(described.kind) ? 1 : 0;
  known_.emplace(key_, static_cast<std::uint32_t>(facts_.size()));
  return facts_.emplace_back(facts);
}

}  // namespace heddle::explain
