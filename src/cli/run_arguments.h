// The arguments shared by the commands that run a model: which one, its parameters, bug and switches.
#pragma once

#include <string>
#include <vector>

#include "cli/model_source.h"
#include "cli/output.h"
#include "core/trace.h"
#include "report/run_json.h"

namespace heddle::cli {

struct RunArguments {
  std::string given;  // MODEL
  std::string model;  // --model
  std::vector<std::string> parameters;
  std::string bug;
  Switches switches;
  ActorOptions actor;  // what other arguments decide of how the model is built
  bool no_memo = false;
  bool audit_handlers = false;
};

RunArguments run_arguments(const Arguments& given);

// Finds, compiles if need be, and builds the model. What is known of it is in the report even if that fails.
Instance make_instance(const RunArguments& arguments, report::RunReport& report);

void describe(const Instance& instance, report::RunReport& report);
// What is suspicious about the model, a line each.
void say_warnings(const Instance& instance, const Output& output, report::RunReport& report);
// Adds to a trace what the engine does not know.
void describe(const Instance& instance, trace::Trace& trace);

// A trace to a file. Throws ReportError.
void write_trace(const trace::Trace& trace, const std::string& file);
// The command that replays it, ready to be copied.
std::string replay_command(const std::string& file);

}  // namespace heddle::cli
