// Strongly connected components without recursion, topological orders, and short cycles breadth first.
#include "check/transactions/digraph.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <utility>

namespace heddle::transactions {
namespace {

constexpr std::uint32_t unvisited = ~std::uint32_t{0};

bool counts(Dependency kind) { return kind != Dependency::Within && kind != Dependency::Pass; }

// Looks for short cycles through one node after the other. A search goes no deeper than the best cycle found so far.
class CycleSearch {
 public:
  CycleSearch(const Digraph& graph, const Components& components, std::size_t most_visits)
      : graph_(graph),
        components_(components),
        left_(most_visits),
        seen_(graph.nodes(), unvisited),
        depth_(graph.nodes()),
        parent_(graph.nodes()),
        kind_(graph.nodes()) {}

  // Returns false if no visits are left.
  bool from(std::uint32_t start) {
    queue_.clear();
    queue_.push_back(start);
    seen_[start] = start;
    depth_[start] = 0;
    while (!queue_.empty()) {
      const std::uint32_t node = queue_.front();
      queue_.pop_front();
      for (const Edge edge : graph_.from(node)) {
        if (components_.of[edge.to] != components_.of[start]) continue;
        if (left_ == 0) return false;
        --left_;
        const std::uint32_t depth = depth_[node] + (counts(edge.kind()) ? 1 : 0);
        if (depth >= best_length_) continue;
        if (edge.to == start) {
          take(start, node, edge.kind(), depth);  // a shorter one may follow: some edges have no length
          continue;
        }
        if (seen_[edge.to] == start && depth_[edge.to] <= depth) continue;
        seen_[edge.to] = start;
        depth_[edge.to] = depth;
        parent_[edge.to] = node;
        kind_[edge.to] = edge.kind();
        if (counts(edge.kind())) {
          queue_.push_back(edge.to);
        } else {
          queue_.push_front(edge.to);
        }
      }
    }
    return true;
  }
  Cycle best() && { return std::move(best_); }
  std::uint32_t best_length() const { return best_length_; }
  // Forgets the best cycle, and may visit as many edges again. Returns how many were left.
  std::size_t again(std::size_t most_visits) {
    best_ = {};
    best_length_ = unvisited;
    return std::exchange(left_, most_visits);
  }

 private:
  void take(std::uint32_t start, std::uint32_t last, Dependency kind, std::uint32_t length) {
    best_ = {};
    best_length_ = length;
    best_.kinds.push_back(kind);
    for (std::uint32_t node = last; node != start; node = parent_[node]) {
      best_.nodes.push_back(node);
      best_.kinds.push_back(kind_[node]);
    }
    best_.nodes.push_back(start);
    std::ranges::reverse(best_.nodes);
    std::ranges::reverse(best_.kinds);
  }

  const Digraph& graph_;
  const Components& components_;
  std::size_t left_;
  std::vector<std::uint32_t> seen_, depth_, parent_;
  std::vector<Dependency> kind_;
  std::deque<std::uint32_t> queue_;
  Cycle best_;
  std::uint32_t best_length_ = unvisited;
};

}  // namespace

std::size_t Cycle::length() const { return static_cast<std::size_t>(std::ranges::count_if(kinds, counts)); }

Components components(const Digraph& graph) {
  const std::uint32_t nodes = graph.nodes();
  Components out;
  out.of.assign(nodes, unvisited);
  out.order.reserve(nodes);
  // While a node is on the stack, `of` is unset and `low` the least number that it reaches.
  std::vector<std::uint32_t> number(nodes, unvisited), low(nodes), stack;
  struct Frame {
    std::uint32_t node, next;
  };
  std::vector<Frame> frames;
  std::uint32_t numbers = 0;
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (number[root] != unvisited) continue;
    frames.push_back({root, 0});
    number[root] = low[root] = numbers++;
    stack.push_back(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::uint32_t node = frame.node;
      const auto edges = graph.from(node);
      if (frame.next < edges.size()) {
        const std::uint32_t to = edges[frame.next++].to;
        if (number[to] == unvisited) {
          number[to] = low[to] = numbers++;
          stack.push_back(to);
          frames.push_back({to, 0});
        } else if (out.of[to] == unvisited) {
          low[node] = std::min(low[node], number[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] != number[node]) continue;
      for (;;) {
        const std::uint32_t member = stack.back();
        stack.pop_back();
        out.of[member] = out.count;
        out.order.push_back(member);
        if (member == node) break;
      }
      ++out.count;
    }
  }
  std::ranges::reverse(out.order);
  return out;
}

std::vector<std::uint32_t> topological_order(const Digraph& graph, const std::vector<std::uint32_t>& rank) {
  std::vector<std::uint32_t> waits_for(graph.nodes(), 0), order;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    for (const Edge edge : graph.from(node)) ++waits_for[edge.to];
  }
  using Entry = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (waits_for[node] == 0) ready.emplace(rank[node], node);
  }
  order.reserve(graph.nodes());
  while (!ready.empty()) {
    const std::uint32_t node = ready.top().second;
    ready.pop();
    order.push_back(node);
    for (const Edge edge : graph.from(node)) {
      if (--waits_for[edge.to] == 0) ready.emplace(rank[edge.to], edge.to);
    }
  }
  return order;
}

std::vector<std::vector<std::uint32_t>> cyclic_components(const Components& components) {
  std::vector<std::vector<std::uint32_t>> out;
  const std::vector<std::uint32_t>& order = components.order;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && components.of[order[end]] == components.of[order[begin]]) ++end;
    if (end - begin > 1) {
      out.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                       order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    begin = end;
  }
  return out;
}

Cycle shortest_cycle(const Digraph& graph, const Components& components,
                     const std::vector<std::vector<std::uint32_t>>& cyclic, std::size_t most_visits) {
  CycleSearch search(graph, components, most_visits);
  std::vector<const std::vector<std::uint32_t>*> sorted;
  for (const auto& one : cyclic) sorted.push_back(&one);
  std::ranges::sort(sorted, {}, [](const auto* one) { return one->size(); });
  for (const auto* one : sorted) {
    for (std::uint32_t node : *one) {
      if (!search.from(node)) {
        // A cycle has been found, unless the very first search took all visits.
        if (search.best_length() != unvisited) return std::move(search).best();
        CycleSearch patient(graph, components, static_cast<std::size_t>(-1));
        patient.from(node);
        return std::move(patient).best();
      }
      if (search.best_length() == 2) return std::move(search).best();
    }
  }
  return std::move(search).best();
}

std::vector<Cycle> short_cycles(const Digraph& graph, const Components& components,
                                const std::vector<std::vector<std::uint32_t>>& cyclic, std::size_t most_visits) {
  constexpr std::size_t most_for_one = 20'000;
  std::vector<Cycle> out;
  std::vector<std::uint8_t> on_cycle(graph.nodes(), 0);
  std::size_t nodes = 0;
  for (const auto& one : cyclic) nodes += one.size();
  CycleSearch search(graph, components, 0);
  for (const auto& one : cyclic) {
    std::size_t left = most_for_one + most_visits / nodes * one.size();
    bool any = false;
    for (const std::uint32_t node : one) {
      if (on_cycle[node] != 0) continue;
      const std::size_t visits = any ? std::min(left, most_for_one) : static_cast<std::size_t>(-1);
      search.again(visits);
      search.from(node);
      Cycle found = std::move(search).best();
      const std::size_t used = visits - search.again(0);
      left -= std::min(left, used);
      if (!found.empty()) {
        for (const std::uint32_t member : found.nodes) on_cycle[member] = 1;
        out.push_back(std::move(found));
        any = true;
      }
      if (left == 0) break;
    }
  }
  return out;
}

}  // namespace heddle::transactions
