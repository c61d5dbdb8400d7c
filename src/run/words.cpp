// Splits by a separator, and by the rules of a shell.
#include "run/words.h"

#include <iterator>
#include <sstream>
#include <utility>

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

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    // Between double quotes a backslash only quotes what would mean something there.
    const bool escapes = quote == 0 ? next != '\0' : quote == '"' && (next == '"' || next == '\\' || next == '$');
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && escapes) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::string shell_quoted(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+:=,@";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

}  // namespace heddle::run
