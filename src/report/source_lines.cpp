#include "report/source_lines.h"

#include <sys/stat.h>

#include <fstream>
#include <string_view>

namespace heddle::report {
namespace {

constexpr off_t largest_source = 16 << 20;  // bytes

std::vector<std::string> read_lines(const std::string& file) {
  struct stat about = {};
  if (::stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > largest_source) return {};
  std::vector<std::string> lines;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view blanks = " \t\r\f\v";
    const std::size_t begin = line.find_first_not_of(blanks);
    lines.push_back(begin == line.npos ? "" : line.substr(begin, line.find_last_not_of(blanks) + 1 - begin));
  }
  return lines;
}

}  // namespace

const std::string& SourceLines::line(const std::string& file, std::uint32_t number) {
  static const std::string nothing;
  const auto [known, is_new] = files_.try_emplace(file);
  if (is_new) known->second = read_lines(file);
  const std::vector<std::string>& lines = known->second;
  return number == 0 || number > lines.size() ? nothing : lines[number - 1];
}

}  // namespace heddle::report
