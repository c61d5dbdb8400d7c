// Sleep sets on the way down, and backtracking points from races.
#include "stateless/source_dpor.h"

#include <algorithm>
#include <cassert>

#include "stateless/stateless_search.h"

namespace heddle {
namespace {

bool touches_more_than_messages(const Event& event) {
  return std::ranges::any_of(event.effects.accesses, [&](const Access& a) {
    return a.kind != Access::Kind::Append && !event.of_process(a.slot);
  });
}

class SourceDpor final : public StatelessSearch {
 public:
  using StatelessSearch::StatelessSearch;

 private:
  enum class Mark : std::uint8_t { None, Todo, Done, Asleep };
  struct Node {
    std::vector<Mark> marks;   // of the enabled events
    std::vector<Event> sleep;  // as inherited
    bool full = false;         // every enabled event is explored unless it sleeps
  };

  auto reverse_unless_full() {
    return [this](std::size_t i, std::span<const std::size_t> rest, const Event& g) {
      if (!nodes_[i].full) reverse(i, rest, g);
    };
  }

  void explore() override {
    nodes_.clear();
    begin_node({});
    while (!nodes_.empty() && !stopped()) {
      const std::vector<Mark>& marks = nodes_.back().marks;
      const auto next = std::ranges::find(marks, Mark::Todo);
      if (next == marks.end()) {
        nodes_.pop_back();
        leave();
        continue;
      }
      execute(static_cast<std::size_t>(next - marks.begin()));
    }
  }

  void begin_node(std::vector<Event> sleep) {
    const std::vector<Event>& enabled = execution().visits.back().enabled;
    Node& node = nodes_.emplace_back();
    node.marks.resize(enabled.size(), Mark::None);
    for (const Event& s : sleep) {
      if (const std::size_t k = position(enabled, s); k < enabled.size()) node.marks[k] = Mark::Asleep;
    }
    node.sleep = std::move(sleep);
    const auto first = std::ranges::find(node.marks, Mark::None);
    if (first == node.marks.end()) {
      count_blocked();
      note_waiting(execution().visits.back().state);
      return reverse_waiting(reverse_unless_full());
    }
    schedule(nodes_.size() - 1, static_cast<std::size_t>(first - node.marks.begin()));
  }

  // Marks event k of state i, the other events of its process that event k may disable, those that they may disable,
  // and so on.
  void schedule(std::size_t i, std::size_t k) {
    const std::vector<Event>& enabled = execution().visits[i].enabled;
    std::vector<bool> together(enabled.size(), false);
    std::vector<std::size_t> waiting{k};
    together[k] = true;
    while (!waiting.empty()) {
      const std::size_t one = waiting.back();
      waiting.pop_back();
      if (nodes_[i].marks[one] == Mark::None) nodes_[i].marks[one] = Mark::Todo;
      for (std::size_t other = 0; other < enabled.size(); ++other) {
        if (together[other] || !enabled[other].of_process(enabled[one].effects.process)) continue;
        if (!dependent(enabled[one], enabled[other])) continue;
        together[other] = true;
        waiting.push_back(other);
      }
    }
  }

  void execute(std::size_t k) {
    Execution& x = execution();
    Node& node = nodes_.back();
    assert(nodes_.size() == x.visits.size() && node.marks.size() == x.visits.back().enabled.size());  // 1
    assert(node.marks[k] == Mark::Todo);                                                              // 2
    const Event event = x.visits.back().enabled[k];
    if (!node.full && comes_last(event)) {
      node.full = true;
      for (Mark& m : node.marks) m = m == Mark::None ? Mark::Todo : m;
    }
    std::vector<Event> sleep;
    for (const Event& s : node.sleep) {
      if (!dependent(s, event)) sleep.push_back(s);
    }
    for (std::size_t d = 0; d < node.marks.size(); ++d) {
      const Event& s = x.visits.back().enabled[d];
      if (node.marks[d] == Mark::Done && !dependent(s, event)) sleep.push_back(s);
    }
    node.marks[k] = Mark::Done;
    SlotVector next = after(k);
    find_races(x.push(event));
    if (enter(std::move(next))) return begin_node(std::move(sleep));
    reverse_waiting(reverse_unless_full());
    take_back();
  }

  // Reverses the races that the last event takes part in, or makes possible by what it sends. `before` is what
  // Execution::push has returned. Runs may be long, so nothing here takes time for every event of the past.
  void find_races(const std::vector<std::size_t>& before) {
    const Execution& x = execution();
    const std::size_t last = x.events.size() - 1;
    const Event& event = x.events[last];
    bool was_blocked = false;
    for (const std::size_t i : before) {
      if (stopped()) return;
      if (x.events[i].of_process(event.effects.process) || !x.is_race(i, last)) continue;
      const std::vector<std::size_t> rest = x.without(i);
      const std::optional<Event> g = reversed(i, last, rest);
      was_blocked |= !g;
      if (g && !nodes_[i].full) reverse(i, rest, *g);
    }
    if (was_blocked) reverse_blocking(last, reverse_unless_full());
    const bool may_wake = event.visible || touches_more_than_messages(event);
    for (std::size_t i = 0; i < last && !stopped(); ++i) {
      if (x.pasts[last].contains(i) || nodes_[i].full) continue;
      const Event& f = x.events[i];
      if (may_wake || event.sends_to(f.effects.process) || f.of_process(event.effects.process)) {
        // Alternatives of the process of f that depend on this event: they consume from it, or they sleep in state i
        // and this event wakes them.
        for (const Alternative& g : alternatives(i, x.without(i))) {
          if (dependent(g.event, event)) reverse(i, g.rest, g.event);
        }
      }
    }
  }

  // Makes state i explore an event that can begin rest.g, unless it already explores one.
  void reverse(std::size_t i, std::span<const std::size_t> rest, const Event& g) {
    const Execution& x = execution();
    const Event* begins = nullptr;
    Positions members, needed;
    for (const std::size_t j : rest) members.add(j);
    bool g_begins = true;
    for (const std::size_t j : rest) {
      const bool first = !x.pasts[j].intersects(members);
      if (first && marked(i, x.events[j], Mark::Todo, Mark::Done)) return;
      if (!dependent(x.events[j], g)) continue;
      g_begins = false;
      needed.add(j);
      needed.add(x.pasts[j]);
    }
    if (g_begins) {
      if (marked(i, g, Mark::Todo, Mark::Done) || marked(i, g, Mark::Asleep, Mark::Asleep)) return;
      begins = &g;
    }
    // Other events of `rest` that can begin the reversed race do not lead to g. If state i explores one of them, no
    // more is needed. But only what g needs is added for the sake of g, and if that sleeps it was explored before.
    for (const std::size_t j : rest) {
      if (!needed.contains(j) || x.pasts[j].intersects(members)) continue;
      if (marked(i, x.events[j], Mark::Asleep, Mark::Asleep)) return;
      if (begins == nullptr) begins = &x.events[j];
    }
    const std::size_t k = position(x.visits[i].enabled, *begins);
    if (k < x.visits[i].enabled.size()) schedule(i, k);
  }

  bool marked(std::size_t i, const Event& event, Mark a, Mark b) {
    const std::size_t k = position(execution().visits[i].enabled, event);
    return k < nodes_[i].marks.size() && (nodes_[i].marks[k] == a || nodes_[i].marks[k] == b);
  }

  std::vector<Node> nodes_;
};

}  // namespace

StatelessResult source_dpor(const TransitionSystem& system, const StatelessOptions& options) {
  return SourceDpor(system, options).run();
}

}  // namespace heddle
