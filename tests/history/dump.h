// Everything a history says, as text, so that two can be compared whatever numbers their tables gave.
#pragma once

#include <fmt/format.h>

#include <string>

#include "check/recorded_history.h"
#include "history/edn.h"

namespace heddle::history {

inline std::string edn(const RecordedHistory& history, Value value) {
  std::string out;
  write_edn_value(history.values, value, out);
  return out;
}

inline std::string dump(const RecordedHistory& history) {
  std::string out;
  for (const RecordedOperation& o : history.operations) {
    constexpr const char* outcomes[] = {"ok", "failed", "unknown"};
    out +=
        fmt::format("{} {}({}{}) {}{} [{}, {}]", history.processes[o.process], history.functions[o.function],
                    o.key == no_key ? "" : edn(history, o.key) + ": ", edn(history, o.argument),
                    outcomes[static_cast<int>(o.outcome)], o.outcome == Outcome::Ok ? " " + edn(history, o.result) : "",
                    o.invoked, o.returned == never ? "..." : std::to_string(o.returned));
    if (o.invoked_time >= 0) out += fmt::format(" at {}", o.invoked_time);
    if (o.returned_time >= 0) out += fmt::format(" to {}", o.returned_time);
    out += '\n';
  }
  return out;
}

}  // namespace heddle::history
