// Opens, and puts what went wrong into words.
#include "history/open_file.h"

#include <fcntl.h>

#include <cerrno>

#include "core/budget.h"
#include "history/source_text.h"

namespace heddle::history {

int open_to_read(const std::string& path) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
    if (Budget::interrupted()) throw ReadingStopped("interrupted");
  }
}

}  // namespace heddle::history
