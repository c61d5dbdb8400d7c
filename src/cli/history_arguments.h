// The arguments of commands that read recorded histories: the format, and what its events mean.
#pragma once

#include <string>

#include "history/read_history.h"

namespace heddle::cli {

struct HistoryArguments {
  std::string format;  // empty: found out from the file
  bool keyed = false, not_keyed = false;
  history::FailedCas failed_cas = history::FailedCas::Mismatch;
};

// Throws UsageError if there is no format of that name.
history::ReadOptions read_options(const HistoryArguments& arguments);
// Returns the format of that name. Throws UsageError, naming `option`, if there is none.
history::Format format_given(const std::string& name, std::string_view option);

}  // namespace heddle::cli
