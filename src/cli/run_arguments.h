// The arguments shared by the commands that run a model: which one, its parameters, bug and switches.
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

// Finds the model and compiles it if need be. What is known of it is in the report even if that fails.
run::Source open_source(const RunArguments& arguments, report::RunReport& report);
// ... with its settings.
run::Instance open_instance(const RunArguments& arguments, report::RunReport& report);

// What is suspicious about the model, a line each.
void say_warnings(const std::vector<std::string>& warnings, const Output& output, report::RunReport& report);

// A trace to a file. Throws ReportError.
void write_trace(const trace::Trace& trace, const std::string& file);
// The command that replays it, ready to be copied.
std::string replay_command(const std::string& file);

}  // namespace heddle::cli
