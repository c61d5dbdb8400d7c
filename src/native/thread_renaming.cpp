// Finds the names of threads by the patterns of pointers and of sets, and exchanges them byte by byte.
#include "native/thread_renaming.h"

#include <cassert>
#include <cstring>
#include <string_view>

namespace heddle::native {
namespace {

// A set of threads: bytes 0 to 3 have six threads each, byte 7 the rest; runtime/native/locks.h knows these numbers.
constexpr Word set_mark = 0x80E56BF000000000;
constexpr std::uint32_t in_a_byte = 6, in_lower_bytes = 24;
constexpr std::size_t pattern_at = 5;  // of eight bytes
constexpr auto pattern = static_cast<char>(Label::pointer_pattern);

std::uint32_t bit_of(std::uint32_t thread) {
  return thread < in_lower_bytes ? thread / in_a_byte * 8 + thread % in_a_byte : 56 + (thread - in_lower_bytes);
}

// `at`: of the byte of the pattern.
bool is_set(std::string_view bytes, std::size_t at) {
  if (at < pattern_at || at + 2 >= bytes.size()) return false;
  constexpr unsigned above = 0xC0;
  for (std::size_t i = at - pattern_at; i + 1 < at; ++i) {
    if ((static_cast<unsigned char>(bytes[i]) & above) != 0) return false;
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  return byte(at - 1) == 0xF0 && byte(at + 1) == 0xE5 && (byte(at + 2) & above) == 0x80;
}

Word set_at(std::string_view bytes, std::size_t at) {
  Word word = 0;
  std::memcpy(&word, bytes.data() + at - pattern_at, sizeof word);
  return word;
}

// Calls named(at) for each byte of the pattern that may belong to a pointer, and set(at) for those of sets.
template <class Named, class Set>
void for_each_name(std::string_view bytes, const Named& named, const Set& set) {
  for (std::size_t at = bytes.find(pattern, 1); at != bytes.npos; at = bytes.find(pattern, at + 1)) {
    if (is_set(bytes, at)) {
      set(at);
    } else {
      named(at);
    }
  }
}

std::uint32_t owner_before(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at - 1]) >> 3;
}

}  // namespace

void ThreadRenaming::bytes(std::string& bytes) const {
  const auto rename_owner = [&](std::size_t at) {
    const auto byte = static_cast<unsigned char>(bytes[at - 1]);
    bytes[at - 1] = static_cast<char>((byte & 7) | thread(byte >> 3) << 3);
  };
  const auto rename_set = [&](std::size_t at) {
    const Word before = set_at(bytes, at);
    Word after = before;
    for (std::uint32_t t = 0; t < most; ++t) after &= ~(Word{1} << bit_of(t));
    for (std::uint32_t t = 0; t < most; ++t) {
      if ((before >> bit_of(t) & 1) != 0) after |= Word{1} << bit_of(thread(t));
    }
    std::memcpy(bytes.data() + at - pattern_at, &after, sizeof after);
  };
  for_each_name(bytes, rename_owner, rename_set);
}

Word ThreadRenaming::word(Word w) const {
  if (!Label::is_pointer(w)) {
    // Another byte may be the pattern, as it may in memory.
    constexpr Word ones = 0x0101010101010101;
    const Word differs = w ^ ones * Label::pointer_pattern;
    if (((differs - ones) & ~differs & ones << 7) == 0) return w;
  }
  std::string bytes(reinterpret_cast<const char*>(&w), sizeof w);
  this->bytes(bytes);
  std::memcpy(&w, bytes.data(), sizeof w);
  return w;
}

std::uint32_t threads_named(std::string_view bytes) {
  std::uint32_t out = 0;
  const auto owner = [&](std::size_t at) {
    if (const std::uint32_t t = owner_before(bytes, at); t < ThreadRenaming::most) out |= 1u << t;
  };
  const auto set = [&](std::size_t at) {
    const Word word = set_at(bytes, at);
    for (std::uint32_t t = 0; t < ThreadRenaming::most; ++t) {
      if ((word >> bit_of(t) & 1) != 0) out |= 1u << t;
    }
  };
  for_each_name(bytes, owner, set);
  return out;
}

Word set_of_thread(std::uint32_t thread) {
  assert(thread < Label::max_threads);
  return set_mark | Word{1} << bit_of(thread);
}

std::uint32_t thread_named(Word word) {
  if (!Label::is_pointer(word) || word >> 48 != 0) return none;
  const Label label = Label::of(word);
  return label.index == Label::max_index && label.owner < Label::max_threads ? label.owner : none;
}

}  // namespace heddle::native
