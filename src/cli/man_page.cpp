// Writes roff from the same rows and Markdown that the manuals use.
#include "cli/man_page.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "cli/option_manual.h"

namespace heddle::cli {
namespace {

// Escapes characters that roff would take for commands or for typographic characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

// Turns the Markdown of the manuals, `code` and [text](address), into roff.
std::string roff(std::string_view markdown) {
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const char c = markdown[i];
    const std::size_t middle = c == '[' && !code ? markdown.find("](", i) : markdown.npos;
    if (c == '`') {
      code = !code;
      out += code ? "\\fB" : "\\fR";
    } else if (middle != markdown.npos) {
      out += escaped(markdown.substr(i + 1, middle - i - 1));
      i = markdown.find(')', middle);
    } else {
      const std::string one = escaped(std::string_view(&c, 1));
      // The escape \& is needed at the beginning of a line only.
      out += one.starts_with("\\&") && !out.empty() ? one.substr(2) : one;
    }
  }
  return out;
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string head(const CommandLine& line, const std::string& page, const std::string& what) {
  const std::string& version = line.program().version;
  return fmt::format(".TH {} 1 \"\" \"{}\" \"Heddle\"\n.SH NAME\n{} \\- {}\n", upper(page),
                     escaped(version.substr(0, version.find(" ("))), escaped(page), escaped(what));
}

std::string exit_status(const CommandLine& line) {
  return fmt::format(".SH EXIT STATUS\n{}.\n", escaped(line.program().exit_codes));
}

// Returns the synopsis: "heddle check [OPTIONS] MODEL".
std::string synopsis(const CommandLine& line, const Command& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n.B {} {}\n[\\fIOPTIONS\\fR]", line.program().name, command.name);
  for (const Option& option : line.options()) {
    if (!option.is_argument() || option.place_in(command.name) == nullptr) continue;
    const bool several = option.into.kind == Binding::Kind::Texts;
    const std::string name = fmt::format("\\fI{}\\fR{}", escaped(option.names), several ? "..." : "");
    text += option.required ? " " + name : fmt::format(" [{}]", name);
  }
  return text + "\n";
}

std::string options_of(const CommandLine& line, const Command& command) {
  std::string text;
  for (const ManualGroup& group : manual_of(line.options(), command.name)) {
    const std::string remark = group.remark.empty() ? "" : fmt::format(" ({})", group.remark);
    text += group.name == "Options" ? "" : fmt::format(".SS {}\n", escaped(group.name + remark));
    for (const ManualEntry& entry : group.entries) {
      std::string names;
      for (const std::string& name : entry.names) {
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
      }
      if (!entry.value.empty()) names += fmt::format(" \\fI{}\\fR", escaped(entry.value));
      text += fmt::format(".TP\n{}\n{}.\n", names, capitalised(roff(entry.text)));
    }
  }
  return text.empty() ? text : ".SH OPTIONS\n" + text;
}

std::string page_of(const CommandLine& line, const Command& command) {
  std::string text = head(line, line.program().name + "-" + command.name, command.summary) + synopsis(line, command);
  std::string arguments;
  for (const Option& option : line.options()) {
    if (!option.is_argument() || option.place_in(command.name) == nullptr) continue;
    arguments += fmt::format(".TP\n\\fI{}\\fR\n{}.\n", escaped(option.names), roff(option.help));
  }
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  return text + options_of(line, command) + exit_status(line) + ".SH SEE ALSO\n.BR heddle (1)\n";
}

std::string page_of_program(const CommandLine& line) {
  std::string text = head(line, line.program().name, "finds, explains and rules out bugs in concurrent systems");
  text += fmt::format(".SH SYNOPSIS\n.B {}\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
                      line.program().name, escaped(line.program().description));
  for (const Command& command : line.commands()) {
    if (command.hidden) continue;
    text += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fBheddle\\-{}\\fR(1).\n", command.name, escaped(command.summary),
                        command.name);
  }
  return text + fmt::format(".SH EXAMPLES\n.nf\n{}.fi\n", escaped(line.program().examples)) + exit_status(line);
}

}  // namespace

std::vector<ManPage> man_pages(const CommandLine& line) {
  std::vector<ManPage> pages = {{line.program().name + ".1", page_of_program(line)}};
  for (const Command& command : line.commands()) {
    if (!command.hidden)
      pages.push_back({fmt::format("{}-{}.1", line.program().name, command.name), page_of(line, command)});
  }
  return pages;
}

}  // namespace heddle::cli
