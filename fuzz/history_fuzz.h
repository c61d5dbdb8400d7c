// Checks what every reader of histories promises on arbitrary bytes: a HistoryError with a position, or a history that
// can be written in EDN and in JSON, and that reads back as the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "history/read_history.h"
#include "history/write_history.h"

namespace heddle::history {

inline int fuzz(const std::uint8_t* data, std::size_t size, Format format) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  RecordedHistory recorded;
  try {
    read_history(text, "input", {.format = format, .failed_cas = FailedCas::Mismatch}, recorded);
  } catch (const HistoryError& error) {
    if (!std::string_view(error.what()).starts_with("input:")) std::abort();
    return 0;
  }
  const std::string first = write_history(recorded, Format::Edn);
  std::string written = first;
  for (const Format next : {Format::Edn, Format::Json, Format::Edn}) {
    RecordedHistory again;
    read_history(written, "written", {.keyed = false, .failed_cas = FailedCas::Mismatch}, again);
    written = write_history(again, next);
    if (again.operations.size() != recorded.operations.size()) std::abort();
  }
  if (written != first) std::abort();
  return 0;
}

}  // namespace heddle::history
