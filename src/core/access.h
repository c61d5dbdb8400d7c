// Says what a step may touch, for reductions.
#pragma once

#include <cstdint>

namespace heddle {

struct Access {
  // Open and Close change the slot of histories: an operation begins or ends. They disable nothing.
  // ReadPart and WritePart are about a place that has parts: somewhere inside it something is read or written. They
  // conflict with accesses to the whole place. Whether two parts overlap is for accesses to the parts to say.
  enum class Kind : std::uint8_t { Read, Write, Append, Open, Close, ReadPart, WritePart };
  std::uint32_t slot;
  Kind kind;
};

inline constexpr unsigned access_kinds = 7;

// Whether two accesses to the same slot do not commute.
constexpr bool conflict(Access::Kind a, Access::Kind b) {
  using enum Access::Kind;
  const auto part = [](Access::Kind k) { return k == ReadPart || k == WritePart; };
  if (part(a) && part(b)) return false;
  if (a == ReadPart || b == ReadPart) return (a == ReadPart ? b : a) != Read;
  return a != b || a == Write;
}

}  // namespace heddle
