// Replays a recorded trace on the model as it is now: the call behind `heddle replay`.
#pragma once

#include <functional>
#include <string>

#include "core/trace.h"
#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

// The file of a trace's model as the trace names it, looked for from the current directory and from that of the trace.
// `file` is the trace's own file. Throws UsageError if it is not there, which says `remedy`.
// REQUIRES: the trace names a file.
std::string recorded_file(const trace::Trace& recorded, const std::string& file, const std::string& remedy);

// Opens the model of a trace. `file` is the trace's own file; `model`, if not empty, is
// the model or its file, and replaces what the trace says. Throws as open() does, and UsageError if the model is not
// there.
Source open_recorded(const trace::Trace& recorded, const std::string& file, const std::string& model = "");

// Returns the settings that a trace was recorded with.
RunSettings settings_of(const trace::Trace& recorded);

struct ReplayRequest {
  std::string name = "the trace";  // for errors
  // Called as soon as the verdict is known; describing the run takes longer.
  std::function<void(const Judgement&)> judged = [](const Judgement&) {};
};

struct ReplayResult : Judgement {
  Path path = {};
  trace::Trace trace = {};  // as the model does it now
};

// The model cannot do what the trace says. what() has what it can do instead, in further lines.
class DoesNotFit : public ModelError {
 public:
  using ModelError::ModelError;
};

// Throws DoesNotFit, and ModelError if the trace names a lane or a property that the model does not have.
// REQUIRES: `instance` has settings_of(recorded).
ReplayResult replay(const Instance& instance, const trace::Trace& recorded, const ReplayRequest& request = {});

}  // namespace heddle::run
