// All options of all commands: option_table.cpp is the place to add one. A row there is enough for parsing, --help, the
// tables of docs/cli.md, the man pages and, if it says so, the record in traces and in the JSON of runs; what the option
// does is the business of whoever reads the member that it sets.
//
// Rows of options that change a model stand in run/switches.cpp, with what they do to it. A door or a component brings rows of
// its own in the same way: option_table() puts them together.
#pragma once

#include <vector>

#include "cli/option.h"
#include "run/switches.h"

namespace heddle::cli {

// In the order of --help.
const std::vector<Option>& option_table();

// The row of a switch, for the commands that run a model.
Option option_of(const run::Switch& one);

}  // namespace heddle::cli
