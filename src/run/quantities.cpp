// A number, and a unit from a table.
#include "run/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "core/user_code.h"
#include "run/errors.h"

namespace heddle::run {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit time_units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
// KiB, KB and K all mean 1024: nobody limits a program's memory in powers of ten.
constexpr double kilo = 1024;
constexpr Unit byte_units[] = {{"", 1},
                               {"B", 1},
                               {"K", kilo},
                               {"KB", kilo},
                               {"KiB", kilo},
                               {"M", kilo* kilo},
                               {"MB", kilo* kilo},
                               {"MiB", kilo* kilo},
                               {"G", kilo* kilo* kilo},
                               {"GB", kilo* kilo* kilo},
                               {"GiB", kilo* kilo* kilo},
                               {"T", kilo* kilo* kilo* kilo},
                               {"TB", kilo* kilo* kilo* kilo},
                               {"TiB", kilo* kilo* kilo* kilo}};

// Reads a number and one of the units, such as "1.5h"; negative if the text has another form.
double parse(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !(number >= 0) || !std::isfinite(number)) return -1;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& u : units) {
    if (u.name == unit) return number * u.factor;
  }
  return -1;
}

}  // namespace

double parse_seconds(std::string_view text, std::string_view option) {
  const double seconds = parse(text, time_units);
  if (seconds < 0) throw UsageError(fmt::format("{}: '{}' is no duration; write 90, 90s, 5m or 2h", option, text));
  return seconds;
}

void set_time_limit(std::string_view text, Limits& limits) {
  const double seconds = parse_seconds(text, "--time");
  limits.asked_seconds = seconds;
  // If the command was started again after a crash of the model, the time before that counts (core/user_code.h).
  limits.seconds = earlier_crash() != nullptr ? std::max(0.0, seconds - seconds_since_start()) : seconds;
}

std::size_t parse_bytes(std::string_view text, std::string_view option) {
  const double bytes = parse(text, byte_units);
  if (bytes < 0 || bytes >= static_cast<double>(std::numeric_limits<std::size_t>::max())) {
    throw UsageError(fmt::format("{}: '{}' is no amount of memory; write 512M or 2G", option, text));
  }
  return static_cast<std::size_t>(bytes);
}

std::optional<std::size_t> parse_memory(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return parse_bytes(text, "--memory");
}

std::uint64_t parse_number(std::string_view text, std::string_view option, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > most) {
    throw UsageError(fmt::format("{}: '{}' is not a number from 0 to {}", option, text, most));
  }
  return number;
}

}  // namespace heddle::run
