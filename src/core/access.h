// What a step may touch, for reductions.
#pragma once

#include <cstdint>

namespace heddle {

struct Access {
  // Open and Close are changes of the slot of histories, an operation's beginning and its end; they disable nothing.
  enum class Kind : std::uint8_t { Read, Write, Append, Open, Close };
  std::uint32_t slot;
  Kind kind;
};

}  // namespace heddle
