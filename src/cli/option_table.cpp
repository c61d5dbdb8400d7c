// The rows themselves, a function for each group of options.
#include "cli/option_table.h"

#include <iterator>
#include <utility>

#include "check/check_history.h"
#include "cli/command_arguments.h"
#include "cli/findings.h"
#include "cli/history_arguments.h"
#include "cli/option_groups.h"
#include "cli/option_rows.h"
#include "cli/option_values.h"
#include "cli/output.h"
#include "cli/reduction_arguments.h"
#include "cli/run_arguments.h"
#include "explore/search.h"
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

Rows search_rows() {
  return {
      {.names = "--search",
       .value = "ORDER",
       .help = "bfs (shortest traces), dfs, random or dpor (every run once up to commuting steps, nothing stored)",
       .manual =
           "breadth-first (shortest traces), depth-first, random walks, stateless dynamic partial order reduction "
           "([reductions.md](reductions.md#stateless-search))",
       .places = {{"check", group::search}},
       .into = choice(&SearchOptions::order, search_orders())},
      {.names = "--dpor",
       .value = "KIND",
       .help = "Which dpor: source, optimal or classic",
       .manual = "which one `--search dpor` is: source sets, optimal (source sets and wakeup trees), Flanagan and "
                 "Godefroid's",
       .places = {{"check", group::search}},
       .into = choice(&SearchOptions::dpor, dpor_algorithms())},
      {.names = "--threads",
       .value = "N",
       .help = "Threads of bfs and dfs",
       .manual =
           "for `bfs` and `dfs`. With partial order reduction and more than one thread, counts vary a little from "
           "run to run, and the last line says so; verdicts do not vary",
       .places = {{"check", group::search}},
       .into = number(&SearchOptions::threads).within(1, 128)},
      {.names = "--linearizable",
       .value = "OBJECT",
       .help = "Compare histories of a program's clients with a queue, set, ...; insist on the model's own "
               "specification being a map, register, ...",
       .manual =
           "of a program with a harness: its clients' histories, with real-time order, are compared with a `queue`, "
           "`stack`, `set`, ... ([native.md](native.md)). Of a protocol: an error unless the model says what histories "
           "of its clients it allows and its own specification, with which they are compared, is a `map`, `register`, "
           "... ([schedules.md](schedules.md))",
       .places = {{"check", group::search}},
       .into = text(&CheckOptions::linearizable)},
      {.names = "--stress",
       .help = "Run a harness's clients on real threads, for --time (10 s), and count their outcomes",
       .manual =
           "run a harness's clients on real threads, for `--time` or 10 seconds, and count how often each outcome "
           "came; never `holds` ([native.md](native.md))",
       .places = {{"check", group::search}},
       .into = flag(&CheckOptions::stress)},
      {.names = "--all",
       .help = "Do not stop at the first violation",
       .manual =
           "do not stop at the first violation; the trace of the n-th violated property goes to `FILE-n.json`. Of "
           "a program with a harness, every client that fails is listed with its outcomes",
       .places = {{"check", group::search}},
       .into = flag(&CheckOptions::all)},
      {.names = "--coverage",
       .help = "Print how often each transition happened, and what never did",
       .manual = "a table of what happened how often, and of what never did ([below](#coverage))",
       .places = {{"check", group::search}},
       .into = flag(&CheckOptions::coverage)},
      {.names = "--seed",
       .value = "N",
       .help = "Seed of random walks",
       .places = {{"check", group::search}},
       .into = number(&SearchOptions::seed)},
      {.names = "--walks",
       .value = "N",
       .help = "How many random walks",
       .places = {{"check", group::search}},
       .into = number(&SearchOptions::walks)},
      {.names = "--walk-length",
       .value = "N",
       .help = "Steps of one walk, at most",
       .places = {{"check", group::search}},
       .into = number(&SearchOptions::walk_length)},
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

Option split_row(Place place) {
  return {.names = "--split",
          .value = "KIND",
          .help = "How transitions are refined: none, quorum, reply or combined",
          .manual = "how transitions are refined",
          .places = {std::move(place)},
          .into = choice(&ReductionArguments::split, split_kinds())};
}

Rows audit_rows() { return {split_row({"audit"})}; }

Rows budget_rows() {
  const std::string time = "Such as 90, 5m or 2h";
  return {
      {.names = "--time",
       .value = "DURATION",
       .help = time,
       .manual = "budget of the whole command, explaining included",
       .places = {{"check explain", group::budgets},
                  {"lin serializable", group::budgets_of_lin},
                  {"refine", group::budgets_of_refine},
                  {"schedules", group::schedules, "For all schedulers together, such as 90, 5m or 2h",
                   "budget of all schedulers together"}},
       .into = text(&BudgetArguments::time),
       .values = {"90", "5m", "2h"}},
      {.names = "--time",
       .value = "DURATION",
       .help = time + "; default 60 s",
       .manual = "budget",
       .places = {{"audit"}},
       .into = text(&AuditOptions::time),
       .values = {"90", "5m", "2h"}},
      {.names = "--memory",
       .value = "BYTES",
       .help = "Such as 512M or 2G",
       .manual =
           "all that the process may hold; K, M, G are powers of 1024. The default is 80 % of what the machine or "
           "its control group has left",
       .places = {{"check explain", group::budgets},
                  {"lin serializable", group::budgets_of_lin},
                  {"refine", group::budgets_of_refine},
                  {"schedules", group::schedules},
                  {"audit"}},
       .into = text(&BudgetArguments::memory),
       .values = {"512M", "2G"}},
      {.names = "--depth",
       .value = "N",
       .help = "Steps from an initial state",
       .manual = "steps from an initial state, at most",
       .places = {{"check", group::budgets}},
       .into = number(&SearchOptions::limits, &Limits::depth)},
  };
}

Rows store_rows() {
  return {
      {.names = "--store",
       .value = "KIND",
       .help = "exact; hash-compact or bitstate, which may miss states and say how likely; none: walk every run",
       .manual =
           "all but `exact` need `--search dfs`: `hash-compact` and `bitstate` may miss states and say with which "
           "probability; `none` walks every run",
       .places = {{"check", group::store}},
       .into = choice(&SearchOptions::store, search_stores())},
      {.names = "--bitstate-memory",
       .value = "BYTES",
       .help = "Size of the bitstate table; default 256M",
       .places = {{"check", group::store}},
       .into = text(&CheckOptions::bitstate_memory)},
      {.names = "--no-compression",
       .help = "States as flat vectors, for comparison",
       .places = {{"check", group::store}},
       .into = flag(&CheckOptions::no_compression)},
  };
}

Rows reduction_rows() {
  return {
      {.names = "--reduce",
       .value = "LIST",
       .help = "auto, none, or a list of " + run::listed(reductions().names()),
       .manual =
           "reductions: `auto` (default) is all that apply, and what the model turns out not to allow is left out; "
           "a list of `por`, `safe`, `spor`, `futures`, `lazy`, `eager`, `symmetry`, `dead`, `auxiliary`, where that "
           "is an "
           "error "
           "([reductions.md](reductions.md))",
       .places = {{"check", group::reductions}},
       .into = text(&ReductionArguments::reduce),
       .values = {"auto", "none", "LIST"}},
      split_row({"check", group::reductions, "How transitions are refined for por: none, quorum, reply or combined",
                 "how transitions are refined for `por`"}),
      {.names = "--por-start",
       .value = "POLICY",
       .help = "Where stubborn sets begin: best, first or smallest",
       .manual = "where stubborn sets begin",
       .places = {{"check", group::reductions}},
       .into = choice(&ReductionArguments::start, stubborn_starts())},
      {.names = "--no-net",
       .help = "Without necessary enabling transitions, for comparison",
       .places = {{"check", group::reductions}},
       .into = flag(&ReductionArguments::no_net)},
      {.names = "--spos",
       .help = "Depth first: no stack frame for states with one step only",
       .manual = "with `--search dfs`: no stack frame for states with one step only",
       .places = {{"check", group::reductions}},
       .into = flag(&ReductionArguments::selective_push)},
      {.names = "--order",
       .value = "THREADS",
       .help =
           "Of threads, with --search dfs or --reduce lazy: a list such as 2,1,3 of those that go first, reverse, or "
           "random:SEED",
       .manual =
           "which threads go first, with `--search dfs` or `--reduce lazy`: a list such as `2,1,3`, `reverse`, or "
           "`random:SEED` ([threads.md](threads.md#orders))",
       .places = {{"check", group::reductions}},
       .into = text(&ReductionArguments::order)},
      {.names = "--portfolio",
       .help = "Of programs with threads: several reductions and orders side by side, the first verdict counts",
       .manual = "of programs with threads: several reductions and orders side by side; the first verdict counts "
                 "([threads.md](threads.md#portfolio))",
       .places = {{"check", group::reductions}},
       .into = flag(&ReductionArguments::portfolio)},
      {.names = "--verify-reduction",
       .help = "Search without reductions too and compare",
       .manual =
           "search without reductions too (same budgets) and compare verdicts and final states; a difference is an "
           "error",
       .places = {{"check", group::reductions}},
       .into = flag(&ReductionArguments::verify)},
      {.names = "--infer-auxiliary",
       .help = "Also try which fields could be declared Auxiliary",
       .manual = "also try which fields could be declared `Auxiliary`",
       .places = {{"audit"}},
       .into = flag(&AuditOptions::infer)},
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
