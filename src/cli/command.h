// The commands of the program: their names, their purposes and the functions that do their work, in the order of
// --help. Their options are rows of the option table (option_table.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace heddle::cli {

struct Command {
  std::string name;
  std::string summary;
  std::function<int(const Arguments&)> run;  // does the work and returns the exit code
  bool hidden = false;                       // not in --help; for the build
};

const std::vector<Command>& commands();

// One file each.
int command_check(const Arguments& given);
int command_audit(const Arguments& given);
int command_schedules(const Arguments& given);
int command_explain(const Arguments& given);
int command_replay(const Arguments& given);
int command_simulate(const Arguments& given);
int command_explore(const Arguments& given);
int command_lin(const Arguments& given);
int command_serializable(const Arguments& given);
int command_refine(const Arguments& given);
int command_convert(const Arguments& given);
int command_report(const Arguments& given);
int command_models(const Arguments& given);
int command_new(const Arguments& given);
int command_doctor(const Arguments& given);
int command_cache(const Arguments& given);
int command_help(const Arguments& given);
int command_version(const Arguments& given);
int command_man(const Arguments& given);

}  // namespace heddle::cli
