// Runs the clients of a harness on real threads, again and again: the call behind `heddle check --stress`.
//
// The harness is compiled as it is by clang++ -O2 (include/heddle/native_stress.h), and each client runs in its own
// process. Outcomes are compared with those of the same code with whole calls made one at a time, in the machine. Such
// runs prove nothing: the verdict is violated or unknown.
#pragma once

#include <cstdint>
#include <string>

#include "report/stress_report.h"
#include "run/result.h"
#include "run/switches.h"

namespace heddle::run {

struct StressRequest {
  std::string file;
  Switches switches = {};  // as of the program's door
  double seconds = 10;     // of all clients together
  std::uint64_t seed = 1;  // of the delays before calls; schedules are the operating system's all the same
};

struct StressResult : Judgement {
  report::StressReport report;
};

// On Ctrl-C the result is what was seen so far. Throws UsageError if the file has no harness, ModelError if it does not
// compile, and Interrupted on Ctrl-C before anything has run.
StressResult stress(const StressRequest& request);

}  // namespace heddle::run
