#include "cli/memory_limit.h"

#include <fmt/format.h>

#include <limits>

#include "cli/quantities.h"
#include "core/memory.h"
#include "report/numbers.h"

namespace heddle::cli {

std::size_t set_memory_limit(const std::string& given) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  if (!given.empty()) {
    const std::size_t bytes = parse_bytes(given, "--memory");
    limit_memory(bytes);
    return bytes;
  }
  const std::size_t left = memory_left();
  limit_memory(left == none ? none : resident_bytes() + left / 5 * 4);
  return none;
}

std::string too_little_memory() {
  const std::size_t held = resident_bytes();
  if (held <= memory_limit()) return "";
  return fmt::format("memory limit of {}; the program itself needs {}",
                     report::bytes_text(static_cast<double>(memory_limit())),
                     report::bytes_text(static_cast<double>(held)));
}

}  // namespace heddle::cli
