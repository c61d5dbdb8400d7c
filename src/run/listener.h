// Hears what happens while a model runs: the program prints it, a viewer shows it, a test writes it down.
//
// The calls come in the order in which they stand here, except says(), from the thread that called check(); progress()
// and grows() come from one thread of the search. A function that is not overridden does nothing.
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

  // The model has been built. Called again where a failed handler makes a second run necessary (failures.h).
  virtual void built(const Instance& /*instance*/) {}
  // The run begins. Not called again for a second run. CheckResult::warnings are known.
  virtual void begins(const Instance& /*instance*/, const CheckResult& /*result*/) {}
  // The search begins.
  virtual void searching(const CheckResult& /*result*/) {}
  virtual void progress(const Counters& /*counters*/, double /*seconds*/) {}
  // What grows during the search, a sentence each; `half`: half of the allowed memory is taken now.
  virtual void grows(const std::vector<std::string>& /*sentences*/, bool /*half*/) {}
  // The search has ended. Called twice if the search had to be repeated.
  virtual void searched() {}
  // A sentence about the run; may come at any time after begins().
  virtual void says(const std::string& /*sentence*/) {}
  // The verdict is known, and everything else but the explanations of violations.
  virtual void judged(const CheckResult& /*result*/) {}
  // The n-th violation, n = 1, 2, ..., as soon as it has been explained.
  virtual void shows(const Violation& /*violation*/, std::size_t /*n*/, const CheckResult& /*result*/) {}
  // All violations have been shown. The judgement of refinement is still to come and may take another search.
  virtual void shown(const CheckResult& /*result*/) {}
  // An exception ends the run. The result holds what was known by then.
  virtual void failed(const CheckResult& /*result*/) {}
};

}  // namespace heddle::run
