// How the user's build compiles a file: its entry in compile_commands.json, which CMake, Meson and Bear write
// (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
//
//   const CompileCommand command = compile_command("build", "src/queue.cpp");
//
// Of the command only what says what the program is matters: folders of headers, macros, the language. What says how
// it is to be optimised, warned about, instrumented and written is left out.
// Thread-safe: pure functions but for reading files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::run {

struct CompileCommand {
  std::filesystem::path file;               // absolute
  std::filesystem::path folder;             // the compiler's; relative folders of headers are relative to it
  std::vector<std::string> arguments = {};  // as the build has them, the compiler first
};

// `origin` is named in errors. Throws UsageError with what is wrong and a remedy.
std::vector<CompileCommand> parse_compile_commands(std::string_view text, const std::filesystem::path& origin);

// The entry of `source` in `place`, which is the file or its folder. If there are several, for several targets, it is
// the first. Throws UsageError.
CompileCommand compile_command(const std::filesystem::path& place, const std::filesystem::path& source);

// The flags that clang needs to understand the file.
std::vector<std::string> flags_of(const CompileCommand& command);

}  // namespace heddle::run
