// A recorded trace on the model as it is now: the call behind `heddle replay`.
#pragma once

#include <functional>
#include <string>

#include "core/trace.h"
#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

// The model a trace is of. Its file is recorded as it was given, so it is looked for from here and from where the trace lies.
// `file` is where the trace was read from; `model`, if not empty, is the model or its file instead of what the trace says.
// Throws as open() does, and UsageError if the model is not there.
Source open_recorded(const trace::Trace& recorded, const std::string& file, const std::string& model = "");

// The settings a trace was recorded with.
RunSettings settings_of(const trace::Trace& recorded);

struct ReplayRequest {
  std::string name = "the trace";  // for errors
  // Told when the verdict is known; describing the run takes longer.
  std::function<void(const Judgement&)> judged = [](const Judgement&) {};
};

struct ReplayResult : Judgement {
  Path path = {};
  trace::Trace trace = {};  // as the model does it now
};

// REQUIRES: `instance` has settings_of(recorded). Throws ModelError, with what the model can do instead, where the trace does not
// fit.
ReplayResult replay(const Instance& instance, const trace::Trace& recorded, const ReplayRequest& request = {});

}  // namespace heddle::run
