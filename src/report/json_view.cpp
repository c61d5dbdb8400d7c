// Scans a text that Boost.JSON has accepted, so brackets match and strings end.
#include "report/json_view.h"

#include <fmt/format.h>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <cstdint>

#include "report/utf8.h"

namespace heddle::report {
namespace {

namespace json = boost::json;

// Accepts everything: only the parser's own checks are wanted, and no tree is built.
struct Ignore {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Error = json::error_code;
  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_array_begin(Error&) { return true; }
  bool on_array_end(std::size_t, Error&) { return true; }
  bool on_object_begin(Error&) { return true; }
  bool on_object_end(std::size_t, Error&) { return true; }
  bool on_string_part(json::string_view, std::size_t, Error&) { return true; }
  bool on_string(json::string_view, std::size_t, Error&) { return true; }
  bool on_key_part(json::string_view, std::size_t, Error&) { return true; }
  bool on_key(json::string_view, std::size_t, Error&) { return true; }
  bool on_number_part(json::string_view, Error&) { return true; }
  bool on_int64(std::int64_t, json::string_view, Error&) { return true; }
  bool on_uint64(std::uint64_t, json::string_view, Error&) { return true; }
  bool on_double(double, json::string_view, Error&) { return true; }
  bool on_bool(bool, Error&) { return true; }
  bool on_null(Error&) { return true; }
  bool on_comment_part(json::string_view, Error&) { return true; }
  bool on_comment(json::string_view, Error&) { return true; }
};

struct SyntaxError {
  std::size_t offset;
  std::string message;
};

std::optional<SyntaxError> check_syntax(std::string_view text, std::size_t max_depth) {
  json::parse_options options;
  options.max_depth = max_depth;
  json::basic_parser<Ignore> parser(options);
  json::error_code error;
  const std::size_t consumed = parser.write_some(false, text.data(), text.size(), error);
  if (!error && consumed < text.size()) error = json::error::extra_data;
  if (!error) return std::nullopt;
  if (error == json::error::incomplete) return SyntaxError{text.size(), "the text ends too early"};
  if (error == json::error::too_deep) return SyntaxError{consumed, fmt::format("nested deeper than {}", max_depth)};
  return SyntaxError{consumed, error.message()};
}

// The scanners below rely on check_syntax(): brackets match, strings end.

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// Returns the end of the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t open = 0;
  do {
    switch (text[at]) {
      case '"':
        at = skip_string(text, at);
        break;
      case '{':
      case '[':
        ++open;
        ++at;
        break;
      case '}':
      case ']':
        --open;
        ++at;
        break;
      default:
        if (open > 0) {
          ++at;
        } else {
          while (at < text.size() && !is_space(text[at]) && text[at] != ',' && text[at] != ']' && text[at] != '}') ++at;
        }
    }
  } while (open > 0);
  return at;
}

std::string unescape(std::string_view literal) { return std::string(json::parse(literal).as_string()); }

std::string_view article_and_name(JsonView::Type type) {
  constexpr std::string_view names[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
  return names[static_cast<int>(type)];
}

}  // namespace

JsonView::Type JsonView::type() const {
  switch (text_.front()) {
    case 'n':
      return Type::Null;
    case 't':
    case 'f':
      return Type::Bool;
    case '"':
      return Type::String;
    case '[':
      return Type::Array;
    case '{':
      return Type::Object;
    default:
      return Type::Number;
  }
}

std::string JsonView::compact() const {
  std::string out;
  for (std::size_t at = skip_space(text_, 0); at < text_.size(); at = skip_space(text_, at)) {
    const std::size_t end = text_[at] == '"' ? skip_string(text_, at) : at + 1;
    out += text_.substr(at, end - at);
    at = end;
  }
  return out;
}

void JsonView::expect(Type expected) const {
  if (type() != expected) {
    fail(fmt::format("expected {}, found {}", article_and_name(expected), article_and_name(type())));
  }
}

std::string JsonView::string() const {
  expect(Type::String);
  return unescape(text_);
}

std::vector<JsonView> JsonView::elements() const {
  expect(Type::Array);
  std::vector<JsonView> out;
  for (std::size_t at = skip_space(text_, 1); text_[at] != ']';) {
    const std::size_t end = skip_value(text_, at);
    out.push_back(JsonView(document_, text_.substr(at, end - at)));
    at = skip_space(text_, end);
    if (text_[at] == ',') at = skip_space(text_, at + 1);
  }
  return out;
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
  expect(Type::Object);
  std::vector<std::pair<std::string, JsonView>> out;
  for (std::size_t at = skip_space(text_, 1); text_[at] != '}';) {
    const std::size_t key_end = skip_string(text_, at);
    const std::string_view key = text_.substr(at, key_end - at);
    at = skip_space(text_, skip_space(text_, key_end) + 1);
    const std::size_t end = skip_value(text_, at);
    out.emplace_back(unescape(key), JsonView(document_, text_.substr(at, end - at)));
    at = skip_space(text_, end);
    if (text_[at] == ',') at = skip_space(text_, at + 1);
  }
  return out;
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  std::optional<JsonView> found;
  for (auto& [name, value] : members()) {
    if (name == key) found = value;
  }
  return found;
}

JsonView JsonView::member(std::string_view key) const {
  if (std::optional<JsonView> found = find(key)) return *found;
  fail(fmt::format("missing field \"{}\"", key));
}

void JsonView::fail(std::string_view message) const {
  document_->fail(static_cast<std::size_t>(text_.data() - document_->text_.data()), message);
}

JsonDocument::JsonDocument(std::string_view text, std::string file_name, std::string_view remedy)
    : text_(text), file_name_(std::move(file_name)) {
  if (std::optional<SyntaxError> error = check_syntax(text, depth_limit)) {
    fail(error->offset, fmt::format("malformed JSON: {}{}{}", error->message, remedy.empty() ? "" : "; ", remedy));
  }
}

JsonView JsonDocument::root() const {
  const std::size_t at = skip_space(text_, 0);
  return {this, text_.substr(at, skip_value(text_, at) - at)};
}

void JsonDocument::fail(std::size_t offset, std::string_view message) const {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < offset && i < text_.size();) {
    const CodePoint c = decode(text_, i);
    i += c.bytes.size();
    line += c.value == '\n' ? 1 : 0;
    column = c.value == '\n' ? 1 : column + 1;
  }
  throw ReportError(fmt::format("{}:{}:{}: {}", file_name_, line, column, message));
}

bool is_json(std::string_view text, std::size_t max_depth) { return !check_syntax(text, max_depth); }

}  // namespace heddle::report
