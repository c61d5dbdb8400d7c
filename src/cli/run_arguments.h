// The arguments that all commands that run a model share: the model, its parameters, bug and switches.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/output.h"
#include "core/trace.h"
#include "report/run_json.h"
#include "run/source.h"

namespace heddle::cli {

struct RunArguments {
  std::string given;  // MODEL
  std::vector<std::string> more_files;
  std::string model;  // --model
  std::vector<std::string> parameters;
  std::string bug;
  run::Switches switches;
  bool no_memo = false;
  bool audit_handlers = false;
};

RunArguments run_arguments(const Arguments& given);
run::BuildOptions build_options(const RunArguments& arguments);

// Throws UsageError if a parameter is not of the form name=value.
run::RunSettings settings_of(const RunArguments& arguments);

// Finds the model and compiles it if need be. Even if that fails, the report has what is known of the model.
run::Source open_source(const RunArguments& arguments, report::RunReport& report);
// Does the same and applies the settings.
run::Instance open_instance(const RunArguments& arguments, report::RunReport& report);

// Prints what is suspicious about the model, a line each.
void say_warnings(const std::vector<std::string>& warnings, const Output& output, report::RunReport& report);

// Throws UsageError if an option that names a file to write names the file of the model.
void keep_model_file(const std::string& option, const std::string& file, const RunArguments& arguments);

// Writes a trace to a file. Throws ReportError if it cannot.
void write_trace(const trace::Trace& trace, const std::string& file);
// Throws UsageError or ReportError if it cannot be read.
trace::Trace read_trace(const std::string& file);
// Returns the command that replays the trace, ready to be copied.
std::string replay_command(const std::string& file);

}  // namespace heddle::cli
