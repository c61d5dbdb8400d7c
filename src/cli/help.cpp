// heddle help, heddle version, heddle man: print what the program says of itself, from the tables of commands and
// options. `heddle help check` is `heddle check --help`, and `heddle version` is `heddle --version`.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/command_line.h"
#include "cli/man_page.h"
#include "cli/output.h"
#include "cli/standard_output.h"
#include "report/atomic_file.h"

namespace heddle::cli {
namespace {

int print(const Output& output, const std::string& text) {
  fmt::print(standard_output(), "{}", text);
  return output.finish_nothing();
}

}  // namespace

int command_help(const Arguments& given) {
  return run_plainly(Output({}), "help", [&](const Output& output) {
    return print(output, heddle_command_line().help(given.of<HelpOptions>().topic));
  });
}

int command_version(const Arguments&) { return print(Output({}), heddle_command_line().program().version + "\n"); }

// Writes the man pages into a directory. The installation calls it.
int command_man(const Arguments& given) {
  return run_plainly(Output({}), "man", [&](const Output& output) {
    const std::filesystem::path directory = given.of<ManOptions>().directory;
    std::filesystem::create_directories(directory);
    const std::vector<ManPage> pages = man_pages(heddle_command_line());
    for (const ManPage& page : pages) report::write_file_atomically(directory / page.file, page.text);
    return output.finish(fmt::format("wrote {} manual pages to {}", pages.size(), directory.string()), "");
  });
}

}  // namespace heddle::cli
