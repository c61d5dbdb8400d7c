// Forks, limits, waits with poll, and ends the whole group of processes when it has to.
#include "run/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <utility>

#include "core/budget.h"
#include "run/errors.h"

extern char** environ;

namespace heddle::run {
namespace {

// A file descriptor that is closed when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

[[noreturn]] void cannot(const Subprocess& run, int error) {
  throw UsageError(fmt::format("cannot run the {} '{}': {}{}{}", run.kind, run.command[0], std::strerror(error),
                               run.remedy.empty() ? "" : "; ", run.remedy));
}

// Puts the input into a file in memory. With a pipe, a program that does not read its input would block or kill the
// writer.
Descriptor in_memory(const Subprocess& wanted) {
  const std::string& text = wanted.input;
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (file.number() < 0) cannot(wanted, errno);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file.number(), text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) cannot(wanted, errno);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

bool own_group(const Subprocess& wanted) { return !wanted.interactive || ::isatty(STDIN_FILENO) == 0; }

// Starts the program and returns its process. Its stdout, and its stderr with `both_outputs`, go to `output`.
pid_t start(const Subprocess& wanted, int output) {
  std::vector<char*> arguments;
  for (const std::string& word : wanted.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  std::optional<Descriptor> input;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (!wanted.interactive) {
    input.emplace(in_memory(wanted));
    ::posix_spawn_file_actions_adddup2(&actions, input->number(), STDIN_FILENO);
  }
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (wanted.both_outputs) ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);

  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, own_group(wanted) ? POSIX_SPAWN_SETPGROUP : 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) cannot(wanted, error);
  return child;
}

// A program and its descendants. Once the program has ended, its descendants cannot be found any more, so they are
// noted before.
class Family {
 public:
  Family(pid_t program, bool own_group) : program_(program), own_group_(own_group), members_{program} {}

  // Notes descendants that are new.
  void look() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", members_[i]));
      for (pid_t one = 0; children >> one;) {
        if (std::ranges::find(members_, one) == members_.end()) members_.push_back(one);
      }
    }
  }
  void send(int signal) {
    look();
    if (own_group_) ::kill(-program_, signal);
    for (const pid_t one : members_) {
      if (is_there(one)) ::kill(one, signal);
    }
  }
  bool has_ended() const { return std::ranges::none_of(members_, is_there); }

 private:
  // One that nobody has waited for yet has ended, too.
  static bool is_there(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string line;
    if (!std::getline(file, line)) return false;
    const auto name_ends = line.rfind(") ");
    return name_ends != line.npos && line[name_ends + 2] != 'Z';
  }

  pid_t program_;
  bool own_group_;
  std::vector<pid_t> members_;
};

// The programs that are being run.
struct Running {
  std::mutex mutex;
  std::vector<std::pair<pid_t, bool>> programs;  // whether they have a group of their own
  bool ending = false;                           // by end_subprocesses()
};
Running& running() {
  static Running all;
  return all;
}

// Waits for at most `milliseconds` and appends what can be read. Returns false at the end of the output.
bool listen(int pipe, int milliseconds, std::string& output) {
  pollfd ready{pipe, POLLIN, 0};
  if (::poll(&ready, 1, milliseconds) <= 0) return true;
  char buffer[65536];
  const ssize_t n = ::read(pipe, buffer, sizeof buffer);
  if (n > 0) output.append(buffer, static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

[[noreturn]] void wait_for_the_end() {
  for (;;) ::pause();
}

}  // namespace

Finished run_subprocess(const Subprocess& wanted) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) cannot(wanted, errno);
  Descriptor mine(ends[0]), theirs(ends[1]);
  ::fcntl(mine.number(), F_SETFL, O_NONBLOCK);
  // If the caller of this program ignores SIGCHLD, this process inherited that, and exit codes would be lost.
  struct sigaction action{};
  if (::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) ::signal(SIGCHLD, SIG_DFL);
  const Budget clock;
  pid_t child = 0;
  {
    const std::lock_guard lock(running().mutex);
    if (running().ending) wait_for_the_end();
    child = start(wanted, theirs.number());
    running().programs.emplace_back(child, own_group(wanted));
  }
  theirs.close();

  Family family(child, own_group(wanted));
  Finished finished;
  int status = 0;
  bool ended = false;
  double killed_at = std::numeric_limits<double>::infinity();
  for (bool open = true;;) {
    constexpr int milliseconds = 20;
    if (open) open = listen(mine.number(), milliseconds, finished.output);
    // When the output has ended, the program is about to end, so it is asked more often.
    if (!open) ::poll(nullptr, 0, 1);
    if (!ended) {
      const pid_t one = ::waitpid(child, &status, WNOHANG);
      ended = one == child || (one < 0 && errno != EINTR);
    }
    const bool stopped = finished.stopped != Finished::Stopped::No;
    if (ended && (!stopped || family.has_ended())) break;
    const double now = clock.seconds();
    if (!stopped) {
      if (now > wanted.seconds) finished.stopped = Finished::Stopped::Time;
      if (Budget::interrupted()) finished.stopped = Finished::Stopped::Interrupt;
      if (finished.stopped == Finished::Stopped::No) continue;
      family.send(SIGTERM);
      killed_at = now + Subprocess::grace;
    } else if (now > killed_at) {
      family.send(SIGKILL);
      if (ended) break;
      killed_at = std::numeric_limits<double>::infinity();
    }
  }
  {
    const std::lock_guard lock(running().mutex);
    if (running().ending) wait_for_the_end();
    std::erase_if(running().programs, [&](const auto& one) { return one.first == child; });
  }
  // A signal that reached both processes may have ended the program before this one noticed it. The children of a
  // stopped program would go on, so they are killed. Those of a program that ended by itself may stay.
  if (Budget::interrupted()) finished.stopped = Finished::Stopped::Interrupt;
  if (finished.stopped != Finished::Stopped::No) family.send(SIGKILL);
  for (std::size_t before = finished.output.size() + 1; before != finished.output.size();) {
    before = finished.output.size();
    listen(mine.number(), 0, finished.output);
  }
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

Finished run_program(const std::vector<std::string>& command) {
  Finished finished = run_subprocess({.command = command,
                                      .both_outputs = true,
                                      .kind = "compiler",
                                      .remedy = "install it, or name another one in the environment variable CXX"});
  if (finished.stopped == Finished::Stopped::Interrupt) throw Interrupted();
  return finished;
}

void end_subprocesses() {
  std::vector<Family> families;
  {
    const std::lock_guard lock(running().mutex);
    running().ending = true;
    for (const auto& [program, own] : running().programs) families.emplace_back(program, own);
  }
  for (Family& family : families) family.send(SIGTERM);
  const Budget clock;
  const auto all_have_ended = [&] {
    return std::ranges::all_of(families, [](const Family& one) { return one.has_ended(); });
  };
  while (!all_have_ended() && clock.seconds() < Subprocess::grace) ::poll(nullptr, 0, 5);
  for (Family& family : families) family.send(SIGKILL);
}

}  // namespace heddle::run
