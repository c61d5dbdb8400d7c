// Compares the successors of each state with those of its representative.
#include "reduce/audit_symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/facets/describer.h"
#include "core/facets/symmetries.h"
#include "explore/search.h"
#include "reduce/symmetry.h"

namespace heddle {
namespace {

std::string state_text(const TransitionSystem& system, std::span<const Slot> state) {
  const auto lanes = system.describer().lanes();
  std::string out;
  for (const trace::Field& f : system.describer().describe_state(state)) {
    const std::string& lane = f.lane < lanes.size() ? lanes[f.lane].name : "";
    out += (out.empty() ? "" : ", ") + lane + (lane.empty() || f.name.empty() ? "" : ".") + f.name + "=" + f.value;
  }
  return "[" + out + "]";
}

std::string step_text(const TransitionSystem& system, std::span<const Slot> from, Step step, std::span<const Slot> to) {
  const trace::Step s = system.describer().describe_step(from, step, to);
  const auto lanes = system.describer().lanes();
  std::string text = s.lane < lanes.size() ? lanes[s.lane].name + ": " + s.name : s.name;
  for (const trace::Message& m : s.received) text += " " + m.type + m.body + " from " + lanes[m.from].name;
  for (const trace::Message& m : s.sent) text += " -> " + m.type + m.body + " to " + lanes[m.to].name;
  for (const trace::Call& c : s.calls) text += " " + c.object + "." + c.call;
  return text;
}

struct Successor {
  Step step;
  SlotVector state;
};

// Returns the representatives of a state's successors, each with one way to get there.
std::map<SlotVector, Successor> successors(const TransitionSystem& system, Canonicalizer& canonicalizer,
                                           std::span<const Slot> state) {
  StepBuffer steps;
  system.expand(state, steps);
  std::map<SlotVector, Successor> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    SlotVector next = apply_changes(state, steps.changes(i));
    SlotVector representative = next;
    canonicalizer.canonical(representative);
    out.try_emplace(std::move(representative), Successor{steps.step(i), std::move(next)});
  }
  return out;
}

struct Found {};

}  // namespace

std::optional<std::string> difference(const TransitionSystem& system, Canonicalizer& canonicalizer,
                                      std::span<const Slot> one, std::span<const Slot> other) {
  const std::uint64_t different = system.evaluate(one) ^ system.evaluate(other);
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if ((different >> i & 1) == 0) continue;
    return "property '" + system.properties()[i].name +
           "' is true in only one of two states that differ in names: " + state_text(system, one) + " and " +
           state_text(system, other);
  }
  const auto after_one = successors(system, canonicalizer, one);
  const auto after_other = successors(system, canonicalizer, other);
  const auto without_match = [&](const auto& all, const auto& matches, std::span<const Slot> from,
                                 std::span<const Slot> renamed) -> std::optional<std::string> {
    for (const auto& [representative, successor] : all) {
      if (matches.contains(representative)) continue;
      return "step '" + step_text(system, from, successor.step, successor.state) + "' in state " +
             state_text(system, from) + " has no counterpart in the state that differs in names only, " +
             state_text(system, renamed);
    }
    return std::nullopt;
  };
  if (auto text = without_match(after_one, after_other, one, other)) return text;
  return without_match(after_other, after_one, other, one);
}

SymmetryAudit audit_symmetry(const TransitionSystem& system, const Limits& limits) {
  SymmetryAudit audit;
  const Symmetry symmetry(system, {.most_tries = ~std::uint64_t{0} >> 1, .check_every = 0});
  const auto canonicalizer = symmetry.canonicalizer();
  const auto lanes = system.describer().lanes();
  struct Exchange {
    std::string text;
    std::vector<std::uint32_t> to;
  };
  std::vector<Exchange> exchanges;
  for (const SymmetryClass& c : symmetry.classes()) {
    for (std::size_t i = 0; i + 1 < c.members.size(); ++i) {
      Exchange e;
      e.to.resize(system.initial_states()[0].size());
      for (std::uint32_t s = 0; s < e.to.size(); ++s) e.to[s] = s;
      for (std::size_t k = 0; k < c.members[i].size(); ++k) {
        const std::uint32_t a = c.members[i][k], b = c.members[i + 1][k];
        std::swap(e.to[a], e.to[b]);
        if (system.threads() == nullptr && a < lanes.size() && b < lanes.size()) {
          e.text += (e.text.empty() ? "" : ", ") + lanes[a].name + " and " + lanes[b].name;
        }
      }
      if (e.text.empty()) e.text = fmt::format("members {} and {} of {}", i + 1, i + 2, c.name);
      exchanges.push_back(std::move(e));
    }
  }
  if (exchanges.empty()) {
    audit.complete = true;
    return audit;
  }
  SearchOptions options;
  options.limits = limits;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> state) {
    ++audit.states;
    for (const Exchange& e : exchanges) {
      ++audit.comparisons;
      const SlotVector image = system.symmetries()->permute(state, e.to);
      if (std::equal(image.begin(), image.end(), state.begin(), state.end())) continue;
      const auto text = difference(system, *canonicalizer, state, image);
      if (!text) continue;
      audit.witness = "exchanging " + e.text + ": " + *text;
      throw Found{};
    }
  };
  try {
    audit.complete = search(system, options).complete;
  } catch (const Found&) {
    audit.complete = true;
  }
  return audit;
}

}  // namespace heddle
