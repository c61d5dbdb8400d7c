// The rules of who may invoke and complete when, the same for all formats.
#include "history/history_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "history/event_log.h"
#include "history/keyed.h"

namespace heddle::history {
namespace {

constexpr std::uint32_t events_between_checks = 4096;

std::string as_text(std::string_view name) {
  constexpr std::size_t enough = 60;
  return name.size() <= enough ? std::string(name) : std::string(name.substr(0, enough)) + "…";
}

}  // namespace

std::optional<Event::Type> event_type(std::string_view name) {
  using enum Event::Type;
  struct Known {
    std::string_view name;
    Event::Type type;
  };
  constexpr Known known[] = {{"invoke", Invoke}, {"ok", Ok},        {"fail", Fail},      {"info", Info},
                             {"call", Invoke},   {"begin", Invoke}, {"request", Invoke}, {"return", Ok},
                             {"end", Ok},        {"response", Ok},  {"complete", Ok},    {"failed", Fail},
                             {"unknown", Info},  {"timeout", Info}, {"timed-out", Info}, {"timed_out", Info}};
  for (const Known& one : known) {
    if (one.name == name) return one.type;
  }
  return std::nullopt;
}

bool is_compare_and_set(std::string_view function) {
  constexpr std::string_view known[] = {"cas", "compare-and-set", "compare_and_set", "compare-and-swap",
                                        "compare_and_swap"};
  return std::ranges::find(known, function) != std::end(known);
}

HistoryBuilder::HistoryBuilder(const SourceText& source, const ReadOptions& options, RecordedHistory& history)
    : source_(source), options_(options), history_(history) {}

void HistoryBuilder::add(const Event& event) {
  if (event.process == nemesis) {
    ignore_nemesis();
    if (wants_all()) log(event, 0, 0);
    return;
  }
  if (until_check_-- == 0) check_budget();
  if (history_.events == std::numeric_limits<std::uint32_t>::max() - 1) {
    source_.fail(event.at, "more than 2^32 events; check a part of the history");
  }
  const std::uint32_t process = history_.process(event.process);
  if (process >= open_.size()) open_.resize(process + 1, never);
  if (event.time >= 0) look_at_time(event, process);
  if (event.type == Event::Type::Invoke) {
    invoke(event, process);
    if (wants_all()) log(event, process, history_.operations.back().function);
  } else {
    const std::uint32_t index = open_[process];
    complete(event, process);
    if (wants_all()) log(event, process, history_.operations[index].function);
  }
}

void HistoryBuilder::log(const Event& event, std::uint32_t process, std::uint32_t function) {
  LoggedEvent& logged = options_.log->events.emplace_back();
  logged.type = event.type;
  logged.process = process;
  logged.function = function;
  if (event.process == nemesis) {
    logged.is_nemesis = true;
    std::vector<std::string>& names = options_.log->functions;
    const auto known = std::ranges::find(names, event.function);
    logged.function = static_cast<std::uint32_t>(known - names.begin());
    if (known == names.end()) names.emplace_back(event.function);
  }
  logged.key = event.key;
  if (event.has_value) logged.value = event.value;
  if (event.has_time) logged.time = event.time;
  logged.extras = event.extras;
}

// Counts times that contradict the order of the file. The order of the file counts; such times mean that the file is
// not in order, or that clocks were wrong.
void HistoryBuilder::look_at_time(const Event& event, std::uint32_t process) {
  if (process >= latest_.size()) latest_.resize(process + 1);
  Moment& latest = latest_[process];
  const std::uint32_t line = source_.line(event.at);
  if (event.time < latest.time && summary_.backwards++ == 0) {
    summary_.first_backwards = fmt::format("the time {} of process {} in line {} is before its time {} in line {}",
                                           event.time, as_text(event.process), line, latest.time, latest.line);
  }
  latest = {event.time, line};
}

void HistoryBuilder::invoke(const Event& event, std::uint32_t process) {
  if (event.function.empty()) source_.fail(event.at, "an invocation without a function; say which operation it is");
  if (open_[process] != never) {
    source_.fail(
        event.at,
        fmt::format("process {} has two open operations: the {} of line {} has no completion before this "
                    "invocation; add it (info if the outcome is unknown), or give each client its own process",
                    as_text(event.process), as_text(history_.functions[history_.operations[open_[process]].function]),
                    history_.operations[open_[process]].invoked_line));
  }
  const std::size_t index = history_.invoke(process, history_.name(event.function), event.key, event.value);
  RecordedOperation& operation = history_.operations[index];
  operation.invoked_line = source_.line(event.at);
  operation.invoked_time = event.time;
  open_[process] = static_cast<std::uint32_t>(index);
}

void HistoryBuilder::complete(const Event& event, std::uint32_t process) {
  if (open_[process] == never) {
    source_.fail(event.at,
                 fmt::format("a completion without an invocation: process {} has no open operation; the beginning of "
                             "the history may be missing, or its events are not in the order they happened",
                             as_text(event.process)));
  }
  const std::uint32_t index = open_[process];
  const auto invoked = [&] {
    return fmt::format("its invocation in line {}", history_.operations[index].invoked_line);
  };
  RecordedOperation& operation = history_.operations[index];
  const std::string& function = history_.functions[operation.function];
  if (!event.function.empty() && event.function != function) {
    source_.fail(event.at, fmt::format("process {} completes {}, but {} is of {}; one of the two is wrong",
                                       as_text(event.process), as_text(event.function), invoked(), as_text(function)));
  }
  if (event.key != no_key && operation.key != no_key && event.key != operation.key) {
    source_.fail(event.at,
                 fmt::format("the key is {}, but {} has {}; one of the two is wrong", as_text(values().json(event.key)),
                             invoked(), as_text(values().json(operation.key))));
  }
  operation.returned_line = source_.line(event.at);
  operation.returned_time = event.time;
  open_[process] = never;
  switch (event.type) {
    case Event::Type::Invoke:
    case Event::Type::Ok:
      history_.complete(index, Outcome::Ok, event.value);
      return;
    case Event::Type::Info:
      history_.complete(index, Outcome::Unknown);
      return;
    case Event::Type::Fail:
      if (options_.failed_cas == FailedCas::Mismatch && !event.has_error && is_compare_and_set(function)) {
        history_.complete(index, Outcome::Ok, values().boolean(false));
      } else {
        history_.complete(index, Outcome::Failed);
      }
  }
}

void HistoryBuilder::check_budget() {
  until_check_ = events_between_checks;
  if (options_.budget == nullptr) return;
  const std::size_t bytes = history_.operations.capacity() * sizeof(RecordedOperation) + history_.values.bytes();
  if (!options_.budget->check(bytes)) throw ReadingStopped(options_.budget->reason());
}

ReadSummary HistoryBuilder::finish() {
  if (history_.operations.empty()) {
    const std::string_view text = source_.text();
    source_.fail(text.data() + text.size(), "there is no operation in this file; is it the right one?");
  }
  check_budget();
  summary_.keyed = options_.keyed ? *options_.keyed : says_keyed_ || looks_keyed(history_);
  if (summary_.keyed) split_keys(history_, source_);
  if (summary_.keyed && wants_all()) options_.log->split_keys(history_.values);
  return summary_;
}

}  // namespace heddle::history
