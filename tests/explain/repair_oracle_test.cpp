// Root causes of the stack of Cirisci 2022, Fig. 2.21: a small model of it, all executions of the client of Fig. 2.22
// up to the order of independent actions, and what the thesis says of them.
#include "explain/repair_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <map>
#include <set>

#include "explain/eliminators.h"

namespace heddle::explain::repair_oracle_test {
namespace {

using ::testing::ElementsAre;

// Statements, named by the lines of the thesis.
enum : std::uint32_t { push, line2, line3, pop, line5, line7, line8, line9 };
const StatementTree tree = {
    {.function = "push", .first_line = 1, .last_line = 3},
    {.parent = push, .order = 0, .function = "push", .first_line = 2, .last_line = 2},
    {.parent = push, .order = 1, .function = "push", .first_line = 3, .last_line = 3},
    {.function = "pop", .first_line = 4, .last_line = 11},
    {.parent = pop, .order = 0, .function = "pop", .first_line = 5, .last_line = 5},
    {.parent = pop, .order = 1, .loop = true, .function = "pop", .first_line = 7, .last_line = 10},
    {.parent = line7, .order = 0, .function = "pop", .first_line = 8, .last_line = 8},
    {.parent = line7, .order = 1, .function = "pop", .first_line = 9, .last_line = 9},
};

// i := range++; items[i] := x      and      for i from range - 1 down to 0: x := items[i]; items[i] := null; until x
struct Stack {
  int range = 0;
  std::array<int, 3> items = {};
};
struct Call {
  bool pushes;
  int value;
};
const std::vector<std::vector<Call>> client = {{{true, 1}}, {{true, 2}, {false, 0}}, {{false, 0}}};
constexpr std::uint32_t range_object = 9;

struct Thread {
  std::size_t call = 0;
  int at = 0;  // 0: a call begins; line 3, 8 or 9 otherwise
  int i = 0, x = 0, rounds = 0;
  std::string results = {};
};

// One execution; `run` makes the next action of a thread.
struct Run {
  Stack stack;
  std::array<Thread, 3> threads;
  RecordedExecution execution{.threads = 3, .instances = {}, .actions = {}};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> around;  // instances by invocation and statement

  bool over(std::uint32_t t) const { return threads[t].call == client[t].size(); }

  std::uint32_t instance(std::uint32_t invocation, std::uint32_t statement) {
    const auto [found, is_new] = around.try_emplace({invocation, statement}, 0);
    if (is_new) {
      const std::uint32_t parent = tree[statement].parent;
      const std::uint32_t of_parent = parent == nothing ? nothing : instance(invocation, parent);
      execution.instances.push_back({statement, of_parent, 0});
      around[{invocation, statement}] = static_cast<std::uint32_t>(execution.instances.size() - 1);
    }
    return around[{invocation, statement}];
  }

  void note(std::uint32_t t, std::uint32_t statement, std::vector<DataAccess> accesses) {
    const auto invocation = 8 * t + static_cast<std::uint32_t>(threads[t].call);
    std::uint32_t own = 0;
    if (tree[statement].parent == line7) {
      execution.instances.push_back(
          {statement, instance(invocation, line7), static_cast<std::uint32_t>(threads[t].rounds)});
      own = static_cast<std::uint32_t>(execution.instances.size() - 1);
    } else {
      own = instance(invocation, statement);
    }
    execution.actions.push_back({.thread = t,
                                 .invocation = invocation,
                                 .instance = own,
                                 .line = tree[statement].first_line,
                                 .accesses = std::move(accesses)});
  }

  void end(Thread& thread, const std::string& result) {
    thread.results += result + ";";
    thread.at = thread.rounds = 0;
    ++thread.call;
  }

  void step(std::uint32_t t) {
    Thread& self = threads[t];
    const Call& call = client[t][self.call];
    const auto cell = [&] { return static_cast<std::uint32_t>(self.i); };
    int& item = stack.items[static_cast<std::size_t>(self.i < 0 ? 0 : self.i)];
    if (call.pushes && self.at == 0) {
      note(t, line2, {{range_object, 0, 4, false}, {range_object, 0, 4, true}});
      self.i = stack.range++;
      self.at = 3;
    } else if (call.pushes) {
      note(t, line3, {{cell(), 0, 4, true}});
      item = call.value;
      end(self, "-");
    } else if (self.at == 0) {
      note(t, line5, {{range_object, 0, 4, false}});
      self.i = stack.range - 1;
      self.at = 8;
      if (self.i < 0) end(self, "empty");
    } else if (self.at == 8) {
      note(t, line8, {{cell(), 0, 4, false}});
      self.x = item;
      self.at = 9;
    } else {
      note(t, line9, {{cell(), 0, 4, true}});
      item = 0;
      self.at = 8, --self.i, ++self.rounds;
      if (self.x != 0 || self.i < 0) end(self, self.x == 0 ? "empty" : std::to_string(self.x));
    }
  }

  std::string outcome() const { return threads[0].results + "|" + threads[1].results + "|" + threads[2].results; }

  // Foata normal form: each action in the first layer after all that it depends on. Equal for equivalent executions.
  std::string normal_form() const {
    std::vector<std::size_t> layers;
    std::set<std::string> parts;
    std::map<std::uint32_t, int> place;
    for (std::size_t j = 0; j < execution.actions.size(); ++j) {
      std::size_t layer = 0;
      for (std::size_t i = 0; i < j; ++i) {
        if (depends(execution.actions[i], execution.actions[j])) layer = std::max(layer, layers[i] + 1);
      }
      layers.push_back(layer);
      const std::uint32_t t = execution.actions[j].thread;
      parts.insert(std::to_string(layer) + ":" + std::to_string(t) + "." + std::to_string(place[t]++));
    }
    std::string out = outcome();
    for (const std::string& part : parts) out += " " + part;
    return out;
  }
  static bool depends(const Action& a, const Action& b) {
    if (a.thread == b.thread) return true;
    for (const DataAccess& x : a.accesses) {
      for (const DataAccess& y : b.accesses) {
        if (x.object == y.object && (x.write || y.write)) return true;
      }
    }
    return false;
  }
};

struct Executions {
  std::vector<RecordedExecution> bad, good;
  std::set<std::string> outcomes, sequential;
};

void explore(const Run& run, std::set<std::string>& seen, std::vector<Run>& ends) {
  if (!seen.insert(run.normal_form()).second) return;
  bool over = true;
  for (std::uint32_t t = 0; t < 3; ++t) {
    if (run.over(t)) continue;
    over = false;
    Run next = run;
    next.step(t);
    explore(next, seen, ends);
  }
  if (over) ends.push_back(run);
}

void explore_calls(const Run& run, std::set<std::string>& outcomes) {
  bool over = true;
  for (std::uint32_t t = 0; t < 3; ++t) {
    if (run.over(t)) continue;
    over = false;
    Run next = run;
    for (const std::size_t call = next.threads[t].call; next.threads[t].call == call;) next.step(t);
    explore_calls(next, outcomes);
  }
  if (over) outcomes.insert(run.outcome());
}

const Executions& executions() {
  static const Executions all = [] {
    Executions out;
    std::set<std::string> seen;
    std::vector<Run> ends;
    explore({}, seen, ends);
    explore_calls({}, out.sequential);
    for (const Run& run : ends) {
      out.outcomes.insert(run.outcome());
      (out.sequential.contains(run.outcome()) ? out.good : out.bad).push_back(run.execution);
    }
    return out;
  }();
  return all;
}

const Repair in_pop = {{line8, line9}}, in_push = {{line2, line3}};

std::vector<Repair> repairs_of(const RecordedExecution& execution) {
  return eliminators(ConflictGraph(execution, RealTime::Ignored), CodeBlocks(tree)).repairs;
}

TEST(RepairOracle, TheStackHasTheExecutionsOfTheThesis) {
  EXPECT_EQ(executions().outcomes.size(), 9);
  EXPECT_EQ(executions().sequential.size(), 5);
  EXPECT_EQ(executions().bad.size(), 62);
  EXPECT_EQ(executions().good.size(), 93);
}

TEST(RepairOracle, EachBadExecutionOfTheStackIsRuledOutByPopOrByEither) {
  std::map<std::vector<Repair>, int> count;
  for (const RecordedExecution& bad : executions().bad) ++count[repairs_of(bad)];
  const std::map<std::vector<Repair>, int> expected = {{{in_push, in_pop}, 56}, {{in_pop}, 6}};
  EXPECT_EQ(count, expected);
}

// The run in which the threads take turns in this order.
Run scheduled(std::initializer_list<std::uint32_t> threads) {
  Run run;
  for (const std::uint32_t thread : threads) run.step(thread);
  return run;
}

// Cirisci 2022, Fig. 2.22. One thread pushes b into the first cell; another takes the second cell and stops before it
// writes there; two pops find that empty and both read b before they clear it.
TEST(RepairOracle, TheExecutionOfTheFigureHasTwoRepairs) {
  const auto run = scheduled({1, 1, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0});
  EXPECT_EQ(run.outcome(), "-;|-;2;|2;");
  EXPECT_THAT(repairs_of(run.execution), ElementsAre(in_push, in_pop));
}

TEST(RepairOracle, OnlyPopRulesOutAllOfThem) {
  const CodeBlocks blocks(tree);
  std::vector<std::vector<Repair>> all;
  for (const RecordedExecution& bad : executions().bad) all.push_back(repairs_of(bad));
  const CombinedRepairs found = combined(all, blocks, 1'000);
  EXPECT_TRUE(found.complete);
  EXPECT_THAT(found.repairs, ElementsAre(in_pop));
}

TEST(RepairOracle, PopRulesOutFewerGoodExecutionsAndComesFirst) {
  const CodeBlocks blocks(tree);
  std::vector<ConflictGraph> good;
  for (const RecordedExecution& one : executions().good) good.emplace_back(one, RealTime::Ignored);
  const std::vector<RankedRepair> order = ranked(std::vector{in_push, in_pop}, good, blocks);
  ASSERT_EQ(order.size(), 2);
  EXPECT_EQ(order[0].repair, in_pop);
  EXPECT_EQ(order[0].excluded_good, 60);
  EXPECT_EQ(order[0].rank, 1);
  EXPECT_EQ(order[1].repair, in_push);
  EXPECT_EQ(order[1].excluded_good, 81);
  EXPECT_EQ(order[1].rank, 2);
}

TEST(RepairOracle, EquallyGoodRepairsShareARank) {
  const CodeBlocks blocks(tree);
  const std::vector<RankedRepair> order =
      ranked(std::vector{Repair{{line2, line2}}, Repair{{line3, line3}}, in_push}, {}, blocks);
  EXPECT_EQ(order[0].rank, 1);
  EXPECT_EQ(order[1].rank, 1);
  EXPECT_EQ(order[2].rank, 3);
}

TEST(RepairOracle, TheProductOfManyRepairsStopsAtTheMost) {
  const CodeBlocks blocks(tree);
  const std::vector<std::vector<Repair>> all = {{{{line2, line2}}, {{line5, line5}}},
                                                {{{line3, line3}}, {{line8, line8}}}};
  EXPECT_EQ(combined(all, blocks, 10).repairs.size(), 4);
  const CombinedRepairs few = combined(all, blocks, 3);
  EXPECT_EQ(few.repairs.size(), 3);
  EXPECT_FALSE(few.complete);
  EXPECT_FALSE(combined(all, blocks, 10, [] { return false; }).complete);
}

}  // namespace
}  // namespace heddle::explain::repair_oracle_test
