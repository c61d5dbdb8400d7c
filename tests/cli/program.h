// Runs the built program in a directory of its own, as a user would.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "support/golden.h"

namespace heddle::cli {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out, err;

  std::string last_line() const {
    std::string text = out;
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }
  // Fails the test unless stdout is exactly one JSON value.
  boost::json::value json() const {
    boost::json::error_code error;
    const auto value = boost::json::parse(out, error);
    EXPECT_FALSE(error) << "not one JSON value: " << out;
    return value;
  }
};

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    std::string name = (fs::temp_directory_path() / "heddle-cli-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    home = name;
    // Compiling takes seconds, so all tests share what they compile; those about the cache set it themselves.
    environment["XDG_CACHE_HOME"] = (fs::temp_directory_path() / "heddle-cli-test-cache").string();
    environment["CXX"] = "";
  }
  ~ProgramTest() override {
    std::error_code ignored;
    fs::permissions(home, fs::perms::owner_all, ignored);
    fs::remove_all(home, ignored);
  }

  // `interrupt_after` seconds a signal is sent; 0: never.
  Outcome heddle(const std::vector<std::string>& arguments, double interrupt_after = 0, int signal = SIGINT) const {
    const fs::path out = home / ".out", err = home / ".err";
    const pid_t child = ::fork();
    if (child == 0) start(arguments, out, err);
    if (interrupt_after > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(interrupt_after));
      ::kill(child, signal);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = read(out);
    outcome.err = read(err);
    return outcome;
  }

  static std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  // Compares with tests/cli/golden/<name>.txt, times and sizes apart.
  static void expect_golden(const std::string& name, const std::string& output) {
    support::expect_golden("cli/golden/" + name + ".txt",
                           std::regex_replace(output, std::regex("[0-9.]+ s, [0-9.]+ MiB"), "T s, M MiB"));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(home / name, std::ios::binary) << text;
  }

  fs::path home;  // the working directory of the program
  std::map<std::string, std::string> environment;

 private:
  [[noreturn]] void start(const std::vector<std::string>& arguments, const fs::path& out, const fs::path& err) const {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::dup2(::open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
    std::vector<char*> words = {const_cast<char*>("heddle")};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    if (::chdir(home.c_str()) == 0) ::execv(HEDDLE_EXECUTABLE, words.data());
    ::_exit(127);
  }
};

// A net that never ends, and one with a bug three steps away from the start.
inline constexpr const char* endless_net =
    "place a, b\ntransition grow_a: -> a\ntransition grow_b: -> b\nalways small: a >= 0\n";
inline constexpr const char* broken_net =
    "place left 3\nplace done\ntransition count: left -> done\nalways below: done < 3\nsometimes two: done == 2\n";
inline constexpr const char* sound_net =
    "place left 3\nplace done\ntransition count: left -> done\nalways below: done <= 3\nsometimes two: done == 2\n";

}  // namespace heddle::cli
