// heddle convert: converts a recorded history from one format to another.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/history_arguments.h"
#include "cli/output.h"
#include "cli/standard_output.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "history/event_log.h"
#include "history/input_file.h"
#include "report/atomic_file.h"
#include "report/json_text.h"
#include "report/numbers.h"

namespace heddle::cli {
namespace {

struct ConvertArguments : ConvertOptions {
  HistoryArguments reading;
};

history::Format target(const ConvertArguments& a) {
  if (!a.to.empty()) return format_given(a.to, "--to");
  if (const auto format = history::format_of_file(a.out)) return *format;
  throw UsageError(fmt::format("the name of {} does not tell a format; say --to edn, json or jepsen-log", a.out));
}

int run_convert(const ConvertArguments& a, const Output& output) {
  const history::Format to = target(a);
  if (a.out == "-" && output.json()) {
    throw UsageError(
        "the history and the object of --json cannot both go to standard output; name a file for the history");
  }
  report::RunReport unfinished;
  unfinished.command = "convert";
  unfinished.model = a.in;
  const Watchdog watchdog({}, output, unfinished);
  history::ReadOptions options = read_options(a.reading);
  Budget budget;
  options.budget = &budget;
  history::EventLog log;
  options.log = &log;
  RecordedHistory recorded;
  history::ReadSummary summary;
  try {
    const history::InputFile file(a.in);
    summary = history::read_history(file.text(), file.name(), options, recorded);
  } catch (const history::ReadingStopped&) {
    throw Interrupted();
  }
  std::string text;
  history::NotWritten lost;
  try {
    text = history::write_events(recorded, log, to, lost);
  } catch (const history::HistoryError& error) {
    throw UsageError(fmt::format("{}: {}", a.out, error.what()));
  }
  if (a.out == "-") {
    std::fwrite(text.data(), 1, text.size(), standard_output());
    return output.finish_nothing();
  }
  report::write_file_atomically(file_named(a.out), text);
  if (const std::string what = lost.text(); !what.empty()) {
    output.say(fmt::format("warning: {} has no place for {}", history::name(to), what));
  }
  if (summary.backwards > 0) output.say("warning: " + history::backwards_text(summary));
  const std::string line =
      fmt::format("{} from {} ({}) to {} ({})", report::counted(recorded.operations.size(), "operation"), a.in,
                  history::name(summary.format), a.out, history::name(to));
  const std::string json = fmt::format(
      "{{\"operations\": {}, \"processes\": {}, \"in\": {}, \"from\": {}, \"out\": {}, \"to\": {}, \"keyed\": {}, "
      "\"nemesis_events\": {}, \"other_lines\": {}, \"not_written\": {}, \"warning\": {}}}",
      recorded.operations.size(), recorded.processes.size(), report::quoted(a.in),
      report::quoted(history::name(summary.format)), report::quoted(a.out), report::quoted(history::name(to)),
      summary.keyed, summary.nemesis_events, summary.other_lines, report::quoted_or_null(lost.text()),
      report::quoted_or_null(history::backwards_text(summary)));
  return output.finish(line, json);
}

}  // namespace

int command_convert(const Arguments& given) {
  const ConvertArguments a{given.of<ConvertOptions>(), given.of<HistoryArguments>()};
  return run_plainly(Output(given.of<OutputOptions>()), "convert",
                     [&](const Output& output) { return run_convert(a, output); });
}

}  // namespace heddle::cli
