// Moves file descriptor 1 aside before a model can print.
#include "cli/standard_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::cli {
namespace {

std::FILE* kept = nullptr;

}  // namespace

void keep_standard_output() {
  if (kept != nullptr) return;
  std::fflush(stdout);
  const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
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
