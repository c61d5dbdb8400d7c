// What the manuals show, found in their text: commands with what they print, and tables of counts.
//
// Commands stand in code blocks, fenced or indented by four spaces:
//   $ heddle check paxos                 what follows, up to the next command or the end of the block, is what it
//   prints; holds: ...                           a line that is only "..." stands for any lines
//   heddle check paxos    181 states     without "$": only a remark follows, after two spaces or a "#"
// A command in capitals or with brackets (heddle check MODEL [options]) is a synopsis, and no command.
//
// <!-- scripts are run: FILE -->         from here on commands that begin with this file of the source tree are run, too;
//                                        scripts are not run otherwise
// <!-- output of: heddle ... -->         the block that follows is what the command prints
// <!-- contents of: FILE -->             ... or what a file holds that an earlier command has written
// <!-- counts: ARGUMENTS -->             of the table that follows, every row begins with a model and its parameters,
// `paxos proposers=3`,
//                                        and columns named "states", "reduced states" and "unreduced states" are counts
//                                        of `heddle check` with these arguments; "|" separates arguments for the
//                                        columns of a table with other names
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::docs {

struct Command {
  int line = 0;
  std::vector<std::string> arguments;  // without "heddle"
  std::string remark;
  std::optional<std::string> output;  // what the manual shows
  std::string file = {};              // of this file, if it is not a command
  std::string script = {};            // what is run in place of heddle, if it is not heddle
};

struct Count {
  int line = 0;
  std::vector<std::string> arguments;
  std::string states;  // as printed: "15,804"
  double seconds = 0;  // how long the row says it takes
};

struct Page {
  std::vector<Command> commands;
  std::vector<Count> counts;
  std::vector<std::string> models;                         // C++ blocks that are whole models
  std::vector<std::pair<std::string, std::string>> files;  // blocks whose first line is their name: // queue.cpp
};

inline std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

inline std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

inline bool is_synopsis(const std::string& command) {
  static const std::regex capitals("(^|[ =])[A-Z]{2,}([ .|]|$)");
  return command.find('[') != command.npos || std::regex_search(command, capitals);
}

// "heddle check paxos    181 states", with or without "./" before it.
// Separates words as a shell does, as far as manuals need it: single quotes keep blanks together.
inline std::vector<std::string> arguments_of(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false, quoted = false;
  for (const char c : text) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    if (c != '\'') words.back() += c;
  }
  return words;
}

inline std::optional<Command> parse_command(std::string text, int line) {
  if (text.starts_with("./")) text = text.substr(2);
  if (!text.starts_with("heddle ")) return std::nullopt;
  const std::size_t end = std::min({text.find("  "), text.find(" #"), text.size()});
  const std::string words = text.substr(7, end - 7);
  if (is_synopsis(words)) return std::nullopt;
  std::string remark = trimmed(text.substr(end));
  if (remark.starts_with("#")) remark = trimmed(remark.substr(1));
  return Command{line, arguments_of(words), remark, std::nullopt, {}};
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) lines_.push_back(line);
  }

  Page read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string& line = lines_[i];
      if (line.starts_with("```")) {
        std::size_t end = i + 1;
        while (end < lines_.size() && !lines_[end].starts_with("```")) ++end;
        block(i + 1, end, 0, line);
        i = end;
      } else if (line.starts_with("    ") && (i == 0 || lines_[i - 1].empty())) {
        std::size_t end = i;
        while (end < lines_.size() && (lines_[end].starts_with("    ") || next_is_code(end))) ++end;
        block(i, end, 4, "");
        i = end - 1;
      } else if (const std::string arguments = comment(line, "output of: heddle "); !arguments.empty()) {
        output_of_ = arguments;
      } else if (const std::string file = comment(line, "contents of: "); !file.empty()) {
        contents_of_ = file;
      } else if (const std::string script = comment(line, "scripts are run: "); !script.empty()) {
        script_ = script;
      } else if (line.starts_with("<!-- counts:")) {
        i = table(i + 1, comment(line, "counts:"));
      }
    }
    return std::move(page_);
  }

 private:
  bool next_is_code(std::size_t i) const {
    return lines_[i].empty() && i + 1 < lines_.size() && lines_[i + 1].starts_with("    ");
  }

  static std::string comment(const std::string& line, const std::string& what) {
    const std::string start = "<!-- " + what;
    if (!line.starts_with(start) || !line.ends_with(" -->")) return "";
    return line.substr(start.size(), line.size() - start.size() - 4);
  }

  void block(std::size_t begin, std::size_t end, std::size_t indent, const std::string& fence) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += lines_[i].substr(std::min(indent, lines_[i].size())) + "\n";
    const int number = static_cast<int>(begin) + 1;
    if (!output_of_.empty() || !contents_of_.empty()) {
      page_.commands.push_back({number, split(output_of_, " "), "", text, contents_of_});
      output_of_.clear();
      contents_of_.clear();
      return;
    }
    if (fence.starts_with("```cpp") && text.find("Register") != text.npos &&
        text.find("#include <heddle/heddle.h>") != text.npos) {
      page_.models.push_back(text);
    }
    static const std::regex named(R"(// ([a-z_]+\.(c|cpp))\n)");
    if (std::smatch name; fence.starts_with("```c") && std::regex_search(text, name, named) && name.position() == 0) {
      page_.files.emplace_back(name[1], text);
    }
    if (!fence.empty() && fence != "```") return;  // another language
    Command* open = nullptr;                       // the command whose output this is
    for (std::size_t i = begin; i < end; ++i) {
      const std::string line = lines_[i].substr(std::min(indent, lines_[i].size()));
      const bool prompt = line.starts_with("$ ");
      auto command = parse_command(prompt ? line.substr(2) : line, static_cast<int>(i) + 1);
      if (prompt && !script_.empty() && line.substr(2).starts_with(script_ + " ")) {
        command = Command{static_cast<int>(i) + 1, arguments_of(line.substr(2 + script_.size())), "", std::nullopt};
        command->script = script_;
      }
      if (command && (prompt || open == nullptr)) {
        page_.commands.push_back(std::move(*command));
        open = prompt ? &page_.commands.back() : nullptr;
      } else if (prompt) {
        open = nullptr;  // a script, say
      } else if (open != nullptr) {
        if (!open->output) open->output = "";
        *open->output += line + "\n";
      }
    }
  }

  static std::vector<std::string> cells(const std::string& row) {
    std::vector<std::string> out;
    std::size_t at = 1;
    while (at < row.size()) {
      std::size_t end = at;
      while (end < row.size() && (row[end] != '|' || row[end - 1] == '\\')) ++end;
      out.push_back(trimmed(row.substr(at, end - at)));
      at = end + 1;
    }
    return out;
  }

  // Returns the last line of the table.
  std::size_t table(std::size_t i, const std::string& wanted) {
    while (i < lines_.size() && !lines_[i].starts_with("|")) ++i;
    const std::vector<std::string> header = cells(lines_[i]);
    std::vector<std::vector<std::string>> columns(header.size());  // the arguments for each; none: no count
    std::vector<bool> counted(header.size(), false);
    if (wanted.find('|') == wanted.npos) {
      for (std::size_t c = 1; c < header.size(); ++c) {
        const bool unreduced = header[c] == "unreduced states";
        counted[c] = unreduced || header[c] == "states" || header[c] == "reduced states";
        columns[c] = split(wanted, " ");
        if (unreduced) columns[c].insert(columns[c].end(), {"--reduce", "none"});
      }
    } else {
      const std::vector<std::string> each = cells("|" + wanted + "|");
      for (std::size_t c = 1; c < header.size() && c - 1 < each.size(); ++c) {
        counted[c] = true;
        columns[c] = split(each[c - 1], " ");
      }
    }
    for (i += 2; i < lines_.size() && lines_[i].starts_with("|"); ++i) {
      const std::vector<std::string> row = cells(lines_[i]);
      static const std::regex code("^`([^`]+)`.*");
      std::smatch model;
      if (!std::regex_match(row[0], model, code)) continue;
      for (std::size_t c = 1; c < row.size() && c < header.size(); ++c) {
        if (counted[c]) count(model[1], columns[c], row[c], lines_[i], static_cast<int>(i) + 1);
      }
    }
    return i - 1;
  }

  void count(const std::string& model, const std::vector<std::string>& more, const std::string& cell,
             const std::string& row, int line) {
    static const std::regex number(R"(^(symmetry )?(\d[\d,]*).*)"), time(R"((\d[\d.]*) (s|min)\b)");
    std::smatch found;
    if (!std::regex_match(cell, found, number)) return;  // not measured
    Count out{line, {"check"}, found[2], 0};
    const std::vector<std::string> words = split(model.starts_with("heddle check ") ? model.substr(13) : model, " ");
    for (std::size_t w = 0; w < words.size(); ++w) {
      const bool assigns = w > 0 && words[w].find('=') != std::string::npos;
      if (assigns && words[w - 1] != "-p" && words[w - 1] != "--param") out.arguments.emplace_back("-p");
      out.arguments.push_back(words[w]);
    }
    out.arguments.insert(out.arguments.end(), more.begin(), more.end());
    if (found[1].matched) out.arguments.insert(out.arguments.end(), {"--reduce", "symmetry"});
    for (std::sregex_iterator t(row.begin(), row.end(), time), none; t != none; ++t) {
      out.seconds = std::max(out.seconds, std::stod((*t)[1]) * ((*t)[2] == "min" ? 60 : 1));
    }
    page_.counts.push_back(std::move(out));
  }

  std::vector<std::string> lines_;
  std::string output_of_, contents_of_, script_;
  Page page_;
};

}  // namespace heddle::docs
