// A cycle with exactly one rw edge (Adya's G-single).
//
//   OneAntiDependency search(graph, components, dependencies, most_visits);
//   if (!search.find(cyclic)) ...;     // the visits did not suffice
//   search.best();                     // the shortest; empty if there is none
//
// What a transaction depends on is searched from those that overwrote what it has read, within a strongly connected
// component: elsewhere there is no cycle. Not thread-safe; what is given outlives this object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/transactions/dependencies.h"
#include "check/transactions/digraph.h"

namespace heddle::transactions {

class OneAntiDependency {
 public:
  OneAntiDependency(const Digraph& graph, const Components& components, const Dependencies& dependencies,
                    std::size_t most_visits);

  // Returns short cycles, one for each transaction that it begins with.
  std::vector<Cycle> several(const std::vector<std::vector<std::uint32_t>>& cyclic);
  // Returns false if the visits did not suffice to say that there is none.
  bool find(const std::vector<std::vector<std::uint32_t>>& cyclic);
  const Cycle& best() const { return best_; }
  std::size_t left() const { return left_; }

 private:
  bool is_anti_pass(std::uint32_t node) const { return node >= transactions_ && node < transactions_ + passes_; }
  bool from(std::uint32_t start);
  bool leads_to(std::uint32_t node, std::uint32_t start) const;
  void take(std::uint32_t start, std::uint32_t last, std::uint32_t over);

  const Digraph& graph_;
  const Components& components_;
  const std::uint32_t transactions_, passes_;
  std::size_t left_;
  std::vector<std::uint32_t> seen_, depth_, parent_;
  std::vector<Dependency> kind_;
  Cycle best_;
  std::uint32_t best_length_ = never;
};

}  // namespace heddle::transactions
