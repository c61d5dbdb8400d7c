// Whether everything that an image refers to is there, and its sizes are within limits.
#pragma once

#include "native/image.h"

namespace heddle::native {

// Limits of an image beyond those of labels; a file that asks for more is refused, not obeyed.
inline constexpr std::uint32_t max_registers = 1u << 22;       // words of a frame
inline constexpr std::uint64_t max_global_bytes = 256u << 20;  // of all globals together

// Throws ImageError unless all that image.h says of indices holds.
void check_image(const Image& image);

}  // namespace heddle::native
