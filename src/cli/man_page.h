// Makes pages for man(1) from the tables of commands and options: heddle(1), and heddle-check(1) and so on for each
// command. The installation writes them with `heddle man`, so that they belong to the same version.
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace heddle::cli {

struct ManPage {
  std::string file;  // "heddle-check.1"
  std::string text;
};

// Returns the pages of the program and of every command that is not hidden.
std::vector<ManPage> man_pages(const CommandLine& line);

}  // namespace heddle::cli
