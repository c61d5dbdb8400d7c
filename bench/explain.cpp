// Measures the search for root causes: repairs of random executions, how their cost grows, and the test whether a
// repair rules out an execution.
//
//   bench_explain [LARGEST]          10000 events by default
//   bench_explain --table [ROWS]     the 27 rows of table 2.1 in Cirisci's thesis (2022); ROWS: A, B3, ...
//
// Each size is about three times the one before. Times are processor time, the mean over several executions. The
// exponent is that of the growth from 100 events to the largest. "all conflicts" searches without the frontier
// (explain/conflict_graph.h), up to 1,000 events and a second for each execution. The table measures the search alone
// (reduce/) and what comes after it, each by itself.
//
// Of a row of the table, the search is that for violations and the collection of executions; what comes after it are
// the repairs of each bad execution, those of all together, and their ranks. The last columns are about a search with
// the best repair in place: the time of a transition and of all of it, in units of those without. A transition is a
// whole section there, which is many actions at once, and there are few transitions; so a transition is slower and the
// search quicker. Repairs are named by the numbers beside the code, which are those of the thesis.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/budget.h"
#include "explain/eliminators.h"
#include "native/system.h"
#include "processor_seconds.h"
#include "reduce/reduced_search.h"
#include "run/client_executions.h"
#include "run/native_door.h"
#include "run/recorded_run.h"
#include "run/repair_search.h"
#include "support/flat_execution.h"
#include "support/thesis_clients.h"

namespace {

using namespace heddle;
using namespace heddle::explain;

struct Measured {
  double graph = 0, frontier = 0, all = 0, exclusion = 0;  // seconds for one execution
  double conflicts = 0, kept = 0, repairs = 0;
  bool all_ended = true;
};

Measured measure(std::size_t size) {
  Measured out;
  const int count = size <= 30 ? 20 : 5;
  std::mt19937_64 random(size);
  for (int i = 0; i < count; ++i) {
    const testing::FlatExecution f = testing::random_execution(random, size);
    const CodeBlocks blocks(f.tree);
    const auto timed = [&](double& to, const auto& work) {
      const double begin = processor_seconds();
      work();
      to += (processor_seconds() - begin) / count;
    };
    std::optional<ConflictGraph> graph;
    timed(out.graph, [&] { graph.emplace(f.execution, RealTime::Ignored); });
    Eliminators found;
    timed(out.frontier, [&] { found = eliminators(*graph, blocks); });
    for (std::uint32_t t = 0; t < f.execution.threads; ++t) {
      for (std::uint32_t u = 0; u < f.execution.threads; ++u) {
        out.kept += static_cast<double>(graph->frontier(t, u).size()) / count;
      }
    }
    out.repairs += static_cast<double>(found.repairs.size()) / count;
    const Repair repair = found.repairs.empty() ? Repair{} : found.repairs.front();
    bool excluded = false;
    timed(out.exclusion, [&] { excluded = excludes(blocks, repair, *graph); });
    if (!found.repairs.empty() && !excluded) {
      fmt::print(stderr, "a repair does not rule out its execution\n");
      std::exit(1);
    }
    if (size > 1'000) continue;
    const std::vector<ConflictEdge> edges = all_conflicts(f.execution, RealTime::Ignored);
    out.conflicts += static_cast<double>(edges.size()) / count;
    Eliminators same;
    const double begin = processor_seconds();
    const auto go_on = [&] { return processor_seconds() - begin < 1; };
    timed(out.all, [&] { same = eliminators(*graph, blocks, {.go_on = go_on, .edges = edges}); });
    out.all_ended &= same.complete;
    if (same.complete && same.repairs != found.repairs) {
      fmt::print(stderr, "the frontier gives other repairs than all conflicts\n");
      std::exit(1);
    }
  }
  return out;
}

// The numbers that the comments at the ends of a file's lines give statements; 0: none.
std::vector<int> statement_numbers(const std::string& file) {
  std::ifstream in(file);
  std::vector<int> out = {0};
  for (std::string line; std::getline(in, line);) {
    const auto comment = line.rfind("// ");
    const bool numbered = comment != line.npos && comment + 3 < line.size() &&
                          std::isdigit(static_cast<unsigned char>(line[comment + 3])) != 0;
    out.push_back(numbered ? std::atoi(line.c_str() + comment + 3) : 0);
  }
  return out;
}

// "add [27,35]"
std::string text_of(const std::vector<run::AtomicBlock>& blocks, const std::vector<int>& numbers) {
  std::string out;
  for (const run::AtomicBlock& block : blocks) {
    int first = 0, last = 0;
    for (std::uint32_t line = block.first_line; line <= block.last_line && line < numbers.size(); ++line) {
      if (numbers[line] == 0) continue;
      if (first == 0) first = numbers[line];
      last = numbers[line];
    }
    const std::string where = block.where();
    out += fmt::format("{}{} [{},{}]", out.empty() ? "" : " ", where.substr(0, where.find(':')), first, last);
  }
  return out;
}

struct Searched {
  double seconds = 0;
  std::uint64_t transitions = 0;
  std::uint32_t times = 0;

  double of_a_transition() const { return seconds / static_cast<double>(transitions); }
  double of_a_search() const { return seconds / times; }
};

Searched searched(const run::Program& program, const run::HarnessSettings& how) {
  Searched out;
  // Short searches are repeated.
  do {
    native::System system(program.image, run::with_clients(program.image, how, program.clients.list));
    SearchOptions options;
    options.stop_at_violation = false;
    ReductionReport report;
    const double begin = processor_seconds();
    const SearchResult result = reduced_search(system, options, {.safe = true}, report);
    out.seconds += processor_seconds() - begin;
    out.transitions += result.counters.transitions;
    ++out.times;
  } while (out.seconds < 0.3);
  return out;
}

struct RowTimes {
  double search = 0, after = 0, transition = 0, with_sections = 0;
};

RowTimes print_row(const testing::ThesisClient& row) {
  const std::string file = fmt::format("{}/examples/native/{}", HEDDLE_SOURCE_DIR, row.file());
  run::Switches switches = {{"client", row.client}};
  if (row.library() == 'A') switches["races"] = "allow";
  for (const std::string& flag : row.flags()) switches["flags"] += (switches["flags"].empty() ? "" : " ") + flag;
  const run::Program program = run::load_program(file, switches);
  Budget budget;
  RowTimes times;

  double begin = processor_seconds();
  const native::SystemOptions how = run::with_clients(program.image, program.how, program.clients.list);
  native::System system(program.image, how);
  std::set<std::string> outcomes;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_deadlock = [&](std::span<const Slot> state) {
    if (auto outcome = system.outcome(state)) outcomes.insert(*std::move(outcome));
  };
  ReductionReport report;
  reduced_search(system, options, {.safe = true}, report);
  run::ClientExecutions executions = run::client_executions(system, 0, {}, budget);
  times.search = processor_seconds() - begin;
  const std::set<std::string>& admitted = how.admitted->at(0);

  double events = 0, edges = 0;
  std::size_t count = 0;
  for (const auto* list : {&executions.bad.list, &executions.good.list}) {
    for (const RecordedExecution& one : *list) {
      ++count;
      events += static_cast<double>(std::ranges::count(one.actions, Action::Kind::Data, &Action::kind));
      edges += static_cast<double>(all_conflicts(one, RealTime::Ignored).size());
    }
  }
  const std::string bad = executions.bad.count.text(), good = executions.good.count.text();
  const std::vector<RecordedExecution> bad_executions = executions.bad.list;

  const StatementTree tree = run::statement_tree(*program.image);
  begin = processor_seconds();
  run::RepairSearch repairs(tree, program.image->files, run::real_time_of(system), 1'000, budget);
  repairs.add_good(std::move(executions.good.list));
  for (RecordedExecution& one : executions.bad.list) {
    repairs.add_bad(std::move(one), [](std::uint32_t) { return std::string(); });
  }
  repairs.compute();
  times.after = processor_seconds() - begin;

  // The good executions are the same for all, so two bad ones have the same ranking if they have the same repairs.
  std::set<std::vector<Repair>> rankings;
  const CodeBlocks blocks(tree);
  for (const RecordedExecution& one : bad_executions) {
    rankings.insert(eliminators(ConflictGraph(one, RealTime::Ignored), blocks).repairs);
  }

  run::HarnessSettings atomic = program.how;
  for (const CodeBlock& block : repairs.ranked().at(0).repair) {
    atomic.system.sections.push_back(run::section_of(tree, block));
  }
  const Searched with = searched(program, atomic), without = searched(program, program.how);
  times.transition = with.of_a_transition() / without.of_a_transition();
  times.with_sections = with.of_a_search() / without.of_a_search();

  const std::vector<int> numbers = statement_numbers(file);
  const auto repair = [&](std::size_t n) {
    if (n >= repairs.ranked().size()) return std::string("none");
    const RankedRepair& one = repairs.ranked()[n];
    return fmt::format("{} -> {}", text_of(repairs.blocks_of(one.repair), numbers), one.excluded_good);
  };
  const auto lin = static_cast<std::size_t>(
      std::ranges::count_if(outcomes, [&](const std::string& one) { return admitted.contains(one); }));
  fmt::print("| {} | {} / {} | {} / {} | {:.0f} | {:.0f} | {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
             row.name, lin, outcomes.size() - lin, bad, good, events / static_cast<double>(count),
             edges / static_cast<double>(count), rankings.size(), repair(0), repair(1), times.search, times.after,
             times.transition, times.with_sections);
  fmt::print("| thesis | {} / {} | {} / {} | {} | {} | {} | | | {} | {} | | |\n", row.thesis.lin, row.thesis.n_lin,
             row.thesis.bad, row.thesis.good, row.thesis.events, row.thesis.edges, row.thesis.answer,
             row.thesis.seconds - row.thesis.after, row.thesis.after);
  std::fflush(stdout);
  return times;
}

int print_table(const std::string& rows) {
  fmt::print(
      "| row | lin / n-lin | bad / good | events | conflicts | #res | first repair -> good ruled out | second | search "
      "s "
      "| after s | with sections: a transition | the search |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  int all = 0, quick = 0;
  double transition = 0, worst = 0, search = 0;
  for (const testing::ThesisClient& row : testing::thesis_clients) {
    if (!std::string(row.name).starts_with(rows)) continue;
    const RowTimes times = print_row(row);
    ++all;
    quick += times.after <= std::max(0.1 * times.search, 0.2) ? 1 : 0;
    transition += std::log(times.transition);
    worst = std::max(worst, times.transition);
    search += std::log(times.with_sections);
  }
  if (all == 0) {
    fmt::print(stderr, "there is no row {}\n", rows);
    return 1;
  }
  fmt::print(
      "\nWhat follows the search takes at most a tenth of its time or 0.2 s in {} of {} rows. With sections a "
      "transition costs {:.2f} times as much in the geometric mean and {:.2f} times at worst (goal: 1.5), and a search "
      "{:.2f} times as much.\n",
      quick, all, std::exp(transition / all), worst, std::exp(search / all));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--table") return print_table(argc > 2 ? argv[2] : "");
  const std::size_t largest = argc > 1 ? std::stoul(argv[1]) : 10'000;
  fmt::print(
      "| events | conflicts | frontier | repairs | graph ms | repairs ms | by all conflicts | ruled out: M events/s "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  double at_100 = 0, at_largest = 0;
  std::size_t last = 0;
  for (const std::size_t size : {10UL, 30UL, 100UL, 300UL, 1'000UL, 3'000UL, 10'000UL}) {
    if (size > largest) break;
    const Measured m = measure(size);
    if (size == 100) at_100 = m.graph + m.frontier;
    at_largest = m.graph + m.frontier;
    last = size;
    fmt::print("| {} | {} | {:.0f} | {:.1f} | {:.3f} | {:.3f} | {} | {:.1f} |\n", size,
               size > 1'000 ? "" : fmt::format("{:.0f}", m.conflicts), m.kept, m.repairs, m.graph * 1e3,
               m.frontier * 1e3,
               size > 1'000 ? "" : fmt::format("{}{:.1f}x slower", m.all_ended ? "" : "> ", m.all / m.frontier),
               static_cast<double>(size) / m.exclusion * 1e-6);
    std::fflush(stdout);
  }
  if (last > 100) {
    fmt::print("\nFrom 100 to {} events the time grows with exponent {:.2f}.\n", last,
               std::log(at_largest / at_100) / std::log(static_cast<double>(last) / 100));
  }
  return 0;
}
