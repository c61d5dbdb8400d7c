// The arguments of commands that read recorded histories: in which format, and what its events mean.
#pragma once

#include <string>

#include "history/read_history.h"

namespace heddle::cli {

struct HistoryArguments {
  std::string format;  // empty: found out
  bool keyed = false, not_keyed = false;
  history::FailedCas failed_cas = history::FailedCas::Mismatch;
};

// Throws UsageError.
history::ReadOptions read_options(const HistoryArguments& arguments);
// Throws UsageError, naming `option`.
history::Format format_given(const std::string& name, std::string_view option);

}  // namespace heddle::cli
