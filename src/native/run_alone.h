// Runs a whole program once: no search, one thread at a time, each choice 0. For tests that compare with a native run,
// and for people who want to see a program run at all.
//
// The lowest thread that can run does so, up to where it ends or waits. A thread that has been visible for long without
// waiting may be spinning: then the next one has its turn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "native/machine.h"
#include "native/places.h"

namespace heddle::native {

struct AloneSettings {
  MachineSettings machine;
  std::uint64_t most_segments = 10'000'000;
  bool tidy = true;  // after each segment
  // Called when a thread rests, after tidying; tests change there what must not matter.
  std::function<void(ThreadState&)> at_rest;
  // Which of `count` threads, or of `count` alternatives, to take; empty: as above.
  std::function<std::uint32_t(std::uint32_t count)> pick;
};

struct AloneResult {
  enum class End : std::uint8_t { Exited, Failed, Deadlock, TooLong };
  End end = End::Exited;
  std::string output;
  int code = 0;                                 // of Exited
  Failure failure = Failure::Assertion;         // of Failed
  std::string text;                             // of Failed
  std::uint32_t thread = 0;                     // of Failed
  std::vector<StackLine> stack;                 // of Failed, the innermost first
  std::vector<std::vector<StackLine>> waiting;  // of Deadlock: for each thread that has not ended
  std::uint64_t segments = 0, operations_reported = 0;
  std::uint32_t threads = 0;  // ever started
  std::uint32_t leaks = 0;    // heap objects that were dropped without being freed, if `tidy`
};

// REQUIRES: the image has a start.
AloneResult run_alone(const Image& image, const AloneSettings& settings = {});

// The result as text: output, then a line that says how it ended, then the stack.
std::string text(const AloneResult& result);

}  // namespace heddle::native
