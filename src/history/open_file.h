// Opens a file to be read.
#pragma once

#include <string>

namespace heddle::history {

// Returns the descriptor; -1, and errno, if that fails. Opening a pipe waits for its writer; a SIGINT or SIGTERM
// during this wait throws ReadingStopped.
int open_to_read(const std::string& path);

}  // namespace heddle::history
