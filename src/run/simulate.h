// Executes one random run of a model: the call behind `heddle simulate`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

struct SimulateRequest {
  RunSettings settings = {};  // for simulate(Source); an instance has its own
  BuildOptions build = {};
  std::size_t steps = 30;  // at most
  std::uint64_t seed = 1;  // another seed, another run
  // Called as soon as a violation is known; describing the run takes longer.
  std::function<void(const Judgement&)> judged = [](const Judgement&) {};
};

// The verdict is `unknown` unless the run violates a property: one run proves nothing.
struct SimulateResult : Judgement {
  Path path = {};
  trace::Trace trace = {};
  std::string ended = {};  // why the run is shorter than asked for; empty if it is not
};

// The run stops at a violation, at a state without steps, and at a bound. Equal seeds give equal runs on every
// platform. Throws Interrupted on Ctrl-C.
SimulateResult simulate(const Source& source, const SimulateRequest& request);
SimulateResult simulate(const Instance& instance, const SimulateRequest& request);

}  // namespace heddle::run
