// A directory for tests of components, the component that they call, and processes that are interrupted.
#pragma once

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "core/budget.h"
#include "run/component.h"
#include "run/errors.h"
#include "run/subprocess.h"

namespace heddle::run::component_directory {

namespace fs = std::filesystem;

inline const Component echo = {"echo", "bin/heddle-echo", "repeats what it is told", {"hello"}};

inline std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const ComponentError& error) {
    return error.what();
  }
  return "no error";
}

class Directory : public testing::Test {
 protected:
  Directory() {
    std::string name = (fs::temp_directory_path() / "heddle-component-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    home = name;
    fs::permissions(home, fs::perms(0755));
  }
  ~Directory() override {
    run_subprocess({.command = {"chmod", "-R", "u+w", home.string()}});
    std::error_code ignored;
    fs::remove_all(home, ignored);
  }

  // Runs `work` in a process of its own, because a process is interrupted once and for all, and sends it a signal
  // when
  // the file `started` has appeared. Returns what `work` has returned, or 128 + the signal.
  template <class Work>
  static int interrupted(const fs::path& started, int signal, Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
      Budget::install_interrupt_handler();
      int code = 99;
      try {
        code = work();
      } catch (const Interrupted&) {
        code = 50;
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
      ::_exit(code);
    }
    int status = 0;
    bool ended = false;
    while (!fs::exists(started) && !ended) {
      ended = ::waitpid(child, &status, WNOHANG) == child;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (!ended) {
      ::kill(child, signal);
      ::waitpid(child, &status, 0);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // Whether the process whose number is in the file has ended, at once or a moment later.
  static bool ends(const fs::path& file) {
    const pid_t process = std::atoi(read(file).c_str());
    if (process <= 1) return false;
    for (int i = 0; i < 500; ++i) {
      // One that nobody has waited for yet has ended, too.
      const std::string status = read("/proc/" + std::to_string(process) + "/stat");
      if (status.empty() || status.find(") Z") != status.npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  fs::path home;
};

}  // namespace heddle::run::component_directory
