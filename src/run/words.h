// Reads words of the command line and of traces: names that stand for values, and lists of names.
// Pure functions, thread-safe.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::run {

// A table of words and of the values that they stand for, as a rule those of an enum. It translates both ways.
template <class Enum>
class Values {
 public:
  Values(std::initializer_list<std::pair<std::string_view, Enum>> values) {
    for (const auto& [name, value] : values) values_.emplace_back(name, value);
  }
  std::optional<Enum> find(std::string_view name) const {
    for (const auto& [known, value] : values_) {
      if (known == name) return value;
    }
    return std::nullopt;
  }
  std::string name(Enum value) const {
    for (const auto& [name, known] : values_) {
      if (known == value) return name;
    }
    return {};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    all.reserve(values_.size());
    for (const auto& [name, value] : values_) all.push_back(name);
    return all;
  }

 private:
  std::vector<std::pair<std::string, Enum>> values_;
};

// "a,b" -> "a", "b". Empty parts count, except a last one after others.
std::vector<std::string> split(std::string_view text, char separator);
// Words as a shell separates them: by blanks, except between quotes or after a backslash.
std::vector<std::string> shell_words(std::string_view text);
// One word for a shell, in quotes if it needs them.
std::string shell_quoted(std::string_view text);
// "a  b" -> "a", "b".
std::vector<std::string> words_of(std::string_view text);

}  // namespace heddle::run
