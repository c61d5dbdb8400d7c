// From the parsed arguments to an opened model, its settings and the report of its run.
#include "cli/run_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>

#include "cli/errors.h"
#include "cli/standard_output.h"
#include "history/input_file.h"
#include "history/source_text.h"
#include "report/atomic_file.h"
#include "report/trace_json.h"
#include "run/actor_door.h"
#include "run/doors.h"
#include "run/errors.h"
#include "run/native_door.h"
#include "run/words.h"

namespace heddle::cli {

RunArguments run_arguments(const Arguments& given) {
  RunArguments arguments = given.of<RunArguments>();
  arguments.switches = given.recorded;
  for (const std::string& file : arguments.more_files) {
    std::string& link = arguments.switches["link"];
    link += (link.empty() ? "" : ",") + file;
  }
  return arguments;
}

run::BuildOptions build_options(const RunArguments& arguments) {
  run::BuildOptions build;
  build.memoise = !arguments.no_memo;
  build.audit_handlers = arguments.audit_handlers;
  return build;
}

run::RunSettings settings_of(const RunArguments& arguments) {
  return {run::parse_parameters(arguments.parameters), arguments.bug, arguments.switches};
}

run::Source open_source(const RunArguments& arguments, report::RunReport& report) {
  report.model = arguments.given;
  report.bug = arguments.bug;
  if (!arguments.more_files.empty() && !run::is_program_file(arguments.given)) {
    throw UsageError(fmt::format("only programs in C and C++ have further files; {} has not: {}", arguments.given,
                                 fmt::join(arguments.more_files, " ")));
  }
  const run::RunSettings settings = settings_of(arguments);
  report.parameters = settings.parameters;
  report.options = settings.switches;
  return run::open(arguments.given, arguments.model);
}

run::Instance open_instance(const RunArguments& arguments, report::RunReport& report) {
  return open_source(arguments, report).instance(settings_of(arguments));
}

void say_warnings(const std::vector<std::string>& warnings, const Output& output, report::RunReport& report) {
  report.warnings = warnings;
  for (const std::string& sentence : warnings) output.say("warning: " + sentence);
}

void keep_model_file(const std::string& option, const std::string& file, const RunArguments& arguments) {
  std::error_code error;
  if (!std::filesystem::equivalent(file, arguments.given, error) || error) return;
  throw UsageError(
      fmt::format("{}: {} is the model itself, which would be overwritten; name another file", option, file));
}

void write_trace(const trace::Trace& trace, const std::string& file) {
  report::write_file_atomically(file_named(file), report::to_json(trace));
}

trace::Trace read_trace(const std::string& file) {
  std::optional<history::InputFile> input;
  try {
    input.emplace(file);
  } catch (const history::HistoryError&) {
    throw UsageError(fmt::format("{}: the file cannot be read; check its name and its permissions", file));
  }
  return report::trace_from_json(std::string(input->text()), file);
}

std::string replay_command(const std::string& file) { return "heddle replay " + run::shell_quoted(file); }

}  // namespace heddle::cli
