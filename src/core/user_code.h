// Runs the user's code in this process: handlers, properties, specifications. It may fail in every way C++ knows.
//
//   const auto failure = run_user_code({"handler", "Server", "serve"}, [&] { transition.run(call); });
//   if (failure) ...                                 // an assertion, or it crashed
//
// A failed assertion (assert, or one of the standard library) comes back as a failure. The functions that
// report it are noexcept, so no exception can leave them. They leave by longjmp, which skips the destructors
// in between. What that leaks is little, and only code that has failed leaks it. Exceptions pass through.
//
// After anything else (a signal, abort, exit, std::terminate) the process can no longer be trusted: its heap
// may be in pieces, a lock of malloc held. Nothing is repaired. The program starts itself again by execve,
// which a signal handler may call, and takes a note along: which code it was, and how many runs of user code
// came before. The second process searches with one thread and comes to the same call. From there on it first
// tries every run of that code in a forked child, and runs that die there come back as failures, like
// assertions. So the damaged process has nothing left to do but to end.
//
// The handlers of these signals stay ours: what user code does with signal() or sigaction() to them has no effect.
//
// Thread-safe: each thread runs its own code. REQUIRES: restart_on_failure is called at most once, before any
// of it runs.
#pragma once

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heddle {

struct UserFailure {
  enum class Kind : std::uint8_t { Assertion, Crash };
  Kind kind = Kind::Crash;
  std::string what = {};  // "assertion n < 2 failed (lock.cpp:14)", "divided by zero (SIGFPE)"
  std::string expression = {}, file = {}, function = {};  // of an assertion
  unsigned line = 0;
};

// "handler Server::serve", "property safe".
struct CodeName {
  std::string_view part, first, second = {};
  std::string text() const;
};

namespace detail {

struct UserFrame {
  CodeName name;
  UserFrame* outer;
  std::jmp_buf back;
  UserFailure failure;
};

// Returns false if the code failed; frame.failure then says how.
bool run_in_frame(UserFrame& frame, void (*call)(void*), void* context);

}  // namespace detail

template <class Call>
std::optional<UserFailure> run_user_code(const CodeName& name, Call&& call) {
  detail::UserFrame frame{name, nullptr, {}, {}};
  const auto run = [](void* context) { (*static_cast<std::remove_reference_t<Call>*>(context))(); };
  if (detail::run_in_frame(frame, run, const_cast<void*>(static_cast<const void*>(&call)))) return std::nullopt;
  return std::move(frame.failure);
}

// The message of an exception in one line: a run of line breaks becomes a space. What names the place follows it, and
// closing lines end with the first line.
std::string one_line(std::string_view message);

// Within a handler of exceptions: returns what was thrown, "threw: map::at". What is thrown on purpose goes on: a
// ModelError of the library has its own words, and an allocation that failed is a matter of the memory limit.
template <class Error>
std::string thrown_by_user_code() {
  try {
    throw;
  } catch (const Error& error) {
    return std::string(": ") + error.what();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return " threw: " + one_line(error.what());
  } catch (...) {
    return " threw something that is no std::exception (require() belongs into handlers)";
  }
}

// run_user_code for code that no run has a place for: what it throws becomes an `Error` with a sentence that names the
// code.
template <class Error, class Call>
std::optional<UserFailure> run_named(const CodeName& name, Call&& call) {
  try {
    return run_user_code(name, std::forward<Call>(call));
  } catch (...) {
    throw Error(name.text() + thrown_by_user_code<Error>());
  }
}

// The same where failures, too, are errors: the size of a quorum, for instance.
template <class Error, class Call>
void run_or_throw(const CodeName& name, Call&& call) {
  const std::optional<UserFailure> failure = run_named<Error>(name, std::forward<Call>(call));
  if (!failure) return;
  throw Error(name.text() + (failure->kind == UserFailure::Kind::Assertion ? " failed: " : " ") + failure->what);
}

// Chooses the runs of code that are repeated to see whether the code is pure: the first 16, then ever fewer.
// Thread-safe.
class RepeatedRuns {
 public:
  bool wants() {
    const std::uint32_t n = count_.fetch_add(1, std::memory_order_relaxed);
    return n < 16 || (n & (n - 1)) == 0;
  }

 private:
  std::atomic<std::uint32_t> count_{0};
};

// From now on code that crashes makes the program start again with the same arguments. `output` is the
// descriptor that then becomes standard output.
void restart_on_failure(char** arguments, int output);
// The part of CodeName for what runs while a model is loaded. The loader knows best what to say of an exception.
inline constexpr std::string_view loading_part = "loading";
// Seconds since the first process began: the time that restarts took counts. 0 before restart_on_failure.
double seconds_since_start();
// If the program ends by a signal or by exit() outside of user code (in a thread that a model has started, or because
// a model has damaged memory), it says `last_words` and ends with exit code 3. Empty: from now on it may end.
void expect_no_end(std::string last_words);
// Gives a signal its default action back, for a program that ends by it. A signal handler may call this.
void restore_default_action(int signal);
// Whether this thread runs user code now.
bool in_user_code();
// For the handler of std::terminate. Does not return if the user's code is to blame.
void blame_user_code_for_terminate();

// The note of the process before this one; null if this is the first.
struct EarlierCrash {
  std::string code;  // CodeName::text()
  std::string how;
  bool met = false;  // it has happened again and was reported as a failure
};
const EarlierCrash* earlier_crash();

}  // namespace heddle
