// Maps a regular file, and reads anything else to its end.
#include "history/input_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/budget.h"
#include "history/open_file.h"
#include "history/source_text.h"

namespace heddle::history {
namespace {

[[noreturn]] void fail(const std::string& name, int error) {
  throw HistoryError(
      fmt::format("{}: cannot be read: {}; check its name and its permissions", name, std::strerror(error)));
}

// Closes the file whatever happens.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number > STDIN_FILENO) ::close(number);
  }
};

}  // namespace

InputFile::InputFile(const std::string& path, std::size_t most) : name_(path == "-" ? "standard input" : path) {
  const Descriptor file{path == "-" ? STDIN_FILENO : open_to_read(path)};
  struct stat status = {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0) fail(name_, errno);
  if (S_ISDIR(status.st_mode)) fail(name_, EISDIR);
  if (S_ISREG(status.st_mode) && status.st_size > 0 && path != "-") {
    mapped_ = static_cast<std::size_t>(status.st_size);
    mapping_ = ::mmap(nullptr, mapped_, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (mapping_ == MAP_FAILED) {
      mapping_ = nullptr;
      fail(name_, errno);
    }
    ::madvise(mapping_, mapped_, MADV_SEQUENTIAL);
    text_ = {static_cast<const char*>(mapping_), mapped_};
    return;
  }
  read_all(file.number, most);
  text_ = buffer_;
}

InputFile::~InputFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
}

void InputFile::read_all(int descriptor, std::size_t most) {
  constexpr std::size_t block = std::size_t{1} << 20;
  std::size_t size = 0;
  for (;;) {
    if (Budget::interrupted()) throw ReadingStopped("interrupted");
    if (size > most) throw ReadingStopped("memory limit, reached while reading");
    if (buffer_.size() < size + block) buffer_.resize(std::max(2 * buffer_.size(), size + block));
    const ssize_t got = ::read(descriptor, buffer_.data() + size, buffer_.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  buffer_.resize(size);
}

}  // namespace heddle::history
