// The rows themselves, a function for each group of options.
#include "cli/option_table.h"

#include <iterator>

#include "check/check_history.h"
#include "cli/command_arguments.h"
#include "cli/findings.h"
#include "cli/history_arguments.h"
#include "cli/option_groups.h"
#include "cli/option_rows.h"
#include "cli/option_values.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "run/doors.h"
#include "run/suggestions.h"
#include "run/switches.h"
#include "stateless/scheduler.h"

namespace heddle::cli {
namespace {

Rows model_rows() {
  return {
      {.names = "MODEL",
       .help = run::taken_by("check"),
       .places = {{runs_a_model}},
       .into = text(&RunArguments::given),
       .required = true},
      {.names = "FILE",
       .help = "A program in C or C++ with a harness, or a trace of one",
       .places = {{"explain"}},
       .into = text(&RunArguments::given)},
      {.names = "FILES",
       .help = "Further source files of a program",
       .places = {{runs_a_program}},
       .into = texts(&RunArguments::more_files)},
      {.names = "-p,--param",
       .value = "NAME=VALUE",
       .help = "A parameter's value; may be repeated",
       .manual = "a parameter of the model; repeat it for several. `heddle models NAME` lists them with their ranges",
       .places = {{runs_a_model, group::model}},
       .into = texts(&RunArguments::parameters)},
      {.names = "--bug",
       .value = "NAME",
       .help = "Switch a bug on, with the smallest parameters that show it",
       .manual = "switches a bug on. Parameters that are not given take the smallest values that show it",
       .places = {{runs_a_model, group::model}},
       .into = text(&RunArguments::bug)},
      {.names = "--model",
       .value = "NAME",
       .help = "Which model, if the file has several",
       .places = {{runs_a_model, group::model}},
       .into = text(&RunArguments::model)},
  };
}

Rows debugging_rows() {
  return {
      {.names = "--no-memo",
       .help = "Run handlers again for every state, for comparison",
       .places = {{runs_a_model, group::debugging}},
       .into = flag(&RunArguments::no_memo)},
      {.names = "--audit-handlers",
       .help = "Run every handler twice in differently poisoned memory and report those that are no pure function",
       .manual = "repeats every run of a handler or property in differently poisoned memory and reports those that are "
                 "no pure function; without it the first 16 of each, and ever fewer later "
                 "([failing-models.md](failing-models.md))",
       .places = {{runs_a_model, group::debugging}},
       .into = flag(&RunArguments::audit_handlers)},
  };
}

Rows schedules_rows() {
  using schedule::ScheduleOptions;
  std::vector<std::string> schedulers;
  for (const schedule::Scheduler& one : schedule::schedulers()) schedulers.emplace_back(one.name);
  return {
      {.names = "--harness",
       .value = "HARNESS",
       .help = "Clients: so many reads and writes, such as 2R+2W; the same as -p harness=...",
       .manual = "clients: so many reads and writes, such as `2R+2W`; the same as `-p harness=...`",
       .places = {{"schedules", group::schedules}},
       .into = text(&SchedulesOptions::harness)},
      {.names = "--scheduler",
       .value = "LIST",
       .help = "all, sound (those that miss nothing), or some of " + run::listed(schedulers),
       .manual = "those to compare ([schedules.md](schedules.md)); `sound`: those that miss nothing",
       .places = {{"schedules", group::schedules}},
       .into = text(&SchedulesOptions::scheduler),
       .values = {"all", "sound", "LIST"},
       .shows_default = true},
      {.names = "--cutoff",
       .value = "N",
       .help = "Schedules, at most; random schedulers run twice as many",
       .places = {{"schedules", group::schedules}},
       .into = number(&ScheduleOptions::cutoff).above_zero(),
       .shows_default = true},
      {.names = "--seed",
       .value = "N",
       .help = "Of SR, DB and PC",
       .places = {{"schedules", group::schedules}},
       .into = number(&ScheduleOptions::seed),
       .shows_default = true},
      {.names = "--delays",
       .value = "N",
       .help = "DB: delays in one schedule",
       .places = {{"schedules", group::schedules}},
       .into = number(&ScheduleOptions::delays),
       .shows_default = true},
      {.names = "--unfolded",
       .help = "Clients' steps are scheduled like any others",
       .places = {{"schedules", group::schedules}},
       .into = flag(&SchedulesOptions::unfolded)},
      {.names = "--verify-exclusions",
       .help = "Check that messages the model excludes from permuting make no difference to clients",
       .places = {{"schedules", group::schedules}},
       .into = flag(&SchedulesOptions::verify_exclusions)},
  };
}

Rows simulate_rows() {
  return {
      {.names = "--steps",
       .value = "N",
       .help = "Steps of a run, at most (default 30; 10000 with --runs or --strategy)",
       .places = {{"simulate", group::run}},
       .into = number(&SimulateOptions::steps).within(1, 1'000'000'000)},
      {.names = "--seed",
       .value = "N",
       .help = "Another seed, another run",
       .places = {{"simulate", group::run}},
       .into = number(&SimulateOptions::seed),
       .shows_default = true},
      {.names = "--runs",
       .value = "N",
       .help = "Of a program: so many runs, or up to a violation; each has the next seed",
       .places = {{"simulate", group::run}},
       .into = number(&SimulateOptions::runs).within(1, 1'000'000'000),
       .shows_default = true},
      {.names = "--strategy",
       .value = "NAME",
       .help =
           "Of a program: how threads are scheduled: random, pct (random priorities) or pos (random partial orders)",
       .places = {{"simulate", group::run}},
       .into = text(&SimulateOptions::strategy),
       .values = {"random", "pct", "pos"}},
      {.names = "--depth",
       .value = "D",
       .help = "Of --strategy pct: bugs that D orderings of steps make show",
       .places = {{"simulate", group::run}},
       .into = number(&SimulateOptions::depth).within(1, 1'000),
       .shows_default = true},
      {.names = "--trace",
       .value = "FILE",
       .help = "Write the run as a trace",
       .places = {{"simulate", group::run}},
       .into = text(&SimulateOptions::trace_file)},
  };
}

Rows explore_rows() {
  return {
      {.names = "--port",
       .value = "N",
       .help = "Of 127.0.0.1; default: one that is free",
       .places = {{"explore", group::server}},
       .into = number(&ExploreOptions::port).within(1, 65'535)},
      {.names = "--open",
       .help = "Open the page in the browser",
       .places = {{"explore", group::server}},
       .into = flag(&ExploreOptions::open)},
  };
}

Rows trace_rows() {
  return {
      {.names = "--trace",
       .value = "FILE",
       .help = "Where the trace of a violation goes; default: heddle-trace.json",
       .manual = "where a violation's trace goes; default `heddle-trace.json` in the current directory",
       .places = {{"check schedules", group::trace}},
       .into = text(&FindingOptions::trace_file)},
      {.names = "--no-trace",
       .help = "Do not write it",
       .places = {{"check schedules", group::trace}},
       .into = flag(&FindingOptions::no_trace)},
      {.names = "--classify",
       .help = "Search below a rejected call for a violation of the model's own properties",
       .places = {{"check", group::refinement}},
       .into = flag(&CheckOptions::classify)},
      {.names = "--tree-dot",
       .value = "FILE",
       .help = "Where the object of a violation is drawn, for Graphviz",
       .places = {{"check", group::refinement}},
       .into = text(&FindingOptions::tree_dot)},
      {.names = "--no-minimise,--no-minimize",
       .help = "Show the run as it was found",
       .places = {{"check schedules", group::trace}},
       .into = flag(&FindingOptions::no_minimise)},
  };
}

Rows replay_rows() {
  return {
      {.names = "TRACE",
       .help = "A trace that `heddle check` wrote",
       .places = {{"replay"}},
       .into = text(&ReplayOptions::file),
       .required = true},
      {.names = "--model",
       .value = "MODEL",
       .help = "The model or its file; default: what the trace says",
       .places = {{"replay"}},
       .into = text(&ReplayOptions::model)},
  };
}

Rows report_rows() {
  return {
      {.names = "FILES",
       .help = "A trace, the JSON object of a run (--json), or both",
       .places = {{"report"}},
       .into = texts(&ReportOptions::files),
       .required = true},
      {.names = "--html",
       .value = "OUT",
       .help = "Where the page goes",
       .places = {{"report"}},
       .into = text(&ReportOptions::html),
       .shows_default = true},
  };
}

Rows models_rows() {
  return {
      {.names = "NAME",
       .help = "A library model or a model's .cpp file",
       .places = {{"models"}},
       .into = text(&ModelsOptions::given)},
      {.names = "--model",
       .value = "NAME",
       .help = "Which model, if the file has several",
       .places = {{"models"}},
       .into = text(&ModelsOptions::model)},
  };
}

Rows new_rows() {
  return {
      {.names = "NAME",
       .help = "The model's name; the file is NAME.cpp",
       .places = {{"new"}},
       .into = text(&NewOptions::name),
       .required = true},
      {.names = "--force", .help = "Overwrite an existing file", .places = {{"new"}}, .into = flag(&NewOptions::force)},
  };
}

Rows doctor_rows() {
  return {{.names = "--list-externals",
           .help = "List the functions that programs in C and C++ may call: those that Heddle knows",
           .places = {{"doctor"}},
           .into = flag(&DoctorOptions::list_externals)}};
}

Rows cache_rows() {
  return {{.names = "--clean",
           .help = "Remove everything but what is being compiled",
           .places = {{"cache"}},
           .into = flag(&CacheOptions::clean)}};
}

Rows help_rows() {
  return {
      {.names = "COMMAND",
       .help = "Which; left out: this list",
       .places = {{"help"}},
       .into = text(&HelpOptions::topic)},
      {.names = "DIRECTORY",
       .help = "Where the pages go",
       .places = {{"man"}},
       .into = text(&ManOptions::directory),
       .required = true},
  };
}

Rows output_rows() {
  const std::string draws = "check audit schedules explain replay simulate lin serializable refine";
  return {
      {.names = "--json",
       .help = "Print one JSON object on stdout, everything else on stderr",
       .places = {{draws, group::output}, {"convert report models new doctor cache explore"}},
       .into = flag(&OutputOptions::json)},
      {.names = "-q,--quiet",
       .help = "Only the closing line (or the object)",
       .places = {{draws, group::output}},
       .into = flag(&OutputOptions::quiet)},
      {.names = "--ascii",
       .help = "Draw pictures without Unicode",
       .places = {{draws, group::output}},
       .into = flag(&OutputOptions::ascii)},
      {.names = "--width",
       .value = "N",
       .help = "Width of pictures in characters; default: the terminal's",
       .places = {{draws, group::output}},
       .into = number(&OutputOptions::width).within(40, 1000)},
      {.names = "--html",
       .value = "FILE",
       .help = "Also write what was found as one HTML page, to look at and to send (docs/report.md)",
       .manual = "also writes what was found as one HTML page, to look at and to send ([report.md](report.md))",
       .places = {{draws, group::output}},
       .into = text(&OutputOptions::html)},
      {.names = "--tree-dot",
       .value = "FILE",
       .help = "Where the object is drawn, for Graphviz",
       .manual = "draws the tree of the rejected call, or all trees, for Graphviz",
       .places = {{"refine", group::output}},
       .into = text(&RefineOptions::tree_dot)},
  };
}

Rows switch_rows() {
  Rows rows;
  for (const run::Switch& one : run::switch_table()) rows.push_back(option_of(one));
  return rows;
}

// The order of the rows is that of the options in --help. Headings come in the order of their first option.
Rows all_rows() {
  Rows all;
  for (const auto& section :
       {model_rows,   switch_rows, debugging_rows, search_rows,  schedules_rows, simulate_rows, explore_rows,
        explain_rows, replay_rows, lin_rows,       convert_rows, reading_rows,   checking_rows, serializable_rows,
        refine_rows,  audit_rows,  budget_rows,    store_rows,   reduction_rows, trace_rows,    witness_rows,
        report_rows,  models_rows, new_rows,       doctor_rows,  cache_rows,     help_rows,     output_rows}) {
    Rows rows = section();
    all.insert(all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  }
  return all;
}

}  // namespace

Option option_of(const run::Switch& one) {
  using Kind = run::Switch::Kind;
  return {
      .names = "--" + one.name,
      .value = one.value,
      .help = one.help,
      .manual = one.manual,
      .places = {{one.group == "native" ? runs_a_program : runs_a_model, one.group == "refinement" ? group::refinement
                                                                         : one.group == "native"   ? group::programs
                                                                                                   : group::network}},
      .into = one.kind == Kind::Flag    ? recorded_flag()
              : one.kind == Kind::Texts ? recorded_texts()
                                        : recorded_text(),
      .values = one.values,
      .recorded = Option::Recorded::IfGiven};
}

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = all_rows();
  return table;
}

}  // namespace heddle::cli
