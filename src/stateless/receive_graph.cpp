// Expands a node when it is first asked for, and folds clients' steps into the receives that cause them.
#include "stateless/receive_graph.h"

#include <algorithm>
#include <cassert>
#include <string_view>

#include "core/facets/describer.h"
#include "core/facets/events.h"
#include "core/facets/histories.h"

namespace heddle::schedule {
namespace {

bool invokes(const Receipt& r) {
  return std::ranges::any_of(r.events, [](const Receipt::Event& e) { return !e.is_return; });
}
bool returns(const Receipt& r) {
  return std::ranges::any_of(r.events, [](const Receipt::Event& e) { return e.is_return; });
}

// Counts the operations without a result. `history` is written as properties show it: for each client a list of
// [operation, result or null].
std::uint32_t open_operations(std::string_view history) {
  std::uint32_t open = 0;
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const char c = history[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
      continue;
    }
    in_text = c == '"';
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 3 && history.substr(i + 1).starts_with("null]")) ++open;
  }
  return open;
}

}  // namespace

ReceiveGraph::ReceiveGraph(const TransitionSystem& system, Options options) : system_(system), options_(options) {
  const Histories* const histories = system.histories();
  if (histories != nullptr) history_slot_ = histories->history_slot();
  const auto initial = system.initial_states();
  if (initial.size() != 1) throw ModelError("schedules begin in one state; this model has several initial states");
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if (histories == nullptr || (histories->history_properties() >> i & 1) == 0) continue;
    for (const trace::Field& f : system.describer().describe_property(i, initial[0]))
      initially_open_ = open_operations(f.value);
    break;
  }
  Draft draft;
  draft.state = initial[0];
  settle(draft);
  initial_ = states_.intern(std::span<const std::uint32_t>(draft.state));
  initial_events_ = append(events_, draft.events);
  initial_steps_ = append(steps_, draft.steps);
}

std::span<const Receive> ReceiveGraph::receives(Node node) {
  if (node >= expanded_.size() || !expanded_[node].known) expand(node);
  return expanded_[node].receives;
}

const Receive* ReceiveGraph::find(Node node, std::uint32_t name) {
  const auto all = receives(node);
  const auto it = std::ranges::find(all, name, &Receive::name);
  return it == all.end() ? nullptr : &*it;
}

bool ReceiveGraph::unheard(Node node) {
  receives(node);
  return expanded_[node].unheard;
}

void ReceiveGraph::receipt_of(std::span<const Slot> state, Step step, Receipt& out) const {
  out = {};
  if (const Receipts* const receipts = system_.receipts()) receipts->receipt(state, step, out);
}

void ReceiveGraph::expand(Node node) {
  StepBuffer steps;
  const SlotVector from(state(node).begin(), state(node).end());
  system_.expand(from, steps);
  std::vector<Draft> drafts;
  bool unheard = false;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    Draft draft;
    draft.state = apply_changes(from, steps.changes(k));
    draft.steps.push_back(steps.step(k));
    effects_of(system_, from, steps.step(k), draft.effects);
    receipt_of(from, steps.step(k), draft.receipt);
    draft.events = draft.receipt.events;
    const Receipt& r = draft.receipt;
    if (r.client) clients_.insert(draft.effects.process);
    const bool request = options_.fold_clients && r.client && invokes(r) && !returns(r) && r.senders.empty() &&
                         draft.effects.sent.size() == 1;
    const std::size_t before = drafts.size();
    if (!request || !receive_request(steps, from, draft, drafts)) {
      drafts.resize(before);
      drafts.push_back(std::move(draft));
    } else {
      unheard |= drafts.size() == before;
    }
  }
  for (Draft& d : drafts) {
    settle(d);
    look_for_leftovers(d);
  }
  std::vector<Receive> kept;
  kept.reserve(drafts.size());
  for (Draft& d : drafts) kept.push_back(keep(d));
  if (node >= expanded_.size()) expanded_.resize(node + node / 2 + 64);
  assert(!expanded_[node].known);  // spans that were handed out stay valid
  expanded_[node] = {true, unheard, std::move(kept)};
}

// Adds everything that its receiver can do with the request that was just made. Returns false if the request enables
// anything else.
bool ReceiveGraph::receive_request(const StepBuffer& before, std::span<const Slot> from, const Draft& asked,
                                   std::vector<Draft>& out) {
  const Effects::Sent request = asked.effects.sent[0];
  std::set<std::pair<std::uint32_t, std::uint64_t>> known;
  Effects effects;
  for (std::size_t k = 0; k < before.size(); ++k) {
    effects_of(system_, from, before.step(k), effects);
    known.emplace(effects.process, effects.label);
  }
  StepBuffer steps;
  system_.expand(asked.state, steps);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    Draft draft;
    effects_of(system_, asked.state, steps.step(k), draft.effects);
    const bool takes =
        draft.effects.process == request.process &&
        std::ranges::any_of(draft.effects.consumed, [&](const auto& c) { return c.message == request.message; });
    if (!takes && !known.contains({draft.effects.process, draft.effects.label})) return false;
    if (!takes) continue;
    receipt_of(asked.state, steps.step(k), draft.receipt);
    draft.state = apply_changes(asked.state, steps.changes(k));
    draft.steps = {asked.steps[0], steps.step(k)};
    draft.events = asked.events;
    draft.events.insert(draft.events.end(), draft.receipt.events.begin(), draft.receipt.events.end());
    out.push_back(std::move(draft));
  }
  return true;
}

// Notes whether something was sent to a client that the client neither has taken nor can take now.
void ReceiveGraph::look_for_leftovers(const Draft& draft) {
  if (!options_.fold_clients || leaves_out_) return;
  for (const Effects::Sent& s : draft.effects.sent) {
    if (!clients_.contains(s.process)) continue;
    StepBuffer steps;
    system_.expand(draft.state, steps);
    Effects effects;
    bool can_take = false;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      effects_of(system_, draft.state, steps.step(k), effects);
      can_take |= effects.process == s.process;
    }
    const auto sent = std::ranges::count(draft.effects.sent, s.process, &Effects::Sent::process);
    leaves_out_ |= !can_take && std::ranges::count(draft.settled, s.process) < sent;
  }
}

// Lets clients take their answers.
void ReceiveGraph::settle(Draft& draft) {
  if (!options_.fold_clients) return;
  StepBuffer steps;
  Effects effects;
  Receipt receipt;
  for (bool moved = true; moved;) {
    moved = false;
    steps.clear();
    system_.expand(draft.state, steps);
    for (std::size_t k = 0; k < steps.size() && !moved; ++k) {
      receipt_of(draft.state, steps.step(k), receipt);
      if (!receipt.client || !returns(receipt) || invokes(receipt)) continue;
      effects_of(system_, draft.state, steps.step(k), effects);
      if (!effects.sent.empty()) continue;
      bool only = true;
      Effects other;
      for (std::size_t j = 0; j < steps.size(); ++j) {
        effects_of(system_, draft.state, steps.step(j), other);
        only &= j == k || other.process != effects.process;
      }
      if (!only) continue;
      draft.state = apply_changes(draft.state, steps.changes(k));
      draft.steps.push_back(steps.step(k));
      draft.settled.push_back(effects.process);
      draft.events.insert(draft.events.end(), receipt.events.begin(), receipt.events.end());
      moved = true;
    }
  }
}

Receive ReceiveGraph::keep(Draft& draft) {
  const Effects& e = draft.effects;
  Receive r;
  r.step = draft.steps[0];
  const std::uint32_t words[] = {e.process, static_cast<std::uint32_t>(e.label),
                                 static_cast<std::uint32_t>(e.label >> 32)};
  r.name = names_.intern(std::span<const std::uint32_t>(words));
  for (const std::uint32_t p : draft.receipt.senders) r.senders |= std::uint64_t{1} << (p & 63);
  if (draft.receipt.senders.empty()) r.senders = std::uint64_t{1} << (e.process & 63);
  r.key = draft.receipt.key;
  r.excluded = draft.receipt.excluded;
  r.events = append(events_, draft.events);
  r.steps = append(steps_, draft.steps);
  r.target = states_.intern(std::span<const std::uint32_t>(draft.state));
  r.effects = std::move(draft.effects);
  receive_bytes_ += sizeof(Receive) + r.effects.consumed.capacity() * sizeof(Effects::Consumed) +
                    r.effects.sent.capacity() * sizeof(Effects::Sent) + r.effects.accesses.capacity() * sizeof(Access);
  return r;
}

std::size_t ReceiveGraph::bytes() const {
  return states_.bytes() + names_.bytes() + expanded_.capacity() * sizeof(Expanded) + receive_bytes_ +
         events_.capacity() * sizeof(Receipt::Event) + steps_.capacity() * sizeof(Step);
}

}  // namespace heddle::schedule
