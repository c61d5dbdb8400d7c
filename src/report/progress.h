// Signs of life from a long search, on standard error.
//
// On a terminal one line is rewritten in place. A pipe or a log gets plain lines, at growing intervals so that an
// overnight run does not fill the log. A run of less than two seconds shows nothing. How much is left cannot be
// known: it is extrapolated only when the queue has been shrinking for a while, with one digit and a tilde.
//
//   Progress progress({.quiet = options.quiet});
//   options.progress = [&](const Counters& c, double seconds) { progress.update(c, seconds, bytes()); };
//   ...
//   progress.finish();   // or the destructor
//
// Not thread-safe: update() is called by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/counters.h"

namespace heddle::report {

struct ProgressOptions {
  bool quiet = false;
  std::optional<bool> terminal = {};                 // found out if not given
  std::optional<int> width = {};                     // likewise
  std::function<void(std::string_view)> write = {};  // standard error if not given
};

class Progress {
 public:
  explicit Progress(ProgressOptions options = {});
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `seconds` since the start, `bytes` in use.
  void update(const Counters& counters, double seconds, std::size_t bytes);
  // Erases the line of the progress.
  void finish();

 private:
  struct Sample {
    double seconds;
    std::uint64_t states, queue;
  };
  void remember(const Counters& counters, double seconds);
  std::string line(const Counters& counters, double seconds, std::size_t bytes) const;
  std::string remaining() const;

  ProgressOptions options_;
  bool terminal_;
  bool line_shown_ = false;
  double next_line_at_;
  double interval_;
  std::deque<Sample> recent_;
};

}  // namespace heddle::report
