// One function for each form of a number.
#include "report/numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace heddle::report {
namespace {

constexpr std::string_view count_units[] = {"", "k", "M", "G", "T"};
constexpr std::string_view byte_units[] = {"B", "KiB", "MiB", "GiB", "TiB"};

}  // namespace

std::string with_separators(std::uint64_t number) {
  std::string out = fmt::format("{}", number);
  for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
  return out;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_separators(number), noun, number == 1 ? "" : "s");
}

std::string short_count(double number) {
  std::size_t unit = 0;
  while (number >= 999.5 && unit + 1 < std::size(count_units)) {
    number /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", number, decimals, count_units[unit]);
}

std::string rough_count(double number) {
  if (number < 10) return fmt::format("{:.0f}", number);
  const double magnitude = std::pow(10.0, std::floor(std::log10(number)));
  number = std::round(number / magnitude) * magnitude;
  std::size_t unit = 0;
  while (number >= 1000 && unit + 1 < std::size(count_units)) {
    number /= 1000;
    ++unit;
  }
  return fmt::format("{:.0f}{}", number, count_units[unit]);
}

std::string bytes_text(double bytes) {
  std::size_t unit = 0;
  while (bytes >= 1023.5 && unit + 1 < std::size(byte_units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 99.95 ? 0 : 1, byte_units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace heddle::report
