// Jepsen's independent keys: every value is a pair [key value], so that one test drives many small objects.
//
//   {:process 0, :type :invoke, :f :read, :value [3 nil]}     reads key 3
// Pure functions, thread-safe.
#pragma once

#include "check/recorded_history.h"
#include "history/source_text.h"

namespace heddle::history {

// True if values are such pairs beyond doubt: no operation has a separate key; every argument is a pair whose first
// member is not a list, and whose second member is a list in a compare-and-set; and there is a compare-and-set or a
// second member that is nil (a read). So a history of plain [old new] pairs is not mistaken for one with keys.
bool looks_keyed(const RecordedHistory& history);

// Makes the first member of every argument the key. Throws HistoryError, with the line, for an operation that is not of
// this form.
void split_keys(RecordedHistory& history, const SourceText& source);

}  // namespace heddle::history
