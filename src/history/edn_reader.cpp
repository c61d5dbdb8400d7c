// Reads events in EDN: finds the fields of a map in place, and hands them to the builder.
#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "history/edn.h"
#include "history/edn_scanner.h"

namespace heddle::history {
namespace {

// The fields of one event as they stand in the text. An empty one is missing.
struct EdnFields {
  std::string_view process, type, function, value, key, time, error;
  std::vector<std::pair<std::string_view, std::string_view>> others;  // only if all fields are wanted
};

std::string_view* field(EdnFields& fields, std::string_view keyword) {
  if (keyword == ":process") return &fields.process;
  if (keyword == ":type") return &fields.type;
  if (keyword == ":f") return &fields.function;
  if (keyword == ":value") return &fields.value;
  if (keyword == ":time") return &fields.time;
  if (keyword == ":key") return &fields.key;
  if (keyword == ":error") return &fields.error;
  return nullptr;
}

class EdnReader {
 public:
  EdnReader(const SourceText& source, HistoryBuilder& builder)
      : source_(source), builder_(builder), scanner_(source, source.text()) {}

  void read() {
    const char* vector = nullptr;  // where the vector around the events begins
    char closer = 0;
    while (scanner_.skip_space()) {
      const char c = scanner_.peek();
      if (c == '{') {
        event();
      } else if ((c == '[' || c == '(') && vector == nullptr) {
        vector = scanner_.at();
        closer = c == '[' ? ']' : ')';
        scanner_.advance();
      } else if (vector != nullptr && c == closer) {
        vector = nullptr;
        scanner_.advance();
      } else if (c == '#') {
        scanner_.token();  // the tag of what follows
      } else {
        source_.fail(scanner_.at(),
                     "an event is expected here: a map such as {:process 0, :type :invoke, :f :read, "
                     ":value nil}");
      }
    }
    if (vector != nullptr) {
      source_.fail(vector,
                   "the vector that begins here is not closed before the end of the file, which seems to be cut off; "
                   "complete it, or remove its unfinished end");
    }
  }

 private:
  void event() {
    const char* begin = scanner_.at();
    const EdnFields fields = read_fields(begin);
    const auto need = [&](std::string_view text, std::string_view name) {
      if (text.empty()) {
        source_.fail(begin, fmt::format("this map has no {}; an event has :process, :type, :f and :value", name));
      }
    };
    need(fields.process, ":process");
    Event event;
    event.process = bare(fields.process, process_);
    if (event.process == nemesis) return nemesis_event(fields, event);
    need(fields.type, ":type");
    need(fields.function, ":f");
    event.at = begin;
    const std::optional<Event::Type> type = event_type(bare(fields.type, type_));
    if (!type) {
      source_.fail(fields.type.data(),
                   fmt::format("the :type {} is unknown; it is one of {}", shortened(fields.type), event_types));
    }
    event.type = *type;
    event.function = bare(fields.function, function_);
    if (event.process.empty() || event.function.empty()) source_.fail(begin, "a process or function without a name");
    event.has_error = !fields.error.empty() && fields.error != "nil";
    if (!fields.key.empty()) event.key = value(fields.key);
    if (!fields.value.empty() &&
        (builder_.wants_all() || event.type == Event::Type::Invoke || event.type == Event::Type::Ok)) {
      event.value = value(fields.value);
    }
    read_rest(fields, event);
    builder_.add(event);
  }

  // An event of the nemesis matters only if all events are wanted.
  void nemesis_event(const EdnFields& fields, Event& event) {
    if (!builder_.wants_all()) return builder_.ignore_nemesis();
    const std::string_view type = fields.type.empty() ? "" : bare(fields.type, type_);
    event.type = event_type(type).value_or(Event::Type::Info);
    event.function = fields.function.empty() ? nemesis : bare(fields.function, function_);
    if (!fields.key.empty()) event.key = value(fields.key);
    if (!fields.value.empty()) event.value = value(fields.value);
    read_rest(fields, event);
    builder_.add(event);
  }

  void read_rest(const EdnFields& fields, Event& event) {
    const char* end = fields.time.data() + fields.time.size();
    const auto time = std::from_chars(fields.time.data(), end, event.time);
    if (!builder_.wants_all()) return;
    event.has_value = !fields.value.empty();
    event.has_time = !fields.time.empty() && time.ec == std::errc() && time.ptr == end;
    if (!fields.time.empty() && !event.has_time) event.extras.emplace_back("time", value(fields.time));
    if (!fields.error.empty()) event.extras.emplace_back("error", value(fields.error));
    for (const auto& [name, form] : fields.others) {
      event.extras.emplace_back(bare(name, name_), value(form));
    }
  }

  EdnFields read_fields(const char* begin) {
    EdnFields fields;
    scanner_.advance();
    for (;;) {
      expect_more(begin);
      const char c = scanner_.peek();
      if (c == '}') break;
      const std::string_view key = c == ':' ? scanner_.token() : scanner_.skip_form();
      expect_more(begin);
      if (scanner_.peek() == '}') source_.fail(key.data(), "a map with a key that has no value; add the value");
      const std::string_view text = scanner_.skip_form();
      if (std::string_view* found = field(fields, key)) {
        if (!found->empty()) source_.fail(key.data(), fmt::format("{} stands twice in this map; remove one", key));
        *found = text;
      } else if (builder_.wants_all()) {
        fields.others.emplace_back(key, text);
      }
    }
    scanner_.advance();
    return fields;
  }

  void expect_more(const char* begin) {
    if (!scanner_.skip_space()) {
      source_.fail(begin,
                   "the map that begins here is not closed before the end of the file, which seems to be cut off; "
                   "complete it, or remove it");
    }
  }

  // Returns a name without EDN's colon or quotes: `read` for :read, "read" and read. It is a view into the source or
  // into `storage`.
  std::string_view bare(std::string_view form, std::string& storage) {
    if (form[0] != '"') return bare_name(form);
    storage = EdnScanner(source_, form).string();
    return bare_name(storage);
  }

  Value value(std::string_view form) {
    if (form == "nil") return nil;
    return EdnScanner(source_, form).value(builder_.values());
  }

  static std::string shortened(std::string_view text) {
    return std::string(text.substr(0, 40)) + (text.size() > 40 ? "..." : "");
  }

  const SourceText& source_;
  HistoryBuilder& builder_;
  EdnScanner scanner_;
  std::string process_, type_, function_, name_;
};

}  // namespace

void read_edn(const SourceText& source, HistoryBuilder& builder) { EdnReader(source, builder).read(); }

}  // namespace heddle::history
