// Searches from each transaction of a component without rw edges, and closes a cycle by one.
#include "check/transactions/one_anti_dependency.h"

#include <algorithm>
#include <utility>

namespace heddle::transactions {

OneAntiDependency::OneAntiDependency(const Digraph& graph, const Components& components,
                                     const Dependencies& dependencies, std::size_t most_visits)
    : graph_(graph),
      components_(components),
      transactions_(dependencies.transactions()),
      passes_(dependencies.passes()),
      left_(most_visits),
      seen_(graph.nodes(), never),
      depth_(graph.nodes()),
      parent_(graph.nodes()),
      kind_(graph.nodes()) {}

std::vector<Cycle> OneAntiDependency::several(const std::vector<std::vector<std::uint32_t>>& cyclic) {
  std::vector<Cycle> out;
  for (const auto& members : cyclic) {
    for (const std::uint32_t node : members) {
      if (node >= transactions_) continue;
      best_length_ = never;
      const bool ended = !from(node);
      if (!best_.empty()) out.push_back(std::exchange(best_, {}));
      if (ended) return out;
    }
  }
  return out;
}

bool OneAntiDependency::find(const std::vector<std::vector<std::uint32_t>>& cyclic) {
  for (const auto& members : cyclic) {
    for (const std::uint32_t node : members) {
      if (node >= transactions_) continue;
      if (!from(node)) return !best_.empty();
      if (best_length_ <= 2) return true;
    }
  }
  return true;
}

// Looks for a transaction that is reached from `start` without rw, and of which `start` has overwritten something.
bool OneAntiDependency::from(std::uint32_t start) {
  // Whether there is such an edge at all is said by the edges into it, which are not stored; so all are tried.
  std::vector<std::uint32_t> layer = {start}, next;
  seen_[start] = start;
  depth_[start] = 0;
  while (!layer.empty()) {
    next.clear();
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const std::uint32_t node = layer[i];
      for (const Edge edge : graph_.from(node)) {
        if (left_ == 0) return false;
        --left_;
        if (components_.of[edge.to] != components_.of[start]) continue;
        if (edge.kind() == Dependency::ReadWrite) {
          if (node != start && depth_[node] + 1 < best_length_ && leads_to(edge.to, start)) take(start, node, edge.to);
          continue;
        }
        if (is_anti_pass(edge.to) || seen_[edge.to] == start) continue;
        const bool counts = edge.kind() != Dependency::Pass;
        if (depth_[node] + 2 >= best_length_) continue;
        seen_[edge.to] = start;
        depth_[edge.to] = depth_[node] + (counts ? 1 : 0);
        parent_[edge.to] = node;
        kind_[edge.to] = edge.kind();
        (counts ? next : layer).push_back(edge.to);
      }
    }
    layer.swap(next);
  }
  return true;
}

bool OneAntiDependency::leads_to(std::uint32_t node, std::uint32_t start) const {
  if (node == start) return true;
  return is_anti_pass(node) &&
         std::ranges::any_of(graph_.from(node), [&](const Edge edge) { return edge.to == start; });
}

void OneAntiDependency::take(std::uint32_t start, std::uint32_t last, std::uint32_t over) {
  best_ = {};
  best_length_ = depth_[last] + 1;
  if (over != start) {
    best_.nodes.push_back(over);
    best_.kinds.push_back(Dependency::Pass);
  }
  best_.kinds.push_back(Dependency::ReadWrite);
  for (std::uint32_t node = last; node != start; node = parent_[node]) {
    best_.nodes.push_back(node);
    best_.kinds.push_back(kind_[node]);
  }
  best_.nodes.push_back(start);
  std::ranges::reverse(best_.nodes);
  std::ranges::reverse(best_.kinds);
}

}  // namespace heddle::transactions
