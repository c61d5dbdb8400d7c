// Numbers bytes that are always accessed together as cells, and keeps for each pair of threads those conflicts that
// matter.
#include "explain/conflict_graph.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

namespace heddle::explain {
namespace {

struct CellAccess {
  std::uint32_t cell;
  bool write;
};

// Bytes that are always accessed together are one cell. Gives each action its accesses of cells.
class Cells {
 public:
  explicit Cells(const RecordedExecution& execution) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> bounds;  // by object
    for (const Action& action : execution.actions) {
      for (const DataAccess& x : action.accesses) {
        auto& of_object = bounds[x.object];
        of_object.push_back(x.begin);
        of_object.push_back(x.end);
      }
    }
    std::map<std::uint32_t, std::uint32_t> first;  // cell of each object
    for (auto& [object, of_object] : bounds) {
      std::ranges::sort(of_object);
      of_object.erase(std::ranges::unique(of_object).begin(), of_object.end());
      first[object] = count_;
      count_ += static_cast<std::uint32_t>(of_object.size());
    }
    for (const Action& action : execution.actions) {
      for (const DataAccess& x : action.accesses) {
        const auto& of_object = bounds[x.object];
        const auto at = [&](std::uint32_t byte) {
          return static_cast<std::uint32_t>(std::ranges::lower_bound(of_object, byte) - of_object.begin());
        };
        for (std::uint32_t c = at(x.begin), end = at(x.end); c < end; ++c)
          all_.push_back({first[x.object] + c, x.write});
      }
      ends_.push_back(all_.size());
    }
  }

  std::uint32_t count() const { return count_; }
  std::span<const CellAccess> of(std::size_t action) const {
    const std::size_t begin = action == 0 ? 0 : ends_[action - 1];
    return {all_.data() + begin, ends_[action] - begin};
  }

 private:
  std::uint32_t count_ = 0;
  std::vector<CellAccess> all_;
  std::vector<std::size_t> ends_;  // by action
};

}  // namespace

ConflictGraph::ConflictGraph(const RecordedExecution& execution, RealTime real_time)
    : execution_(&execution), real_time_(real_time) {
  const std::uint32_t threads = execution.threads;
  const std::size_t count = execution.actions.size();
  const Cells cells(execution);
  struct Latest {
    std::uint32_t read = nothing, write = nothing;
  };
  std::vector<Latest> latest(std::size_t{cells.count()} * threads);  // by cell, then thread
  std::vector<std::uint32_t> returned(threads, nothing);             // the latest return
  std::vector<std::uint32_t> farthest(std::size_t{threads} * threads, nothing);
  std::vector<std::uint32_t> source(threads);
  frontier_.resize(std::size_t{threads} * threads);
  first_of_invocation_.resize(count);
  std::vector<std::uint32_t> previous(threads, nothing);  // action
  // Later of two actions, either of which may not exist: nothing + 1 is 0.
  const auto later = [](std::uint32_t a, std::uint32_t b) { return a + 1 > b + 1 ? a : b; };

  for (std::uint32_t j = 0; j < count; ++j) {
    const Action& action = execution.actions[j];
    const std::uint32_t u = action.thread;
    assert(u < threads);
    const std::uint32_t before = previous[u];
    const bool goes_on = before != nothing && execution.actions[before].invocation == action.invocation;
    first_of_invocation_[j] = goes_on ? first_of_invocation_[before] : j;
    previous[u] = j;

    std::ranges::fill(source, nothing);
    for (const CellAccess& x : cells.of(j)) {
      for (std::uint32_t t = 0; t < threads; ++t) {
        if (t == u) continue;
        const Latest& of = latest[std::size_t{x.cell} * threads + t];
        source[t] = later(source[t], x.write ? later(of.read, of.write) : of.write);
      }
    }
    if (real_time == RealTime::Respected && action.kind == Action::Kind::Call) {
      for (std::uint32_t t = 0; t < threads; ++t) {
        if (t != u) source[t] = later(source[t], returned[t]);
      }
    }
    if (action.kind == Action::Kind::Return) returned[u] = j;
    for (const CellAccess& x : cells.of(j)) {
      Latest& of = latest[std::size_t{x.cell} * threads + u];
      (x.write ? of.write : of.read) = j;
    }
    // For one target the latest source covers the earlier ones, by program order.
    for (std::uint32_t t = 0; t < threads; ++t) {
      if (source[t] == nothing) continue;
      covering_.push_back({source[t], j});
      std::uint32_t& far = farthest[std::size_t{t} * threads + u];
      if (far != nothing && source[t] <= far) continue;
      far = source[t];
      frontier_[std::size_t{t} * threads + u].push_back({source[t], j});
    }
  }
}

std::vector<ConflictEdge> all_conflicts(const RecordedExecution& execution, RealTime real_time) {
  const auto overlap = [](const DataAccess& a, const DataAccess& b) {
    return a.object == b.object && a.begin < b.end && b.begin < a.end && (a.write || b.write);
  };
  const auto conflict = [&](const Action& a, const Action& b) {
    if (a.thread == b.thread) return false;
    if (real_time == RealTime::Respected && a.kind == Action::Kind::Return && b.kind == Action::Kind::Call) return true;
    return std::ranges::any_of(a.accesses, [&](const DataAccess& x) {
      return std::ranges::any_of(b.accesses, [&](const DataAccess& y) { return overlap(x, y); });
    });
  };
  std::vector<ConflictEdge> out;
  for (std::uint32_t i = 0; i < execution.actions.size(); ++i) {
    for (std::uint32_t j = i + 1; j < execution.actions.size(); ++j) {
      if (conflict(execution.actions[i], execution.actions[j])) out.push_back({i, j});
    }
  }
  return out;
}

bool is_cyclic(const ConflictGraph& graph, std::span<const std::uint32_t> intervals) {
  const std::vector<Action>& actions = graph.execution().actions;
  assert(intervals.size() == actions.size());
  if (actions.empty()) return false;
  const std::uint32_t nodes = 1 + *std::ranges::max_element(intervals);
  std::vector<ConflictEdge> edges;
  edges.reserve(actions.size() + graph.covering().size());
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    if (intervals[from] != intervals[to]) edges.push_back({intervals[from], intervals[to]});
  };
  std::vector<std::uint32_t> previous(graph.execution().threads, nothing);
  for (std::uint32_t j = 0; j < actions.size(); ++j) {
    std::uint32_t& before = previous[actions[j].thread];
    if (before != nothing) add(before, j);
    before = j;
  }
  for (const ConflictEdge& edge : graph.covering()) add(edge.from, edge.to);

  // Intervals without predecessors are taken away until none is left, or only cycles are (Kahn 1962).
  std::vector<std::uint32_t> begin(nodes + 1, 0), predecessors(nodes, 0), targets(edges.size());
  for (const ConflictEdge& edge : edges) ++begin[edge.from + 1], ++predecessors[edge.to];
  for (std::uint32_t n = 0; n < nodes; ++n) begin[n + 1] += begin[n];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (const ConflictEdge& edge : edges) targets[next[edge.from]++] = edge.to;
  std::vector<std::uint32_t> free;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (predecessors[n] == 0) free.push_back(n);
  }
  std::uint32_t taken = 0;
  while (!free.empty()) {
    const std::uint32_t n = free.back();
    free.pop_back();
    ++taken;
    for (std::uint32_t k = begin[n]; k < begin[n + 1]; ++k) {
      if (--predecessors[targets[k]] == 0) free.push_back(targets[k]);
    }
  }
  return taken != nodes;
}

}  // namespace heddle::explain
