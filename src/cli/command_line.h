// Turns the words of the command line into a command and its arguments, by the table of commands and the option table.
//
//   const CommandLine line(program(), commands(), option_table());
//   const CommandLine::Parsed parsed = line.parse({"check", "paxos", "--loss", "1"});
//   return parsed.command->run(parsed.arguments);
//
// Only command_line.cpp knows which library does the parsing, because that library takes seconds to compile.
// Thread-safe: after construction all functions only read.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/option.h"

namespace heddle::cli {

// What --help and --version say of the program itself.
struct Program {
  std::string name;
  std::string description;
  std::string version;
  std::string examples;    // a line each
  std::string exit_codes;  // one line
};

class CommandLine {
 public:
  // Throws std::logic_error if the rows break an invariant of option.h.
  CommandLine(Program program, std::vector<Command> commands, std::vector<Option> options);

  struct Parsed {
    const Command* command = nullptr;  // none if the user asked for help or for the version
    Arguments arguments = {};
    std::string text = {};  // what to print if there is no command
  };
  // Throws UsageError, with the nearest names for a mistyped one.
  Parsed parse(const std::vector<std::string>& given) const;

  // Returns what --help prints for a command or, if `command` is empty, for the program. Throws UsageError if there
  // is no such command.
  std::string help(const std::string& command) const;

  const Program& program() const { return program_; }
  const std::vector<Command>& commands() const { return commands_; }
  const std::vector<Option>& options() const { return options_; }

 private:
  Program program_;
  std::vector<Command> commands_;
  std::vector<Option> options_;
};

// Returns the command line of the program `heddle`.
const CommandLine& heddle_command_line();

}  // namespace heddle::cli
