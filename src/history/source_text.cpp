// Checks for UTF-8 once, and counts lines only when somebody asks.
#include "history/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "report/utf8.h"

namespace heddle::history {
namespace {

// Looks at eight bytes at a time as long as they are ASCII, which is nearly always.
std::size_t first_invalid(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t word = 0;
    while (at + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & 0x8080808080808080u) != 0) break;
      at += sizeof word;
    }
    if (at == text.size()) break;
    const report::CodePoint point = report::decode(text, at);
    if (!point.valid) return at;
    at += point.bytes.size();
  }
  return text.npos;
}

}  // namespace

SourceText::SourceText(std::string_view text, std::string file_name)
    : text_(text), file_name_(std::move(file_name)), counted_(text.data()) {
  if (text_.starts_with(byte_order_mark)) {
    text_.remove_prefix(byte_order_mark.size());
    counted_ = text_.data();
  }
  if (const std::size_t at = first_invalid(text_); at != text_.npos) {
    fail(text_.data() + at, fmt::format("the byte 0x{:02x} is not UTF-8; convert the file to UTF-8",
                                        static_cast<unsigned char>(text_[at])));
  }
}

std::uint32_t SourceText::line(const char* at) const {
  if (at < counted_) {
    counted_ = text_.data();
    line_ = 1;
  }
  line_ += static_cast<std::uint32_t>(std::count(counted_, at, '\n'));
  counted_ = at;
  return line_;
}

void SourceText::fail(const char* at, std::string_view message) const {
  const char* begin = text_.data();
  at = std::clamp(at, begin, begin + text_.size());
  const char* start = at;
  while (start > begin && start[-1] != '\n') --start;
  // A code point's later bytes are 10xxxxxx.
  const auto column =
      1 + std::count_if(start, at, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  throw HistoryError(fmt::format("{}:{}:{}: {}", file_name_, line(at), column, message));
}

}  // namespace heddle::history
