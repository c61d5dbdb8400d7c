// One buffer, which grows with the longest line.
#include "history/line_reader.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/budget.h"
#include "history/open_file.h"
#include "history/source_text.h"

namespace heddle::history {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

[[noreturn]] void cannot_read(const std::string& name, int error) {
  throw HistoryError(
      fmt::format("{}: cannot be read: {}; check its name and its permissions", name, std::strerror(error)));
}

}  // namespace

LineReader::LineReader(const std::string& path)
    : name_(path == "-" ? "standard input" : path), descriptor_(path == "-" ? STDIN_FILENO : open_to_read(path)) {
  struct stat status = {};
  if (descriptor_ < 0) cannot_read(name_, errno);
  if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
    cannot_read(name_, EISDIR);
  }
  buffer_.resize(block);
  rest_ = std::string_view(buffer_).substr(0, 0);
}

LineReader::LineReader(std::string_view text, std::string name) : name_(std::move(name)), rest_(text) {}

LineReader::~LineReader() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

// Moves the unused rest to the front and reads more behind it. Returns false at the end of the file.
bool LineReader::fill() {
  if (descriptor_ < 0) return false;
  std::size_t size = rest_.size();
  if (size > 0) std::memmove(buffer_.data(), rest_.data(), size);
  if (size == buffer_.size()) buffer_.resize(2 * size);
  ssize_t got = 0;
  do {
    if (Budget::interrupted()) throw ReadingStopped("interrupted");
    got = ::read(descriptor_, buffer_.data() + size, buffer_.size() - size);
  } while (got < 0 && errno == EINTR);
  if (got < 0) cannot_read(name_, errno);
  if (got == 0) {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
    descriptor_ = -1;
  }
  size += static_cast<std::size_t>(got);
  rest_ = std::string_view(buffer_).substr(0, size);
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0, end = rest_.npos;
  while ((end = rest_.find('\n', searched)) == rest_.npos) {
    searched = rest_.size();
    line_ = {};
    if (searched > longest_line) {
      throw HistoryError(fmt::format("{}:{}:1: this line is longer than {} MiB; write one object a line", name_,
                                     number_ + 1, longest_line >> 20));
    }
    if (!fill()) break;
  }
  if (end == rest_.npos && rest_.empty()) return false;
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(line_.size() + 1, rest_.size()));
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (++number_ == 1 && line_.starts_with(byte_order_mark)) line_.remove_prefix(byte_order_mark.size());
  line = line_;
  return true;
}

void LineReader::fail(const char* at, std::string_view message) const {
  const char* begin = line_.data();
  at = std::clamp(at, begin, begin + line_.size());
  // A code point's later bytes are 10xxxxxx.
  const auto column =
      1 + std::count_if(begin, at, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  throw HistoryError(fmt::format("{}:{}:{}: {}", name_, number_, column, message));
}

}  // namespace heddle::history
