// Jepsen's EDN: one map an event, one after the other or in a vector.
//
//   {:process 0, :type :invoke, :f :write, :value 3, :time 1234567, :index 0}
//   {:process 0, :type :ok, :f :write, :value 3}
//
// Porcupine's lines are the same with a :key. Other fields and tags (#jepsen.history.Op) are skipped. Events of the
// nemesis are counted and left out.
#pragma once

#include <string>
#include <string_view>

#include "check/recorded_history.h"
#include "history/history_builder.h"
#include "history/source_text.h"

namespace heddle::history {

// Throws HistoryError.
void read_edn(const SourceText& source, HistoryBuilder& builder);

// Appends one map a line to `out`.
void write_edn(const RecordedHistory& history, std::string& out);
void write_edn_text(std::string_view text, std::string& out);
// Writes :name, or "a name" if the name is not a keyword.
void write_edn_function(std::string_view function, std::string& out);
void write_edn_value(const ValueTable& values, Value value, std::string& out);

}  // namespace heddle::history
