// Runs a program and listens to what it says.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct Finished {
  int exit_code = 0;   // 128 + the signal if one ended it
  std::string output;  // of both stdout and stderr
};

// The command is not interpreted by a shell. Throws UsageError if it
// cannot be started, Interrupted on Ctrl-C.
Finished run_program(const std::vector<std::string>& command);

}  // namespace heddle::cli
