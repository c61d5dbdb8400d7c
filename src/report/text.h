// A trace as plain text: a title, the picture (report/picture.h), and a last line with the property and the values that
// decided it, or with the call that an abstract object rejected. With more lanes than fit, the picture gives way to a
// list with one line per step. A run of threads is shown with the lines of source (report/interleaving.h), which are
// read from their files.
// REQUIRES: lane numbers in the trace are valid; trace_from_json() makes sure of that.
// Otherwise a pure function; thread-safe.
#pragma once

#include <cstddef>
#include <string>

#include "core/trace.h"

namespace heddle::report {

struct TextOptions {
  int width = 100;               // cells; at least 40 are used
  bool ascii = false;            // otherwise Unicode
  bool color = false;            // ANSI colours
  bool title = true;             // the model, its parameters and options on the first line
  std::size_t most_steps = 400;  // at least 2; of a longer trace only the beginning and the end are shown
};

std::string render_text(const trace::Trace& trace, TextOptions options = {});

}  // namespace heddle::report
