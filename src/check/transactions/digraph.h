// A directed graph in compact arrays, and its strongly connected components.
//
// A node is a transaction, one of its two events, or a pass: a node that stands for nobody and only carries edges on,
// so that "each of these before each of those" takes a sum of edges and not a product. Invariant: edges of one node
// stand together, in the order in which they were given. Any number of threads may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::transactions {

enum class Dependency : std::uint8_t {
  WriteWrite,
  WriteRead,
  ReadWrite,
  Session,
  RealTime,
  Within,  // from a transaction's start to its commit
  Pass,    // the rest of an edge that began with another kind
  Forced,  // as WriteWrite: whoever read the end of a list and appended stands right behind it
};

struct Edge {
  std::uint32_t to : 29;
  std::uint32_t kind_bits : 3;
  Dependency kind() const { return static_cast<Dependency>(kind_bits); }
};

class Digraph {
 public:
  static constexpr std::uint32_t most_nodes = (1U << 29) - 1;

  // `each` calls its argument with (from, to, kind) for every edge; it is called twice.
  template <class Each>
  Digraph(std::uint32_t nodes, const Each& each) : offsets_(std::size_t{nodes} + 2, 0) {
    each([this](std::uint32_t from, std::uint32_t, Dependency) { ++offsets_[from + 2]; });
    for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    edges_.resize(offsets_.back());
    each([this](std::uint32_t from, std::uint32_t to, Dependency kind) {
      edges_[offsets_[from + 1]++] = {to, static_cast<std::uint32_t>(kind)};
    });
    offsets_.pop_back();
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  std::span<const Edge> from(std::uint32_t node) const {
    return {edges_.data() + offsets_[node], edges_.data() + offsets_[node + 1]};
  }
  std::size_t bytes() const { return offsets_.capacity() * sizeof(std::uint64_t) + edges_.capacity() * sizeof(Edge); }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<Edge> edges_;
};

// Tarjan's algorithm, without recursion.
struct Components {
  std::vector<std::uint32_t> of;     // by node. An edge never leads to a component with a larger number
  std::vector<std::uint32_t> order;  // all nodes, components together, in topological order if there is no cycle
  std::uint32_t count = 0;
  bool has_cycle() const { return count < of.size(); }
};
Components components(const Digraph& graph);

// Returns the nodes in topological order; among those that could come next, the one of the least rank comes next. Nodes
// on cycles and behind them are left out.
std::vector<std::uint32_t> topological_order(const Digraph& graph, const std::vector<std::uint32_t>& rank);

// Returns the members of every component with more than one.
std::vector<std::vector<std::uint32_t>> cyclic_components(const Components& components);

// A closed walk: node i has an edge of kind i to node i + 1, the last one to the first.
struct Cycle {
  std::vector<std::uint32_t> nodes;
  std::vector<Dependency> kinds;
  bool empty() const { return nodes.empty(); }
  std::size_t length() const;  // edges, without Within and Pass
};

// Returns the shortest cycle through nodes of the components, or the shortest that was found after `most_visits` edges.
// REQUIRES: none of the components is empty.
Cycle shortest_cycle(const Digraph& graph, const Components& components,
                     const std::vector<std::vector<std::uint32_t>>& cyclic, std::size_t most_visits);

// Returns short cycles, at most one through each node: many, so that a search learns from all parts of the graph at
// once. At least one of every component that it comes to before the visits are used up, and at least one.
// REQUIRES: none of the components is empty.
std::vector<Cycle> short_cycles(const Digraph& graph, const Components& components,
                                const std::vector<std::vector<std::uint32_t>>& cyclic, std::size_t most_visits);

}  // namespace heddle::transactions
