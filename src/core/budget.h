// Hard limits of a run, and the reason why it stopped.
//
// A search asks check() every few hundred states. The first reason wins and stays; every thread sees it. Ctrl-C
// counts as a reason: install_interrupt_handler() turns SIGINT and SIGTERM into a flag that all budgets read.
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace heddle {

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  // What the user gave, for messages, if `seconds` is only the rest of it. None: `seconds` is what the user gave.
  std::optional<double> asked_seconds = {};
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::uint32_t depth = std::numeric_limits<std::uint32_t>::max();
  // Becomes true if somebody else decides that the run has to stop; null: nobody does. Outlives the budget.
  const std::atomic<bool>* stop = nullptr;
};

// "time limit of 60 s"
std::string time_limit_text(const Limits& limits);

class Budget {
 public:
  enum class Stop : std::uint8_t { None, Time, Memory, Interrupt, Elsewhere };

  explicit Budget(Limits limits = {});

  const Limits& limits() const { return limits_; }
  // Returns false once the run has to stop. `bytes` is what the caller's tables hold now.
  bool check(std::size_t bytes);
  // For a caller that has found a reason itself, such as a table that cannot grow. REQUIRES: reason != Stop::None.
  void stop(Stop reason);
  Stop stopped() const { return stop_.load(std::memory_order_relaxed); }
  // Returns a phrase for the closing line, such as "time limit of 60 s"; empty if not stopped.
  std::string reason() const;
  double seconds() const;

  static void install_interrupt_handler();
  static bool interrupted();

 private:
  using Clock = std::chrono::steady_clock;
  Limits limits_;
  Clock::time_point start_;
  std::atomic<Stop> stop_{Stop::None};
};

// Returns the largest resident size the process has had, in bytes.
std::size_t peak_resident_bytes();

}  // namespace heddle
