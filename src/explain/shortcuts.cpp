// A breadth-first search of bounded size from one state of the walk.
#include "explain/shortcuts.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace heddle::explain {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Node {
  SlotVector state;
  std::uint32_t parent = none;
  Step step;
  const StepFacts* facts = nullptr;
  std::size_t messages = 0, faults = 0;  // from the start of the search
  bool continued = true;
};

class Search {
 public:
  Search(const Workshop& shop, Walk& walk, std::size_t from, const ShortcutLimits& limits)
      : shop_(shop), walk_(walk), from_(from), limits_(limits), best_(walk.cost()), seen_(0, {&nodes_}, {&nodes_}) {
    for (std::size_t i = from + 1; limits.rejoin && i < walk.states.size(); ++i) later_[walk.states[i]] = i;
  }

  ShortcutResult run() {
    nodes_.push_back(
        {.state = walk_.states[from_], .step = {}, .continued = shop_.goal.look(walk_.states[from_]).continued});
    seen_.insert(0);
    ShortcutResult result;
    std::size_t begin = 0, end = 1;  // the current layer
    for (std::size_t depth = 0; begin < end; ++depth) {
      // A longer detour can at best end in the finding, one step further on.
      if (from_ + depth + 1 > best_.steps) break;
      if (!expand_layer(begin, end)) return finish(result, false);
      begin = std::exchange(end, nodes_.size());
      for (std::size_t n = begin; n < end; ++n) consider(static_cast<std::uint32_t>(n), depth + 1);
    }
    return finish(result, true);
  }

 private:
  struct Hash {
    using is_avalanching = void;
    const std::deque<Node>* nodes;
    std::size_t operator()(std::uint32_t n) const { return SlotHash{}((*nodes)[n].state); }
  };
  struct Equal {
    const std::deque<Node>* nodes;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return (*nodes)[a].state == (*nodes)[b].state; }
  };

  // Returns false if a limit was reached.
  bool expand_layer(std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (!shop_.effort.spend() || nodes_.size() > limits_.states) return false;
      if (!nodes_[n].continued) continue;
      steps_.clear();
      shop_.system.expand(nodes_[n].state, steps_);
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const StepFacts& facts = shop_.catalogue.facts(nodes_[n].state, steps_.step(i), steps_.changes(i));
        if (limits_.banned_lanes != nullptr && (*limits_.banned_lanes)[facts.lane]) continue;
        enter(static_cast<std::uint32_t>(n), steps_.step(i), facts, apply_changes(nodes_[n].state, steps_.changes(i)),
              end);
      }
    }
    return true;
  }

  // A known state of the unfinished layer may get a cheaper predecessor; states of finished layers are closer anyway.
  void enter(std::uint32_t parent, Step step, const StepFacts& facts, SlotVector state, std::size_t layer_begin) {
    shop_.normalise(state);
    const std::size_t messages = nodes_[parent].messages + facts.messages;
    const std::size_t faults = nodes_[parent].faults + facts.faults;
    nodes_.push_back({std::move(state), parent, step, &facts, messages, faults});
    const auto added = static_cast<std::uint32_t>(nodes_.size() - 1);
    const auto [position, is_new] = seen_.insert(added);
    if (is_new) return;
    Node& known = nodes_[*position];
    if (*position >= layer_begin && std::pair(messages, faults) < std::pair(known.messages, known.faults)) {
      known.parent = parent;
      known.step = step;
      known.facts = &facts;
      known.messages = messages;
      known.faults = faults;
    }
    nodes_.pop_back();
  }

  // Keeps the detour to node `n`, which is `depth` steps after the start, if it makes the walk better than the best so
  // far.
  void consider(std::uint32_t n, std::size_t depth) {
    const Goal::Standing standing = shop_.goal.look(nodes_[n].state);
    nodes_[n].continued = standing.continued;
    std::size_t rest = walk_.steps.size();  // the step of the walk that follows the detour
    if (const auto joined = later_.find(nodes_[n].state); joined != later_.end()) {
      rest = joined->second;
    } else if (!standing.reached) {
      return;
    }
    if (from_ + depth + (walk_.steps.size() - rest) > best_.steps) return;

    std::vector<std::uint32_t> detour;
    for (std::uint32_t k = n; nodes_[k].parent != none; k = nodes_[k].parent) detour.push_back(k);
    std::ranges::reverse(detour);
    std::vector<const StepFacts*> facts(walk_.facts.begin(), walk_.facts.begin() + static_cast<std::ptrdiff_t>(from_));
    for (const std::uint32_t k : detour) facts.push_back(nodes_[k].facts);
    facts.insert(facts.end(), walk_.facts.begin() + static_cast<std::ptrdiff_t>(rest), walk_.facts.end());
    const Cost cost = cost_of(facts);
    if (!(cost < best_)) return;

    Walk candidate = walk_;
    candidate.cut(from_);
    for (const std::uint32_t k : detour) candidate.add(nodes_[k].step, *nodes_[k].facts, nodes_[k].state);
    if (rest < walk_.steps.size()) candidate.append(walk_, rest);
    best_ = cost;
    better_ = std::move(candidate);
  }

  ShortcutResult finish(ShortcutResult result, bool exhausted) {
    result.exhausted = exhausted;
    result.improved = better_.has_value();
    if (better_) walk_ = std::move(*better_);
    return result;
  }

  const Workshop& shop_;
  Walk& walk_;
  std::size_t from_;
  ShortcutLimits limits_;
  Cost best_;
  std::optional<Walk> better_;
  std::deque<Node> nodes_;
  boost::unordered_flat_set<std::uint32_t, Hash, Equal> seen_;
  boost::unordered_flat_map<SlotVector, std::size_t, SlotHash> later_;
  StepBuffer steps_;
};

}  // namespace

ShortcutResult take_shortcut(const Workshop& shop, Walk& walk, std::size_t from, const ShortcutLimits& limits) {
  return Search(shop, walk, from, limits).run();
}

}  // namespace heddle::explain
