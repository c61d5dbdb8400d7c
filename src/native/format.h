// printf's language: a format and arguments to text.
//
// Flags - + space # 0, width and precision (also *), the lengths hh h l ll j z t L, the conversions d i u x X o c s p f
// F e E g G a A %. Other ones, %n among them, are Failure::Unsupported.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "native/image.h"

namespace heddle::native {

struct FormatArgument {
  Word low = 0, high = 0;  // high: of a value of two words, as long double
  bool floating = false;
  bool two_words = false;
  // Called before the argument is used, if it must not be: throws Fault.
  std::function<void()> refuse = {};
};

// Reads text that ends with a byte 0, or after `limit` bytes.
using ReadText = std::function<std::string(Word pointer, std::uint64_t limit)>;

// Throws Fault if the format is not supported, or if there are fewer arguments than it asks for.
std::string format_text(std::string_view format, std::span<const FormatArgument> arguments, const ReadText& read_text);

}  // namespace heddle::native
