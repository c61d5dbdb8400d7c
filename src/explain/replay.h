// Executes a recorded trace again, on the model as it is now.
//
// Engine numbers mean nothing across runs, so each recorded step is looked up among the enabled ones by what a reader
// sees: the lane's name, kind, transition and received messages must fit (compatible_json.h says what a changed model
// may differ in). The initial state and the messages that the steps sent must agree with the trace as well, in what both
// have. If several fit, choices, sent messages, operations and changed fields say which is tried first; a
// wrong guess is taken back when the run gets stuck later, up to a hundred guesses for each step of the trace and ten
// thousand more.
//
// Thread-safe: only reads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "explore/search.h"

namespace heddle::explain {

struct ReplayResult {
  bool fits = false;
  Path path;  // what was executed, all of it if it fits, otherwise as far as it goes

  // If it does not fit: the step (from 0) at which no guess leads further, what the trace says, and what the model
  // can do there instead, the most similar first.
  std::size_t step = 0;
  std::string expected;
  std::vector<std::string> enabled;
  // Every step fits, but not what the trace says of the initial state or of sent messages: the first difference, a
  // phrase. Then `step`, `expected` and `enabled` mean nothing. Empty otherwise.
  std::string difference;
  bool gave_up = false;  // there are more ways to read the steps before it than were tried

  // If it fits: what the run shows. `property` is the property that the trace names or, if it names none, one that is
  // violated at the end; `shown` says whether it is violated (for `sometimes`: reached) there.
  std::optional<std::size_t> property;
  bool shown = false;
};

// Throws ModelError if the trace names a lane or a property that the model does not have.
ReplayResult replay(const TransitionSystem& system, const trace::Trace& trace);

}  // namespace heddle::explain
