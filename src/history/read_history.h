// Reads a recorded history in whichever format it has.
//
//   InputFile file("history.edn");
//   RecordedHistory history;
//   ReadSummary summary = read_history(file.text(), "history.edn", {}, history);
//
// Each format has its own lines and fields (edn.h, json.h, jepsen_log.h, trace.h); the meaning of a sequence of
// events is the same for all (history_builder.h). Memory is linear in the history, whatever the shape of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"
#include "core/budget.h"
#include "history/source_text.h"

namespace heddle::history {

struct EventLog;

enum class Format : std::uint8_t { Edn, JepsenLog, Json, Trace };

// "edn", "jepsen-log", "json", "trace".
std::string_view name(Format format);
// Knows also other names that are in use ("porcupine" for its lines of EDN, "jsonl").
std::optional<Format> format_named(std::string_view name);
// Returns the format for writing, by the ending of the file's name.
std::optional<Format> format_of_file(std::string_view file_name);
// Finds the format by the content. Throws HistoryError if it is none of them.
Format detect_format(const SourceText& source);

// How a failed compare-and-set is understood. Either way it did not change anything.
enum class FailedCas : std::uint8_t {
  Ignored,   // it did not happen (Jepsen's general rule for :fail)
  Mismatch,  // the comparison failed: Ok with the result false, unless the completion records an error
};

struct ReadOptions {
  std::optional<Format> format = {};  // detected if not given
  std::optional<bool> keyed = {};     // values are pairs of key and value; detected if not given
  FailedCas failed_cas = FailedCas::Mismatch;
  Budget* budget = nullptr;  // none: no limit
  EventLog* log = nullptr;   // gets every event as it stands (event_log.h)
};

struct ReadSummary {
  Format format = Format::Edn;
  bool keyed = false;
  std::uint64_t nemesis_events = 0;  // not part of the history
  std::uint64_t other_lines = 0;     // lines of a log that are not events
  std::uint64_t backwards = 0;       // events with a time before that of an earlier event of their process
  std::string first_backwards;       // the first of them, a sentence
};

// The warning for ReadSummary::backwards; empty if there are none.
std::string backwards_text(const ReadSummary& summary);

// Throws HistoryError or ReadingStopped. REQUIRES: `history` is empty.
ReadSummary read_history(std::string_view text, const std::string& file_name, const ReadOptions& options,
                         RecordedHistory& history);

}  // namespace heddle::history
