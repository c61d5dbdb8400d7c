// The program's own standard output, apart from what a user's model prints.
//
// A model runs in this process and may print, from a handler or from a global variable: in the midst of a JSON object, that
// would spoil it. keep_standard_output() sends file descriptor 1 to stderr for good and keeps the original for the program.
//
//   keep_standard_output();                          // before the first model is loaded
//   fmt::print(standard_output(), "holds\n");
#pragma once

#include <cstdio>
#include <string>

namespace heddle::cli {

void keep_standard_output();
std::FILE* standard_output();

// A file as the user named it, where the name is one of those of standard output: where that is now.
std::string file_named(const std::string& name);

}  // namespace heddle::cli
