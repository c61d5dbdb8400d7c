// Jepsen's independent keys: every value is a pair [key value], so that one test drives many small objects.
//
//   {:process 0, :type :invoke, :f :read, :value [3 nil]}     reads key 3
// Pure functions, thread-safe.
#pragma once

#include "check/recorded_history.h"
#include "history/source_text.h"

namespace heddle::history {

// Whether values are such pairs without any doubt: no operation has a key of its own, every argument is a list of two, and one of
// them at least has nil (a read) or a list of two (a compare-and-set) as its second member. A history of plain [old new] pairs is
// not taken for one.
bool looks_keyed(const RecordedHistory& history);

// Makes the first member of every argument the key. Throws HistoryError, at its line, for an operation that is not of this form.
void split_keys(RecordedHistory& history, const SourceText& source);

}  // namespace heddle::history
