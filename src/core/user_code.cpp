// Guards calls of the user's code. Exceptions and assertions are caught; a crash starts the program anew, with a note
// of what it was doing.
#include "core/user_code.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

// Sanitizers have a sigaction() of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEDDLE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HEDDLE_SANITIZED
#endif
#endif

namespace heddle {
namespace {

constexpr const char* note_name = "HEDDLE_EARLIER_CRASH";
constexpr unsigned most_restarts = 6;
constexpr std::size_t note_size = 1024;
constexpr std::uint64_t unknown_count = std::numeric_limits<std::uint64_t>::max();

thread_local detail::UserFrame* current = nullptr;
std::uint64_t runs = 0;  // of user code, counted in the one thread that is `alone`
thread_local bool alone = false;

// What a restart needs. All of it is prepared beforehand, because a signal handler must not allocate.
struct {
  bool installed = false;
  char** arguments = nullptr;
  std::vector<char*> environment;
  char note[note_size] = {};
  int output = -1;
  std::uint64_t started = 0;  // nanoseconds of CLOCK_MONOTONIC when the first process began
  std::string last_words;     // said if the program ends outside of code that is watched; empty: it may end
  pid_t process = 0;          // this one, and not one that user code has forked
  sigset_t mask = {};
  unsigned restarts = 0;
} restart;

// The note of the process before this one.
struct {
  EarlierCrash crash;
  bool any = false;
  std::uint64_t runs = 0;  // of user code, up to the crash
} earlier;

// For a forked child that tries a run: it writes here how it died.
char* try_result = nullptr;
bool trying = false;
bool about_to_try = false;

// Appends without allocating.
struct Text {
  char* to;
  std::size_t size, used = 0;
  void add(std::string_view text) {
    for (const char c : text) {
      if (used + 1 < size && c != '\n') to[used++] = c;
    }
    to[used] = 0;
  }
  void add(std::uint64_t number) {
    char digits[24];
    std::size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    add(std::string_view(digits + at, sizeof digits - at));
  }
};

[[noreturn]] void leave(int code) {
  ::syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

void put(int descriptor, std::string_view text) {
  const ssize_t ignored = ::write(descriptor, text.data(), text.size());
  static_cast<void>(ignored);
}

// The program ends where nobody meant it to: in a thread that a model has started, or because a model has
// damaged memory. Does only what a signal handler may do.
void say_last_words() {
  if (restart.last_words.empty() || ::getpid() != restart.process || trying) return;
  put(restart.output >= 0 ? restart.output : STDOUT_FILENO, restart.last_words);
  leave(3);
}

std::uint64_t now_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

// Does only what a signal handler may do.
[[noreturn]] void start_again(std::string_view how) {
  // A process that the user's code has forked ends here. If it started again, so would every process that it forks.
  if (::getpid() != restart.process) leave(3);
  if (trying) {
    Text text{try_result, note_size};
    text.add(how);
    leave(1);
  }
  const CodeName& name = current->name;
  // "name=restarts;started;runs;code;how"
  Text note{restart.note, note_size};
  note.add(note_name);
  note.add("=");
  note.add(restart.restarts + 1);
  note.add(";");
  note.add(restart.started);
  note.add(";");
  note.add(alone ? runs : unknown_count);
  note.add(";");
  for (const std::string_view part : {name.part, std::string_view(" "), name.first}) note.add(part);
  if (!name.second.empty()) {
    note.add("::");
    note.add(name.second);
  }
  note.add(";");
  note.add(how);
  if (restart.output >= 0) ::dup2(restart.output, STDOUT_FILENO);
  ::sigprocmask(SIG_SETMASK, &restart.mask, nullptr);
  if (restart.restarts < most_restarts) ::execve("/proc/self/exe", restart.arguments, restart.environment.data());
  put(STDERR_FILENO, "error: the model crashed: ");
  put(STDERR_FILENO, std::strchr(restart.note, '=') + 1);
  put(STDERR_FILENO, "\n");
  leave(3);
}

// A stack without room left faults just below its end.
bool near_stack_pointer(const void* address, const void* context) {
#if defined(__x86_64__)
  const auto pointer = static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const std::uint64_t pointer = static_cast<const ucontext_t*>(context)->uc_mcontext.sp;
#else
  static_cast<void>(context);
  const std::uint64_t pointer = 0;
#endif
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  constexpr std::uint64_t frame = std::uint64_t{1} << 16;
  return at > pointer - frame && at < pointer + frame;
}

// The signals that end a program, each by a fault or by somebody who meant it.
constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGALRM, SIGUSR1, SIGUSR2};

// What user code may not change: the handlers that end a run with a closing line. Sanitizers have a sigaction of their own.
[[maybe_unused]] bool kept_from_user_code(int signal) {
  return current != nullptr && restart.installed &&
         (signal == SIGINT || signal == SIGTERM ||
          std::find(std::begin(crashes), std::end(crashes), signal) != std::end(crashes));
}

extern "C" void on_crash(int signal, siginfo_t* info, void* context) {
  if (current == nullptr) {
    say_last_words();
    restore_default_action(signal);
    ::raise(signal);
    return;
  }
  switch (signal) {
    case SIGSEGV:
      start_again(near_stack_pointer(info->si_addr, context) ? "ran out of stack: endless recursion? (SIGSEGV)"
                                                             : "used a bad pointer or index (SIGSEGV)");
    case SIGBUS:
      start_again("used a bad pointer (SIGBUS)");
    case SIGFPE:
      start_again("divided by zero, or the quotient has no room (SIGFPE)");
    case SIGILL:
      start_again("came to an illegal instruction (SIGILL)");
    case SIGABRT:
      start_again("called abort() (SIGABRT)");
    default:
      start_again("raised a signal that ends programs (SIGTRAP, SIGSYS, SIGALRM, SIGUSR1 or SIGUSR2)");
  }
}

extern "C" void on_exit_called() {
  if (current != nullptr) start_again("called exit()");
  say_last_words();
}

// Runs before a fork. Otherwise two processes would go on with one search, and each of them would come to the
// next fork.
extern "C" void on_fork() {
  if (current != nullptr && !about_to_try) start_again("called fork()");
}

// Every thread needs a second stack for the handler, for when its own has no room left.
class SignalStack {
 public:
  SignalStack() : memory_(std::make_unique<char[]>(size)) {
    stack_t stack = {};
    stack.ss_sp = memory_.get();
    stack.ss_size = size;
    ::sigaltstack(&stack, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack() {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }

 private:
  static constexpr std::size_t size = std::size_t{64} * 1024;
  std::unique_ptr<char[]> memory_;
};

void read_note() {
  const char* value = std::getenv(note_name);
  if (value == nullptr) return;
  const std::string note = value;
  ::unsetenv(note_name);
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (; parts.size() < 4; from = note.find(';', from) + 1) {
    const std::size_t end = note.find(';', from);
    if (end == note.npos) return;
    parts.push_back(note.substr(from, end - from));
  }
  restart.restarts = static_cast<unsigned>(std::strtoul(parts[0].c_str(), nullptr, 10));
  restart.started = std::strtoull(parts[1].c_str(), nullptr, 10);
  earlier.runs = std::strtoull(parts[2].c_str(), nullptr, 10);
  earlier.crash.code = parts[3];
  earlier.crash.how = note.substr(from);
  earlier.any = true;
}

// Returns whether this run is to be tried in a child first.
bool suspicious(const detail::UserFrame& frame) {
  return earlier.any && !trying && alone && runs >= earlier.runs && frame.name.text() == earlier.crash.code;
}

// Runs the code in a forked child. Returns false if the child does not survive it.
bool survives(detail::UserFrame& frame, void (*call)(void*), void* context) {
  if (try_result == nullptr) {
    void* const page = ::mmap(nullptr, note_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return true;
    try_result = static_cast<char*>(page);
  }
  try_result[0] = 0;
  about_to_try = true;
  const pid_t child = ::fork();
  about_to_try = false;
  if (child < 0) return true;
  if (child == 0) {
    trying = true;
    restart.process = ::getpid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    try {
      detail::run_in_frame(frame, call, context);
    } catch (...) {  // NOLINT(bugprone-empty-catch): only a crash matters here
    }
    leave(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  frame.failure.kind = UserFailure::Kind::Crash;
  frame.failure.what = try_result[0] != 0 ? std::string(try_result) : earlier.crash.how;
  earlier.crash.met = true;
  return false;
}

[[noreturn]] void fail_assertion(const char* expression, const char* file, unsigned line, const char* function) {
  UserFailure& failure = current->failure;
  failure.kind = UserFailure::Kind::Assertion;
  failure.expression = expression != nullptr ? expression : "";
  failure.file = file != nullptr ? file : "";
  failure.function = function != nullptr ? function : "";
  failure.line = line;
  failure.what = "assertion " + failure.expression + " failed (" + failure.file + ":" + std::to_string(line) + ")";
  std::longjmp(current->back, 1);
}

}  // namespace

std::string CodeName::text() const {
  std::string out(part);
  out.append(" ").append(first);
  if (!second.empty()) out.append("::").append(second);
  return out;
}

std::string one_line(std::string_view message) {
  std::string out;
  bool broken = false;
  for (const char c : message) {
    if (c == '\n' || c == '\r') {
      broken = true;
      continue;
    }
    if (broken && !out.empty()) out += ' ';
    broken = false;
    out += c;
  }
  return out;
}

bool detail::run_in_frame(UserFrame& frame, void (*call)(void*), void* context) {
  if (restart.installed && !trying) {
    thread_local const SignalStack stack;
    if (alone) {
      ++runs;
      if (earlier.any && suspicious(frame) && !survives(frame, call, context)) return false;
    }
  }
  frame.outer = current;
  current = &frame;
  if (setjmp(frame.back) != 0) {
    current = frame.outer;
    return false;
  }
  try {
    call(context);
  } catch (...) {
    current = frame.outer;
    throw;
  }
  current = frame.outer;
  return true;
}

void restart_on_failure(char** arguments, int output) {
  assert(!restart.installed);
  restart.started = now_ns();
  read_note();
  restart.arguments = arguments;
  restart.output = output;
  for (char** one = environ; *one != nullptr; ++one) restart.environment.push_back(*one);
  restart.environment.push_back(restart.note);
  restart.environment.push_back(nullptr);
  ::sigprocmask(SIG_SETMASK, nullptr, &restart.mask);
  struct sigaction action = {};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : crashes) ::sigaction(signal, &action, nullptr);
  restart.process = ::getpid();
  ::pthread_atfork(on_fork, nullptr, nullptr);
  std::atexit(on_exit_called);
  std::at_quick_exit(on_exit_called);
  alone = true;
  restart.installed = true;
}

void blame_user_code_for_terminate() {
  if (current == nullptr || !restart.installed || current->name.part == loading_part) return;
  std::string how = "ended in std::terminate";
  try {
    if (const std::exception_ptr exception = std::current_exception()) {
      how += ": an exception that may not leave a noexcept function";
      std::rethrow_exception(exception);
    }
  } catch (const std::exception& error) {
    how.append(", ").append(error.what());
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nothing to add
  }
  start_again(how);
}

void restore_default_action(int signal) {
  // Not by sigaction(), which is below and does nothing within user code. Zeros are the default action, whatever the
  // layout.
  constexpr std::size_t enough = 64, signals = 64;
  const char zeros[enough] = {};
  ::syscall(SYS_rt_sigaction, signal, zeros, nullptr, signals / 8);
}

double seconds_since_start() {
  return restart.started == 0 ? 0 : static_cast<double>(now_ns() - restart.started) * 1e-9;
}

bool in_user_code() { return current != nullptr; }

void expect_no_end(std::string last_words) { restart.last_words = std::move(last_words); }

const EarlierCrash* earlier_crash() { return earlier.any ? &earlier.crash : nullptr; }

}  // namespace heddle

// Models are loaded by dlopen, and definitions of the program go before those of libraries. So models call these.
#define HEDDLE_EXPORT [[gnu::visibility("default")]]

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier, readability-*): the names are those of the C library
// The attribute as the C library writes it: clang compares its own form with the first declaration, which has the other.
HEDDLE_EXPORT __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file, unsigned line,
                                                           const char* function) noexcept;
HEDDLE_EXPORT [[noreturn]] void heddle_standard_assertion_failed(const char* file, int line, const char* function,
                                                                 const char* condition) noexcept
    asm("_ZSt21__glibcxx_assert_failPKciS0_S0_");  // std::__glibcxx_assert_fail

void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  if (heddle::current != nullptr) heddle::fail_assertion(expression, file, line, function);
  std::fprintf(stderr, "heddle: %s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}

void heddle_standard_assertion_failed(const char* file, int line, const char* function,
                                      const char* condition) noexcept {
  __assert_fail(condition, file, static_cast<unsigned>(line), function);
}

HEDDLE_EXPORT void _exit(int code) {
  if (heddle::current != nullptr && heddle::restart.installed && ::getpid() == heddle::restart.process) {
    heddle::start_again("called _exit()");
  }
  heddle::say_last_words();
  heddle::leave(code);
}

#if !defined(HEDDLE_SANITIZED)
HEDDLE_EXPORT int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  static const auto real =
      reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(::dlsym(RTLD_NEXT, "sigaction"));
  return real(signal, heddle::kept_from_user_code(signal) ? nullptr : action, before);
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return ::sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
#endif

HEDDLE_EXPORT void _Exit(int code) noexcept { _exit(code); }
// NOLINTEND(bugprone-reserved-identifier, readability-*)
}
