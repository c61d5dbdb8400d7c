// Checks a log of calls against the Quorum Tree: refinement, checked offline.
//
//   CallLogChecker checker({.same_value = true});
//   for (LoggedCall call; log.next(call);) {
//     if (checker.make(call).kind == Answer::Kind::rejected) ...    // the tree is as it was before the call
//   }
//
// One BasicQTree makes all the calls. The nodes of instances that are not in use are parked, so that a call costs the
// same however many instances there are. The trees take all the memory: one node for each round.
// Not thread-safe.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check/refinement/logged_call.h"
#include "core/budget.h"
#include "heddle/qtree.h"

namespace heddle {

using LoggedTree = BasicQTree<LoggedValue>;

// Thrown if a budget runs out before all calls were made; what() is the reason.
class CheckingStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CallLogChecker {
 public:
  // `tree` says which specification, whether children have their parent's value, and what clients have asked for.
  // With a budget, CheckingStopped is thrown before memory is used that the budget does not have.
  // REQUIRES: `tree` has no nodes.
  explicit CallLogChecker(LoggedTree tree, Budget* budget = nullptr);

  Answer make(const LoggedCall& call);

  std::uint64_t calls() const { return calls_; }
  std::uint64_t instances() const { return parked_.size(); }
  std::uint64_t rounds() const { return rounds_; }
  // Returns the numbers of adds, commits, ghosts, observations and stutters. Rejected calls are not counted.
  std::map<std::string, std::uint64_t> counts() const;

  // Returns the earlier calls that stand in the way of a rejected one, by line: {3, "commit(2)"}.
  std::vector<std::pair<std::uint64_t, std::string>> earlier(const LoggedCall& rejected) const;
  // Returns the tree of an instance as JSON, as in a trace. If it has more than `most` rounds, only those around the
  // call are shown, and a parent is the closest ancestor that is shown.
  std::string tree_json(const LoggedCall& around, std::size_t most = static_cast<std::size_t>(-1)) const;
  // Returns all trees as JSON.
  std::string trees_json() const;
  std::size_t size_of_tree() const { return tree_.nodes.size(); }  // of the instance called last

 private:
  using Node = LoggedTree::Node;
  void select(long instance);
  void make_room();
  std::vector<std::size_t> involved(const LoggedCall& call) const;
  std::size_t position(Round round) const;

  LoggedTree tree_;  // its nodes are those of the instance in use
  Budget* budget_;
  boost::unordered_flat_map<long, std::vector<Node>> parked_;  // the entry of the instance in use is empty
  long instance_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t calls_ = 0, rounds_ = 0, adds_ = 0, commits_ = 0, ghosts_ = 0, observations_ = 0, stutters_ = 0;
};

}  // namespace heddle
