// The lines of source files that a finding mentions, for its page.
//
// A trace may come from somebody else, and a page is sent to others. So a page must not carry off any file that a
// trace names: only files with the endings of C and C++ are read, and of these only what lies around the lines that
// the finding is about. Reads files; not thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "core/trace.h"
#include "report/page.h"

namespace heddle::report {

// `trace` may be null, `run` (the JSON of a run) empty. Files that cannot be read are left out.
std::vector<PageSource> page_sources(const trace::Trace* trace, std::string_view run);

}  // namespace heddle::report
