// Recognises a format by its first characters, and calls its reader.
#include "history/read_history.h"

#include "history/edn.h"
#include "history/history_builder.h"
#include "history/jepsen_log.h"
#include "history/json.h"
#include "history/trace.h"

namespace heddle::history {
namespace {

constexpr std::string_view blank = " \t\r\n,";
constexpr std::size_t sample = 4096;  // how many bytes are looked at to recognise a trace

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr FormatName format_names[] = {
    {"edn", Format::Edn},    {"jepsen-log", Format::JepsenLog}, {"json", Format::Json},      {"trace", Format::Trace},
    {"jepsen", Format::Edn}, {"porcupine", Format::Edn},        {"log", Format::JepsenLog},  {"txt", Format::JepsenLog},
    {"jsonl", Format::Json}, {"ndjson", Format::Json},          {"json-lines", Format::Json}};

bool is_log(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    if (is_jepsen_event(text.substr(begin, newline - begin))) return true;
    begin = newline + 1;
  }
  return false;
}

// True if there is a member "format": "heddle-trace". The text alone is not enough: it may be a value of an event.
bool is_trace(std::string_view text) {
  constexpr std::string_view name = "\"format\"", value = "\"heddle-trace\"";
  for (std::size_t at = text.find(value); at != text.npos; at = text.find(value, at + 1)) {
    std::string_view before = text.substr(0, at);
    const auto trim = [&] { before = before.substr(0, before.find_last_not_of(blank) + 1); };
    trim();
    if (!before.ends_with(':')) continue;
    before.remove_suffix(1);
    trim();
    if (before.ends_with(name)) return true;
  }
  return false;
}

}  // namespace

std::string_view name(Format format) { return format_names[static_cast<int>(format)].name; }

std::optional<Format> format_named(std::string_view name) {
  for (const FormatName& one : format_names) {
    if (one.name == name) return one.format;
  }
  return std::nullopt;
}

std::optional<Format> format_of_file(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  const std::size_t slash = file_name.rfind('/');
  if (dot == file_name.npos || (slash != file_name.npos && slash > dot)) return std::nullopt;
  return format_named(file_name.substr(dot + 1));
}

// EDN and JSON begin with the same brackets. What follows decides: a keyword or a string.
Format detect_format(const SourceText& source) {
  const std::string_view text = source.text();
  const auto at = [&](std::size_t i) { return i == text.npos ? '\0' : text[i]; };
  std::size_t first = text.find_first_not_of(blank);
  if (first == text.npos) source.fail(text.data(), "the file is empty; is it the right one?");
  if (at(first) == '#' || at(first) == ';' || at(first) == '(') return Format::Edn;
  if (at(first) == '[') first = text.find_first_not_of(blank, first + 1);
  if (at(first) == '{') {
    if (at(text.find_first_not_of(blank, first + 1)) != '"') return Format::Edn;
    return is_trace(text.substr(0, sample)) ? Format::Trace : Format::Json;
  }
  if (at(first) == '#' || at(first) == ']') return Format::Edn;
  if (is_log(text)) return Format::JepsenLog;
  source.fail(text.data(),
              "this is none of the known formats: EDN, JSON, a Jepsen log, a trace; name it with --format");
}

std::string backwards_text(const ReadSummary& summary) {
  if (summary.backwards == 0) return "";
  return "times go backwards: " + summary.first_backwards +
         (summary.backwards == 1 ? "" : ", and " + std::to_string(summary.backwards - 1) + " more") +
         "; events were taken in the order of the file, so sort it if that is wrong";
}

ReadSummary read_history(std::string_view text, const std::string& file_name, const ReadOptions& options,
                         RecordedHistory& history) {
  const SourceText source(text, file_name);
  const Format format = options.format ? *options.format : detect_format(source);
  HistoryBuilder builder(source, options, history);
  switch (format) {
    case Format::Edn:
      read_edn(source, builder);
      break;
    case Format::JepsenLog:
      read_jepsen_log(source, builder);
      break;
    case Format::Json:
      read_json(source, builder);
      break;
    case Format::Trace:
      read_trace(source, builder);
      break;
  }
  ReadSummary summary = builder.finish();
  summary.format = format;
  return summary;
}

}  // namespace heddle::history
