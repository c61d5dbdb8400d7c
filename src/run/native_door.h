// The door to programs of C and C++ with threads (native/).
#pragma once

#include <memory>
#include <optional>

#include "run/doors.h"
#include "run/harness_clients.h"
#include "run/lower_program.h"

namespace heddle::run {

// Whether the file is a program rather than a protocol: a .c file, or a C++ file that includes none of the headers that
// models include. A file that cannot be read is neither.
bool is_program_file(const std::string& given);

// The files and clang's flags that the switches of a program name.
ProgramFiles program_files(const std::string& file, const Switches& switches);

// "heddle explain queue.cpp --races allow -- -DBUG": a command for the same program with the same switches.
std::string program_command(const std::string& command, const std::string& file, const Switches& switches);

// A compiled program, and how it shall run.
struct Program {
  std::shared_ptr<const native::Image> image;
  std::optional<native::Harness> harness;  // none: it has a main of its own
  ChosenClients clients;
  HarnessSettings how;
};
// Throws like open_program, and UsageError for switches that do not fit the program.
Program load_program(const std::string& file, const Switches& switches);

// Compiles the program (lower_program.h). Throws ModelError if it does not compile, or has nothing to run.
Source open_program(const Given& given);

}  // namespace heddle::run
