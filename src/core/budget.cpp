// Limits as one atomic reason to stop, which signals set, too.
#include "core/budget.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "core/memory.h"
#include "core/user_code.h"

namespace heddle {
namespace {

std::atomic<int> interrupt_count = 0;
static_assert(decltype(interrupt_count)::is_always_lock_free, "a signal handler changes it");

// The first signal asks for a clean stop; a second one ends the process for a user who will not wait. A model that
// raises one does so whenever its code runs, and that is no user.
extern "C" void on_interrupt(int signal, siginfo_t* info, void*) {
  const int own_errno = errno;  // of the code that was interrupted
  const bool own = (info->si_code == SI_USER || info->si_code == SI_TKILL) && info->si_pid == ::getpid();
  if (own) {
    interrupt_count.store(std::max(interrupt_count.load(std::memory_order_relaxed), 1), std::memory_order_relaxed);
  } else if (interrupt_count.fetch_add(1, std::memory_order_relaxed) > 0) {
    restore_default_action(signal);
    std::raise(signal);
  }
  errno = own_errno;
}

std::string human_bytes(std::size_t bytes) {
  char text[32];
  const double mib = static_cast<double>(bytes) / (1024.0 * 1024.0);
  if (mib >= 1024) {
    std::snprintf(text, sizeof text, "%.3g GiB", mib / 1024);
  } else {
    std::snprintf(text, sizeof text, "%.3g MiB", mib);
  }
  return text;
}

}  // namespace

std::string time_limit_text(const Limits& limits) {
  char text[48];
  std::snprintf(text, sizeof text, "time limit of %g s", limits.asked_seconds.value_or(limits.seconds));
  return text;
}

Budget::Budget(Limits limits) : limits_(limits), start_(Clock::now()) {}

bool Budget::check(std::size_t bytes) {
  if (stopped() != Stop::None) return false;
  if (interrupt_count > 0) stop(Stop::Interrupt);
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) stop(Stop::Elsewhere);
  if (bytes > limits_.bytes || memory_limit_reached()) stop(Stop::Memory);
  if (limits_.seconds < std::numeric_limits<double>::infinity() && seconds() > limits_.seconds) stop(Stop::Time);
  return stopped() == Stop::None;
}

void Budget::stop(Stop reason) {
  assert(reason != Stop::None);
  Stop none = Stop::None;
  stop_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
}

std::string Budget::reason() const {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  switch (stopped()) {
    case Stop::Time:
      return time_limit_text(limits_);
    case Stop::Memory:
      if (limits_.bytes < none) return "memory limit of " + human_bytes(limits_.bytes);
      if (memory_limit() < none) {
        return "memory limit of " + human_bytes(memory_limit()) +
               (memory_limited_by() == LimitBy::User ? "" : ", the default here");
      }
      return "memory exhausted";
    case Stop::Interrupt:
      return "interrupted";
    case Stop::Elsewhere:
      return "another search has decided";
    case Stop::None:
      break;
  }
  return "";
}

double Budget::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Budget::install_interrupt_handler() {
  struct sigaction action{};
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool Budget::interrupted() { return interrupt_count > 0; }

std::size_t peak_resident_bytes() {
  struct rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace heddle
