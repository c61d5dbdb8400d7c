// Finds Heddle's own static assertions among the messages, and shortens what is left.
#include "run/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

namespace heddle::run {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_colors(const std::string& text) {
  static const std::regex color("\x1b\\[[0-9;]*[mK]");
  return std::regex_replace(text, color, "");
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
}

// Returns a type as a user would write it.
std::string plain_type(std::string type) {
  for (const std::string_view noise :
       {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::", "heddle::", "std::__cxx11::"}) {
    replace_all(type, noise, noise == "std::__cxx11::" ? "std::" : "");
  }
  replace_all(type, "std::basic_string<char>", "std::string");
  replace_all(type, "std::basic_string_view<char>", "std::string_view");
  replace_all(type, " >", ">");
  return type;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

// Returns the arguments of a template. `text` begins after the template's `<`.
std::vector<std::string> arguments(std::string_view text) {
  std::vector<std::string> all(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (!quoted) {
      if (c == '<' || c == '(' || c == '{') ++depth;
      if (c == '>' && depth == 0) break;
      if (c == '>' || c == ')' || c == '}') --depth;
      if (c == ',' && depth == 0) {
        all.emplace_back();
        continue;
      }
    }
    all.back() += c;
  }
  for (std::string& one : all) one = trimmed(one);
  return all;
}

// Returns the text of a heddle::detail::Text: Text<6>{"table"} (g++), {{"table"}} or {{116, 97, ...}} (clang).
std::string text_argument(const std::string& argument) {
  if (const auto quote = argument.find('"'); quote != argument.npos) {
    return argument.substr(quote + 1, argument.find('"', quote + 1) - quote - 1);
  }
  static const std::regex number(R"(\d+)");
  const std::size_t brace = argument.find('{');
  if (brace == argument.npos) return {};
  const std::string codes = argument.substr(brace);
  std::string name;
  for (std::sregex_iterator it(codes.begin(), codes.end(), number), end; it != end; ++it) {
    const int code = std::stoi(it->str());
    if (code > 0 && code < 128) name += static_cast<char>(code);
  }
  return name;
}

bool has_word(const std::string& line, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const bool begins = at == 0 || !is_letter(line[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == line.size() || !is_letter(line[end]))) return true;
  }
  return false;
}

std::string last_name(const std::string& qualified) {
  const auto colon = qualified.rfind("::");
  return colon == qualified.npos ? qualified : qualified.substr(colon + 2);
}

// Returns the first line of a struct's definition for which `is_it` is true, or the line where the definition begins if
// there is none; 0 if the struct is not in this file. Guesses by words, which is enough for the structs of a model.
template <class IsIt>
std::size_t line_in_struct(const std::vector<std::string>& source, const std::string& type, IsIt&& is_it) {
  const std::string name = last_name(type.substr(0, type.find('<')));
  std::size_t begin = 0;
  for (std::size_t i = 0; i < source.size() && begin == 0; ++i) {
    const std::string& line = source[i];
    const bool defines = has_word(line, "struct") || has_word(line, "class") || has_word(line, "union");
    const bool only_declares = line.find(';') != line.npos && line.find('{') == line.npos;
    if (defines && has_word(line, name) && !only_declares) begin = i + 1;
  }
  for (std::size_t i = begin; begin > 0 && i <= source.size(); ++i) {
    if (is_it(source[i - 1])) return i;
    if (i > begin && source[i - 1].starts_with("}")) break;
  }
  return begin;
}

struct UserPlace {
  std::string what;  // "field 'table' of Server, std::unordered_map<int, int>"
  std::size_t line = 0;
};

// Returns what an assertion of heddle/detail/mistakes.h is about.
std::optional<UserPlace> place_of(const std::string& context, const std::vector<std::string>& source) {
  static const std::regex known(R"(detail::(StructOf|FieldOf|HandlerOf|ParameterOf|RoleOf)<)");
  static const std::regex fields_of(R"(detail::(?:Bindings<\d+>::visit|Fields<T>::name)\(.*[\[ ]T = ([^;\]]+))");
  std::smatch match;
  if (std::regex_search(context, match, fields_of)) {
    const std::string owner = plain_type(match[1].str());
    static const std::regex bit_field(R"(\w\s*:\s*\d)");
    return UserPlace{
        owner, line_in_struct(source, owner, [](const std::string& l) { return std::regex_search(l, bit_field); })};
  }
  if (!std::regex_search(context, match, known)) return std::nullopt;
  const std::vector<std::string> with =
      arguments(std::string_view(context).substr(static_cast<std::size_t>(match.position(0) + match.length(0))));
  const std::string kind = match[1].str();
  const std::string first = plain_type(with[0]);
  const auto any_line = [](const std::string&) { return true; };
  if (kind == "FieldOf" && with.size() >= 3) {
    const std::string field = text_argument(with[1]);
    if (field.empty()) return UserPlace{plain_type(with[2]), line_in_struct(source, with[0], any_line)};
    return UserPlace{fmt::format("field '{}' of {} ({})", field, first, plain_type(with[2])),
                     line_in_struct(source, first, [&](const std::string& l) { return has_word(l, field); })};
  }
  if (kind == "HandlerOf" || kind == "ParameterOf") {
    std::string function = first;
    std::erase_if(function, [](char c) { return c == '&' || c == '(' || c == ')'; });
    const auto colon = function.rfind("::");
    const std::string role = colon == function.npos ? function : function.substr(0, colon);
    const std::string name = last_name(function);
    const std::size_t line = line_in_struct(source, role, [&](const std::string& l) { return has_word(l, name); });
    std::string what = "handler " + function;
    if (kind == "ParameterOf" && with.size() >= 2) what += fmt::format(", parameter {}", plain_type(with[1]));
    return UserPlace{what, line};
  }
  const auto c_array = [](const std::string& line) {
    static const std::regex declares(R"(\w\s*\[[^\]]*\]\s*(=|\{|;))");
    return std::regex_search(line, declares);
  };
  UserPlace place{first, line_in_struct(source, first, any_line)};
  const auto needs_value = [](const std::string& line) {
    static const std::regex declares(R"(&\s*\w+\s*;|\bconst\b)");
    return std::regex_search(line, declares);
  };
  if (kind == "StructOf" && context.find("C array") != context.npos)
    place.line = line_in_struct(source, first, c_array);
  if (kind == "StructOf" &&
      (context.find("no default value") != context.npos || context.find("is const") != context.npos))
    place.line = line_in_struct(source, first, needs_value);
  const auto is_volatile = [](const std::string& line) { return has_word(line, "volatile"); };
  if (kind == "StructOf" && context.find("is volatile") != context.npos)
    place.line = line_in_struct(source, first, is_volatile);
  return place;
}

// Returns the text after "heddle: " of a failed assertion; empty if the line does not report one. No assertion can find
// a bit-field: a type does not show it.
std::string heddle_text(const std::string& line) {
  if (line.find("error:") == line.npos) return {};
  if (line.find("cannot bind bit-field") != line.npos || line.find("detail::never_defined<") != line.npos) {
    return "this struct holds a bit-field, which has no address; give the field a whole integer or an enum";
  }
  const auto at = line.find("heddle: ");
  if (at == line.npos) return {};
  std::string text = line.substr(at + 8);
  if (text.ends_with('"')) text.pop_back();
  return text;
}

// Finds the instantiation that an error is in: g++ names it before the error, clang after it.
std::optional<UserPlace> place_near(const std::vector<std::string>& all, std::size_t error, const std::string& text,
                                    const std::vector<std::string>& source) {
  const auto is_error = [&](std::size_t i) { return all[i].find("error:") != all[i].npos; };
  for (std::size_t i = error; i-- > 0;) {
    if (is_error(i)) break;
    if (all[i].find("In instantiation of") == all[i].npos) continue;
    if (auto place = place_of(all[i] + text, source)) return place;
    break;
  }
  for (std::size_t i = error + 1; i < all.size() && !is_error(i); ++i) {
    if (all[i].find("in instantiation of") == all[i].npos) continue;
    if (auto place = place_of(all[i] + text, source)) return place;
  }
  return std::nullopt;
}

std::vector<std::string> mistakes(const std::vector<std::string>& all, const std::string& file,
                                  const std::vector<std::string>& source) {
  std::vector<std::string> found, elsewhere;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string text = heddle_text(all[i]);
    if (text.empty()) continue;
    const std::optional<UserPlace> place = place_near(all, i, text, source);
    std::string line = file + ":";
    if (place && place->line > 0) line += fmt::format("{}:", place->line);
    line += place ? fmt::format(" {}: {}", place->what, text) : " " + text;
    auto& list = place ? found : elsewhere;
    if (std::ranges::find(list, line) == list.end()) list.push_back(std::move(line));
  }
  return found.empty() ? elsewhere : found;  // one mistake fails several assertions; one with a place says most
}

// Returns errors in the user's file that make the struct around them so broken that assertions about it mislead.
std::vector<std::string> breaking_errors(const std::vector<std::string>& all, const std::string& file) {
  static const std::regex number(
      R"(^(.+?:\d+:\d+): error: (could not convert .* to \S{1,3}(heddle::)?Id<|no viable conversion from '.*' to ')"
      R"((heddle::)?Id<|conversion from .* to non-scalar type \S{1,3}(heddle::)?Id<).*)");
  static const std::regex several(R"(^(.+?:\d+:\d+): error: (unable to deduce \S{1,3}auto\S{1,3} from \S{1,3}& |)"
                                  R"(non-type template parameter 'Functions' .*overloaded function type).*)");
  std::vector<std::string> found;
  std::smatch match;
  for (const std::string& line : all) {
    if (!line.starts_with(file + ":")) continue;
    std::string text;
    if (std::regex_match(line, match, number)) {
      text =
          "an Id is no number: Id<Role> id; names nobody; ids come from messages, from Id<Role> as a parameter, and "
          "from "
          "run.members<Role>()";
    } else if (std::regex_match(line, match, several)) {
      text =
          "the name of a handler in this list stands for several functions, or for a template; handlers are listed by "
          "name, so give each one of its own";
    }
    if (text.empty()) continue;
    text = match[1].str() + ": " + text;
    if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
  }
  return found;
}

// Says what to write where the compiler has never heard of Heddle; empty if it has.
std::vector<std::string> missing_include(const std::vector<std::string>& all, const std::string& file) {
  static const std::regex unknown(R"(^(.+?:\d+):\d+: error: .*heddle\S{1,3} )"
                                  R"((has not been declared|is not a namespace-name|does not name a type).*)");
  static const std::regex undeclared(R"(^(.+?:\d+):\d+: error: use of undeclared identifier 'heddle'.*)");
  std::smatch match;
  for (const std::string& line : all) {
    if (!line.starts_with(file + ":")) continue;
    if (!std::regex_match(line, match, unknown) && !std::regex_match(line, match, undeclared)) continue;
    return {match[1].str() + ": the compiler does not know heddle; write #include <heddle/heddle.h> above"};
  }
  return {};
}

// Returns the compiler's own errors. Those that lie in the user's file, shown with the source line, or that are reached
// from it come before all others.
std::vector<std::string> plain_errors(const std::vector<std::string>& all, const std::string& file) {
  static const std::regex place(R"(^(.+?:\d+(:\d+)?: )(fatal error|error): (.*)$)");
  static const std::regex linker(R"(^.*(undefined reference to|multiple definition of).*$)");
  std::vector<std::string> own, others;
  std::smatch match;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::regex_match(all[i], linker)) others.push_back(all[i]);
    if (!std::regex_match(all[i], match, place)) continue;
    const std::string what = match[1].str() + match[4].str();
    if (all[i].starts_with(file + ":")) {
      own.push_back(what);
      for (std::size_t k = i + 1; k < all.size() && k <= i + 2 && all[k].starts_with(" "); ++k) own.push_back(all[k]);
      continue;
    }
    // The error is in a header: name the line of the user's file that led there.
    std::string from;
    for (std::size_t k = i; k-- > 0;) {
      if (all[k].find("error:") != all[k].npos || !from.empty()) break;
      if (all[k].starts_with(file + ":")) from = all[k];
    }
    if (!from.empty()) {
      static const std::regex where(R"(^(.+?:\d+:\d+):.*$)");
      if (std::regex_match(from, match, where)) from = match[1].str();
      own.push_back(fmt::format("{}: leads to: {}", from, what));
    } else {
      others.push_back(what);
    }
  }
  own.insert(own.end(), others.begin(), others.end());
  return own;
}

}  // namespace

CompilerErrors compiler_errors(const std::string& output, const std::string& source, const std::string& text,
                               std::size_t most) {
  const std::vector<std::string> all = lines_of(without_colors(output));
  CompilerErrors errors;
  errors.lines = breaking_errors(all, source);
  if (errors.lines.empty()) errors.lines = mistakes(all, source, lines_of(text));
  if (errors.lines.empty()) errors.lines = missing_include(all, source);
  if (errors.lines.empty()) errors.lines = plain_errors(all, source);
  if (errors.lines.size() > most) errors.lines.resize(most);
  errors.left_out = all.size() > errors.lines.size() ? all.size() - errors.lines.size() : 0;
  return errors;
}

}  // namespace heddle::run
