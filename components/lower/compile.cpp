#include "compile.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
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

// Runs a program; its stderr goes to `messages`. Returns its exit code, 128 and more after a signal.
int run(const std::vector<std::string>& command, const std::filesystem::path& messages) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw LowerError(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int file = ::open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) ::dup2(file, 2);
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

Compiled compile(const std::string& file, const std::vector<std::string>& flags, const std::filesystem::path& folder,
                 std::size_t number) {
  if (!std::filesystem::exists(file)) throw LowerError("there is no file " + file);
  const bool cplusplus = is_cplusplus(file);
  if (!cplusplus && std::filesystem::path(file).extension() != ".c") {
    throw LowerError(file + " is neither C (.c) nor C++ (.cpp, .cc, .cxx)");
  }
  const std::string name = std::to_string(number);
  Compiled out{folder / (name + ".bc"), {}};
  std::vector<std::string> command = {HEDDLE_CLANG, cplusplus ? "-std=c++20" : "-std=gnu17"};
  command.insert(command.end(), flags.begin(), flags.end());
  // What follows is ours: no optimisation, no vectors, and 16-byte atomics as instructions.
  command.insert(command.end(), {"-O1",
                                 "-g",
                                 "-Xclang",
                                 "-disable-llvm-passes",
                                 "-fno-vectorize",
                                 "-fno-slp-vectorize",
                                 "-fno-unroll-loops",
                                 "-ffp-contract=off",
                                 "-fno-stack-protector",
                                 "-fno-sanitize=all",
                                 "-U_FORTIFY_SOURCE",
                                 "-mcx16",
                                 "-w",
                                 "-fno-color-diagnostics",
                                 "-emit-llvm",
                                 "-c",
                                 "-MD",
                                 "-MF",
                                 (folder / (name + ".d")).string(),
                                 "-x",
                                 cplusplus ? "c++" : "c",
                                 file,
                                 "-o",
                                 out.bitcode.string()});
  const std::filesystem::path messages = folder / (name + ".err");
  const int code = run(command, messages);
  if (code == 127) throw LowerError("cannot run " HEDDLE_CLANG "; install the package clang-19");
  if (code != 0) throw LowerError(first_error(whole_file(messages)));
  out.depends = read_depends(folder / (name + ".d"));
  return out;
}

}  // namespace heddle::lower
