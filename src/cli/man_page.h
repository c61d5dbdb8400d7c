// Manual pages for man(1), out of the tables of commands and options: heddle(1), and heddle-check(1) and so on for each
// command. They are written when the program is installed (`heddle man`), so that they are of the same version.
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

// Of the program and of every command that is not hidden.
std::vector<ManPage> man_pages(const CommandLine& line);

}  // namespace heddle::cli
