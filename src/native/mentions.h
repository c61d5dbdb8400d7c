// Which objects some bytes mention: every window of eight bytes, at any offset, that has the form of a pointer.
//
// Programs keep pointers in packed structs and copy them byte by byte, so all offsets count. A false mention (text that
// happens to look like a pointer) makes an object be published or kept too early, which costs states but is not wrong.
#pragma once

#include <cstring>
#include <string_view>

#include "native/image.h"

namespace heddle::native {

// Calls f(Label) for each; an object may come several times.
template <class F>
void for_each_mention(std::string_view bytes, const F& f) {
  // Bits 47 to 40 of a word are its byte 5.
  constexpr std::size_t pattern_byte = 5;
  if (bytes.size() < sizeof(Word)) return;
  const char* const first = bytes.data() + pattern_byte;
  const char* const last = bytes.data() + bytes.size() - (sizeof(Word) - 1 - pattern_byte);
  for (const char* at = first; at < last; ++at) {
    at = static_cast<const char*>(
        std::memchr(at, static_cast<int>(Label::pointer_pattern), static_cast<std::size_t>(last - at)));
    if (at == nullptr) return;
    Word word = 0;
    std::memcpy(&word, at - pattern_byte, sizeof word);
    f(Label::of(word));
  }
}

}  // namespace heddle::native
