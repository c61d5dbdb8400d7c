// Sections of the table of options (option_table.h) that have a file of their own.
#pragma once

#include <vector>

#include "cli/option.h"

namespace heddle::cli {

using Rows = std::vector<Option>;

// history_options.cpp: commands that read recorded histories and logs of calls.
Rows lin_rows();
Rows convert_rows();
Rows reading_rows();
Rows checking_rows();
Rows witness_rows();
Rows refine_rows();
Rows serializable_rows();

// explain_options.cpp
Rows explain_rows();

// search_options.cpp
Rows search_rows();
Rows audit_rows();
Rows budget_rows();
Rows store_rows();
Rows reduction_rows();

}  // namespace heddle::cli
