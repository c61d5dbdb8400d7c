#include "cli/run_arguments.h"

#include "cli/standard_output.h"
#include "core/facets/describer.h"
#include "report/atomic_file.h"
#include "report/trace_json.h"

namespace heddle::cli {

RunArguments run_arguments(const Arguments& given) {
  RunArguments arguments = given.of<RunArguments>();
  arguments.switches = given.recorded;
  return arguments;
}

Instance make_instance(const RunArguments& arguments, report::RunReport& report) {
  report.model = arguments.given;
  report.bug = arguments.bug;
  RunSettings settings;
  settings.parameters = parse_parameters(arguments.parameters);
  settings.bug = arguments.bug;
  settings.switches = arguments.switches;
  settings.actor = arguments.actor;
  settings.actor.memoise = !arguments.no_memo;
  settings.actor.audit_handlers = arguments.audit_handlers;
  report.parameters = settings.parameters;
  report.options = settings.switches;
  Instance instance = make_instance(find_source(arguments.given, arguments.model), settings);
  describe(instance, report);
  return instance;
}

void describe(const Instance& instance, report::RunReport& report) {
  report.model = instance.model;
  report.parameters = instance.parameters;
  report.bug = instance.bug;
  report.options = instance.options;
}

void say_warnings(const Instance& instance, const Output& output, report::RunReport& report) {
  report.warnings = instance.system->describer().warnings();
  for (const std::string& sentence : report.warnings) output.say("warning: " + sentence);
}

void describe(const Instance& instance, trace::Trace& trace) {
  trace.model = instance.model;
  trace.parameters = instance.parameters;
  trace.bug = instance.bug;
  trace.options = instance.options;
}

void write_trace(const trace::Trace& trace, const std::string& file) {
  report::write_file_atomically(file_named(file), report::to_json(trace));
}

std::string replay_command(const std::string& file) {
  const bool plain =
      file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+:=,@") == file.npos;
  std::string quoted = "'";
  for (const char c : file) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "heddle replay " + (plain ? file : quoted + "'");
}

}  // namespace heddle::cli
