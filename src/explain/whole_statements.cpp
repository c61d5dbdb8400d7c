// Joins the actions of a statement into an interval if the graph of intervals stays without cycles.
#include "explain/whole_statements.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace heddle::explain {
namespace {

// The actions of one statement that follow each other in their thread.
using Group = std::vector<std::uint32_t>;

std::vector<Group> groups_of(const RecordedExecution& execution, const StatementTree& tree) {
  std::vector<std::vector<Group>> by_thread(execution.threads);
  for (std::uint32_t i = 0; i < execution.actions.size(); ++i) {
    const Action& action = execution.actions[i];
    auto& groups = by_thread[action.thread];
    const bool data = action.kind == Action::Kind::Data;
    const bool continues = data && !groups.empty() && execution.actions[groups.back().back()].kind == action.kind &&
                           execution.actions[groups.back().back()].instance == action.instance &&
                           !tree[execution.instances[action.instance].statement].loop;
    if (continues) {
      groups.back().push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  std::vector<Group> out;
  for (const auto& groups : by_thread) {
    std::ranges::copy_if(groups, std::back_inserter(out), [](const Group& group) { return group.size() > 1; });
  }
  return out;
}

void join(const Group& group, std::vector<std::uint32_t>& intervals) {
  for (const std::uint32_t action : group) intervals[action] = group.front();
}

// The actions in an order of whole intervals that keeps program order and conflicts. REQUIRES: there is one.
std::vector<std::uint32_t> ordered(const ConflictGraph& graph, const std::vector<std::uint32_t>& intervals) {
  const auto& actions = graph.execution().actions;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;  // between intervals
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    if (intervals[from] != intervals[to]) edges.emplace(intervals[from], intervals[to]);
  };
  std::vector<std::uint32_t> previous(graph.execution().threads, explain::nothing);
  for (std::uint32_t i = 0; i < actions.size(); ++i) {
    std::uint32_t& before = previous[actions[i].thread];
    if (before != explain::nothing) add(before, i);
    before = i;
  }
  for (const ConflictEdge& edge : graph.covering()) add(edge.from, edge.to);
  std::vector<std::uint32_t> waits_for(actions.size(), 0);  // by interval
  for (const auto& [from, to] : edges) ++waits_for[to];
  std::set<std::uint32_t> ready;
  for (const std::uint32_t interval : intervals) {
    if (waits_for[interval] == 0) ready.insert(interval);
  }
  std::vector<std::uint32_t> out;
  while (!ready.empty()) {
    const std::uint32_t interval = *ready.begin();
    ready.erase(ready.begin());
    for (std::uint32_t i = interval; i < actions.size(); ++i) {
      if (intervals[i] == interval) out.push_back(i);
    }
    for (auto edge = edges.lower_bound({interval, 0}); edge != edges.end() && edge->first == interval; ++edge) {
      if (--waits_for[edge->second] == 0) ready.insert(edge->second);
    }
  }
  return out;
}

}  // namespace

RecordedExecution with_whole_statements(RecordedExecution execution, const StatementTree& tree, RealTime real_time) {
  const std::vector<Group> groups = groups_of(execution, tree);
  if (groups.empty()) return execution;
  const ConflictGraph graph(execution, real_time);
  std::vector<std::uint32_t> alone(execution.actions.size());
  std::iota(alone.begin(), alone.end(), 0U);
  std::vector<std::uint32_t> intervals = alone;
  for (const Group& group : groups) join(group, intervals);
  if (is_cyclic(graph, intervals)) {
    intervals = alone;
    for (const Group& group : groups) {
      std::vector<std::uint32_t> more = intervals;
      join(group, more);
      if (!is_cyclic(graph, more)) intervals = std::move(more);
    }
  }
  std::vector<Action> actions;
  std::uint32_t latest = explain::nothing;
  for (const std::uint32_t i : ordered(graph, intervals)) {
    Action& action = execution.actions[i];
    if (intervals[i] == latest) {
      auto& accesses = actions.back().accesses;
      accesses.insert(accesses.end(), action.accesses.begin(), action.accesses.end());
    } else {
      actions.push_back(std::move(action));
    }
    latest = intervals[i];
  }
  execution.actions = std::move(actions);
  return execution;
}

}  // namespace heddle::explain
