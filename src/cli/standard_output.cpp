// Moves file descriptor 1 aside before a model can print.
#include "cli/standard_output.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::cli {
namespace {

std::FILE* kept = nullptr;

// Returns a copy of standard output with a high number. A model may close descriptors that it takes for its own: those
// with low numbers.
int copy_of_output() {
  rlimit limit = {};
  const bool known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
  for (const rlim_t lowest : {rlim_t{900}, rlim_t{200}, rlim_t{3}}) {
    if (lowest > 3 && (!known || lowest >= limit.rlim_cur)) continue;
    const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, static_cast<int>(lowest));
    if (own >= 0) return own;
  }
  return -1;
}

}  // namespace

void keep_standard_output() {
  if (kept != nullptr) return;
  std::fflush(stdout);
  const int own = copy_of_output();
  if (own < 0) return;  // stdout is closed; the first attempt to write will find that out
  kept = ::fdopen(own, "w");
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
}

std::FILE* standard_output() { return kept != nullptr ? kept : stdout; }

std::string file_named(const std::string& name) {
  constexpr std::array<std::string_view, 3> names = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  if (kept == nullptr || std::ranges::find(names, name) == names.end()) return name;
  return "/proc/self/fd/" + std::to_string(::fileno(kept));
}

}  // namespace heddle::cli
