// Dijkstra's search over pairs of a state and the thread that ran last.
#include "explain/fewest_switches.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

namespace heddle::explain {
namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

// A state, and the lane whose step led there.
struct Visit {
  SlotVector state;
  std::uint32_t lane = no_node;
  std::uint32_t parent = no_node;
  Step step;
  const StepFacts* facts = nullptr;
  std::uint32_t switches = 0, steps = 0;
  bool done = false;
};

class FewestSwitches {
 public:
  FewestSwitches(const Workshop& shop, Walk& walk, std::size_t states)
      : shop_(shop), walk_(walk), states_(states), most_switches_(walk.cost().switches) {}

  bool run() {
    enter({.state = walk_.states.front(), .step = {}});
    while (!open_.empty()) {
      const std::uint32_t n = std::get<2>(open_.top());
      open_.pop();
      if (std::exchange(visits_[n].done, true)) continue;
      const Goal::Standing standing = shop_.goal.look(visits_[n].state);
      if (standing.reached) {
        take(n);
        return true;
      }
      if (!standing.continued) continue;
      if (!shop_.effort.spend() || visits_.size() > states_) return false;
      expand(n);
    }
    return false;
  }

 private:
  void expand(std::uint32_t n) {
    steps_.clear();
    shop_.system.expand(visits_[n].state, steps_);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Visit& from = visits_[n];
      const StepFacts& facts = shop_.catalogue.facts(from.state, steps_.step(i), steps_.changes(i));
      Visit to{.state = apply_changes(from.state, steps_.changes(i)),
               .lane = facts.lane,
               .parent = n,
               .step = steps_.step(i),
               .facts = &facts,
               .switches = from.switches + (from.lane != no_node && from.lane != facts.lane ? 1 : 0),
               .steps = from.steps + 1};
      if (to.switches > most_switches_) continue;
      shop_.normalise(to.state);
      enter(std::move(to));
    }
  }

  void enter(Visit visit) {
    // The lane stands behind the state, so that both are one key.
    SlotVector key = visit.state;
    key.push_back(visit.lane);
    const auto [known, is_new] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(visits_.size()));
    const std::uint32_t n = known->second;
    if (is_new) {
      visits_.push_back(std::move(visit));
    } else {
      Visit& old = visits_[n];
      if (old.done || std::pair(old.switches, old.steps) <= std::pair(visit.switches, visit.steps)) return;
      old = std::move(visit);
    }
    open_.emplace(visits_[n].switches, visits_[n].steps, n);
  }

  void take(std::uint32_t n) {
    std::vector<std::uint32_t> way;
    for (; visits_[n].parent != no_node; n = visits_[n].parent) way.push_back(n);
    walk_.cut(0);
    for (auto k = way.rbegin(); k != way.rend(); ++k) {
      walk_.add(visits_[*k].step, *visits_[*k].facts, std::move(visits_[*k].state));
    }
  }

  const Workshop& shop_;
  Walk& walk_;
  const std::size_t states_;
  const std::size_t most_switches_;
  std::deque<Visit> visits_;
  boost::unordered_flat_map<SlotVector, std::uint32_t, SlotHash> numbers_;
  using Entry = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // switches, steps, number
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
  StepBuffer steps_;
};

struct Block {
  std::size_t begin, end;
  std::uint32_t lane;
};

std::vector<Block> blocks_of(const Walk& walk) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < walk.steps.size(); ++i) {
    if (blocks.empty() || blocks.back().lane != walk.facts[i]->lane) blocks.push_back({i, i, walk.facts[i]->lane});
    blocks.back().end = i + 1;
  }
  return blocks;
}

// The steps with those of [begin, end) moved to before step `to`.
Path moved(const Walk& walk, std::size_t begin, std::size_t end, std::size_t to) {
  Path path = walk.path();
  const auto at = [&](std::size_t i) { return path.steps.begin() + static_cast<std::ptrdiff_t>(i); };
  if (to <= begin) {
    std::rotate(at(to), at(begin), at(end));
  } else {
    std::rotate(at(begin), at(end), at(to));
  }
  return path;
}

}  // namespace

bool find_fewest_switches(const Workshop& shop, Walk& walk, std::size_t states) {
  return FewestSwitches(shop, walk, states).run();
}

bool join_blocks(const Workshop& shop, Walk& original) {
  bool improved = false;
  const auto try_path = [&](const Path& path) {
    for (std::size_t i = 0; i < path.steps.size(); ++i) {
      if (!shop.effort.spend()) return false;
    }
    std::optional<Walk> candidate = walk(shop, path);
    if (!candidate || !shop.goal.look(candidate->states.back()).reached) return false;
    if (!(candidate->cost() < original.cost())) return false;
    original = std::move(*candidate);
    return true;
  };
  const auto improve = [&] {
    const std::vector<Block> blocks = blocks_of(original);
    for (std::size_t later = 2; later < blocks.size(); ++later) {
      for (std::size_t earlier = later - 1; earlier-- > 0;) {
        if (blocks[earlier].lane != blocks[later].lane) continue;
        if (try_path(moved(original, blocks[later].begin, blocks[later].end, blocks[earlier].end)) ||
            try_path(moved(original, blocks[earlier].begin, blocks[earlier].end, blocks[later].begin))) {
          return true;
        }
        break;
      }
    }
    return false;
  };
  while (!shop.effort.exhausted() && improve()) improved = true;
  return improved;
}

}  // namespace heddle::explain
