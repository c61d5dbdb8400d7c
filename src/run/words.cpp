#include "run/words.h"

#include <iterator>
#include <sstream>

namespace heddle::run {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    if (end == text.npos) break;
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (!text.empty() || parts.empty()) parts.emplace_back(text);
  return parts;
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

}  // namespace heddle::run
