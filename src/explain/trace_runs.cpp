// Numbers the states that safe sets leave, finds out backwards to which kinds of ends each leads, and walks only where
// the wanted kind can still be reached.
#include "explain/trace_runs.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <utility>

#include "core/facets/threads.h"

namespace heddle::explain {
namespace {

using Key = std::array<std::uint64_t, 2>;

Key key_of(std::span<const Slot> state) {
  const XXH128_hash_t hash = XXH3_128bits(state.data(), state.size_bytes());
  return {hash.low64, hash.high64};
}

// The threads that can go on; only one of them if its action is safe.
void threads_that_go_on(const Threads& threads, std::span<const Slot> state,
                        std::vector<std::pair<std::uint32_t, PendingAction>>& out) {
  out.clear();
  for (std::uint32_t t = 0; t < threads.thread_count(state); ++t) {
    PendingAction pending;
    if (!threads.pending(state, t, pending) || pending.steps.empty()) continue;
    if (pending.safe) out.clear();
    const bool safe = pending.safe;
    out.emplace_back(t, std::move(pending));
    if (safe) return;
  }
}

bool any_conflict(const std::vector<Access>& a, const std::vector<Access>& b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (x->slot < y->slot) {
      ++x;
    } else if (y->slot < x->slot) {
      ++y;
    } else {
      // Several accesses of one action may name one slot.
      const std::uint32_t slot = x->slot;
      const auto x_end = std::find_if(x, a.end(), [&](const Access& one) { return one.slot != slot; });
      const auto y_end = std::find_if(y, b.end(), [&](const Access& one) { return one.slot != slot; });
      for (auto i = x; i != x_end; ++i) {
        for (auto j = y; j != y_end; ++j) {
          if (heddle::conflict(i->kind, j->kind)) return true;
        }
      }
      x = x_end;
      y = y_end;
    }
  }
  return false;
}

}  // namespace

TraceRuns::TraceRuns(const TransitionSystem& system, std::size_t initial,
                     const std::function<RunKind(std::span<const Slot>)>& kind_of, Budget& budget)
    : initial_(initial) {
  const Threads& threads = *system.threads();
  std::vector<SlotVector> states;  // by node; emptied once expanded
  boost::unordered_flat_map<Key, std::uint32_t> numbers;
  std::map<std::vector<std::pair<std::uint32_t, Access::Kind>>, std::uint32_t> access_numbers;
  const auto number_of = [&](const SlotVector& state) {
    const auto [found, is_new] = numbers.try_emplace(key_of(state), static_cast<std::uint32_t>(states.size()));
    if (is_new) states.push_back(state);
    return found->second;
  };
  const auto number_of_accesses = [&](const std::vector<Access>& accesses) {
    std::vector<std::pair<std::uint32_t, Access::Kind>> sorted;
    for (const Access& one : accesses) sorted.emplace_back(one.slot, one.kind);
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    const auto [found, is_new] = access_numbers.try_emplace(sorted, static_cast<std::uint32_t>(accesses_.size()));
    if (is_new) {
      accesses_.emplace_back();
      for (const auto& [slot, kind] : sorted) accesses_.back().push_back({slot, kind});
    }
    return found->second;
  };

  number_of(system.initial_states().at(initial));
  std::vector<std::pair<std::uint32_t, PendingAction>> going;
  SlotVector to;
  for (std::uint32_t node = 0; node < states.size(); ++node) {
    if (node % 256 == 0 && !budget.check(bytes() + states.size() * (sizeof(SlotVector) + 64))) {
      nodes_.resize(states.size());
      return;
    }
    const SlotVector state = std::exchange(states[node], {});
    Node made{.first_action = static_cast<std::uint32_t>(actions_.size())};
    threads_that_go_on(threads, state, going);
    for (const auto& [thread, pending] : going) {
      Action action{thread, static_cast<std::uint32_t>(edges_.size()), 0, number_of_accesses(pending.accesses)};
      for (const Step step : pending.steps) {
        if (!system.execute(state, step, to)) continue;
        edges_.push_back({step, number_of(to)});
        ++action.edges;
      }
      if (action.edges != 0) actions_.push_back(action);
    }
    made.actions = static_cast<std::uint32_t>(actions_.size()) - made.first_action;
    if (made.actions == 0) made.reaches = static_cast<std::uint8_t>(kind_of(state));
    nodes_.push_back(made);
  }
  complete_ = true;
  spread_kinds();
  find_cycles();
}

std::size_t TraceRuns::bytes() const {
  return nodes_.size() * sizeof(Node) + actions_.size() * sizeof(Action) + edges_.size() * sizeof(Edge);
}

bool TraceRuns::reaches(const Action& action, RunKind kind) const {
  return std::any_of(edges_.begin() + action.first_edge, edges_.begin() + action.first_edge + action.edges,
                     [&](const Edge& edge) { return reaches(edge.to, kind); });
}

// Nodes are numbered in the order of their depth, so one round from the last to the first nearly does it.
void TraceRuns::spread_kinds() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      Node& node = nodes_[n];
      std::uint8_t kinds = node.reaches;
      for (std::uint32_t a = 0; a < node.actions; ++a) {
        const Action& action = actions_[node.first_action + a];
        for (std::uint32_t e = 0; e < action.edges; ++e) kinds |= nodes_[edges_[action.first_edge + e].to].reaches;
      }
      changed |= kinds != node.reaches;
      node.reaches = kinds;
    }
  }
}

// By taking away nodes that nobody leads to any more; what is left lies on cycles or behind them.
void TraceRuns::find_cycles() {
  std::vector<std::uint32_t> entries(nodes_.size(), 0);
  const auto for_each_target = [&](const Node& node, const auto& f) {
    for (std::uint32_t a = 0; a < node.actions; ++a) {
      const Action& action = actions_[node.first_action + a];
      for (std::uint32_t e = 0; e < action.edges; ++e) f(edges_[action.first_edge + e].to);
    }
  };
  for (const Node& node : nodes_) for_each_target(node, [&](std::uint32_t to) { ++entries[to]; });
  std::vector<std::uint32_t> free = {0};
  std::size_t taken = 0;
  if (entries[0] != 0) free.clear();
  while (!free.empty()) {
    const std::uint32_t node = free.back();
    free.pop_back();
    ++taken;
    for_each_target(nodes_[node], [&](std::uint32_t to) {
      if (--entries[to] == 0) free.push_back(to);
    });
  }
  has_cycles_ = taken != nodes_.size();
}

bool TraceRuns::for_each(RunKind kind, const std::function<bool(const Path&)>& f) const {
  if (nodes_.empty() || !reaches(0, kind)) return complete_;
  // A state on the current run. Its edges are tried one after the other. A thread all of whose edges were tried sleeps
  // until somebody does what conflicts with its action; until then the action stays as it is.
  struct Sleeper {
    std::uint32_t thread, accesses;
  };
  struct Visit {
    std::uint32_t node;
    std::vector<Sleeper> sleeping = {};
    std::uint32_t action = 0, edge = 0;
  };
  std::vector<Visit> visits = {{0}};
  std::vector<bool> on_run(nodes_.size(), false);
  on_run[0] = true;
  Path run{.initial = initial_, .steps = {}};
  const auto leave = [&] {
    on_run[visits.back().node] = false;
    visits.pop_back();
    if (!run.steps.empty()) run.steps.pop_back();
  };
  while (!visits.empty()) {
    Visit& visit = visits.back();
    const Node& node = nodes_[visit.node];
    if (node.actions == 0) {
      if (!f(run)) return false;
      leave();
      continue;
    }
    if (visit.action == node.actions) {
      leave();
      continue;
    }
    const Action& action = actions_[node.first_action + visit.action];
    const bool sleeps = std::ranges::find(visit.sleeping, action.thread, &Sleeper::thread) != visit.sleeping.end();
    if (sleeps || visit.edge == action.edges) {
      if (!sleeps) visit.sleeping.push_back({action.thread, action.accesses});
      ++visit.action;
      visit.edge = 0;
      continue;
    }
    const Edge& edge = edges_[action.first_edge + visit.edge++];
    if (!reaches(edge.to, kind) || on_run[edge.to]) continue;
    std::vector<Sleeper> sleeping;
    for (const Sleeper& other : visit.sleeping) {
      if (!any_conflict(accesses_[action.accesses], accesses_[other.accesses])) sleeping.push_back(other);
    }
    run.steps.push_back(edge.step);
    on_run[edge.to] = true;
    visits.push_back({.node = edge.to, .sleeping = std::move(sleeping)});
  }
  return complete_;
}

Path TraceRuns::random(RunKind kind, std::mt19937_64& generator) const {
  Path run{.initial = initial_, .steps = {}};
  std::vector<const Edge*> open;
  for (std::uint32_t at = 0; nodes_[at].actions != 0;) {
    open.clear();
    for (std::uint32_t a = 0; a < nodes_[at].actions; ++a) {
      const Action& action = actions_[nodes_[at].first_action + a];
      for (std::uint32_t e = 0; e < action.edges; ++e) {
        const Edge& edge = edges_[action.first_edge + e];
        if (reaches(edge.to, kind)) open.push_back(&edge);
      }
    }
    const Edge& chosen = *open[generator() % open.size()];
    run.steps.push_back(chosen.step);
    at = chosen.to;
  }
  return run;
}

}  // namespace heddle::explain
