#include "compile.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle::lower {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;
extern "C" void heddle_lower_on_signal(int) { stop_wanted = 1; }

std::string whole_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Runs a program in a folder; its stderr goes to `messages`. Returns its exit code, 128 and more after a signal.
int run(const std::vector<std::string>& command, const std::string& folder, const std::filesystem::path& messages) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw LowerError(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int file = ::open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) ::dup2(file, 2);
    if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(126);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    if (stop_wanted != 0) ::kill(child, SIGKILL);
  }
  check_interrupted();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Where clang 19 was when Heddle was built, or where the user says it is.
std::string clang() {
  const char* const given = std::getenv("HEDDLE_CLANG");
  return given == nullptr || *given == '\0' ? HEDDLE_CLANG : given;
}

// The lines of the first error: its place and text, and what clang shows of the source.
std::string first_error(const std::string& messages) {
  std::istringstream in(messages);
  std::string line, out;
  bool inside = false;
  while (std::getline(in, line)) {
    const bool error = line.find(": error: ") != std::string::npos ||
                       line.find(": fatal error: ") != std::string::npos || line.starts_with("error: ") ||
                       line.starts_with("clang");
    const bool other = line.find(": note: ") != std::string::npos || line.find(": warning: ") != std::string::npos ||
                       line.find(" generated.") != std::string::npos || line.starts_with("In file included from");
    if (inside && (error || other)) break;
    if (error) inside = true;
    if (inside) out += (out.empty() ? "" : "\n") + line;
  }
  return out.empty() ? messages : out;
}

// Reads a rule of make, `target: file file \`.
std::vector<std::string> read_depends(const std::filesystem::path& file) {
  const std::string text = whole_file(file);
  std::vector<std::string> out;
  std::string word;
  std::size_t at = text.find(": ");
  if (at == std::string::npos) return out;
  const auto add = [&] {
    if (!word.empty() && std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
    word.clear();
  };
  for (at += 2; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      if (text[++at] != '\n') word += text[at];
    } else if (text[at] == ' ' || text[at] == '\n') {
      add();
    } else {
      word += text[at];
    }
  }
  add();
  return out;
}

}  // namespace

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = heddle_lower_on_signal;  // without SA_RESTART: waiting ends
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
}

void check_interrupted() {
  if (stop_wanted != 0) throw Interrupted();
}

bool is_cplusplus(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C";
}

Compiled compile(const Unit& unit, const std::filesystem::path& plugin, const std::filesystem::path& folder,
                 std::size_t number) {
  const std::string& file = unit.file;
  if (!std::filesystem::exists(file)) throw LowerError("there is no file " + file);
  const bool cplusplus = is_cplusplus(file);
  if (!cplusplus && std::filesystem::path(file).extension() != ".c") {
    throw LowerError(file + " is neither C (.c) nor C++ (.cpp, .cc, .cxx)");
  }
  const std::string name = std::to_string(number);
  Compiled out{folder / (name + ".bc"), folder / (name + ".statements"), {}};
  const std::filesystem::path rule = folder / (name + ".d"), messages = folder / (name + ".err");
  std::vector<std::string> command = {clang(), cplusplus ? "-std=c++20" : "-std=gnu17"};
  command.insert(command.end(), unit.flags.begin(), unit.flags.end());
  // What follows is ours: no optimisation, no vectors, and 16-byte atomics as instructions.
  command.insert(
      command.end(),
      {"-O1", "-g", "-Xclang", "-disable-llvm-passes", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
       "-ffp-contract=off", "-fno-stack-protector", "-fno-sanitize=all", "-U_FORTIFY_SOURCE", "-mcx16", "-w",
       "-fno-color-diagnostics", "-fplugin=" + plugin.string(), "-Xclang", "-plugin-arg-heddle-statements", "-Xclang",
       out.statements.string(), "-emit-llvm", "-c", "-MD", "-MF", rule.string(), "-x", cplusplus ? "c++" : "c",
       // Elsewhere the name would mean another file.
       unit.folder.empty() ? file : std::filesystem::absolute(file).string(), "-o", out.bitcode.string()});
  const int code = run(command, unit.folder, messages);
  if (code == 126) throw LowerError(file + ": there is no folder " + unit.folder + " to compile it in");
  if (code == 127) {
    throw LowerError("cannot run " + clang() +
                     "; install the package clang-19, or set HEDDLE_CLANG to where clang 19 is");
  }
  if (code != 0) throw LowerError(first_error(whole_file(messages)));
  const std::filesystem::path from = std::filesystem::absolute(unit.folder.empty() ? "." : unit.folder);
  for (const std::string& read : read_depends(rule)) out.depends.push_back((from / read).lexically_normal().string());
  return out;
}

}  // namespace heddle::lower
