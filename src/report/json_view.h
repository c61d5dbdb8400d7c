// Reads JSON in place, so that every error message can say file:line:column.
//
// Boost.JSON checks syntax, UTF-8 and nesting depth once and unescapes strings. But its values forget where they stood
// and how their numbers were spelled. A JsonView is therefore a slice of the checked text: it knows its position, and a
// value that is passed through keeps every digit.
//
//   JsonDocument document(text, "trace.json");           // throws ReportError if this is not JSON
//   document.root().member("lanes").elements().size();
//
// A view is valid as long as its document, and a document as long as the text it was made from.
// Thread-safe after construction: views only read.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::report {

// Thrown if a file of the user's cannot be read, or a result cannot be written; what() names the place and the remedy.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class JsonDocument;

class JsonView {
 public:
  enum class Type { Null, Bool, Number, String, Array, Object };

  Type type() const;
  // As spelled in the document.
  std::string_view text() const { return text_; }
  // Without white space between tokens.
  std::string compact() const;

  // Each throws ReportError, pointing at this value, if it has another type.
  std::string string() const;
  std::vector<JsonView> elements() const;
  std::vector<std::pair<std::string, JsonView>> members() const;
  // The value of `key` in an object; the last one if the key occurs twice, as is usual for JSON.
  std::optional<JsonView> find(std::string_view key) const;
  JsonView member(std::string_view key) const;  // throws if missing
  void expect(Type expected) const;

  [[noreturn]] void fail(std::string_view message) const;

 private:
  friend class JsonDocument;
  JsonView(const JsonDocument* document, std::string_view text) : document_(document), text_(text) {}
  const JsonDocument* document_;
  std::string_view text_;
};

class JsonDocument {
 public:
  static constexpr std::size_t depth_limit = 128;

  // `remedy` is added to the error message if the text is not JSON.
  JsonDocument(std::string_view text, std::string file_name, std::string_view remedy = {});
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonView root() const;
  [[noreturn]] void fail(std::size_t offset, std::string_view message) const;

 private:
  friend class JsonView;
  std::string_view text_;
  std::string file_name_;
};

bool is_json(std::string_view text, std::size_t max_depth = JsonDocument::depth_limit);
}  // namespace heddle::report
