#include "check/monitors/monitor.h"

namespace heddle {

std::optional<MonitorResult> monitor(const Specification&, const RecordedHistory&, std::span<const std::uint32_t>,
                                     Budget&) {
  return std::nullopt;
}

}  // namespace heddle
