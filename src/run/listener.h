// Who wants to hear what happens while a model runs: the program prints it, a viewer shows it, a test writes it down.
//
// The calls come in the order in which they stand here, from the thread that called check(); progress() and grows() come
// from one thread of the search. Nobody has to listen: every function does nothing unless it is overridden.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

class Listener {
 public:
  virtual ~Listener() = default;

  // The model has been built. It comes again where a failed handler makes a second run necessary (failures.h).
  virtual void built(const Instance& /*instance*/) {}
  // The run begins; once, also if it has to be repeated. CheckResult::warnings are known.
  virtual void begins(const Instance& /*instance*/, const CheckResult& /*result*/) {}
  // The search begins.
  virtual void searching(const CheckResult& /*result*/) {}
  virtual void progress(const Counters& /*counters*/, double /*seconds*/) {}
  // What grows while it grows, a sentence each; `half`: half of the memory that is allowed is taken now.
  virtual void grows(const std::vector<std::string>& /*sentences*/, bool /*half*/) {}
  // There is no progress any more; may come twice.
  virtual void searched() {}
  // A sentence about the run, wherever there is one.
  virtual void says(const std::string& /*sentence*/) {}
  // The verdict is known, and all but the explanations of violations.
  virtual void judged(const CheckResult& /*result*/) {}
  // The n-th violation, n = 1, 2, ..., as soon as it has been explained.
  virtual void shows(const Violation& /*violation*/, std::size_t /*n*/, const CheckResult& /*result*/) {}
  // All violations have been shown; what refinement makes of them may take another search.
  virtual void shown(const CheckResult& /*result*/) {}
  // What is known by then, where an exception ends the run.
  virtual void failed(const CheckResult& /*result*/) {}
};

}  // namespace heddle::run
