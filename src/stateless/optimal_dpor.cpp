// Wakeup trees, and the search that follows them.
#include "stateless/optimal_dpor.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "stateless/stateless_search.h"

namespace heddle {
namespace {

// An ordered tree of sequences to explore: each path from the root to a leaf is one.
struct Branch {
  Event event;
  std::vector<Branch> rest;
};
using WakeupTree = std::vector<Branch>;

// Whether `event` can come first in some execution that begins with `sequence` up to equivalence (a weak initial).
// `found` becomes its position, or the length of the sequence if it does not occur.
bool can_come_first(const Event& event, std::span<const Event* const> sequence, std::size_t& found) {
  for (found = 0; found < sequence.size(); ++found) {
    if (sequence[found]->same(event)) return true;
    if (dependent(*sequence[found], event)) return false;
  }
  return true;
}

// Adds the sequence, unless the tree already leads to an equivalent one.
void insert(WakeupTree& tree, std::vector<const Event*> sequence) {
  WakeupTree* at = &tree;
  for (;;) {
    bool down = false;
    for (Branch& b : *at) {
      std::size_t found = 0;
      if (!can_come_first(b.event, sequence, found)) continue;
      if (found < sequence.size()) sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(found));
      // The exploration after a leaf is free, so it covers the sequence.
      if (b.rest.empty() || sequence.empty()) return;
      at = &b.rest;
      down = true;
      break;
    }
    if (down) continue;
    for (const Event* e : sequence) {
      at->push_back({*e, {}});
      at = &at->back().rest;
    }
    return;
  }
}

class OptimalDpor final : public StatelessSearch {
 public:
  using StatelessSearch::StatelessSearch;

 private:
  struct Node {
    std::vector<Event> sleep;  // the inherited events, then those explored since
    std::size_t inherited = 0;
    WakeupTree wakeup;  // the first branch is being explored
    bool full = false;  // every enabled event is explored, and nothing sleeps
  };

  void explore() override {
    nodes_.clear();
    begin_node({}, {});
    while (!nodes_.empty() && !stopped()) {
      Node& node = nodes_.back();
      if (!node.wakeup.empty()) {
        execute();
        continue;
      }
      nodes_.pop_back();
      leave();
      if (!nodes_.empty()) end_branch();
    }
  }

  // Removes the first branch of the last node, which has been explored.
  void end_branch() {
    Node& node = nodes_.back();
    node.sleep.push_back(node.wakeup.front().event);
    node.wakeup.erase(node.wakeup.begin());
  }

  void begin_node(std::vector<Event> sleep, WakeupTree wakeup) {
    const std::vector<Event>& enabled = execution().visits.back().enabled;
    Node& node = nodes_.emplace_back();
    node.sleep = std::move(sleep);
    node.inherited = node.sleep.size();
    node.wakeup = std::move(wakeup);
    if (!node.wakeup.empty()) return;
    const auto awake =
        std::ranges::find_if(enabled, [&](const Event& e) { return position(node.sleep, e) == node.sleep.size(); });
    if (awake != enabled.end()) {
      node.wakeup.push_back({*awake, {}});
      return;
    }
    count_blocked();
    note_waiting(execution().visits.back().state);
    find_races();
  }

  void execute() {
    Execution& x = execution();
    Node& node = nodes_.back();
    const std::vector<Event>& enabled = x.visits.back().enabled;
    const std::size_t k = position(enabled, node.wakeup.front().event);
    assert(nodes_.size() == x.visits.size());                                                   // 1
    assert(node.full || position(node.sleep, node.wakeup.front().event) == node.sleep.size());  // 2
    assert(std::ranges::count_if(node.wakeup,
                                 [&](const Branch& b) { return b.event.same(node.wakeup.front().event); }) == 1);
    if (k == enabled.size()) {
      throw std::logic_error("wakeup: the event is not enabled");
    }
    if (!node.full && comes_last(enabled[k])) {
      node.full = true;
      WakeupTree all{{enabled[k], {}}};
      for (const Event& e : enabled) {
        const std::size_t asleep = position(node.sleep, e);
        const bool explored = node.inherited <= asleep && asleep < node.sleep.size();
        if (!explored && !e.same(enabled[k])) all.push_back({e, {}});
      }
      node.wakeup = std::move(all);
    }
    const Event event = enabled[k];
    std::vector<Event> sleep;
    WakeupTree below;
    if (!node.full) {
      for (const Event& s : node.sleep) {
        if (!dependent(s, event)) sleep.push_back(s);
      }
      below = std::move(node.wakeup.front().rest);
      node.wakeup.front().rest.clear();
    }
    node.wakeup.front().event = event;
    SlotVector next = after(k);
    x.push(event);
    if (enter(std::move(next))) return begin_node(std::move(sleep), std::move(below));
    find_races();
    take_back();
    end_branch();
  }

  void find_races() {
    const Execution& x = execution();
    std::vector<bool> was_blocked(x.events.size(), false);
    for (std::size_t i = 0; i < x.events.size() && !stopped(); ++i) {
      const std::vector<std::size_t> rest = x.without(i);
      if (!nodes_[i].full) {
        for (const Alternative& g : alternatives(i, rest)) reverse(i, g.rest, g.event);
      }
      for (std::size_t j = i + 1; j < x.events.size(); ++j) {
        const bool same_process = x.events[i].of_process(x.events[j].effects.process);
        if (same_process || !x.is_race(i, j)) continue;
        const std::optional<Event> g = reversed(i, j, rest);
        if (!g) was_blocked[j] = true;
        if (g && !nodes_[i].full) reverse(i, rest, *g);
      }
    }
    const auto reverse_unless_full = [&](std::size_t i, std::span<const std::size_t> rest, const Event& g) {
      if (!nodes_[i].full) reverse(i, rest, g);
    };
    for (std::size_t j = 0; j < was_blocked.size() && !stopped(); ++j) {
      if (was_blocked[j]) reverse_blocking(j, reverse_unless_full);
    }
    reverse_waiting(reverse_unless_full);
  }

  void reverse(std::size_t i, std::span<const std::size_t> rest, const Event& g) {
    std::vector<const Event*> sequence;
    for (const std::size_t j : rest) sequence.push_back(&execution().events[j]);
    sequence.push_back(&g);
    std::size_t found = 0;
    for (const Event& s : nodes_[i].sleep) {
      if (can_come_first(s, sequence, found)) return;
    }
    insert(nodes_[i].wakeup, std::move(sequence));
  }

  std::vector<Node> nodes_;
};

}  // namespace

StatelessResult optimal_dpor(const TransitionSystem& system, const StatelessOptions& options) {
  return OptimalDpor(system, options).run();
}

}  // namespace heddle
