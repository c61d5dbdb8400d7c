// heddle report: shows a trace, or the JSON of a run, as one HTML page.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/standard_output.h"
#include "cli/watchdog.h"
#include "heddle_paths.h"
#include "history/input_file.h"
#include "history/source_text.h"
#include "report/json_text.h"
#include "report/json_view.h"
#include "report/numbers.h"
#include "report/trace_json.h"
#include "run/report_page.h"

namespace heddle::cli {
namespace {

struct ReportFiles {
  std::optional<trace::Trace> trace;
  std::string trace_file;
  std::string run;  // JSON; empty: none was given
  std::string run_file;
  std::string trace_of_run;  // the name of its trace; empty: none
  std::string command;       // that the run was made by
};

std::string report_text(const std::string& file) {
  try {
    return std::string(history::InputFile(file).text());
  } catch (const history::ReadingStopped&) {  // it may be a pipe
    throw Interrupted();
  } catch (const history::HistoryError&) {
    throw UsageError(fmt::format("{}: the file cannot be read; check its name and its permissions", file));
  }
}

std::string text_member(const report::JsonView& object, std::string_view key) {
  const auto member = object.find(key);
  return member && member->type() == report::JsonView::Type::String ? member->string() : "";
}

void read_report_file(const std::string& file, ReportFiles& given) {
  if (file.ends_with(".edn")) {
    throw UsageError(fmt::format(
        "{}: a history has to be checked first: heddle lin {} --spec NAME --html OUT, or heddle serializable", file,
        file));
  }
  const std::string text = report_text(file);
  const report::JsonDocument document(text, file, "name a trace (heddle-trace.json) or the JSON of a run (--json)");
  const report::JsonView root = document.root();
  root.expect(report::JsonView::Type::Object);
  if (text_member(root, "format") == "heddle-trace") {
    if (given.trace) throw UsageError(fmt::format("{}: this is the second trace; a page shows one", file));
    given.trace = report::trace_from_json(text, file);
    given.trace_file = file;
    return;
  }
  if (!root.find("verdict") || !root.find("command")) {
    root.fail(
        "this is neither a trace nor the JSON of a run; name a file that `heddle check --trace FILE` or `--json` "
        "has written");
  }
  if (!given.run.empty()) throw UsageError(fmt::format("{}: this is the second run; a page shows one", file));
  given.run = root.compact();
  given.run_file = file;
  given.trace_of_run = text_member(root, "trace");
}

// A run names its trace, as a file beside it or from the folder where it was made.
void find_trace_of_run(ReportFiles& given, const Output& output, std::vector<std::string>& left_out) {
  if (given.trace || given.trace_of_run.empty()) return;
  for (const std::filesystem::path& file : {std::filesystem::path(given.run_file).parent_path() / given.trace_of_run,
                                            std::filesystem::path(given.trace_of_run)}) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) continue;
    given.trace = report::trace_from_json(report_text(file.string()), file.string());
    given.trace_file = file.string();
    return;
  }
  left_out.push_back(fmt::format("The run has a trace in {}, which was not there.", given.trace_of_run));
  output.say(fmt::format("warning: there is no trace {}; name it, too", given.trace_of_run));
}

int write_report_of(const ReportOptions& a, const Output& output) {
  if (a.files.size() > 2) throw UsageError("a page shows one trace and one run: name at most two files");
  if (a.html.empty()) throw UsageError("--html: name a file");
  report::RunReport unfinished;
  unfinished.command = "report";
  const Watchdog watchdog({}, output, unfinished);
  ReportFiles given;
  for (const std::string& file : a.files) read_report_file(file, given);
  report::PageContent content{.run = given.run, .version = std::string(paths::version)};
  find_trace_of_run(given, output, content.left_out);
  for (const std::string& file : {given.trace_file, given.run_file}) {
    std::error_code error;
    if (!file.empty() && std::filesystem::equivalent(file, a.html, error) && !error) {
      throw UsageError(fmt::format("--html: {} would be overwritten; name another file", file));
    }
  }
  if (given.trace) {
    content.trace = &*given.trace;
    content.command = replay_command(given.trace_file);
  }
  run::write_report(file_named(a.html), content);
  const std::size_t steps = given.trace ? given.trace->steps.size() : 0;
  return output.finish(fmt::format("report in {}{}", a.html, given.trace ? "; " + report::counted(steps, "step") : ""),
                       fmt::format("{{\"html\": {}, \"trace_steps\": {}}}", report::quoted(a.html), steps));
}

}  // namespace

int command_report(const Arguments& given) {
  const ReportOptions a = given.of<ReportOptions>();
  return run_plainly(Output(given.of<OutputOptions>()), "report",
                     [&](const Output& output) { return write_report_of(a, output); });
}

}  // namespace heddle::cli
