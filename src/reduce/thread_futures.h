// Thread futures: persistent sets from what each thread may still do.
//
//   ThreadFutures futures(system);
//   options.selector = futures.selector();
//   search; if (futures.mistaken()) futures.reconsider() and search again
//
// The future of a thread in a local state is every access that it may make or attempt from there on. It is learned
// while searching: each local state is a node, each step of a thread is an edge, and the future of a node is what
// pending actions access in the nodes that can be reached from it. A set of threads suffices in a state if nothing in
// the future of any other thread conflicts with what a member is about to do. Closing a single thread under "add whose
// future conflicts with a member" gives such a set. A member may be blocked: what could unblock it conflicts with what
// it waits to do, so whoever does that is a member as well (stubborn sets, Valmari 1989). Instead of a thread that has
// not been started, those that may start it are added. The set with the fewest enabled threads is taken, and those are
// explored. Safe actions need no future (safe_sets.h).
//
// What was learned may be too little. If a future grows after a set was chosen that relied on it, the search is
// mistaken. It goes on for a while and learns, then select() throws Mistaken, and the search begins again with what is
// known by then. Futures only grow, so that ends.
//
// Why a search that ends without that is exact. Suppose that some local step was never seen: an access in a node, or an
// edge. Take a shortest run from a visited state to such a step e of thread q; all steps before e are in the futures.
// Let T be the set chosen in the visited state.
//   - A member of T moves in the run. The steps before its first one conflict with nothing that members are about to
//      do.
//     So this step is one that was executed in the visited state. It can come first, and a shorter run is left.
//   - No member moves. Then a step m of a member can come first, and all steps before e stay possible. If m leaves e as
//     it was, the run is as long as before. If m alters e into e', both have read what m has written. So e' conflicts
//     with m and is not in q's future either: it has not been seen.
// A step that ends the run of all threads (Threads, 7) is in a set with all enabled threads only. As a step of others
// it comes last in a run, so that what members do can come before it.
// The cycle proviso of the searches (reduction.h) makes sure that the second case does not go on forever. So all local
// steps are seen, all sets are persistent, and deadlocks, local states and verdicts are preserved (thread_actions.h
// says why those of properties on the way are).
//
// Selectors may be used from several threads at once. The other functions REQUIRE that no search is under way.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "explore/reduction.h"

namespace heddle {

class ThreadFutures {
 public:
  // REQUIRES: the system has Threads and outlives this.
  explicit ThreadFutures(const TransitionSystem& system);
  ~ThreadFutures();
  ThreadFutures(const ThreadFutures&) = delete;
  ThreadFutures& operator=(const ThreadFutures&) = delete;

  std::function<std::unique_ptr<Selector>()> selector();
  // Learns from states that can be reached, so that the first search is mistaken less often.
  void look_at(std::span<const SlotVector> states);
  bool mistaken() const;
  void reconsider();          // keeps what was learned
  void forget();              // the numbers of slots and local states mean nothing any more
  std::size_t nodes() const;  // local states that were seen
  std::size_t bytes() const;

  class Graph;

 private:
  const TransitionSystem& system_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace heddle
