// Threads that exchange their names: how bytes, words and labels look afterwards.
//
// The name of a thread is found wherever it lies in memory, because it has a form of its own:
//   - a pointer carries the number of the thread that made its object (Label::owner);
//   - the thread itself is such a pointer, to an index that no object has: the owner of a mutex, say;
//   - a set of threads is a word with a mark, and a bit for each thread: those who wait for a condition.
// What looks like a name in bytes that are none (text, say) is renamed as well. That is not a mistake: symmetry is
// believed only if renamed segments do the same (symmetry.cpp), and code that notices the difference is found there.
//
// Invariant: to rename by p and then by q is to rename by p and q together. For that, renaming must not make or destroy
// anything that looks like a name. It changes the owner's bits of a pointer, in the byte before the pattern, and the
// six lower bits of the bytes of a set; neither can become the byte of the pattern, because owners that are renamed are
// below `most`, and six bits are less than the pattern.
// Thread-safe: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "native/image.h"

namespace heddle::native {

class ThreadRenaming {
 public:
  // Only threads with smaller numbers are renamed.
  static constexpr std::uint32_t most = 13;
  static_assert(most <= Label::pointer_pattern >> 3);

  ThreadRenaming() {
    for (std::uint32_t t = 0; t < to_.size(); ++t) to_[t] = static_cast<std::uint8_t>(t);
  }
  // REQUIRES: from < most and to < most.
  void set(std::uint32_t from, std::uint32_t to) { to_[from] = static_cast<std::uint8_t>(to); }

  std::uint32_t thread(std::uint32_t t) const { return t < most ? to_[t] : t; }
  Label label(Label l) const { return {thread(l.owner), l.index}; }
  Word word(Word w) const;
  void bytes(std::string& bytes) const;

 private:
  std::array<std::uint8_t, most> to_;
};

// The threads with numbers below ThreadRenaming::most whose names are in the bytes, a bit each.
std::uint32_t threads_named(std::string_view bytes);

// The thread as a word, and the set that has it as its only member.
inline Word name_of_thread(std::uint32_t thread) { return Label{thread, Label::max_index}.pointer(); }
Word set_of_thread(std::uint32_t thread);
// The thread that a word names, or none.
std::uint32_t thread_named(Word word);

}  // namespace heddle::native
