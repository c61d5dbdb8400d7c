// A depth-first search that remembers states and lets source sets grow while it explores: what lazy_source_sets.h and
// eager_source_sets.h have in common.
//
// In every state the search explores one thread after another, until what it has seen shows that those explored are a
// source set (backtrack_set.h). What it has seen is the future of a state: the accesses of all steps that were executed
// after it, and those that blocked threads wait to make. A blocked action counts: in another order it might not have
// been blocked. It counts in every state, not at dead ends alone, because others may go round a cycle forever.
//
// Safe sets are below (safe_sets.h): where a thread's pending action is safe, only that thread is explored. With all
// choices, at least one of which leads off the path; if there is no such thread, all that are enabled count.
//
// Cycles. The future of a state is complete when its strongly connected component is: all states of a component have
// the same one (Gabow 2000, path-based components). A step into a component that is still open leads back to the path.
// What happens after it is not known in time, so it counts as everything. That makes all enabled threads of a state be
// explored, unless others suffice whose futures are known; so no thread is put off forever.
//
// Why nothing is lost. Let T be the closed subset in a state s. Suppose that threads outside T have a run from s whose
// last step e is the first to conflict with the pending action a of a member. Put a first. The steps before e stay as
// they are. e stays, or a alters it, perhaps blocks it; in any case its thread then attempts something that conflicts
// with a. By induction over components the future of the state after a contains that attempt, so the thread of e is in
// T. Therefore T is persistent. The argument holds for acyclic and for cyclic graphs, for deadlocks, and for actions
// whose accesses depend on what they read. Properties on the way: thread_actions.h.
//
// Steps that end the run of all threads (Threads, 7). They are explored last, and where one is explored, all enabled
// threads are: its current[] is everybody. In the argument above a run in which no member moves may end by such a step
// of another thread. Put a member's step first: the run is longer and ends in the same way.
//
// Without a store (SearchOptions::Store::None) every state is new and nothing is met again, so every run is walked; for
// comparison. What lies below a state is forgotten when the state is left. Such a search ends if no run is infinite.
//
// One thread, exact visited set, states numbered in the order in which they are entered. Besides the store it keeps 4
// bytes a state and the tables of sets.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "core/budget.h"
#include "explore/findings_board.h"
#include "explore/progress_clock.h"
#include "explore/search.h"
#include "explore/store.h"
#include "reduce/future_sets.h"
#include "reduce/thread_actions.h"
#include "reduce/thread_order.h"

namespace heddle {

struct SourceSetOptions {
  ThreadOrder order;          // which thread is explored first
  bool visited_first = true;  // threads whose steps lead to known states come before all others
  bool safe_sets = true;      // off: safe actions are like others, for comparison
  bool persistent = false;    // for comparison: stops only if all that were explored are a persistent set
  // Called for every step that is executed. For tests.
  std::function<void(std::span<const Slot>, Step)> on_step;
};

// Returns a sentence about an option that such a search cannot heed; empty if there is none.
std::string conflicts_with_source_sets(const SearchOptions& options);

class SourceSetSearch {
 public:
  // REQUIRES: the system has Threads; conflicts_with_source_sets(options) is empty.
  SourceSetSearch(const TransitionSystem& system, const SearchOptions& options, SourceSetOptions how);
  virtual ~SourceSetSearch() = default;
  SourceSetSearch(const SourceSetSearch&) = delete;
  SourceSetSearch& operator=(const SourceSetSearch&) = delete;

  SearchResult run();

 protected:
  using Key = TreeStore::Key;
  static constexpr std::uint64_t everybody = ~std::uint64_t{0};
  static constexpr std::uint32_t most_threads = 63;  // bit 63 stands for a thread that is never enabled
  // What is noted for states in place of a future.
  static constexpr FutureSets::Set on_path = ~std::uint32_t{0}, in_open_component = on_path - 1;

  struct Child {
    Step step;
    Key key;
    std::uint32_t number;  // 0: not known to be visited
  };
  struct Candidate {  // a thread that may be explored
    std::uint32_t thread;
    std::uint32_t first, end;  // its children
    bool ends = false;         // one of its steps is the last one of every run
    std::vector<Access> accesses;
  };
  // A state on the path.
  struct Frame {
    std::uint32_t number = 0;
    bool reducible = false;          // one thread is enough, because its action is safe
    std::vector<Candidate> threads;  // in the order of their numbers
    std::vector<Child> children;
    std::vector<std::uint64_t> current;  // by thread
    std::uint64_t enabled = 0, done = 0, backtrack = 0;
    std::size_t active = 0;  // of `threads`: the one that is being explored
    std::uint32_t next = 0;  // its next child
    bool exploring = false;
    FutureSets::Set future = 0;  // what has been seen so far
    SlotVector state;            // only for on_step
    const Candidate& explored() const { return threads[active]; }
  };

  // A thread's steps are about to be executed in the state on top.
  virtual void begins(Frame&) {}
  // A step of the thread being explored in the state on top leads to a state that is known.
  virtual void meets(Frame&, std::uint32_t number) { static_cast<void>(number); }
  // Some threads are blocked in the state on top.
  virtual void waits(std::span<const ThreadAction> actions) { static_cast<void>(actions); }
  // The state on top is not continued.
  virtual void cuts_off() {}
  // All steps of the explored thread have been followed: computes its current[], if others are left.
  virtual void explored(Frame&) {}
  // Whether a state is left as soon as all steps that remain lead to known states.
  virtual bool leaves_early() const { return false; }
  // A step was executed, or is blocked (target 0).
  virtual void notes(std::uint32_t from, std::uint32_t thread, std::span<const Access> accesses, std::uint32_t target) {
    static_cast<void>(from), static_cast<void>(thread), static_cast<void>(accesses), static_cast<void>(target);
  }
  virtual std::size_t more_bytes() const { return 0; }

  std::size_t depth() const { return depth_; }
  Frame& frame(std::size_t i) { return frames_[i]; }
  FutureSets::Set future(std::uint32_t number) const { return futures_[number]; }
  bool is_open(std::uint32_t number) const { return futures_[number] >= in_open_component; }
  // The lowest frame of the component on top. Those above are in the same component.
  std::size_t component() const { return components_.back(); }

  FutureSets sets_;
  const SourceSetOptions how_;

 private:
  void enter(Key key);
  void add_threads(std::span<const Slot> slots, Frame& f);
  void step();
  void follow(Frame& f, Child& child);
  void go_on(Frame& f);
  bool choose(Frame& f);
  void follow_rest(Frame& f);
  void leave();
  // The number of a state that has been entered; 0: it has not, or nothing is remembered.
  std::uint32_t known(Key key) const { return stateless_ ? 0 : store_.find(key); }
  bool is_visited(Frame& f, const Candidate& c);
  bool proceed();
  Path path() const;

  const TransitionSystem& system_;
  const SearchOptions& options_;
  const bool stateless_;  // nothing is remembered
  TreeStore store_;
  TreeStore::Cursor cursor_;
  FindingsBoard<Path> board_;
  Budget budget_;
  ProgressClock progress_;
  ThreadActions actions_;
  StepBuffer steps_;
  ThreadRanking ranking_;
  std::deque<Frame> frames_;  // the first depth_ are the path; the others keep their memory
  std::size_t depth_ = 0, initial_ = 0;
  std::vector<FutureSets::Set> futures_;  // by number of state
  std::vector<std::uint32_t> open_;       // states of open components in the order in which they were entered
  std::vector<std::size_t> components_;   // the lowest frame of each open component on the path
  SearchResult result_;
  bool stopped_ = false;
};

}  // namespace heddle
