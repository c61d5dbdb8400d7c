// Keeps the program's standard output apart from what a user's model prints.
//
// A model runs in this process and may print, from a handler or from a global variable. In the middle of a JSON object
// that would spoil the object. keep_standard_output() redirects file descriptor 1 to stderr for good and keeps the
// original for the program.
//
//   keep_standard_output();                          // before the first model is loaded
//   fmt::print(standard_output(), "holds\n");
#pragma once

#include <cstdio>
#include <string>

namespace heddle::cli {

void keep_standard_output();
std::FILE* standard_output();

// Returns the name unchanged, unless it is a name of standard output such as /dev/stdout: then the name of the
// original.
std::string file_named(const std::string& name);

}  // namespace heddle::cli
