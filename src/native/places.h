// Where in the source a thread is, for people.
// Thread-safe: pure functions.
#pragma once

#include <string>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

struct SourcePlace {
  std::string file;  // as clang was given it
  std::uint32_t line = 0, column = 0;
  std::string function;
  bool library = false;  // not the user's own code
};

// The places of a thread, the innermost first: code that was inlined, and the frames around it.
std::vector<SourcePlace> call_stack(const Image& image, const ThreadState& thread);

// The innermost place in the user's own code; the innermost of all if there is none.
SourcePlace user_place(const Image& image, const ThreadState& thread);

// "queue.cpp:31"; the function's name if no line is known.
std::string place_text(const SourcePlace& place);
std::string place_text(const Image& image, const ThreadState& thread);

}  // namespace heddle::native
