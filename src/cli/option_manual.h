// Makes what manuals say of options from the option table: the tables of docs/cli.md, and the words that man pages
// share with them. Texts are Markdown.
//
// Two lines of docs/cli.md mark where a table goes; refresh_tables writes what stands between them:
//   <!-- options of check: Model, Search -->      the groups named, or all if none is; a table each
//   <!-- end of options -->
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/option.h"

namespace heddle::cli {

// An option of one command.
struct ManualEntry {
  std::vector<std::string> names;  // "--search"
  std::string value;               // "bfs|dfs|random"; empty for a flag
  std::string text;                // with the default
};
struct ManualGroup {
  std::string name;    // "Budgets"
  std::string remark;  // what the heading says in brackets
  std::vector<ManualEntry> entries;
};

// Returns a command's options in the order of --help. Options without a heading come first, under "Options". Arguments
// such as MODEL are left out.
std::vector<ManualGroup> manual_of(const std::vector<Option>& options, std::string_view command);

// Returns the tables of the groups, or of all groups if none is named. Throws std::invalid_argument if the command does
// not have a group of that name.
std::string options_markdown(const std::vector<Option>& options, std::string_view command,
                             const std::vector<std::string>& groups);

// Returns the page with all its tables written anew. Throws std::invalid_argument for a mark that makes no sense.
std::string refresh_tables(const std::string& page, const std::vector<Option>& options);

}  // namespace heddle::cli
