// Turns the rows of a group into a table in Markdown, and replaces the tables of a page.
#include "cli/option_manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace heddle::cli {
namespace {

constexpr std::string_view begin_mark = "<!-- options of ";
constexpr std::string_view end_of_begin = " -->";
constexpr std::string_view end_mark = "<!-- end of options -->";

// Makes the first letter small, as in all rows of a manual, unless the first word is a name such as DB.
std::string uncapitalised(std::string text) {
  if (text.size() > 1 && (text[1] == ' ' || std::islower(static_cast<unsigned char>(text[1])) != 0)) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::string manual_text(const Option& option, const Place& place) {
  std::string text = place.manual;
  if (text.empty()) text = place.help.empty() ? option.manual : place.help;
  if (text.empty()) text = option.help;
  text = uncapitalised(std::move(text));
  const std::string fallback = option.into.fallback ? option.into.fallback() : "";
  if (!fallback.empty() && text.find("default") == text.npos) text += fmt::format("; default `{}`", fallback);
  return text;
}

std::string manual_value(const Option& option) {
  if (!option.values.empty()) return fmt::format("{}", fmt::join(option.values, "|"));
  if (!option.into.allowed.empty()) return fmt::format("{}", fmt::join(option.into.allowed, "|"));
  return option.value;
}

// "Budgets (what was covered ...)" -> "Budgets", "what was covered ...".
std::pair<std::string, std::string> split_heading(const std::string& heading) {
  if (heading.empty()) return {"Options", ""};
  const std::size_t bracket = heading.find(" (");
  if (bracket == heading.npos || !heading.ends_with(')')) return {heading, ""};
  return {heading.substr(0, bracket), heading.substr(bracket + 2, heading.size() - bracket - 3)};
}

// Turns a page that a heading names, "docs/x.md ...", into a link from another page of that folder.
std::string linked(const std::string& remark) {
  constexpr std::string_view folder = "docs/";
  if (!remark.starts_with(folder)) return remark;
  const std::size_t end = std::min(remark.find(' '), remark.size());
  const std::string page = remark.substr(folder.size(), end - folder.size());
  return fmt::format("[{}]({}){}", page, page, remark.substr(end));
}

std::string in_table(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string row_of(const ManualEntry& entry) {
  std::string names;
  for (const std::string& name : entry.names) {
    const bool last = &name == &entry.names.back();
    names += fmt::format("{}`{}{}`", names.empty() ? "" : ", ", name,
                         last && !entry.value.empty() ? " " + in_table(entry.value) : "");
  }
  return fmt::format("| {} | {} |\n", names, in_table(entry.text));
}

// Returns the tables for a mark such as "check: Model, Search": the command and its groups.
std::string table_for(std::string_view mark, const std::vector<Option>& options) {
  const std::size_t colon = mark.find(": ");
  std::vector<std::string> groups;
  if (colon != mark.npos) {
    for (const std::string& group : split(mark.substr(colon + 2), ',')) {
      groups.push_back(group.substr(std::min(group.find_first_not_of(' '), group.size())));
    }
  }
  return options_markdown(options, mark.substr(0, colon), groups);
}

}  // namespace

std::vector<ManualGroup> manual_of(const std::vector<Option>& options, std::string_view command) {
  std::vector<ManualGroup> groups = {{"Options", "", {}}};
  for (const Option& option : options) {
    const Place* place = option.place_in(command);
    if (place == nullptr || option.is_argument()) continue;
    const auto [name, remark] = split_heading(place->group);
    auto group = std::ranges::find(groups, name, &ManualGroup::name);
    if (group == groups.end()) group = groups.insert(groups.end(), {name, remark, {}});
    group->entries.push_back({split(option.names, ','), manual_value(option), manual_text(option, *place)});
  }
  if (groups.front().entries.empty()) groups.erase(groups.begin());
  return groups;
}

std::string options_markdown(const std::vector<Option>& options, std::string_view command,
                             const std::vector<std::string>& groups) {
  const std::vector<ManualGroup> all = manual_of(options, command);
  std::vector<const ManualGroup*> wanted;
  for (const ManualGroup& group : all) {
    if (groups.empty()) wanted.push_back(&group);
  }
  for (const std::string& name : groups) {
    const auto found = std::ranges::find(all, name, &ManualGroup::name);
    if (found == all.end()) throw std::invalid_argument(fmt::format("{} has no options under '{}'", command, name));
    wanted.push_back(&*found);
  }
  if (wanted.empty()) throw std::invalid_argument(fmt::format("{} has no options", command));
  std::string text;
  for (const ManualGroup* group : wanted) {
    if (!text.empty()) text += "\n";
    const bool several = wanted.size() > 1;
    const std::string remark = several && !group->remark.empty() ? linked(group->remark) + " " : "";
    text += fmt::format("| {} | {}|\n|---|---|\n", several ? group->name : "option", remark);
    for (const ManualEntry& entry : group->entries) text += row_of(entry);
  }
  return text;
}

std::string refresh_tables(const std::string& page, const std::vector<Option>& options) {
  std::istringstream lines(page);
  std::string out;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == end_mark) {
      if (!inside) throw std::invalid_argument("options end that have not begun");
      inside = false;
    }
    if (inside) continue;
    out += line + "\n";
    if (line.starts_with(begin_mark) && line.ends_with(end_of_begin)) {
      inside = true;
      const std::size_t size = line.size() - begin_mark.size() - end_of_begin.size();
      out += table_for(std::string_view(line).substr(begin_mark.size(), size), options);
    }
  }
  if (inside) throw std::invalid_argument("options that do not end");
  return out;
}

}  // namespace heddle::cli
