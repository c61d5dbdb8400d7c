// Marks backtracking points as the paper does, with messages in place of shared variables.
#include "stateless/dpor.h"

#include <algorithm>
#include <cassert>

#include "stateless/stateless_search.h"

namespace heddle {
namespace {

class Dpor final : public StatelessSearch {
 public:
  using StatelessSearch::StatelessSearch;

 private:
  // Events of one process are explored together: they are one thread. A step without a process is a thread by itself.
  using Thread = std::uint64_t;
  static Thread thread_of(const Event& e) {
    return e.effects.process != Effects::nobody ? e.effects.process : e.effects.label | std::uint64_t{1} << 63;
  }

  struct Node {
    std::vector<Thread> backtrack, done;
    std::vector<std::size_t> waiting;  // enabled events of the thread being explored, the next one last
    bool full = false;
  };

  void explore() override {
    nodes_.clear();
    begin_node();
    while (!nodes_.empty() && !stopped()) {
      Node& node = nodes_.back();
      if (node.waiting.empty() && !next_thread(node)) {
        nodes_.pop_back();
        leave();
        continue;
      }
      const std::size_t k = node.waiting.back();
      node.waiting.pop_back();
      execute(k);
    }
  }

  void begin_node() {
    const Event& first = execution().visits.back().enabled[first_choice()];
    nodes_.emplace_back().backtrack.push_back(thread_of(first));
  }

  bool next_thread(Node& node) {
    const std::vector<Event>& enabled = execution().visits.back().enabled;
    for (const Thread t : node.backtrack) {
      if (std::ranges::find(node.done, t) != node.done.end()) continue;
      node.done.push_back(t);
      for (std::size_t k = enabled.size(); k-- > 0;) {
        if (thread_of(enabled[k]) == t) node.waiting.push_back(k);
      }
      return true;
    }
    return false;
  }

  void execute(std::size_t k) {
    Execution& x = execution();
    assert(nodes_.size() == x.visits.size());
    const Event event = x.visits.back().enabled[k];
    if (event.visible || event.effects.disables_others) add_all(x.visits.size() - 1);
    SlotVector next = after(k);
    Positions past = past_of(event);
    find_races(event, past);
    // From now on, the past also holds conflicting events.
    for (std::size_t i = 0; i < x.events.size(); ++i) {
      if (past.contains(i) || !conflict(x.events[i], event)) continue;
      past.add(i);
      past.add(x.pasts[i]);
    }
    x.events.push_back(event);
    x.pasts.push_back(std::move(past));
    if (enter(std::move(next))) return begin_node();
    take_back();
  }

  // Returns the events of its process and the senders of what it consumes, with the pasts of both.
  Positions past_of(const Event& event) {
    const Execution& x = execution();
    Positions past;
    const auto include = [&](std::size_t i) {
      past.add(i);
      past.add(x.pasts[i]);
    };
    for (std::size_t i = x.events.size(); i-- > 0;) {
      if (thread_of(x.events[i]) != thread_of(event)) continue;
      include(i);
      break;
    }
    for (const Effects::Consumed& c : event.effects.consumed) {
      // Of equal copies, the event consumes the oldest that still waits.
      std::size_t newer = c.copies;
      for (std::size_t i = x.events.size(); i-- > 0 && newer > 0;) {
        for (const Effects::Sent& s : x.events[i].effects.sent) {
          if (s.process != event.effects.process || s.message != c.message) continue;
          if (--newer == 0) include(i);
        }
      }
    }
    return past;
  }

  void find_races(const Event& event, const Positions& past) {
    const Execution& x = execution();
    for (std::size_t i = 0; i < x.events.size(); ++i) {
      const Event& f = x.events[i];
      if (past.contains(i) || nodes_[i].full || !(event.sends_to(f.effects.process) || conflict(f, event))) continue;
      // The threads enabled in the state before f that lead to the event.
      std::vector<Thread> candidates;
      const auto consider = [&](const Event& e) {
        const Thread t = thread_of(e);
        const bool enabled =
            std::ranges::any_of(x.visits[i].enabled, [&](const Event& y) { return thread_of(y) == t; });
        if (enabled && std::ranges::find(candidates, t) == candidates.end()) candidates.push_back(t);
      };
      for (std::size_t j = i + 1; j < x.events.size(); ++j) {
        if (past.contains(j)) consider(x.events[j]);
      }
      consider(event);
      if (candidates.empty()) {
        add_all(i);
        continue;
      }
      std::vector<Thread>& backtrack = nodes_[i].backtrack;
      const bool covered =
          std::ranges::any_of(candidates, [&](Thread t) { return std::ranges::find(backtrack, t) != backtrack.end(); });
      if (!covered) backtrack.push_back(*std::ranges::min_element(candidates));
    }
  }

  void add_all(std::size_t i) {
    Node& node = nodes_[i];
    node.full = true;
    for (const Event& e : execution().visits[i].enabled) {
      if (std::ranges::find(node.backtrack, thread_of(e)) == node.backtrack.end())
        node.backtrack.push_back(thread_of(e));
    }
  }

  std::vector<Node> nodes_;
};

}  // namespace

StatelessResult dpor(const TransitionSystem& system, const StatelessOptions& options) {
  return Dpor(system, options).run();
}

}  // namespace heddle
