// heddle explore: the explorer is a component, which knows the same options. This program becomes that one.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/standard_output.h"
#include "fmt/format.h"
#include "run/component.h"

namespace heddle::cli {

int command_explore(const Arguments& given) {
  return run_plainly(Output(given.of<OutputOptions>()), "explore", [&](const Output&) -> int {
    const std::string program = run::find_component("explore").string();
    std::vector<std::string> words = command_words();
    words.insert(words.begin(), program);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::dup2(::fileno(standard_output()), STDOUT_FILENO);
    ::execv(program.c_str(), arguments.data());
    throw ComponentError(
        fmt::format("{} cannot be run: {}; build the component explore again", program, std::strerror(errno)));
  });
}

}  // namespace heddle::cli
