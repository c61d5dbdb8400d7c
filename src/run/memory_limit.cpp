// Asks core/memory.h what is left, and sets the limit there.
#include "run/memory_limit.h"

#include <fmt/format.h>

#include <limits>

#include "core/memory.h"
#include "report/numbers.h"

namespace heddle::run {

std::size_t set_memory_limit(std::optional<std::size_t> asked) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  if (asked) {
    limit_memory(*asked, LimitBy::User);
    return *asked;
  }
  const std::size_t left = memory_left();
  limit_memory(left == none ? none : resident_bytes() + left / 5 * 4);
  return none;
}

void lift_memory_limit() { limit_memory(std::numeric_limits<std::size_t>::max()); }

std::string too_little_memory() {
  const std::size_t held = resident_bytes();
  if (held <= memory_limit()) return "";
  return fmt::format("memory limit of {}; the program itself needs {}",
                     report::bytes_text(static_cast<double>(memory_limit())),
                     report::bytes_text(static_cast<double>(held)));
}

}  // namespace heddle::run
