// The table of commands, and the command line of the program, which is made of this table and the option table.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/option_table.h"
#include "heddle_paths.h"

namespace heddle::cli {
namespace {

constexpr const char* examples = R"(  heddle check paxos                           a model of the library
  heddle check paxos --bug accept_always       the same with a mistake in it
  heddle check paxos --reduce none             every state, nothing left out
  heddle new lock && heddle check lock.cpp     a model of your own
  heddle explain stack.cpp                     which lines should have been atomic
  heddle replay heddle-trace.json              a violation once more
  heddle report heddle-trace.json              a violation as one HTML page
  heddle explore paxos --open                  a model, step by step in the browser
  heddle lin history.edn --spec register       a recorded history
  heddle serializable txns.edn                 a recorded history of transactions
  heddle refine calls.jsonl                    calls that an implementation has logged
)";

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"check", "Explore a model and say whether its properties hold", command_check},
      {"audit", "Check what reductions take for granted of a model, on all states of a small instance", command_audit},
      {"schedules", "Compare schedulers by the histories of clients they find", command_schedules},
      {"explain", "Say which code of a program should have been atomic", command_explain},
      {"replay", "Execute a trace again, on the model as it is now", command_replay},
      {"simulate", "Show one random run", command_simulate},
      {"explore", "Step through a model in the browser", command_explore},
      {"lin", "Say whether a recorded history is linearizable", command_lin},
      {"serializable", "Say which isolation level a recorded history of transactions has", command_serializable},
      {"refine", "Say whether logged calls are calls on an abstract object", command_refine},
      {"convert", "Write a recorded history in another format", command_convert},
      {"report", "Show a trace, or the JSON of a run, as one HTML page", command_report},
      {"models", "List the library of models, or tell more of one", command_models},
      {"new", "Write a commented starting file", command_new},
      {"doctor", "Say what is there: the compiler of models and the components, and how to get what is missing",
       command_doctor},
      {"cache", "Say what is kept between runs: compiled models and programs; or remove it", command_cache},
      {"help", "Show the options of a command", command_help},
      {"version", "Show the version of the program", command_version},
      {"man", "Write the manual pages of all commands", command_man, true},
  };
  return table;
}

const CommandLine& heddle_command_line() {
  static const CommandLine line(
      {.name = "heddle",
       .description = "Heddle finds, explains and rules out bugs in concurrent and distributed systems.",
       .version = fmt::format("heddle {} (models are compiled with {})", paths::version, paths::cxx_compiler),
       .examples = examples,
       .exit_codes = "0 holds, 1 violated, 2 unknown (a budget ran out), 3 error"},
      commands(), option_table());
  return line;
}

}  // namespace heddle::cli
