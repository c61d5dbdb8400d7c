// Reads events in JSON through Boost.JSON's parser, without building a tree.
#include <fmt/format.h>

#include <boost/json/basic_parser_impl.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "history/edn_scanner.h"
#include "history/json.h"
#include "history/json_values.h"

namespace heddle::history {
namespace {

namespace json = boost::json;

constexpr std::size_t depth_limit = 128;

enum class Field : std::uint8_t { Other, Process, Type, Function, Key, Value, Argument, Result, Time, Error, Extra };

struct FieldName {
  std::string_view name;
  Field field;
};
// `value` stands in invocations and completions; with `argument` and `result` one object can say both.
constexpr FieldName field_names[] = {{"process", Field::Process},
                                     {"type", Field::Type},
                                     {"f", Field::Function},
                                     {"key", Field::Key},
                                     {"value", Field::Value},
                                     {"time", Field::Time},
                                     {"error", Field::Error},
                                     {"client", Field::Process},
                                     {"client_id", Field::Process},
                                     {"thread", Field::Process},
                                     {"event", Field::Type},
                                     {"kind", Field::Type},
                                     {"function", Field::Function},
                                     {"op", Field::Function},
                                     {"operation", Field::Function},
                                     {"k", Field::Key},
                                     {"v", Field::Value},
                                     {"argument", Field::Argument},
                                     {"arg", Field::Argument},
                                     {"input", Field::Argument},
                                     {"result", Field::Result},
                                     {"output", Field::Result},
                                     {"timestamp", Field::Time},
                                     {"ts", Field::Time}};

Field field_named(std::string_view name) {
  name = bare_name(name);
  for (const FieldName& one : field_names) {
    if (one.name == name) return one.field;
  }
  return Field::Other;
}

// The fields of one event.
struct JsonFields {
  std::string process, type, function;
  Value key = no_key;
  std::optional<Value> value, argument, result;
  std::int64_t time = -1;
  bool has_time = false, has_error = false;
  Event::Extras extras;
};

// Takes one object from Boost.JSON's parser. The parser checks fields of no interest, and they are forgotten.
class EventHandler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Error = json::error_code;

  // With `all`, fields of no interest are kept as extras.
  EventHandler(ValueTable& values, bool all) : builder_(values), all_(all) {}

  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_comment_part(json::string_view, Error&) { return true; }
  bool on_comment(json::string_view, Error&) { return true; }

  bool on_object_begin(Error& error) {
    if (depth_++ > 0 && field_ != Field::Other) {
      builder_.begin();
      levels_ += 2;
    }
    return levels_ <= value_depth_limit || refuse(too_deep, error);
  }
  bool on_object_end(std::size_t, Error&) {
    if (--depth_ > 0 && field_ != Field::Other) {
      levels_ -= 2;
      if (builder_.end_object()) store(builder_.value());
    }
    return true;
  }
  bool on_array_begin(Error& error) {
    if (depth_++ == 0) return refuse("an event is an object, not an array in an array", error);
    if (field_ != Field::Other) {
      builder_.begin();
      ++levels_;
    }
    return levels_ <= value_depth_limit || refuse(too_deep, error);
  }
  bool on_array_end(std::size_t, Error&) {
    --depth_;
    if (field_ != Field::Other) {
      --levels_;
      if (builder_.end_array()) store(builder_.value());
    }
    return true;
  }

  bool on_key_part(json::string_view part, std::size_t, Error&) { return append(part); }
  bool on_key(json::string_view part, std::size_t, Error&) {
    append(part);
    if (depth_ == 1) {
      field_ = field_named(text_);
      if (all_ && field_ == Field::Other) {
        field_ = Field::Extra;
        name_ = name_of_json_field(text_);
      }
    } else if (field_ != Field::Other) {
      builder_.add(json_text(text_, builder_.values()));
    }
    text_.clear();
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, Error&) { return field_ == Field::Other || append(part); }
  bool on_string(json::string_view part, std::size_t, Error& error) {
    if (depth_ == 0) return refuse("an event is an object, not a string", error);
    if (field_ == Field::Other) return true;
    append(part);
    if (depth_ > 1) {
      builder_.add(json_text(text_, builder_.values()));
    } else if (field_ == Field::Process) {
      fields.process = bare_name(text_);
    } else if (field_ == Field::Type) {
      fields.type = bare_name(text_);
    } else if (field_ == Field::Function) {
      fields.function = bare_name(text_);
    } else {
      store(json_text(text_, builder_.values()));
    }
    text_.clear();
    return true;
  }

  bool on_number_part(json::string_view part, Error&) { return append(part); }
  bool on_int64(std::int64_t number, json::string_view, Error& error) {
    text_.clear();
    if (depth_ == 0) return refuse("an event is an object, not a number", error);
    if (depth_ == 1 && field_ == Field::Process) {
      fields.process = fmt::format("{}", number);
    } else if (depth_ == 1 && field_ == Field::Time) {
      fields.time = number;
      fields.has_time = true;
    } else if (field_ != Field::Other) {
      scalar(builder_.values().integer(number));
    }
    return true;
  }
  bool on_uint64(std::uint64_t number, json::string_view, Error& error) {  // more than 2^63 - 1: otherwise an int64
    text_.clear();
    if (field_ == Field::Extra) scalar(builder_.values().text(fmt::format("{}", number)));
    return field_ == Field::Other || field_ == Field::Extra || refuse(too_large, error);
  }
  bool on_double(double number, json::string_view part, Error& error) {
    append(part);
    const std::string spelled = std::exchange(text_, {});
    const bool spelled_as_integer = spelled.find_first_of(".eE") == spelled.npos;
    if (depth_ == 0) return refuse("an event is an object, not a number", error);
    // A time with a fraction has an unknown unit and is left out; times are only shown.
    if (field_ == Field::Other || (depth_ == 1 && field_ == Field::Time && !all_)) return true;
    if (field_ == Field::Extra && (spelled_as_integer || !std::isfinite(number))) {
      scalar(builder_.values().text(spelled));
      return true;
    }
    if (spelled_as_integer || !std::isfinite(number)) return refuse(too_large, error);
    scalar(real_number(number, builder_.values()));
    return true;
  }
  bool on_bool(bool value, Error& error) {
    if (depth_ == 0) return refuse("an event is an object, not a boolean", error);
    if (field_ != Field::Other) scalar(builder_.values().boolean(value));
    return true;
  }
  bool on_null(Error& error) {
    if (depth_ == 0) return refuse("an event is an object, not null", error);
    if (field_ != Field::Other) scalar(nil);
    return true;
  }

  void reset() {
    fields = {};
    text_.clear();
    complaint_ = {};
    field_ = Field::Other;
    depth_ = levels_ = 0;
  }
  // The error message where the parser's error code is not enough.
  std::string_view complaint() const { return complaint_; }

  JsonFields fields;

 private:
  static_assert(value_depth_limit == 100);
  static constexpr std::string_view too_deep = "nested deeper than 100 levels";
  static constexpr std::string_view too_large = "the number does not fit into 64 bits; write it as a string";

  bool append(json::string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool refuse(std::string_view complaint, Error& error) {
    complaint_ = complaint;
    error = json::error::syntax;
    return false;
  }
  void scalar(Value value) {
    if (builder_.add(value)) store(value);
  }
  // Stores a complete field of the event.
  void store(Value value) {
    switch (field_) {
      case Field::Key:
        fields.key = value;
        break;
      case Field::Value:
        fields.value = value;
        break;
      case Field::Argument:
        fields.argument = value;
        break;
      case Field::Result:
        fields.result = value;
        break;
      case Field::Error:
        fields.has_error = value != nil;
        if (all_) fields.extras.emplace_back("error", value);
        break;
      case Field::Extra:
        fields.extras.emplace_back(name_, value);
        break;
      case Field::Time:
        if (all_) fields.extras.emplace_back("time", value);
        break;
      case Field::Other:
      case Field::Process:
      case Field::Type:
      case Field::Function:
        break;  // has the wrong type and counts as missing
    }
  }

  JsonValueBuilder builder_;
  bool all_;
  std::string name_;  // the name of an extra field
  std::string text_;  // the beginning of a key or string that comes in parts
  std::string_view complaint_;
  Field field_ = Field::Other;
  std::size_t depth_ = 0;
  std::size_t levels_ = 0;  // depth of the value; an object counts as two levels
};

class JsonReader {
 public:
  JsonReader(const SourceText& source, HistoryBuilder& builder)
      : source_(source), builder_(builder), parser_(options(), builder.values(), builder.wants_all()) {}

  void read() {
    const char* at = source_.text().data();
    const char* end = at + source_.text().size();
    const char* array = nullptr;  // where the array around the events begins
    bool comma = false;           // a comma is expected before the next event
    for (;;) {
      while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
      if (at == end) break;
      if (*at == '[' && array == nullptr) {
        array = at++;
        comma = false;
      } else if (*at == ']' && array != nullptr) {
        array = nullptr;
        ++at;
      } else if (*at == ',' && array != nullptr && comma) {
        comma = false;
        ++at;
      } else if (array != nullptr && comma) {
        source_.fail(at, "a comma or ']' is expected here");
      } else {
        at = event(at, end);
        comma = true;
      }
    }
    if (array != nullptr) {
      source_.fail(array,
                   "the array that begins here is not closed before the end of the file, which seems to be cut off; "
                   "complete it, or remove its unfinished end");
    }
  }

 private:
  static json::parse_options options() {
    json::parse_options options;
    options.max_depth = depth_limit;
    return options;
  }

  // Returns where the event ends.
  const char* event(const char* begin, const char* end) {
    parser_.reset();
    EventHandler& handler = parser_.handler();
    handler.reset();
    json::error_code error;
    const std::size_t consumed = parser_.write_some(false, begin, static_cast<std::size_t>(end - begin), error);
    if (!handler.complaint().empty()) source_.fail(begin + consumed, handler.complaint());
    if (error == json::error::incomplete) {
      source_.fail(begin,
                   "what begins here is not closed before the end of the file, which seems to be cut off; complete it, "
                   "or remove it");
    }
    if (error == json::error::too_deep) {
      source_.fail(begin + consumed, fmt::format("nested deeper than {} levels", depth_limit));
    }
    if (error) source_.fail(begin + consumed, fmt::format("malformed JSON: {}; correct it", error.message()));
    add(handler.fields, begin);
    return begin + consumed;
  }

  void add(const JsonFields& fields, const char* begin) {
    const auto need = [&](bool there, std::string_view name) {
      if (!there) {
        source_.fail(begin,
                     fmt::format("this object has no \"{}\" that can be read; an event has \"process\", \"type\", "
                                 "\"f\" and \"value\"",
                                 name));
      }
    };
    need(!fields.process.empty(), "process");
    const bool is_nemesis = fields.process == nemesis;
    if (is_nemesis && !builder_.wants_all()) {
      builder_.ignore_nemesis();
      return;
    }
    need(is_nemesis || !fields.type.empty(), "type");
    std::optional<Event::Type> type = event_type(fields.type);
    if (is_nemesis && !type) type = Event::Type::Info;
    if (!type) {
      source_.fail(begin,
                   fmt::format("the type \"{}\" is unknown; it is one of {}", fields.type.substr(0, 40), event_types));
    }
    Event event;
    event.at = begin;
    event.type = *type;
    event.process = fields.process;
    event.function = is_nemesis && fields.function.empty() ? nemesis : std::string_view(fields.function);
    if (event.type == Event::Type::Invoke) need(!fields.function.empty(), "f");
    event.key = fields.key;
    const std::optional<Value>& own = event.type == Event::Type::Invoke ? fields.argument : fields.result;
    event.value = own ? *own : fields.value.value_or(nil);
    event.time = fields.time;
    event.has_error = fields.has_error;
    if (builder_.wants_all()) {
      event.has_value = own || fields.value;
      event.has_time = fields.has_time;
      event.extras = fields.extras;
      // One object may give the result in its invocation, or the argument in its completion.
      const std::optional<Value>& other = event.type == Event::Type::Invoke ? fields.result : fields.argument;
      if (other) event.extras.emplace_back(event.type == Event::Type::Invoke ? "result" : "argument", *other);
    }
    builder_.add(event);
  }

  const SourceText& source_;
  HistoryBuilder& builder_;
  json::basic_parser<EventHandler> parser_;
};

}  // namespace

namespace {
constexpr std::string_view escape = "edn/";
}

std::string json_field_of(std::string_view name) {
  const bool means_something = field_named(name) != Field::Other && name != "error" && name != "time";
  return means_something || name.starts_with(escape) ? std::string(escape) + std::string(name) : std::string(name);
}

std::string_view name_of_json_field(std::string_view field) {
  field = bare_name(field);
  return field.starts_with(escape) ? field.substr(escape.size()) : field;
}

void read_json(const SourceText& source, HistoryBuilder& builder) { JsonReader(source, builder).read(); }

}  // namespace heddle::history
