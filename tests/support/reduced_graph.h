// What a search has seen of a thread program, with or without a reduction, so that searches can be compared.
//
//   Seen full = seen(system, [&](SearchOptions& o) { return search(system, o); });
//
// Sets of traces: traces(system, edges) walks all runs over the edges that a reduction kept and returns them in Foata
// normal form, so runs that differ in the order of independent steps only are the same. REQUIRES: no cycles.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "core/transition_system.h"
#include "explore/search.h"
#include "support/thread_program.h"

namespace heddle::testing {

// For each state that was expanded, the steps that were executed there.
using Edges = std::map<SlotVector, std::vector<Step>>;

struct Seen {
  SearchResult result;
  std::set<SlotVector> finals;
  std::set<std::pair<std::uint32_t, Slot>> locals;  // of threads
  std::set<std::size_t> violated, reached;

  bool same_findings(const Seen& other) const {
    return finals == other.finals && violated == other.violated && reached == other.reached &&
           result.verdict == other.result.verdict && result.complete == other.result.complete &&
           result.counters.deadlocks == other.result.counters.deadlocks;
  }
};

inline Seen seen(const ThreadSystem& system, SearchOptions options,
                 const std::function<SearchResult(const SearchOptions&)>& run) {
  Seen out;
  options.stop_at_violation = false;
  const std::size_t threads = system.program().threads.size();
  options.on_state = [&](std::span<const Slot> state) {
    for (std::uint32_t t = 0; t < threads; ++t) out.locals.emplace(t, state[t]);
  };
  options.on_deadlock = [&](std::span<const Slot> state) { out.finals.emplace(state.begin(), state.end()); };
  out.result = run(options);
  for (const Finding& f : out.result.violations) out.violated.insert(f.property);
  for (const Finding& f : out.result.witnesses) out.reached.insert(f.property);
  return out;
}

// Notes which steps another selector keeps.
class NotingSelector final : public Selector {
 public:
  NotingSelector(std::unique_ptr<Selector> selector, Edges& edges) : selector_(std::move(selector)), edges_(edges) {}
  std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                     std::vector<char>& keep) override {
    const std::size_t kept = selector_->select(state, steps, first, keep);
    auto& out = edges_[SlotVector(state.begin(), state.end())];
    out.clear();
    for (std::size_t i = first; i < steps.size(); ++i) {
      if (kept == steps.size() - first || keep[i - first] != 0) out.push_back(steps.step(i));
    }
    return kept;
  }

 private:
  std::unique_ptr<Selector> selector_;
  Edges& edges_;
};

// Leaves nothing out, and notes all steps.
inline std::function<std::unique_ptr<Selector>()> noting_everything(Edges& edges) {
  class Everything final : public Selector {
    std::size_t select(std::span<const Slot>, const StepBuffer& steps, std::size_t first, std::vector<char>&) override {
      return steps.size() - first;
    }
  };
  return [&edges] { return std::make_unique<NotingSelector>(std::make_unique<Everything>(), edges); };
}

// A trace in Foata normal form: the steps with their levels, sorted. A step's level is one above the highest level of
// an earlier step that it depends on.
using Trace = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;  // level, transition, detail

namespace reduced_graph {

// Steps of one thread depend on each other: they access a slot of the thread that no state has.
constexpr std::uint32_t own_slot = 1u << 30;

// A run so far: the trace, and for every slot and kind of access the highest level.
struct Prefix {
  SlotVector state;
  Trace trace;
  std::map<std::pair<std::uint32_t, Access::Kind>, std::uint32_t> levels;
  auto operator<=>(const Prefix&) const = default;
};

// Written down once more, so that a mistake in access.h shows.
inline bool commute(Access::Kind a, Access::Kind b) {
  using enum Access::Kind;
  if (a == Write || b == Write) return false;
  const bool parts = (a == ReadPart || a == WritePart) && (b == ReadPart || b == WritePart);
  const bool reads = (a == Read || a == ReadPart) && (b == Read || b == ReadPart);
  return parts || reads || a == b;
}

inline Prefix extended(const TransitionSystem& system, const Prefix& prefix, Step step) {
  const Threads& threads = *system.threads();
  PendingAction action;
  std::uint32_t thread = 0;
  for (; thread < threads.thread_count(prefix.state); ++thread) {
    if (threads.pending(prefix.state, thread, action) && std::ranges::find(action.steps, step) != action.steps.end())
      break;
  }
  std::vector<Access> accesses = action.accesses;
  accesses.push_back({own_slot + thread, Access::Kind::Write});
  Prefix next = prefix;
  std::uint32_t level = 0;
  for (const Access& a : accesses) {
    for (const auto& [access, at] : prefix.levels) {
      if (access.first != a.slot || commute(access.second, a.kind)) continue;
      level = std::max(level, at);
    }
  }
  ++level;
  for (const Access& a : accesses) {
    std::uint32_t& at = next.levels[{a.slot, a.kind}];
    at = std::max(at, level);
  }
  next.trace.emplace_back(level, step.transition, step.detail);
  std::ranges::sort(next.trace);
  system.execute(prefix.state, step, next.state);
  return next;
}

}  // namespace reduced_graph

// Returns the traces of all maximal runs over `edges`, with a state that each ends in; nothing if there are more than
// `most` prefixes.
inline std::optional<std::map<Trace, SlotVector>> ended_traces(const TransitionSystem& system, const Edges& edges,
                                                               std::size_t most) {
  using namespace reduced_graph;
  std::map<Trace, SlotVector> out;
  std::set<Prefix> known;
  std::vector<Prefix> todo;
  for (const SlotVector& initial : system.initial_states()) todo.push_back({initial, {}, {}});
  while (!todo.empty()) {
    const Prefix prefix = std::move(todo.back());
    todo.pop_back();
    if (!known.insert(prefix).second) continue;
    if (known.size() > most) return std::nullopt;
    const auto steps = edges.find(prefix.state);
    if (steps == edges.end() || steps->second.empty()) {
      out.emplace(prefix.trace, prefix.state);
      continue;
    }
    for (const Step& step : steps->second) todo.push_back(extended(system, prefix, step));
  }
  return out;
}

inline std::optional<std::set<Trace>> traces(const TransitionSystem& system, const Edges& edges, std::size_t most) {
  const auto ended = ended_traces(system, edges, most);
  if (!ended) return std::nullopt;
  std::set<Trace> out;
  for (const auto& [trace, state] : *ended) out.insert(trace);
  return out;
}

}  // namespace heddle::testing
