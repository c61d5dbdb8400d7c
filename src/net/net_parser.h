// Reads the .net text format (docs/nets.md). PEGTL checks the syntax and builds a tree. One pass over the
// tree declares the places and a second pass resolves names, so a file may use a place before it declares it.
//
// Every mistake is a ModelError "file:line:column: what is wrong; what to do". Conditions nest at most
// max_nesting levels, so no input can exhaust the stack. Thread-safe: nothing is shared between calls.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/net.h"

namespace heddle::net {

inline constexpr std::size_t max_nesting = 100;

// `file` is only used in messages.
Net parse_net(std::string_view text, const std::string& file);

}  // namespace heddle::net
