// The options of a search: its order, budgets, store and reductions.
#include <utility>

#include "cli/command_arguments.h"
#include "cli/option_groups.h"
#include "cli/option_rows.h"
#include "cli/option_values.h"
#include "cli/reduction_arguments.h"
#include "explore/search.h"
#include "run/suggestions.h"

namespace heddle::cli {
namespace {

Option split_row(Place place) {
  return {.names = "--split",
          .value = "KIND",
          .help = "How transitions are refined: none, quorum, reply or combined",
          .manual = "how transitions are refined",
          .places = {std::move(place)},
          .into = choice(&ReductionArguments::split, split_kinds())};
}

}  // namespace

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
           "error, and `unknown` is the verdict if this search does not end",
       .places = {{"check", group::reductions}},
       .into = flag(&ReductionArguments::verify)},
      {.names = "--infer-auxiliary",
       .help = "Also try which fields could be declared Auxiliary",
       .manual = "also try which fields could be declared `Auxiliary`",
       .places = {{"audit"}},
       .into = flag(&AuditOptions::infer)},
  };
}

}  // namespace heddle::cli
