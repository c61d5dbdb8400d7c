// Root causes of what was recorded: a trace of `heddle check`, or executions of another tool.
//
// A trace is one bad execution. It is run again on the program as it is now, and must do the same at the same places.
// Its repairs are neither ranked, since there is nothing to compare it with, nor verified.
//
// Executions from elsewhere (executions_file.h) are ranked by the good ones, and cannot be verified: there is no
// program.
#pragma once

#include <string>

#include "core/budget.h"
#include "core/trace.h"
#include "run/root_cause.h"

namespace heddle::run {

// `file` is the trace's own. Throws UsageError or ModelError if the trace has no source places or accesses, if its
// program is not there, or if the program has changed.
RootCause root_cause_of_trace(const trace::Trace& recorded, const std::string& file, const RootCauseRequest& request,
                              Budget& budget);

struct RecordedFiles {
  std::string bad, good = {};  // paths; "-" is standard input; `good` may be empty
  bool histories = false;      // a call that returns before another one begins must come first
};
// Throws HistoryError if a file cannot be read.
RootCause root_cause_of_files(const RecordedFiles& files, const RootCauseRequest& request, Budget& budget);

}  // namespace heddle::run
