// Executes random runs of a model: the call behind `heddle simulate`.
//
// One run of a protocol, a net or a program; or many runs of a program, whose threads are scheduled by one of the
// strategies of stateless/random_threads.h, until one violates a property.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "run/result.h"
#include "run/source.h"
#include "stateless/random_threads.h"

namespace heddle::run {

struct SimulateRequest {
  RunSettings settings = {};  // for simulate(Source); an instance has its own
  BuildOptions build = {};
  std::size_t steps = 0;   // of a run, at most; 0: 30, and of a program's runs 10,000
  std::uint64_t seed = 1;  // another seed, another run; of several runs the seed of the first, the next has the next
  std::uint64_t runs = 1;
  std::optional<ThreadStrategy> strategy = {};  // none: the steps of all threads are equally likely
  std::uint32_t depth = 3;                      // of ThreadStrategy::Priorities
  // Called as soon as a violation is known; describing the run takes longer.
  std::function<void(const Judgement&)> judged = [](const Judgement&) {};
};

// The verdict is `unknown` unless the run violates a property: one run proves nothing.
struct SimulateResult : Judgement {
  Path path = {};
  trace::Trace trace = {};
  std::string ended = {};             // why the run is shorter than asked for; empty if it is not
  std::uint64_t runs = 1, steps = 0;  // all that were executed
  std::string covered = {};           // by several runs, a phrase
  bool interrupted = false;           // after some of them: none is shown
};

// A run stops at a violation, at a state without steps, and at a bound. Equal seeds give equal runs on every
// platform. Throws Interrupted on Ctrl-C before a run has ended.
SimulateResult simulate(const Source& source, const SimulateRequest& request);
SimulateResult simulate(const Instance& instance, const SimulateRequest& request);

}  // namespace heddle::run
