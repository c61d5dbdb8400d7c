// Traces as JSON, the form in which they are kept, replayed, explained and viewed. docs/trace-format.md describes it
// and docs/trace.schema.json is its schema.
//
//   write_file_atomically(path, to_json(trace));
//   trace::Trace again = trace_from_json(text, path);
//
// Invariants
//   1. Equal traces give equal text: keys come in a fixed order, so traces can be compared with diff.
//   2. Reading what was written gives the same trace, values without white space between tokens.
//   3. A reader ignores fields it does not know, so version 1 may gain fields; anything else is a new version, which
//      older readers refuse.
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "core/trace.h"
#include "report/json_view.h"

namespace heddle::report {

constexpr int trace_format_version = 1;

// A value that is not JSON is a fault of the door that made it. It is written as a string, so that the trace is not
// lost; an empty value is written as null.
std::string to_json(const trace::Trace& trace);

// Throws ReportError, "file:line:column: what is wrong; what to do". Every lane number in the result is valid.
trace::Trace trace_from_json(std::string_view text, std::string_view file_name);

}  // namespace heddle::report
