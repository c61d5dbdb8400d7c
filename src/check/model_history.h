// A history met in a search, in the form of a recorded one (core/facets/histories.h).
#pragma once

#include <memory>

#include "check/recorded_history.h"
#include "check/specification.h"
#include "core/facets/histories.h"

namespace heddle {

// Operations have no names: function "" stands for a call whose argument is JSON text, {"kind":"write","value":1}, and whose result
// is JSON text, too.
struct ModelHistory {
  RecordedHistory history;
  std::unique_ptr<Specification> specification;
};

}  // namespace heddle
