// A run of threads as the lines of source that it executes: a column for each thread, time running down, a rule where
// another thread goes on.
//
//       main                          thread 1
//       │                             │
//    2  │ 12  pthread_create(&a, 0, add, 0);
//       │       starts thread 1       │
//       ├─────────────────────────────┼──────────
//    3  │                             │ 5  x = x + 1;
//       │                             │      x: 0 → 1
//
// The text of a line is read from its file, as it is now. A line that is not there is shown as its place, "race.c:5".
// With more threads than fit side by side, they share one column, and rules name them.
// REQUIRES: as for render_text (report/text.h). Reads files; otherwise pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace.h"
#include "report/glyphs.h"

namespace heddle::report {

struct InterleavingOptions {
  int width = 100;
  bool color = false;
  std::size_t most_steps = 400;  // at least 2; of a longer trace only the beginning and the end are shown
  int repeat_header = 60;        // rows after which the names are shown again
};

// Whether a trace is a run of threads: some step has a place, and none has messages.
bool is_interleaving(const trace::Trace& trace);

// REQUIRES: is_interleaving(trace).
std::string draw_interleaving(const trace::Trace& trace, const Glyphs& glyphs, const InterleavingOptions& options);

// What was found, in parts of a sentence: "thread 1 writes y at race.c:5 while", "thread 2 writes y at race.c:7;
// nothing orders them". Empty if the explanation is not of this kind.
std::vector<std::string> finding_parts(const trace::Trace& trace, bool ascii);

}  // namespace heddle::report
