// A trace as plain text: a title, the picture (report/picture.h), and a last line with the property and the values that
// decided it. With more lanes than fit, the picture gives way to a list with one line per step. Lane numbers in the trace
// must be valid, as they are in what trace_from_json() returns.
// Pure function, thread-safe.
#pragma once

#include <string>

#include "core/trace.h"

namespace heddle::report {

struct TextOptions {
  int width = 100;     // cells; at least 40 are used
  bool ascii = false;  // otherwise Unicode
  bool color = false;  // ANSI colours
};

std::string render_text(const trace::Trace& trace, TextOptions options = {});

}  // namespace heddle::report
