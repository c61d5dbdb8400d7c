// A history met in a search, in the form of a recorded one (core/facets/histories.h).
#pragma once

#include <memory>

#include "check/recorded_history.h"
#include "check/specification.h"
#include "core/facets/histories.h"

namespace heddle {

// Operations have no names: function "" stands for a call whose argument and result are JSON text, such as
// {"kind":"write","value":1}.
struct ModelHistory {
  RecordedHistory history;
  std::unique_ptr<Specification> specification;
};

}  // namespace heddle
