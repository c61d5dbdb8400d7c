// Optimal repairs of executions: examples with known answers, and a brute force over all ways to cut invocations into
// intervals.
#include "explain/eliminators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "explain/repair_oracle.h"
#include "support/flat_execution.h"
#include "support/long_run.h"

namespace heddle::explain::eliminators_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using heddle::testing::FlatExecution;
using heddle::testing::random_execution;

std::vector<Repair> repairs_of(const FlatExecution& flat, RealTime real_time = RealTime::Ignored) {
  const ConflictGraph graph(flat.execution, real_time);
  return eliminators(graph, CodeBlocks(flat.tree)).repairs;
}

TEST(Eliminators, ALostUpdateNeedsReadAndWriteTogether) {
  FlatExecution f;
  const auto r1 = f.read(0, 7);
  f.write(1, 7);
  const auto w1 = f.write(0, 7);
  EXPECT_THAT(repairs_of(f), ElementsAre(Repair{{r1, w1}}));
}

TEST(Eliminators, OneThreadAfterTheOtherIsPossibleWithEveryRepair) {
  FlatExecution f;
  f.read(0, 7), f.write(0, 7), f.read(1, 7), f.write(1, 7);
  EXPECT_THAT(repairs_of(f), IsEmpty());
}

TEST(Eliminators, AccessesToOtherBytesDoNotConflict) {
  FlatExecution f;
  f.add(0, 0, {{7, 0, 4, false}});
  f.add(1, 1, {{7, 4, 8, true}});
  f.add(0, 0, {{7, 0, 4, true}});
  EXPECT_THAT(repairs_of(f), IsEmpty());
  FlatExecution g;
  const auto r = g.add(0, 0, {{7, 0, 5, false}});
  g.add(1, 1, {{7, 4, 8, true}});
  const auto w = g.add(0, 0, {{7, 0, 5, true}});
  EXPECT_THAT(repairs_of(g), ElementsAre(Repair{{r, w}}));
}

// Cirisci 2022, Fig. 2.23: of the candidates [a1,a3] and [a1,a3],[a5,a6] the first is minimal.
TEST(Eliminators, TheMinimumOfTheExampleOfTheThesis) {
  FlatExecution f;
  const auto a1 = f.write(0, 1);  // a1 conflicts with a6
  f.write(1, 3);                  // a5 conflicts with a8
  f.write(1, 1);                  // a6
  f.write(1, 4);                  // a7, after a6
  f.write(2, 3);
  f.read(2, 4);
  f.write(2, 5);  // a8 conflicts with a3
  const auto a3 = f.write(0, 5);
  EXPECT_THAT(repairs_of(f), ElementsAre(Repair{{a1, a3}}));
}

// Conflicts between neighbours in a ring of threads, all sources before all targets.
FlatExecution ring(std::uint32_t threads, std::uint32_t conflicts) {
  FlatExecution f;
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (std::uint32_t i = 0; i < conflicts; ++i) f.write(t, t * conflicts + i);
  }
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (std::uint32_t i = 0; i < conflicts; ++i) f.write(t, (t + threads - 1) % threads * conflicts + i);
  }
  return f;
}

// Sources stand above targets in the code, the i-th source and the i-th target belong together: no conflict makes
// another superfluous (Cirisci 2022, §2.3.4: the bound is tight).
TEST(Eliminators, ARingOfNThreadsWithKConflictsHasKToTheN) {
  for (const auto& [n, k] : {std::pair{2u, 3u}, std::pair{3u, 2u}, std::pair{3u, 3u}, std::pair{4u, 2u}}) {
    std::size_t expected = 1;
    for (std::uint32_t t = 0; t < n; ++t) expected *= k;
    EXPECT_EQ(repairs_of(ring(n, k)).size(), expected) << n << " threads, " << k << " conflicts";
  }
}

TEST(Eliminators, StopAtTheMostThatAreWanted) {
  const FlatExecution f = ring(4, 5);
  const ConflictGraph graph(f.execution, RealTime::Ignored);
  const Eliminators few = eliminators(graph, CodeBlocks(f.tree), {.most = 5});
  EXPECT_FALSE(few.complete);
  EXPECT_EQ(few.repairs.size(), 5);
  const Eliminators stopped = eliminators(graph, CodeBlocks(f.tree), {.go_on = [] { return false; }});
  EXPECT_FALSE(stopped.complete);
  EXPECT_LT(stopped.repairs.size(), 625);
  EXPECT_EQ(eliminators(graph, CodeBlocks(f.tree)).repairs.size(), 625);
}

// Of threads that do the same one counts: the ways through all of them are exponentially many.
TEST(Eliminators, ManyThreadsThatAreAlikeTakeLittleLonger) {
  for (const std::uint32_t threads : {2u, 10u, 60u}) {
    FlatExecution f;
    const auto r = f.add(0, 0, {{7, 0, 8, false}}), w = f.add(0, 0, {{7, 0, 8, true}});
    f.execution = {.threads = threads, .instances = {{f.tree[r].parent, nothing, 0}}, .actions = {}};
    for (std::uint32_t t = 1; t < threads; ++t) f.execution.instances.push_back(f.execution.instances[0]);  // bodies
    const auto all = [&](std::uint32_t statement, bool write) {
      for (std::uint32_t t = 0; t < threads; ++t) {
        f.execution.instances.push_back({statement, t, 0});
        f.execution.actions.push_back({.thread = t,
                                       .invocation = t,
                                       .instance = static_cast<std::uint32_t>(f.execution.instances.size() - 1),
                                       .accesses = {{7, 0, 8, write}}});
      }
    };
    all(r, false), all(w, true);
    const ConflictGraph graph(f.execution, RealTime::Ignored);
    std::size_t asked = 0;
    const EliminatorOptions options{.go_on = [&] { return ++asked < 1'000; }};
    const Eliminators found = eliminators(graph, CodeBlocks(f.tree), options);
    EXPECT_TRUE(found.complete) << threads << " threads";
    EXPECT_THAT(found.repairs, ElementsAre(Repair{{r, w}}));
    ASSERT_EQ(found.cycles.size(), 1u);
    EXPECT_EQ(found.cycles[0].size(), 2u);
  }
}

// A call that began after another one returned comes after it; with that, one segment is enough where outcomes alone
// need none.
TEST(Eliminators, RealTimeIsAnOrderToo) {
  FlatExecution f;
  const auto mark = [&](Action::Kind kind, std::uint32_t thread, std::uint32_t invocation) {
    f.execution.actions.push_back({.kind = kind, .thread = thread, .invocation = invocation});
  };
  using enum Action::Kind;
  mark(Call, 0, 0);
  const auto w1 = f.add(0, 0, {{1, 0, 8, true}});
  mark(Call, 1, 1);
  f.add(1, 1, {{1, 0, 8, false}});
  mark(Return, 1, 1);
  mark(Call, 2, 2);
  f.add(2, 2, {{2, 0, 8, false}});
  mark(Return, 2, 2);
  const auto w2 = f.add(0, 0, {{2, 0, 8, true}});
  mark(Return, 0, 0);
  EXPECT_THAT(repairs_of(f), IsEmpty());
  EXPECT_THAT(repairs_of(f, RealTime::Respected), ElementsAre(Repair{{w1, w2}}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Brute force, written from the definitions (Cirisci 2022, §2.3.2): every way to cut the invocations into intervals; an
// interval graph with a cycle rules the execution out. It shares the data types only.

struct Interval {
  std::uint32_t invocation, first, last;  // places within the invocation
  auto operator<=>(const Interval&) const = default;
};
using Intervals = std::set<Interval>;  // those of more than one action

bool covers(const Intervals& larger, const Intervals& smaller) {
  return std::ranges::all_of(smaller, [&](const Interval& s) {
    return std::ranges::any_of(larger, [&](const Interval& l) {
      return l.invocation == s.invocation && l.first <= s.first && s.last <= l.last;
    });
  });
}

std::set<Intervals> minimal(const std::set<Intervals>& all) {
  std::set<Intervals> out;
  for (const Intervals& one : all) {
    const bool superfluous =
        std::ranges::any_of(all, [&](const Intervals& other) { return other != one && covers(one, other); });
    if (!superfluous) out.insert(one);
  }
  return out;
}

bool conflict(const Action& a, const Action& b) {
  for (const DataAccess& x : a.accesses) {
    for (const DataAccess& y : b.accesses) {
      if (x.object == y.object && x.begin < y.end && y.begin < x.end && (x.write || y.write)) return true;
    }
  }
  return false;
}

class BruteForce {
 public:
  explicit BruteForce(const RecordedExecution& execution) : e_(execution) {
    for (std::uint32_t a = 0; a < e_.actions.size(); ++a) members_[e_.actions[a].invocation].push_back(a);
    cut(members_.begin(), 0);
  }

  const std::set<Intervals>& found() const { return found_; }

 private:
  using Members = std::map<std::uint32_t, std::vector<std::uint32_t>>;

  void cut(Members::const_iterator invocation, std::uint32_t place) {
    if (invocation == members_.end()) return judge();
    if (place == invocation->second.size()) return cut(std::next(invocation), 0);
    for (auto last = place; last < invocation->second.size(); ++last) {
      chosen_.push_back({invocation->first, place, last});
      cut(invocation, last + 1);
      chosen_.pop_back();
    }
  }

  void judge() {
    const std::size_t n = chosen_.size();
    std::vector<std::uint32_t> of(e_.actions.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto& all = members_.at(chosen_[i].invocation);
      for (auto p = chosen_[i].first; p <= chosen_[i].last; ++p) of[all[p]] = i;
    }
    std::vector<std::vector<char>> reaches(n, std::vector<char>(n, 0));
    for (std::size_t a = 0; a < of.size(); ++a) {
      for (std::size_t b = a + 1; b < of.size(); ++b) {
        if (of[a] != of[b] && ordered(e_.actions[a], e_.actions[b])) reaches[of[a]][of[b]] = 1;
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) reaches[i][j] |= reaches[i][k] & reaches[k][j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (reaches[i][i] == 0) continue;
      Intervals longer;
      for (const Interval& one : chosen_) {
        if (one.first != one.last) longer.insert(one);
      }
      found_.insert(longer);
      return;
    }
  }

  static bool ordered(const Action& a, const Action& b) { return a.thread == b.thread || conflict(a, b); }

  const RecordedExecution& e_;
  Members members_;
  std::vector<Interval> chosen_;
  std::set<Intervals> found_;
};

// Every cycle of conflicts that comes to no thread twice, with its critical segments: where it leaves a thread before
// the place where it has come to it, the call must be in one piece from there to here.
class CyclesOfThreads {
 public:
  explicit CyclesOfThreads(const RecordedExecution& execution) : e_(execution) {
    std::map<std::uint32_t, std::uint32_t> lengths;
    for (const Action& action : e_.actions) places_.push_back(lengths[action.invocation]++);
    for (std::uint32_t i = 0; i < e_.actions.size(); ++i) {
      for (std::uint32_t j = i + 1; j < e_.actions.size(); ++j) {
        if (thread(i) != thread(j) && conflict(e_.actions[i], e_.actions[j])) conflicts_.push_back({i, j});
      }
    }
    for (const ConflictEdge& first : conflicts_) {
      way_ = {first};
      go_on();
    }
  }

  // By cycle, the least conflict first.
  const std::map<ConflictCycle, Intervals>& found() const { return found_; }

 private:
  std::uint32_t thread(std::uint32_t action) const { return e_.actions[action].thread; }

  void go_on() {
    const std::uint32_t in = thread(way_.back().to);
    if (in == thread(way_.front().from)) {
      judge();
      return;
    }
    for (const ConflictEdge& one : way_) {
      if (thread(one.from) == in) return;
    }
    for (const ConflictEdge& next : conflicts_) {
      if (next < way_.front() || thread(next.from) != in) continue;
      way_.push_back(next);
      go_on();
      way_.pop_back();
    }
  }

  void judge() {
    Intervals segments;
    for (std::size_t k = 0; k < way_.size(); ++k) {
      const std::uint32_t enter = way_[k].to, leave = way_[(k + 1) % way_.size()].from;
      if (enter <= leave) continue;
      if (e_.actions[enter].invocation != e_.actions[leave].invocation) return;
      segments.insert({e_.actions[enter].invocation, places_[leave], places_[enter]});
    }
    found_[way_] = segments;
  }

  const RecordedExecution& e_;
  std::vector<std::uint32_t> places_;  // of actions, within their invocations
  std::vector<ConflictEdge> conflicts_;
  ConflictCycle way_;
  std::map<ConflictCycle, Intervals> found_;
};

// Statements are numbered by invocation and place.
Intervals as_intervals(const FlatExecution& f, const Repair& repair) {
  std::map<std::uint32_t, std::uint32_t> invocation_of;
  for (const Action& action : f.execution.actions) {
    invocation_of[f.execution.instances[action.instance].statement] = action.invocation;
  }
  Intervals out;
  for (const CodeBlock& block : repair) {
    out.insert({invocation_of.at(block.first), f.tree[block.first].order, f.tree[block.last].order});
  }
  return out;
}

TEST(Eliminators, EqualThoseOfABruteForceOverAllIntervals) {
  std::mt19937_64 random(17);
  std::size_t with_repairs = 0;
  for (std::size_t i = 0, n = heddle::testing::count_of(500, 5'000); i < n; ++i) {
    const FlatExecution f = random_execution(random, 2 + random() % 11);
    const ConflictGraph graph(f.execution, RealTime::Ignored);
    const CodeBlocks blocks(f.tree);
    const Eliminators found = eliminators(graph, blocks);
    std::set<Intervals> intervals;
    for (const Repair& repair : found.repairs) intervals.insert(as_intervals(f, repair));
    ASSERT_EQ(intervals, minimal(BruteForce(f.execution).found())) << "case " << i;
    // Cycles that come to no thread twice are enough, and one of them proves each repair.
    const std::map<ConflictCycle, Intervals> cycles = CyclesOfThreads(f.execution).found();
    std::set<Intervals> segments;
    for (const auto& [cycle, of_cycle] : cycles) segments.insert(of_cycle);
    ASSERT_EQ(intervals, minimal(segments)) << "case " << i;
    ASSERT_EQ(found.cycles.size(), found.repairs.size()) << "case " << i;
    for (std::size_t r = 0; r < found.repairs.size(); ++r) {
      ConflictCycle proof = found.cycles[r];
      std::ranges::rotate(proof, std::ranges::min_element(proof));
      const auto known = cycles.find(proof);
      ASSERT_NE(known, cycles.end()) << "case " << i << ": no cycle of conflicts, or it comes to a thread twice";
      ASSERT_EQ(known->second, as_intervals(f, found.repairs[r])) << "case " << i;
    }
    const Eliminators by_all = eliminators(graph, blocks, {.edges = all_conflicts(f.execution, RealTime::Ignored)});
    ASSERT_EQ(found.repairs, by_all.repairs) << "case " << i;
    for (const Repair& repair : found.repairs) ASSERT_TRUE(excludes(blocks, repair, graph)) << "case " << i;
    with_repairs += found.repairs.empty() ? 0 : 1;
  }
  EXPECT_GT(with_repairs, 100);
}

TEST(Eliminators, ACycleProvesEachRepair) {
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < 3'000; ++i) {
    const FlatExecution f = random_execution(random, 10 + random() % 21);
    const ConflictGraph graph(f.execution, RealTime::Ignored);
    const Eliminators found = eliminators(graph, CodeBlocks(f.tree));
    ASSERT_EQ(found.cycles.size(), found.repairs.size());
    for (std::size_t r = 0; r < found.repairs.size(); ++r) {
      const ConflictCycle& cycle = found.cycles[r];
      ASSERT_GE(cycle.size(), 2);
      Repair segments;
      std::set<std::uint32_t> threads;
      for (std::size_t k = 0; k < cycle.size(); ++k) {
        const std::uint32_t enter = cycle[k].to, leave = cycle[(k + 1) % cycle.size()].from;
        ASSERT_TRUE(threads.insert(f.execution.actions[enter].thread).second) << "case " << i << ": comes to it twice";
        ASSERT_EQ(f.execution.actions[enter].thread, f.execution.actions[leave].thread);
        if (leave < enter) segments.push_back(CodeBlocks(f.tree).around(f.execution, leave, enter));
      }
      CodeBlocks(f.tree).normalise(segments);
      ASSERT_EQ(segments, found.repairs[r]);
    }
  }
}

}  // namespace
}  // namespace heddle::explain::eliminators_test
