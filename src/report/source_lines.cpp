// Reads a file when its first line is asked for.
#include "report/source_lines.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

namespace heddle::report {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";
constexpr off_t largest_source = 16 << 20;  // bytes

std::vector<std::string> read_lines(const std::string& file) {
  struct stat about = {};
  if (::stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > largest_source) return {};
  std::vector<std::string> lines;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(blanks) + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

const std::string& SourceLines::indented(const std::string& file, std::uint32_t number) {
  static const std::string nothing;
  const auto [known, is_new] = files_.try_emplace(file);
  if (is_new) known->second = read_lines(file);
  const std::vector<std::string>& lines = known->second;
  return number == 0 || number > lines.size() ? nothing : lines[number - 1];
}

std::string SourceLines::line(const std::string& file, std::uint32_t number) {
  const std::string& whole = indented(file, number);
  return whole.substr(std::min(whole.find_first_not_of(blanks), whole.size()));
}

}  // namespace heddle::report
