// Where a thread is, as a person says it.
#pragma once

#include <string>
#include <vector>

#include "native/machine.h"

namespace heddle::native {

struct StackLine {
  std::string function;  // as a person writes it
  std::string file;      // empty: unknown
  std::uint32_t line = 0, column = 0;
  bool about = false;    // the line is that of a neighbour
  bool library = false;  // not the user's own code
  friend bool operator==(const StackLine&, const StackLine&) = default;
};

// The calls that a place is in by inlining, the innermost first. `function`: whose operation it is.
std::vector<StackLine> lines_of(const Image& image, std::uint32_t function, std::uint32_t at);
// The calls that a thread is in, the innermost first.
std::vector<StackLine> call_stack(const Image& image, const ThreadState& thread);
// "push at queue.c:12:3"
std::string text(const StackLine& line);

// The innermost of these lines in the user's own code; the innermost of all if there is none.
StackLine user_line(const std::vector<StackLine>& stack);
// "queue.c:12"; the function's name if no line is known.
std::string short_text(const StackLine& line);

}  // namespace heddle::native
