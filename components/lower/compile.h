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

struct Compiled {
  std::filesystem::path bitcode;
  std::vector<std::string> depends;  // the file and what it includes
};

bool is_cplusplus(const std::string& file);

// Compiles `file` to bitcode, without any optimisation, in `folder`. `flags` are the user's, for clang. Throws
// LowerError with clang's first error and its place.
Compiled compile(const std::string& file, const std::vector<std::string>& flags, const std::filesystem::path& folder,
                 std::size_t number);

}  // namespace heddle::lower
