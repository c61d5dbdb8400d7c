// A path as a test of the user's project: GoogleTest and the installed library (docs/library.md).
//
// What the test expects depends on the path. A path to a violation should not be possible any more once the mistake is
// repaired; with a bug that was switched on it shows that the model can find it, and has to stay. Any other path has to
// stay possible.
// Pure function.
#pragma once

#include <string>

#include "core/trace.h"

namespace heddle::explorer {

// Throws Refusal if there can be no such test: of a program in C or C++, whose compiler is not part of the library.
std::string test_source(const trace::Trace& trace, bool of_program);

}  // namespace heddle::explorer
