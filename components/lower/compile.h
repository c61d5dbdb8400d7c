// Runs clang on one source file.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::lower {

// The program is wrong, or something of this machine is missing. The text is for the user.
struct LowerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The user, or who has called this program, wants it to end.
struct Interrupted : LowerError {
  Interrupted() : LowerError("interrupted") {}
};
// From now on SIGTERM and SIGINT do not end the program: compile() and check_interrupted() throw Interrupted.
void catch_signals();
void check_interrupted();

// A source file, and how it is compiled.
struct Unit {
  std::string file;
  std::vector<std::string> flags = {};  // the user's, for clang
  std::string folder = {};              // where clang runs; empty: here
};

struct Compiled {
  std::filesystem::path bitcode;
  std::filesystem::path statements;  // of its functions (plugin/statements_plugin.cpp)
  std::vector<std::string> depends;  // absolute paths: the file and what it includes
};

bool is_cplusplus(const std::string& file);

// Compiles to bitcode, without any optimisation, in `folder`, with Heddle's plugin for clang. Throws LowerError with
// clang's first error and its place.
Compiled compile(const Unit& unit, const std::filesystem::path& plugin, const std::filesystem::path& folder,
                 std::size_t number);

}  // namespace heddle::lower
