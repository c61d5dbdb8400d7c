// Finds the columns of an event in a line of a log, and skips all other lines.
#include "history/jepsen_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "history/edn.h"
#include "history/edn_scanner.h"
#include "history/event_log.h"
#include "history/event_order.h"
#include "report/json_text.h"

namespace heddle::history {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_integer(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

struct Columns {
  std::string_view process, type, rest;  // rest: the function and what follows
};

// Finds the first ":word" after an integer or :nemesis, each of them preceded by white space.
std::optional<Columns> columns_of(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != line.npos; colon = line.find(':', colon + 1)) {
    if (colon == 0 || !is_space(line[colon - 1])) continue;
    std::size_t end = colon;
    while (end > 0 && is_space(line[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && !is_space(line[begin - 1])) --begin;
    const std::string_view process = line.substr(begin, end - begin);
    if (!is_integer(process) && process != ":nemesis") continue;
    std::size_t stop = colon;
    while (stop < line.size() && !is_space(line[stop])) ++stop;
    // A word that is not a known type is a column only after a tab: "took 3 :seconds" is somebody's message.
    const std::string_view type = line.substr(colon, stop - colon);
    if (line[colon - 1] != '\t' && !event_type(bare_name(type))) continue;
    return Columns{process, type, line.substr(stop)};
  }
  return std::nullopt;
}

class LogReader {
 public:
  LogReader(const SourceText& source, HistoryBuilder& builder) : source_(source), builder_(builder) {}

  void read() {
    const std::string_view text = source_.text();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t newline = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, newline - begin), newline < text.size());
      begin = newline + 1;
    }
  }

 private:
  // `ended`: a newline follows.
  void line(std::string_view line, bool ended) {
    const std::optional<Columns> columns = columns_of(line);
    if (!columns) {
      if (line.starts_with(keyed_line)) {
        builder_.note_keyed();
      } else if (!line.empty()) {
        builder_.ignore_line();
      }
      return;
    }
    const bool is_nemesis = columns->process == ":nemesis";
    if (is_nemesis && !builder_.wants_all()) {
      builder_.ignore_nemesis();
      return;
    }
    std::optional<Event::Type> type = event_type(bare_name(columns->type));
    if (is_nemesis && !type) type = Event::Type::Info;
    if (!type) {
      source_.fail(columns->type.data(),
                   fmt::format("the type {} is unknown; it is one of {}", columns->type.substr(0, 40), event_types));
    }
    Event event;
    event.at = columns->process.data();
    event.type = *type;
    event.process = bare_name(columns->process);
    EdnScanner rest(source_, columns->rest);
    if (!rest.skip_space() && is_nemesis) {
      event.function = nemesis;
      return builder_.add(event);
    }
    if (rest.at() == columns->rest.data() + columns->rest.size())
      source_.fail(columns->type.data(), "the line ends after the type; a function and a value follow it");
    const bool is_string = rest.peek() == '"';
    if (is_string) function_ = rest.string();
    event.function = bare_name(is_string ? std::string_view(function_) : rest.skip_form());
    if (event.function.empty()) source_.fail(columns->type.data(), "a function without a name");
    if (rest.skip_space()) {
      if (builder_.wants_all() || event.type == Event::Type::Invoke || event.type == Event::Type::Ok) {
        event.value = rest.value(builder_.values());
      } else {
        rest.skip_form();
      }
      event.has_value = true;
      event.has_error = rest.at() < columns->rest.data() + columns->rest.size() && has_more(rest.at(), columns->rest);
      if (event.has_error && builder_.wants_all()) {
        event.extras.emplace_back("error", error({rest.at(), columns->rest.data() + columns->rest.size()}));
      }
    } else if (!is_nemesis) {
      look_at_end(event, ended);
    }
    builder_.add(event);
  }

  // A line without a value is taken for one whose value is nil. At the end of a file that was cut off the value is only
  // not there yet, so a last line without a newline passes only if such lines have no value in this file.
  void look_at_end(const Event& event, bool ended) {
    const auto kind = std::pair(event.type, std::string(event.function));
    if (ended) {
      without_value_.insert(kind);
    } else if (!without_value_.contains(kind)) {
      source_.fail(event.at,
                   fmt::format("this line has no value and does not end, so the file seems to be cut off; complete it, "
                               "remove its unfinished end, or put nil as the value of {}",
                               event.function));
    }
  }

  // Reads one form of EDN; otherwise takes the text as the logger wrote it.
  Value error(std::string_view text) {
    while (is_space(text.front())) text.remove_prefix(1);
    while (is_space(text.back())) text.remove_suffix(1);
    try {
      EdnScanner form(source_, text);
      if (!form.skip_space()) return builder_.values().text(text);
      const Value value = form.value(builder_.values());
      if (!form.skip_space() && value != nil) return value;
    } catch (const HistoryError&) {
      // It is not EDN.
    }
    return builder_.values().text(text);
  }

  static bool has_more(const char* at, std::string_view text) {
    const std::string_view more(at, static_cast<std::size_t>(text.data() + text.size() - at));
    return !std::ranges::all_of(more, is_space);
  }

  const SourceText& source_;
  HistoryBuilder& builder_;
  std::string function_;
  std::set<std::pair<Event::Type, std::string>> without_value_;  // lines that end, by type and function
};

void write_value(const RecordedHistory& history, Value key, Value value, std::string& out) {
  if (key != no_key) {
    out += '[';
    write_edn_value(history.values, key, out);
    out += ' ';
  }
  write_edn_value(history.values, value, out);
  if (key != no_key) out += ']';
}

}  // namespace

void read_jepsen_log(const SourceText& source, HistoryBuilder& builder) { LogReader(source, builder).read(); }

bool is_jepsen_event(std::string_view line) {
  const std::optional<Columns> columns = columns_of(line);
  return columns && (columns->process == ":nemesis" || event_type(bare_name(columns->type)));
}

void write_jepsen_log(const RecordedHistory& history, std::string& out) {
  const auto has_key = [](const RecordedOperation& operation) { return operation.key != no_key; };
  if (std::ranges::any_of(history.operations, has_key) && !std::ranges::all_of(history.operations, has_key)) {
    throw HistoryError(
        "some operations have a key and some have none, which this format cannot say; write edn or json");
  }
  if (std::ranges::any_of(history.operations, has_key)) fmt::format_to(std::back_inserter(out), "{}\n", keyed_line);
  const bool keep_names = std::ranges::all_of(history.processes, [](const std::string& process) {
    return is_integer(process) && report::is_plain_integer(process);
  });
  for (const WrittenEvent& event : written_events(history)) {
    const RecordedOperation& operation = event.operation;
    fmt::format_to(std::back_inserter(out), "INFO  jepsen.util - {}\t:{}\t",
                   keep_names ? history.processes[operation.process] : fmt::format("{}", operation.process),
                   event.type);
    write_edn_function(history.functions[operation.function], out);
    out += '\t';
    write_value(history, operation.key, event.value, out);
    if (event.did_not_happen) out += "\t:did-not-happen";
    out += '\n';
  }
}

}  // namespace heddle::history
