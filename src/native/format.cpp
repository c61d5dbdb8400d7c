// Goes over a format once. Numbers are formatted by the host's own printf, texts and pointers are padded here.
#include "native/format.h"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "native/arithmetic.h"
#include "native/memory.h"

namespace heddle::native {
namespace {

constexpr int widest_field = 1'000'000;

struct FormatConversion {
  std::string flags;
  int width = 0;
  int precision = -1;  // none
  std::string length;
  char letter = 0;
};

class Formatter {
 public:
  Formatter(std::string_view format, std::span<const FormatArgument> arguments, const ReadText& read_text)
      : rest_(format), arguments_(arguments), read_text_(read_text) {}

  std::string all() {
    while (!rest_.empty()) {
      const std::size_t percent = std::min(rest_.find('%'), rest_.size());
      out_ += rest_.substr(0, percent);
      rest_.remove_prefix(percent);
      if (!rest_.empty()) conversion();
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] static void unsupported(std::string_view specification) {
    throw Fault{Failure::Unsupported, fmt::format("the format %{}", specification)};
  }

  const FormatArgument& next() {
    if (used_ == arguments_.size()) {
      throw Fault{Failure::Memory, "a format asks for more arguments than there are"};
    }
    if (arguments_[used_].refuse) arguments_[used_].refuse();
    return arguments_[used_++];
  }

  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  int number() {
    if (peek() == '*') {
      rest_.remove_prefix(1);
      return bounded(static_cast<std::int32_t>(next().low));
    }
    std::int64_t value = 0;
    for (; peek() >= '0' && peek() <= '9'; rest_.remove_prefix(1)) {
      value = std::min<std::int64_t>(value * 10 + (peek() - '0'), std::numeric_limits<std::int32_t>::max());
    }
    return bounded(value);
  }
  static int bounded(std::int64_t value) {
    if (value > widest_field || value < -widest_field) {
      throw Fault{Failure::Unsupported, fmt::format("a field of {} characters", value)};
    }
    return static_cast<int>(value);
  }

  void conversion() {
    const std::string_view all = rest_.substr(1);
    rest_.remove_prefix(1);
    FormatConversion x;
    while (peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos) {
      x.flags += peek();
      rest_.remove_prefix(1);
    }
    x.width = number();
    if (x.width < 0) {
      x.flags += '-';
      x.width = -x.width;
    }
    if (peek() == '.') {
      rest_.remove_prefix(1);
      x.precision = number();
    }
    while (peek() != '\0' && std::string_view("hljztL").find(peek()) != std::string_view::npos) {
      x.length += peek();
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) unsupported(all);
    x.letter = rest_.front();
    rest_.remove_prefix(1);
    convert_one(x, all.substr(0, all.size() - rest_.size()));
  }

  void convert_one(const FormatConversion& x, std::string_view all) {
    switch (x.letter) {
      case '%':
        out_ += '%';
        return;
      case 'd':
      case 'i':
        return print(x, "ll", static_cast<long long>(sign_extend(next().low, bits(x, all))));
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        return print(x, "ll", static_cast<unsigned long long>(next().low & low_bits<Word>(bits(x, all))));
      case 'c':
        if (!x.length.empty()) unsupported(all);
        return pad(x, std::string(1, static_cast<char>(next().low)));
      case 's': {
        if (!x.length.empty()) unsupported(all);
        const Word pointer = next().low;
        const auto limit =
            x.precision < 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(x.precision);
        return pad(x, read_text_(pointer, limit));
      }
      case 'p': {
        const Word pointer = next().low;
        return pad(x, pointer == 0 ? "(nil)" : fmt::format("{:#x}", pointer));
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return print_float(x, all);
      default:
        unsupported(all);
    }
  }

  static unsigned bits(const FormatConversion& x, std::string_view all) {
    if (x.length.empty()) return 32;
    if (x.length == "hh") return 8;
    if (x.length == "h") return 16;
    if (x.length == "l" || x.length == "ll" || x.length == "j" || x.length == "z" || x.length == "t") return 64;
    unsupported(all);
  }

  void print_float(const FormatConversion& x, std::string_view all) {
    const FormatArgument& argument = next();
    if (x.length == "L") {
      if (!has_extended || !argument.two_words) unsupported(all);
      return print(x, "L", float_of<long double>(Wide{argument.high} << 64 | argument.low));
    }
    if (!x.length.empty() && x.length != "l") unsupported(all);
    print(x, "", float_of<double>(argument.low));
  }

  // By the computer's own printf, with our length.
  template <class T>
  void print(const FormatConversion& x, std::string_view length, T value) {
    std::string specification = "%" + x.flags;
    if (x.width != 0) specification += std::to_string(x.width);
    if (x.precision >= 0) specification += "." + std::to_string(x.precision);
    specification += length;
    specification += x.letter;
    const int size = std::snprintf(nullptr, 0, specification.c_str(), value);
    const std::size_t begin = out_.size();
    out_.resize(begin + static_cast<std::size_t>(size) + 1);
    std::snprintf(out_.data() + begin, static_cast<std::size_t>(size) + 1, specification.c_str(), value);
    out_.pop_back();
  }

  void pad(const FormatConversion& x, const std::string& text) {
    const auto width = static_cast<std::size_t>(x.width);
    const std::string padding(text.size() < width ? width - text.size() : 0, ' ');
    out_ += x.flags.find('-') == std::string::npos ? padding + text : text + padding;
  }

  std::string_view rest_;
  std::span<const FormatArgument> arguments_;
  const ReadText& read_text_;
  std::size_t used_ = 0;
  std::string out_;
};

}  // namespace

std::string format_text(std::string_view format, std::span<const FormatArgument> arguments, const ReadText& read_text) {
  return Formatter(format, arguments, read_text).all();
}

}  // namespace heddle::native
