// Looks at a row of the table: in which command it stands, and whether it keeps the rules.
#include "cli/option.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

namespace heddle::cli {

bool Place::has(std::string_view command) const {
  for (const std::string& one : split(commands, ' ')) {
    if (one == command) return true;
  }
  return false;
}

const Place* Option::place_in(std::string_view command) const {
  for (const Place& place : places) {
    if (place.has(command)) return &place;
  }
  return nullptr;
}

std::string Option::name() const {
  for (const std::string& one : split(names, ',')) {
    if (one.starts_with("--")) return one.substr(2);
  }
  return names;
}

void check_options(const std::vector<Option>& options) {
  std::set<std::pair<std::string, std::string>> known;
  for (const Option& option : options) {
    const auto fail = [&](const std::string& what) {
      throw std::logic_error(fmt::format("option table: {} {}", option.names, what));
    };
    if (option.places.empty()) fail("is of no command");
    if (!option.is_flag() && !option.is_argument() && option.value.empty())
      fail("does not say what its value is called");
    for (const Place& place : option.places) {
      for (const std::string& command : split(place.commands, ' ')) {
        for (const std::string& name : split(option.names, ',')) {
          if (!known.emplace(command, name).second) fail("is in the table twice for " + command);
        }
      }
    }
  }
}

}  // namespace heddle::cli
