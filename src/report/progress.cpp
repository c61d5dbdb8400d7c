// Keeps the last few counts, from which pace and rest are computed.
#include "report/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "report/numbers.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

constexpr double first_sign = 2;  // seconds
constexpr double longest_interval = 60;
constexpr double window = 10;          // seconds over which rates are taken
constexpr double least_shrinking = 3;  // seconds of shrinking before anything is extrapolated
constexpr std::string_view erase_line = "\r\x1b[K";

int terminal_width() {
  winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A search that remembers no states counts its visits.
std::uint64_t visited(const Counters& c) { return c.nodes > 0 ? c.nodes : c.states; }

void write_to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(ProgressOptions options)
    : options_(std::move(options)),
      terminal_(options_.terminal ? *options_.terminal : ::isatty(STDERR_FILENO) != 0),
      next_line_at_(first_sign),
      interval_(first_sign) {
  if (!options_.write) options_.write = write_to_stderr;
}

void Progress::update(const Counters& counters, double seconds, std::size_t bytes) {
  if (options_.quiet) return;
  // A search that starts again begins at zero.
  if (!recent_.empty() && (seconds < recent_.back().seconds || visited(counters) < recent_.back().states)) {
    recent_.clear();
    interval_ = first_sign;
    next_line_at_ = std::min(next_line_at_, seconds + first_sign);
  }
  remember(counters, seconds);
  if (seconds < next_line_at_) return;
  if (terminal_) {
    const int width = options_.width ? *options_.width : terminal_width();
    // A line as wide as the terminal would wrap and could not be erased.
    options_.write(fmt::format("{}{}", erase_line, shorten(line(counters, seconds, bytes), width - 1)));
    line_shown_ = true;
    return;
  }
  options_.write(line(counters, seconds, bytes) + "\n");
  interval_ = std::min(2 * interval_, longest_interval);
  next_line_at_ = seconds + interval_;
}

void Progress::finish() {
  if (std::exchange(line_shown_, false)) options_.write(erase_line);
}

void Progress::remember(const Counters& counters, double seconds) {
  recent_.push_back({seconds, visited(counters), counters.queue});
  while (recent_.size() > 2 && seconds - recent_[1].seconds >= window) recent_.pop_front();
}

std::string Progress::line(const Counters& counters, double seconds, std::size_t bytes) const {
  std::string out = fmt::format("{}: {} {}", seconds_text(seconds), short_count(static_cast<double>(visited(counters))),
                                counters.nodes > 0 ? "nodes" : "states");
  const Sample& first = recent_.front();
  const double elapsed = recent_.size() > 1 ? seconds - first.seconds : seconds;
  const std::uint64_t gained = visited(counters) - (recent_.size() > 1 ? first.states : 0);
  if (elapsed > 0) out += fmt::format(", {}/s", short_count(static_cast<double>(gained) / elapsed));
  if (counters.walks > 0) out += fmt::format(", {} walks", short_count(static_cast<double>(counters.walks)));
  out += fmt::format(", depth {}", with_separators(counters.depth));
  if (counters.queue > 0) out += fmt::format(", queue {}", short_count(static_cast<double>(counters.queue)));
  if (bytes > 0) out += ", " + bytes_text(static_cast<double>(bytes));
  return out + remaining();
}

// At the pace at which the queue has been shrinking, it will be empty after queue / pace; new states are found until
// then at the present rate.
std::string Progress::remaining() const {
  std::size_t start = recent_.size() - 1;
  while (start > 0 && recent_[start - 1].queue > recent_[start].queue) --start;
  const Sample& then = recent_[start];
  const Sample& now = recent_.back();
  const double elapsed = now.seconds - then.seconds;
  if (elapsed < least_shrinking || now.queue == 0) return "";
  const double seconds = static_cast<double>(now.queue) / (static_cast<double>(then.queue - now.queue) / elapsed);
  const double states = seconds * static_cast<double>(now.states - then.states) / elapsed;
  return fmt::format(", shrinking: ~{} states to go", rough_count(states));
}

}  // namespace heddle::report
