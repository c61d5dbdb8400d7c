// Takes each line from Boost.JSON's parser without building a tree.
#include "history/call_log.h"

#include <fmt/format.h>

#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <limits>
#include <string_view>

#include "report/json_text.h"

namespace heddle::history {
// This namespace has a name because the parser that is built from the handler has linkage.
namespace call_log {

namespace json = boost::json;

enum Field : std::uint8_t { Call, RoundOf, Value, Parent, Instance, Mode, Process, Other };
constexpr std::array<std::string_view, Other> field_names = {"call",     "round", "value",  "parent",
                                                             "instance", "mode",  "process"};
constexpr unsigned bit(Field field) { return 1U << field; }
// Says which fields a call has, and which of them it must have.
struct Shape {
  std::string_view name;
  unsigned fields, needed;
  std::string_view example;
};
constexpr std::array<Shape, 3> shapes = {{
    {"add", bit(RoundOf) | bit(Value) | bit(Parent) | bit(Instance) | bit(Mode),
     bit(RoundOf) | bit(Value) | bit(Parent),
     R"({"call": "add", "round": 2, "value": "x", "parent": 1}, with parent 0 for a value that comes from no round)"},
    {"commit", bit(RoundOf) | bit(Instance) | bit(Mode), bit(RoundOf), R"({"call": "commit", "round": 2})"},
    {"decided", bit(RoundOf) | bit(Value) | bit(Instance) | bit(Process), bit(RoundOf) | bit(Value),
     R"({"call": "decided", "process": "p1", "round": 2, "value": "x"})"},
}};

constexpr std::int64_t highest_number = std::int64_t{1} << 62;

Field field_named(std::string_view name) {
  for (std::size_t i = 0; i < field_names.size(); ++i) {
    if (field_names[i] == name) return static_cast<Field>(i);
  }
  return Other;
}

// Sets `out` to the text as a JSON string. Texts that need no escapes take a short cut.
void quote(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) {
      out = report::quoted(text);
      return;
    }
  }
  out.clear();
  out += '"';
  out += text;
  out += '"';
}

// Receives the one object of a line from Boost.JSON's parser.
class CallHandler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Error = json::error_code;

  void reset(LoggedCall& call) {
    call_ = &call;
    text_.clear();
    complaint_.clear();
    kind_ = nullptr;
    seen_ = 0;
    depth_ = elements_ = 0;
    field_ = Other;
  }
  const std::string& complaint() const { return complaint_; }

  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_comment_part(json::string_view, Error&) { return true; }
  bool on_comment(json::string_view, Error&) { return true; }

  bool on_object_begin(Error& error) { return depth_++ == 0 || field_ == Other || wrong_type(error); }
  bool on_object_end(std::size_t, Error& error) { return --depth_ > 0 || complete(error); }
  bool on_array_begin(Error& error) {
    if (depth_ == 0) return refuse("this is an array; write one object a line, as `jq -c '.[]'` does", error);
    elements_ = 0;
    return depth_++ == 1 && is_round() ? true : field_ == Other || wrong_type(error);
  }
  bool on_array_end(std::size_t, Error& error) {
    --depth_;
    return !is_round() || elements_ == 2 || wrong_type(error);
  }

  bool on_key_part(json::string_view part, std::size_t, Error&) { return append(part); }
  bool on_key(json::string_view part, std::size_t, Error& error) {
    const std::string_view name = whole(part);
    bool fine = true;
    if (depth_ == 1) {
      field_ = field_named(name);
      if (field_ == Other) {
        leave_out(name);
      } else if ((seen_ & bit(field_)) != 0) {
        fine = refuse(fmt::format("\"{}\" is here twice; remove one", name), error);
      } else {
        seen_ |= bit(field_);
      }
    }
    text_.clear();
    return fine;
  }
  bool on_string_part(json::string_view part, std::size_t, Error&) { return field_ == Other || append(part); }
  bool on_string(json::string_view part, std::size_t, Error& error) {
    if (field_ == Other && depth_ > 0) return true;
    const bool fine = string(whole(part), error);
    text_.clear();
    return fine;
  }
  bool on_number_part(json::string_view, Error&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, Error& error) {
    if (field_ == Other && depth_ > 0) return true;
    if (depth_ == 2 && is_round()) return part_of_round(number, error);
    if (depth_ != 1) return wrong_type(error);
    if (is_round()) {
      round() = {};
      elements_ = 0;
      return part_of_round(number, error);
    }
    switch (field_) {
      case Value:
        call_->value.json = std::to_string(number);
        return true;
      case Process:
        call_->process = std::to_string(number);
        return true;
      case Instance:
        call_->mode.instance = number;
        return in_range(number) || refuse("an instance is a number from 0 to 2^62", error);
      default:
        return wrong_type(error);
    }
  }
  bool on_uint64(std::uint64_t, json::string_view, Error& error) {
    return (field_ == Other && depth_ > 0) || refuse("the number is too large; a value can be a string", error);
  }
  bool on_double(double, json::string_view, Error& error) {
    if (field_ == Other && depth_ > 0) return true;
    return field_ == Value ? refuse("a value is no number with a fraction; write it as a string", error)
                           : wrong_type(error);
  }
  bool on_bool(bool value, Error& error) { return literal(value ? "true" : "false", error); }
  bool on_null(Error& error) { return literal("null", error); }

  std::set<std::string> left_out;

 private:
  bool refuse(std::string complaint, Error& error) {
    complaint_ = std::move(complaint);
    error = json::error::syntax;
    return false;
  }
  bool wrong_type(Error& error) {
    switch (depth_ == 0 ? Call : field_) {
      case RoundOf:
      case Parent:
        return refuse(fmt::format("\"{}\" is a number from 0, or [term, index] with two of them", field_names[field_]),
                      error);
      case Value:
        return refuse("\"value\" is a string, an integer, a boolean or null; write anything else as a string", error);
      case Instance:
        return refuse("\"instance\" is the sequence number, an integer from 0", error);
      case Process:
        return refuse("\"process\" is a string or an integer", error);
      case Mode:
        return refuse(R"("mode" is "strict", "once", or for a commit "implied")", error);
      default:
        return depth_ == 0 ? refuse(R"(a call is an object, such as {"call": "commit", "round": 2})", error)
                           : refuse(R"("call" is "add", "commit" or "decided")", error);
    }
  }

  bool append(json::string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  // Returns the whole key or string. It comes in parts if it has escapes.
  std::string_view whole(json::string_view last) {
    if (text_.empty()) return {last.data(), last.size()};
    append(last);
    return text_;
  }
  void leave_out(std::string_view name) {
    constexpr std::size_t most = 10;
    if (left_out.size() < most && !left_out.contains(std::string(name))) left_out.emplace(name);
  }

  bool is_round() const { return field_ == RoundOf || field_ == Parent; }
  heddle::Round& round() { return field_ == Parent ? call_->parent : call_->round; }
  static bool in_range(std::int64_t number) { return number >= 0 && number <= highest_number; }
  bool part_of_round(std::int64_t number, Error& error) {
    if (!in_range(number) || elements_ == 2) return wrong_type(error);
    (elements_++ == 0 ? round().term : round().index) = number;
    if (elements_ == 1) round().index = 0;
    return true;
  }
  bool literal(std::string_view text, Error& error) {
    if (field_ == Other && depth_ > 0) return true;
    if (depth_ != 1 || field_ != Value) return wrong_type(error);
    call_->value.json = text;
    return true;
  }
  bool string(std::string_view text, Error& error) {
    if (depth_ != 1) return wrong_type(error);
    switch (field_) {
      case Call:
        for (const Shape& shape : shapes) {
          if (shape.name == text) kind_ = &shape;
        }
        return kind_ != nullptr ||
               refuse(
                   fmt::format("there is no call \"{}\"; it is \"add\", \"commit\" or \"decided\"", text.substr(0, 40)),
                   error);
      case Value:
        quote(text, call_->value.json);
        return true;
      case Process:
        quote(text, call_->process);
        return true;
      case Mode:
        call_->mode.repeat = text == "once" ? Repeat::once : text == "implied" ? Repeat::implied : Repeat::strict;
        return text == "strict" || call_->mode.repeat != Repeat::strict || wrong_type(error);
      default:
        return wrong_type(error);
    }
  }

  // Called when the whole object has been read. Returns false if a field is missing or wrong.
  bool complete(Error& error) {
    if (kind_ == nullptr) return refuse(R"(this object has no "call", which is "add", "commit" or "decided")", error);
    for (std::size_t i = 0; i < field_names.size(); ++i) {
      const unsigned one = 1U << i;
      if ((kind_->needed & ~seen_ & one) != 0) {
        return refuse(fmt::format("\"{}\" is missing; write {}", field_names[i], kind_->example), error);
      }
      if (i != Call && (seen_ & ~kind_->fields & one) != 0) leave_out(field_names[i]);
    }
    call_->kind = static_cast<LoggedCall::Kind>(kind_ - shapes.data());
    if ((seen_ & kind_->fields & bit(Instance)) == 0) call_->mode.instance = 0;
    if ((seen_ & kind_->fields & bit(Mode)) == 0) call_->mode.repeat = Repeat::strict;
    if ((seen_ & kind_->fields & bit(Process)) == 0) call_->process.clear();
    if (call_->mode.repeat == Repeat::implied && call_->kind == LoggedCall::Kind::Add) {
      return refuse(R"(the mode "implied" is for commits; an add that may be repeated is "once")", error);
    }
    return true;
  }

  LoggedCall* call_ = nullptr;
  std::string text_;  // of a key or string that came in parts
  std::string complaint_;
  const Shape* kind_ = nullptr;
  unsigned seen_ = 0;
  std::size_t depth_ = 0, elements_ = 0;
  Field field_ = Other;
};

json::parse_options parse_options() {
  json::parse_options options;
  options.max_depth = 64;
  return options;
}

}  // namespace call_log

struct CallLogReader::Parser : boost::json::basic_parser<call_log::CallHandler> {
  Parser() : basic_parser(call_log::parse_options()) {}
};

CallLogReader::CallLogReader(LineReader& lines) : lines_(lines), parser_(std::make_unique<Parser>()) {}
CallLogReader::~CallLogReader() = default;

const std::set<std::string>& CallLogReader::left_out() const { return parser_->handler().left_out; }

bool CallLogReader::next(LoggedCall& call) {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (line.find_first_not_of(" \t\r") == line.npos);
  parser_->reset();
  call_log::CallHandler& handler = parser_->handler();
  handler.reset(call);
  boost::json::error_code error;
  const std::size_t consumed = parser_->write_some(false, line.data(), line.size(), error);
  const char* at = line.data() + consumed;
  if (!handler.complaint().empty()) lines_.fail(at, handler.complaint());
  if (error == boost::json::error::incomplete) {
    lines_.fail(line.data(),
                "the object does not end on its line; write one object a line, and remove a line that was cut off");
  }
  if (error) lines_.fail(at, fmt::format("malformed JSON: {}; correct it", error.message()));
  if (std::string_view(at, line.size() - consumed).find_first_not_of(" \t\r") != line.npos) {
    lines_.fail(at, "something follows the object; write one object a line");
  }
  call.line = call.value.added = lines_.number();
  return true;
}

}  // namespace heddle::history
