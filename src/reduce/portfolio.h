// A portfolio: several reductions and orders of threads search side by side, and the first that decides wins (Cirisci
// 2022, section 2.2.3.3: no reduction and no order is the best on all programs).
//
//   PortfolioResult r = portfolio_search(make_system, options, portfolio_members(options, plan));
//
// Each member has a thread, a store and a system of its own; they share nothing that changes. A member decides if its
// search is complete, or if it found a violation and that is enough. The others are stopped then. Those that had
// decided by then must agree with it. That they agree is a test of the reductions on the system at hand: a difference
// is a mistake of ours, thrown as std::logic_error with the names of both.
//
// The time of `options` is that of all. Of the bytes each member may hold its share.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reduce/reduced_search.h"

namespace heddle {

struct PortfolioMember {
  ReductionPlan plan;
  std::string name() const;  // "lazy source sets, threads 2, 1, 0 first"
};

// Safe sets, thread futures, and lazy source sets over several orders of threads.
std::vector<PortfolioMember> portfolio_members(const ReductionPlan& common);

struct PortfolioResult {
  struct Member {
    std::string name;
    bool decided = false;
    Verdict verdict = Verdict::Unknown;
    std::string error;  // what it threw; empty if nothing
    Counters counters;
    double seconds = 0;
  };
  std::vector<Member> members;
  std::size_t winner = 0;  // the first that decided; if none has, one that has seen most
  bool decided = false;
  SearchResult search;                       // the winner's
  ReductionReport report;                    // likewise; `chosen` says who won
  std::unique_ptr<TransitionSystem> system;  // likewise: the paths of findings are its
};

struct PortfolioOptions {
  bool wait_for_all = false;  // nobody is stopped: all that end are compared
  // Called for every state without steps of every member, one call at a time; none: nobody listens.
  std::function<void(const TransitionSystem&, std::span<const Slot>)> on_deadlock;
};

// `make` is called once for each member, by the caller's thread. Throws what a member threw if none decided, and
// ModelError if the system has no threads.
PortfolioResult portfolio_search(const std::function<std::unique_ptr<TransitionSystem>()>& make,
                                 const SearchOptions& options, const std::vector<PortfolioMember>& members,
                                 const PortfolioOptions& how = {});

}  // namespace heddle
