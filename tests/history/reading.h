// Reading in tests.
#pragma once

#include <string>

#include "history/dump.h"
#include "history/read_history.h"

namespace heddle::history {

inline std::string read(std::string_view text, const ReadOptions& options = {}) {
  RecordedHistory history;
  read_history(text, "h", options, history);
  return dump(history);
}

// What the reader complains of, or "".
inline std::string complaint(std::string_view text, const ReadOptions& options = {}) {
  RecordedHistory history;
  try {
    read_history(text, "h", options, history);
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "";
}

}  // namespace heddle::history
