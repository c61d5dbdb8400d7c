// A temporary file beside the target, fsync, rename.
#include "report/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "report/json_view.h"

namespace heddle::report {
namespace {

std::string_view remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space or choose another place";
    case ENOENT:
    case ENOTDIR:
      return "create the directory first or choose another place";
    default:
      return "choose a place that can be written to";
  }
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw ReportError(fmt::format("{}: cannot be written: {}; {}", path, std::strerror(error), remedy(error)));
}

// Returns zero, or the errno of what went wrong.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_directly(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  const int error = write_all(descriptor, text);
  ::close(descriptor);
  if (error != 0) fail(path, error);
}

// Returns the directory with its last slash; empty for a file in the working directory.
std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// Returns the file that `path` leads to, which need not exist. A cycle of links is left for open() to refuse.
std::string resolved(const std::string& path) {
  std::string target = path;
  for (int links = 0; links < 40; ++links) {
    char to[PATH_MAX];
    const ssize_t length = ::readlink(target.c_str(), to, sizeof to);
    if (length < 0) break;  // not a link
    const std::string_view next(to, static_cast<std::size_t>(length));
    target = (next.starts_with('/') ? "" : directory_of(target)).append(next);
  }
  return target;
}

// Without this a crash of the machine may undo the rename. Not every file system can do it; the file itself is safe by
// then.
void sync_directory(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view text) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
    write_directly(path, text);
    return;
  }
  const std::string target = resolved(path);
  static std::atomic<unsigned> serial{0};
  const std::string temporary = fmt::format("{}.{}-{}.tmp", target, ::getpid(), serial.fetch_add(1));
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, errno);
  int error = write_all(descriptor, text);
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, error);
  }
  const std::string directory = directory_of(target);
  sync_directory(directory.empty() ? "." : directory);
}

}  // namespace heddle::report
