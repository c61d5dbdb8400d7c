// The skeleton of the depth-first schedulers.
//
// A frame is a state on the current path, with a mark on each of its receives: to be explored, or explored. EX marks
// all receives when it comes to a state. So does DB, which then skips a random number of processes to pick the next
// receive, as long as the schedule's budget of delays allows. SL leaves out receives that sleep. DP, TD, IR and LV
// mark one receive, and others later when they find races.
//
// Races (Flanagan and Godefroid's DPOR, Tasharofi's TransDPOR, and IRed and LiViola of the paper in scheduler.h). On
// arrival at a state after the schedule S_0 ... S_n, every receive r that is possible there is compared with the last
// S_i that is dependent with r and did not lead to the sending of r. r might have come first: the state before S_i
// then gets r as an alternative, or a receive that leads to r (Scheduler::Enabler).
//
// Sleep sets with conditional independence (Godefroid and Pirottin, CAV 1993). Once a was explored from s, it sleeps in
// the state reached by b from s if s.a.b and s.b.a are the same state. It sleeps on as long as the same is true of the
// receives that follow. Nothing is missed: let w be a run from s in which a occurs, and in which a slept until then.
// Each receive before a commutes with a in the state where it was executed. So a can be moved to the front step by
// step. The resulting run a.w' ends in the same state, history included, and everything that begins with a was explored
// before. By induction on the length of runs the set of final states is that of EX. The graph decides what commutes:
// two receives at one process commute like any others if they leave it in the same state and send the same.
#include <algorithm>
#include <cassert>
#include <random>

#include "stateless/positions.h"
#include "stateless/walkers.h"

namespace heddle::schedule {
namespace {

enum class Mark : std::uint8_t { None, Todo, Done };

class Backtracking {
 public:
  Backtracking(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log)
      : graph_(graph), scheduler_(scheduler), options_(options), log_(log), random_(options.seed) {}

  void run() {
    if (!enter(graph_.initial(), log_.begin(), options_.delays)) return;
    while (depth_ > 0) {
      Frame& top = frames_[depth_ - 1];
      const std::size_t k = next(top);
      if (k == none) {
        --depth_;
        continue;
      }
      if (!execute(top, k)) return;
    }
    log_.ended();
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Frame {
    Node node = 0;
    HistoryLog::Place place;
    std::vector<Mark> marks;
    std::size_t first = 0;  // no receive before this one is still to be explored
    unsigned delays = 0;
    bool frozen = false;
    std::vector<std::uint32_t> sleep;  // names
    // The receive being explored from here, and the positions that happened before it.
    const Receive* executed = nullptr;
    Positions past;
  };

  // Arrives at a state. Returns false if the whole search has to stop.
  bool enter(Node node, HistoryLog::Place place, unsigned delays) {
    const std::size_t count = graph_.receives(node).size();
    if (count == 0) {
      names_.clear();
      for (std::size_t i = 0; i < depth_; ++i) names_.push_back(frames_[i].executed->name);
      return log_.end(place, node, names_);
    }
    if (depth_ >= options_.limits.depth) {
      log_.too_long(depth_);
      return false;
    }
    if (frames_.size() == depth_) frames_.emplace_back();
    Frame& frame = frames_[depth_];
    frame.node = node;
    frame.place = place;
    frame.first = 0;
    frame.delays = delays;
    frame.frozen = false;
    const bool races = scheduler_.kind == Scheduler::Kind::Races;
    frame.marks.assign(count, races ? Mark::None : Mark::Todo);
    if (races) {
      find_races(node);
      frame.marks[0] = Mark::Todo;
    }
    if (scheduler_.kind == Scheduler::Kind::Sleep && !fall_asleep(frame)) {
      log_.give_up();
      return true;
    }
    ++depth_;
    return true;
  }

  std::size_t next(Frame& frame) {
    if (scheduler_.kind == Scheduler::Kind::Delay) return next_delayed(frame);
    std::size_t& k = frame.first;
    while (k < frame.marks.size() && frame.marks[k] != Mark::Todo) ++k;
    return k < frame.marks.size() ? k : none;
  }

  bool execute(Frame& frame, std::size_t k) {
    assert(frame.marks[k] == Mark::Todo);
    frame.marks[k] = Mark::Done;
    frame.frozen = false;
    frame.executed = &graph_.receives(frame.node)[k];
    const Receive& r = *frame.executed;
    if (scheduler_.kind == Scheduler::Kind::Races) note_past(frame);
    if (!log_.step()) return false;
    return enter(r.target, log_.extend(frame.place, graph_.events(r)), frame.delays);
  }

  // --- DB.
  std::size_t next_delayed(Frame& frame) {
    const auto receives = graph_.receives(frame.node);
    turn_.clear();
    // Processes take turns, beginning after the one that received last.
    const std::uint32_t last = depth_ > 1 ? frames_[depth_ - 2].executed->process() : ~std::uint32_t{0};
    for (std::size_t k = 0; k < receives.size(); ++k) {
      if (frame.marks[k] != Mark::Todo) continue;
      const bool known =
          std::ranges::any_of(turn_, [&](std::size_t t) { return receives[t].process() == receives[k].process(); });
      if (!known) turn_.push_back(k);
    }
    if (turn_.empty()) return none;
    const auto begins = std::ranges::find_if(turn_, [&](std::size_t t) { return receives[t].process() > last; });
    const std::size_t offset = begins == turn_.end() ? 0 : static_cast<std::size_t>(begins - turn_.begin());
    const unsigned before = depth_ > 1 ? frames_[depth_ - 2].delays : options_.delays;
    const auto skipped = static_cast<unsigned>(random_() % (before + 1));
    frame.delays = before - skipped;
    return turn_[(offset + skipped) % turn_.size()];
  }

  // --- SL.
  bool fall_asleep(Frame& frame) {
    frame.sleep.clear();
    if (depth_ > 0) {
      const Frame& from = frames_[depth_ - 1];
      const auto keep = [&](std::uint32_t name) {
        const std::uint32_t executed = from.executed->name;
        if (name != executed && commute(from.node, name, executed)) frame.sleep.push_back(name);
      };
      for (const std::uint32_t name : from.sleep) keep(name);
      const std::size_t count = from.marks.size();
      for (std::size_t k = 0; k < count; ++k) {
        if (from.marks[k] == Mark::Done) keep(graph_.receives(from.node)[k].name);
      }
    }
    const auto receives = graph_.receives(frame.node);
    bool awake = false;
    for (std::size_t k = 0; k < receives.size(); ++k) {
      if (std::ranges::find(frame.sleep, receives[k].name) != frame.sleep.end()) {
        frame.marks[k] = Mark::None;
      } else {
        awake = true;
      }
    }
    return awake;
  }

  bool commute(Node node, std::uint32_t a, std::uint32_t b) {
    const auto after = [&](Node from, std::uint32_t name) {
      const Receive* r = graph_.find(from, name);
      return r != nullptr ? r->target : Node{0};
    };
    const Node first = after(node, a), second = after(node, b);
    if (first == 0 || second == 0) return false;
    const Node one = after(first, b), other = after(second, a);
    return one != 0 && one == other;
  }

  // --- DP, TD, IR, LV.

  // Collects what happened before the frame's receive: everything it depends on, and the senders of what it takes.
  void note_past(Frame& frame) {
    const std::size_t here = static_cast<std::size_t>(&frame - frames_.data());
    causes_of(*frame.executed, here, frame.past);
    for (std::size_t i = 0; i < here; ++i) {
      if (frame.past.contains(i) || !options_.are_dependent(*frames_[i].executed, *frame.executed)) continue;
      frame.past.add(i);
      frame.past.add(frames_[i].past);
    }
  }

  // Collects the receives among the first `length` that sent what `r` takes, and what happened before them.
  void causes_of(const Receive& r, std::size_t length, Positions& out) {
    out.clear();
    for (const Effects::Consumed& c : r.effects.consumed) {
      for (std::size_t i = length; i-- > 0;) {
        if (!frames_[i].executed->sends(r.process(), c.message)) continue;
        out.add(i);
        out.add(frames_[i].past);
        break;
      }
    }
  }

  void find_races(Node node) {
    for (const Receive& r : graph_.receives(node)) {
      if (scheduler_.by_key && r.excluded) continue;
      causes_of(r, depth_, causes_);
      for (std::size_t i = depth_; i-- > 0;) {
        if (causes_.contains(i) || !options_.are_dependent(*frames_[i].executed, r)) continue;
        reverse(i, r);
        break;
      }
    }
  }

  // Makes the search try r before S_i.
  void reverse(std::size_t i, const Receive& r) {
    if (scheduler_.freeze && frames_[i].frozen) return;
    if (add(i, r)) return;
    if (graph_.find(frames_[i].node, r.name) != nullptr) return;
    switch (scheduler_.enabler) {
      case Scheduler::Enabler::Every:
        for (std::size_t k = i + 1; k < depth_; ++k) add(i, *frames_[k].executed);
        return;
      case Scheduler::Enabler::First:
        if (i + 1 < depth_) add(i, *frames_[i + 1].executed);
        return;
      case Scheduler::Enabler::Root: {
        const Receive* root = &r;
        for (std::size_t k = depth_; k-- > i + 1;) {
          if (options_.did_enable(*frames_[k].executed, *root)) root = frames_[k].executed;
        }
        if (root != &r) add(i, *root);
      }
    }
  }

  // Marks a receive in the state before S_i, if it is possible there and has no mark yet.
  bool add(std::size_t i, const Receive& r) {
    Frame& frame = frames_[i];
    if (scheduler_.by_key && r.excluded) return false;
    const auto receives = graph_.receives(frame.node);
    const auto it = std::ranges::find(receives, r.name, &Receive::name);
    if (it == receives.end()) return false;
    const auto k = static_cast<std::size_t>(it - receives.begin());
    if (frame.marks[k] != Mark::None) return false;
    frame.marks[k] = Mark::Todo;
    frame.first = std::min(frame.first, k);
    frame.frozen = true;
    return true;
  }

  ReceiveGraph& graph_;
  const Scheduler& scheduler_;
  const ScheduleOptions& options_;
  HistoryLog& log_;
  std::mt19937_64 random_;
  std::vector<Frame> frames_;  // the first depth_ are in use
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> names_;
  std::vector<std::size_t> turn_;
  Positions causes_;
};

}  // namespace

void backtrack(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log) {
  Backtracking(graph, scheduler, options, log).run();
}

}  // namespace heddle::schedule
