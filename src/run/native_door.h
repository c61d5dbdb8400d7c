// The door to programs of C and C++ with threads (native/).
#pragma once

#include "run/doors.h"
#include "run/lower_program.h"

namespace heddle::run {

// Whether the file is a program rather than a protocol: a .c file, or a C++ file that includes none of the headers that
// models include. A file that cannot be read is neither.
bool is_program_file(const std::string& given);

// The files and clang's flags that the switches of a program name.
ProgramFiles program_files(const std::string& file, const Switches& switches);

// Compiles the program (lower_program.h). Throws ModelError if it does not compile, or has nothing to run.
Source open_program(const Given& given);

}  // namespace heddle::run
