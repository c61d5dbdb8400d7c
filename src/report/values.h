// JSON values as people write them: {"n":1,"v":null} becomes {n=1, v=none}, and as the body of an Accept message
// Accept(n=1, v=none). Numbers keep their spelling; strings lose their quotes where no doubt can arise. An object
// with a string member "op" or "kind" is a call: {"op":"write","value":1} is write(1). Arguments that are null or
// nobody are left out: {"op":"read","value":null} is read.
//
// Text that is not JSON is printed as it is. Everything returned is printable (report/utf8.h).
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace heddle::report {

std::string value_phrase(std::string_view json, bool ascii = false);

// Prepare(1), Accept(n=1, v=none), Ack. A single field is shown without its name, and without braces if it is a
// record. A message without fields has no parentheses.
std::string message_phrase(const trace::Message& message, bool ascii = false);

// The value of an operation. An object with one member that is not a call stands for that member.
std::string operation_phrase(std::string_view json, bool ascii = false);

// True if the answer to a call says nothing: the call has a "value" or "argument", like a write, and the answer has
// none.
bool says_nothing(std::string_view call, std::string_view answer);

// The choices of a step, given as a JSON array, without the brackets.
std::string choice_phrase(std::string_view json, bool ascii = false);

// The choice of a partition, the names on each side: "acceptor 1, acceptor 2 | acceptor 3".
std::string sides_phrase(std::string_view json, bool ascii = false);

// "promised 0 → 1". If that is long and both sides are objects or lists, there is one phrase for each member that
// changed, or "log + 7" for an element that was added and "log - 7" for one that was removed. `becomes` is the arrow.
std::vector<std::string> diff_phrases(const trace::Diff& diff, std::string_view becomes, bool ascii = false);

// Cuts `text` to `width` cells with `mark` in it; a closing bracket stays at the end: Accept(n=1,…).
std::string shorten_phrase(std::string_view text, int width, std::string_view mark);

}  // namespace heddle::report
