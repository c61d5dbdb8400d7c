// Says what a step may touch, for reductions.
#pragma once

#include <cstdint>

namespace heddle {

struct Access {
  // Open and Close change the slot of histories: an operation begins or ends. They disable nothing.
  enum class Kind : std::uint8_t { Read, Write, Append, Open, Close };
  std::uint32_t slot;
  Kind kind;
};

}  // namespace heddle
