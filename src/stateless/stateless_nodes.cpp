// A depth-first search over states that keeps for each state how many nodes are below it.
#include "stateless/stateless_nodes.h"

#include <vector>

#include "core/content_table.h"
#include "explore/search.h"

namespace heddle {

std::optional<std::uint64_t> stateless_nodes(const TransitionSystem& system, Selector* selector) {
  constexpr std::uint64_t open = ~std::uint64_t{0};
  ContentTable states;
  std::vector<std::uint64_t> nodes{0};  // below each state, the state included; `open` while it is on the path
  struct Frame {
    std::uint32_t number;
    std::vector<SlotVector> successors;
    std::size_t next = 0;
    std::uint64_t sum = 1;
  };
  std::vector<Frame> path;
  StepBuffer steps;
  std::vector<char> keep;
  const auto enter = [&](const SlotVector& state, std::uint32_t number) {
    nodes.resize(std::max<std::size_t>(nodes.size(), number + 1));
    nodes[number] = open;
    Frame& frame = path.emplace_back(Frame{number, {}});
    steps.clear();
    system.expand(state, steps);
    if (selector != nullptr) selector->select(state, steps, 0, keep);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (selector == nullptr || keep[i] != 0) frame.successors.push_back(apply_changes(state, steps.changes(i)));
    }
  };
  std::uint64_t total = 0;
  for (const SlotVector& initial : system.initial_states()) {
    const auto first = states.intern_new(std::span<const std::uint32_t>(initial));
    if (!first.is_new) continue;
    enter(initial, first.number);
    while (!path.empty()) {
      Frame& frame = path.back();
      if (frame.next == frame.successors.size()) {
        nodes[frame.number] = frame.sum;
        const std::uint64_t sum = frame.sum;
        path.pop_back();
        (path.empty() ? total : path.back().sum) += sum;
        continue;
      }
      const SlotVector state = std::move(frame.successors[frame.next++]);
      const auto stored = states.intern_new(std::span<const std::uint32_t>(state));
      if (stored.is_new) {
        enter(state, stored.number);
      } else if (nodes[stored.number] == open) {
        return std::nullopt;
      } else {
        frame.sum += nodes[stored.number];
      }
    }
  }
  return total;
}

}  // namespace heddle
