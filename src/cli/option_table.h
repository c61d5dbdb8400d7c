// The table of all options of all commands. To add an option, add a row to option_table.cpp, or to a file of
// option_rows.h. The row is enough for parsing, --help, the tables of docs/cli.md, the man pages and, if it says so,
// the record in traces and in the JSON of runs. The code that reads the member set by the option does the rest.
//
// The rows of options that change a model are in run/switches.cpp, with what they do to the model. A door or a
// component brings its rows in the same way, and option_table() puts all rows together.
#pragma once

#include <vector>

#include "cli/option.h"
#include "run/switches.h"

namespace heddle::cli {

// In the order of --help.
const std::vector<Option>& option_table();

// Returns the row of a switch, for the commands that run a model.
Option option_of(const run::Switch& one);

}  // namespace heddle::cli
