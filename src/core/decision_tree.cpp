// Walks over all leaves; the hot walk from root to leaf is in the header.
#include "core/decision_tree.h"

#include <vector>

namespace heddle {

void DecisionTrees::each_leaf(
    const std::function<void(std::uint32_t, std::span<const Found>, std::uint32_t)>& f) const {
  struct Edge {
    std::uint32_t node, value;
  };
  std::vector<Edge> into(nodes_used_ + 1, Edge{0, 0});
  edges_.each([&](std::uint32_t node, std::uint32_t value, std::uint32_t target) { into[target] = {node, value}; });
  std::vector<Found> found;
  for (std::uint32_t n = 1; n < into.size(); ++n) {
    if ((nodes_[n] & leaf) == 0) continue;
    found.clear();
    std::uint32_t at = n;
    while ((at & root) == 0) {
      const Edge edge = into[at];
      at = edge.node;
      found.push_back({((at & root) != 0 ? roots_[at & ~root] : nodes_[at]) - first_read, edge.value});
    }
    f(at & ~root, found, nodes_[n] & ~leaf);
  }
}

}  // namespace heddle
