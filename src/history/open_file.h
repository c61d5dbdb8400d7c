// Opens a file to be read.
#pragma once

#include <string>

namespace heddle::history {

// Returns the descriptor; -1, and errno, if that fails. To open a pipe waits for its writer. Throws ReadingStopped
// after SIGINT or SIGTERM in that time.
int open_to_read(const std::string& path);

}  // namespace heddle::history
