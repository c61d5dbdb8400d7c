// Prints a JsonView in the notation of people, and two of them as a difference.
#include "report/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/json_text.h"
#include "report/json_view.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

using Members = std::vector<std::pair<std::string, JsonView>>;

// Longer differences are shown member by member.
constexpr int longest_whole_diff = 32;
// The longest text of one side; the other side must stay in sight.
constexpr int longest_side = 80;

// True for identifiers and names of processes such as "client 1".
bool needs_no_quotes(std::string_view text) {
  if (const std::size_t space = text.rfind(' '); space != std::string_view::npos) {
    if (!is_plain_integer(text.substr(space + 1))) return false;
    text = text.substr(0, space);
  }
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), inner) && text != "none" &&
         text != "true" && text != "false";
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// True for null and for "nobody", the name of an id that names no process.
bool is_nothing(const JsonView& view) {
  switch (view.type()) {
    case JsonView::Type::Null:
      return true;
    case JsonView::Type::String:
      return view.string() == "nobody";
    case JsonView::Type::Object: {
      const Members members = view.members();
      return members.empty() || (members.size() == 1 && is_nothing(members.front().second));
    }
    default:
      return false;
  }
}

bool names_call(const std::pair<std::string, JsonView>& member) {
  return (member.first == "op" || member.first == "kind") && member.second.type() == JsonView::Type::String;
}

std::string print(const JsonView& view, bool ascii);
std::string print_call(const std::string& name, const Members& arguments, bool ascii);

std::string print_members(const Members& members, bool ascii) {
  std::string out;
  for (const auto& [name, value] : members) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", printable(name, ascii), print(value, ascii));
  }
  return out;
}

std::string print_elements(const JsonView& array, bool ascii) {
  std::string out;
  for (const JsonView& element : array.elements()) {
    if (!out.empty()) out += ", ";
    out += print(element, ascii);
  }
  return out;
}

// Prints a record as a call, write(1), if it names one. Arguments that are nothing are left out.
std::string print_record(Members members, bool ascii) {
  const auto op = std::find_if(members.begin(), members.end(), names_call);
  if (op == members.end()) return fmt::format("{{{}}}", print_members(members, ascii));
  const std::string name = printable(op->second.string(), ascii);
  members.erase(op);
  std::erase_if(members, [](const auto& member) { return is_nothing(member.second); });
  return print_call(name, members, ascii);
}

std::string print(const JsonView& view, bool ascii) {
  switch (view.type()) {
    case JsonView::Type::Null:
      return "none";
    case JsonView::Type::String: {
      const std::string text = view.string();
      return needs_no_quotes(text) ? text : fmt::format("\"{}\"", printable(escaped(text), ascii));
    }
    case JsonView::Type::Array:
      return fmt::format("[{}]", print_elements(view, ascii));
    case JsonView::Type::Object:
      return print_record(view.members(), ascii);
    default:
      return std::string(view.text());
  }
}

// Prints name(arguments). A single argument is shown without its name, and without braces if it is a record.
std::string print_call(const std::string& name, const Members& arguments, bool ascii) {
  if (arguments.empty()) return name;
  if (arguments.size() > 1) return fmt::format("{}({})", name, print_members(arguments, ascii));
  const JsonView& only = arguments.front().second;
  const Members inside = only.type() == JsonView::Type::Object ? only.members() : Members();
  const bool record = !inside.empty() && std::none_of(inside.begin(), inside.end(), names_call);
  return fmt::format("{}({})", name, record ? print_members(inside, ascii) : print(only, ascii));
}

// Returns f(root), or the text itself if it is not JSON.
template <class F>
std::string with_json(std::string_view json, bool ascii, F&& f) {
  if (json.empty()) return "none";
  if (!is_json(json)) return printable(json, ascii);
  const JsonDocument document(json, "value");
  return f(document.root());
}

std::string dotted(std::string_view path, std::string_view name) {
  if (path.empty()) return std::string(name);
  return fmt::format("{}.{}", path, name);
}

class DiffPrinter {
 public:
  DiffPrinter(std::string_view becomes, bool ascii) : becomes_(becomes), ascii_(ascii) {}

  void compare(const std::string& path, const JsonView& before, const JsonView& after) {
    const std::string whole = whole_phrase(path, print(before, ascii_), print(after, ascii_));
    const bool same_type = before.type() == after.type();
    const bool taken_apart = same_type && display_width(whole) > longest_whole_diff && before.text().size() > 2 &&
                             (compare_members(path, before, after) || compare_elements(path, before, after));
    if (!taken_apart) phrases.push_back(whole);
  }

  std::string whole_phrase(const std::string& path, const std::string& before, const std::string& after) const {
    const std::string_view mark = ascii_ ? ".." : "…";
    return fmt::format("{}{}{} {} {}", path, path.empty() ? "" : " ", shorten_phrase(before, longest_side, mark),
                       becomes_, shorten_phrase(after, longest_side, mark));
  }

  std::vector<std::string> phrases;

 private:
  bool compare_members(const std::string& path, const JsonView& before, const JsonView& after) {
    if (before.type() != JsonView::Type::Object) return false;
    std::map<std::string, JsonView> gone;
    for (const auto& [name, value] : before.members()) gone.insert_or_assign(name, value);
    for (const auto& [name, value] : after.members()) {
      const auto old = gone.find(name);
      if (old == gone.end()) {
        phrases.push_back(sign(path, "+") + printable(name, ascii_) + "=" + print(value, ascii_));
        continue;
      }
      if (old->second.compact() != value.compact()) compare(dotted(path, printable(name, ascii_)), old->second, value);
      gone.erase(old);
    }
    for (const auto& [name, value] : gone) phrases.push_back(sign(path, "-") + printable(name, ascii_));
    return true;
  }

  // Lists and sets look alike. If elements were only added, or only removed, and the others kept their order, it is
  // enough for both to name these elements.
  bool compare_elements(const std::string& path, const JsonView& before, const JsonView& after) {
    if (before.type() != JsonView::Type::Array) return false;
    const std::vector<JsonView> old = before.elements();
    const std::vector<JsonView> now = after.elements();
    const bool grown = now.size() >= old.size();
    const std::vector<JsonView>& shorter = grown ? old : now;
    std::string odd;
    std::size_t matched = 0;
    for (const JsonView& element : grown ? now : old) {
      if (matched < shorter.size() && shorter[matched].compact() == element.compact()) {
        ++matched;
      } else {
        odd += (odd.empty() ? "" : ", ") + print(element, ascii_);
      }
    }
    if (matched < shorter.size() || odd.empty()) return false;
    phrases.push_back(sign(path, grown ? "+" : "-") + odd);
    return true;
  }

  static std::string sign(const std::string& path, std::string_view plus_or_minus) {
    return fmt::format("{}{}{} ", path, path.empty() ? "" : " ", plus_or_minus);
  }

  std::string_view becomes_;
  bool ascii_;
};

}  // namespace

std::string value_phrase(std::string_view json, bool ascii) {
  return with_json(json, ascii, [&](const JsonView& root) { return print(root, ascii); });
}

std::string message_phrase(const trace::Message& message, bool ascii) {
  std::string type = printable(message.type, ascii);
  if (message.body.empty()) return type;
  if (!is_json(message.body)) return fmt::format("{}({})", type, printable(message.body, ascii));
  const JsonDocument document(message.body, "body");
  const JsonView body = document.root();
  if (body.type() == JsonView::Type::Object) return print_call(type, body.members(), ascii);
  return fmt::format("{}({})", type, print(body, ascii));
}

std::string operation_phrase(std::string_view json, bool ascii) {
  return with_json(json, ascii, [&](const JsonView& root) {
    if (root.type() != JsonView::Type::Object) return print(root, ascii);
    const Members members = root.members();
    const bool wrapped = members.size() == 1 && !names_call(members.front());
    return print(wrapped ? members.front().second : root, ascii);
  });
}

bool says_nothing(std::string_view call, std::string_view answer) {
  if (!is_json(call) || !is_json(answer)) return false;
  const JsonDocument asked(call, "call");
  const JsonDocument answered(answer, "answer");
  if (asked.root().type() != JsonView::Type::Object || !is_nothing(answered.root())) return false;
  const Members members = asked.root().members();
  return std::any_of(members.begin(), members.end(), names_call) &&
         std::any_of(members.begin(), members.end(), [](const auto& member) {
           return (member.first == "value" || member.first == "argument") && !is_nothing(member.second);
         });
}

std::string choice_phrase(std::string_view json, bool ascii) {
  return with_json(json, ascii, [&](const JsonView& root) {
    return root.type() == JsonView::Type::Array ? print_elements(root, ascii) : print(root, ascii);
  });
}

std::string sides_phrase(std::string_view json, bool ascii) {
  return with_json(json, ascii, [&](const JsonView& root) {
    if (root.type() != JsonView::Type::Array) return print(root, ascii);
    std::string out;
    for (const JsonView& side : root.elements()) {
      out += out.empty() ? "" : " | ";
      out += side.type() == JsonView::Type::String ? printable(side.string(), ascii) : print(side, ascii);
    }
    return out;
  });
}

std::vector<std::string> diff_phrases(const trace::Diff& diff, std::string_view becomes, bool ascii) {
  DiffPrinter printer(becomes, ascii);
  const std::string name = printable(diff.name, ascii);
  if (is_json(diff.before) && is_json(diff.after)) {
    const JsonDocument before(diff.before, "before");
    const JsonDocument after(diff.after, "after");
    printer.compare(name, before.root(), after.root());
  }
  if (printer.phrases.empty()) {
    printer.phrases.push_back(
        printer.whole_phrase(name, value_phrase(diff.before, ascii), value_phrase(diff.after, ascii)));
  }
  return printer.phrases;
}

std::string shorten_phrase(std::string_view text, int width, std::string_view mark) {
  const int room = width - display_width(mark) - 1;
  const bool closed = !text.empty() && (text.back() == ')' || text.back() == ']' || text.back() == '}');
  if (!closed || room < 4 || display_width(text) <= width) return shorten(text, width, mark);
  std::string out(prefix(text, room));
  // Nothing between the brackets is left: the type alone says more than an empty pair of brackets.
  if (out.find_first_of("([{") == std::string::npos) return shorten(text, width, mark);
  while (out.ends_with(' ')) out.pop_back();
  return out.append(mark).append(1, text.back());
}

}  // namespace heddle::report
