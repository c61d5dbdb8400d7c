// JSON values as people write them: {"n":1,"v":null} becomes {n=1, v=none}, and as the body of an Accept message
// Accept(n=1, v=none). Numbers keep their spelling; strings lose their quotes where no doubt can arise. An object with a string
// member "op" or "kind" is a call: {"op":"write","value":1} is write(1), and {"op":"read","value":null} is read, for arguments that
// are null or nobody are left out.
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

// Prepare(1), Accept(n=1, v=none), Ack: a single field needs no name (and no braces if it is a record), and no field no
// parentheses.
std::string message_phrase(const trace::Message& message, bool ascii = false);

// An operation's value. An object with one member that is no call stands for that member.
std::string operation_phrase(std::string_view json, bool ascii = false);

// Whether the answer to a call tells nothing: the call has a "value" or "argument", as writes have, and the answer has none.
bool says_nothing(std::string_view call, std::string_view answer);

// The choices of a step, JSON array text, without the brackets.
std::string choice_phrase(std::string_view json, bool ascii = false);

// The choice of a partition, the names on each side: "acceptor 1, acceptor 2 | acceptor 3".
std::string sides_phrase(std::string_view json, bool ascii = false);

// "promised 0 → 1". When that is long and both sides are objects or lists, one phrase per member that changed or
// "log + 7" for what came and "log - 7" for what went; `becomes` is the arrow.
std::vector<std::string> diff_phrases(const trace::Diff& diff, std::string_view becomes, bool ascii = false);

// `text` cut to `width` cells with `mark` in it; a closing bracket stays where it is: Accept(n=1,…).
std::string shorten_phrase(std::string_view text, int width, std::string_view mark);

}  // namespace heddle::report
