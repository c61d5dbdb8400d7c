// How many words each part of an operation has: what the reader of images checks, what liveness follows, what `dump`
// prints.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "native/image.h"

namespace heddle::native {

// Words of a value of `bits` bits, or of `bytes` bytes of memory.
constexpr std::uint32_t words_of_bits(std::uint64_t bits) { return static_cast<std::uint32_t>((bits + 63) / 64); }
constexpr std::uint32_t words_of_bytes(std::uint64_t bytes) { return static_cast<std::uint32_t>((bytes + 7) / 8); }

// Words of the result and of the operands; 0: there is none. Arguments of calls are not operands. `c` of a Branch and
// `b`, `c` of a Switch or a call are indices, not operands.
struct OperationShape {
  std::uint32_t result = 0, a = 0, b = 0, c = 0;
};
OperationShape shape_of(const Operation& operation);

bool is_call(Code code);
bool is_terminator(Code code);
// The operations that may come next in the function.
std::vector<std::uint32_t> successors(const Function& function, std::uint32_t at);
// Reads or writes memory, or ends the life of an object: a thread may rest before it.
bool touches_memory(Code code);
std::string_view name_of(Code code);
inline constexpr std::uint32_t code_count = static_cast<std::uint32_t>(Code::Unsupported) + 1;
inline constexpr std::uint32_t math_count = static_cast<std::uint32_t>(MathFunction::Power) + 1;
inline constexpr std::uint32_t rmw_count = static_cast<std::uint32_t>(Rmw::FSub) + 1;

}  // namespace heddle::native
