// Loops over members of a role, properties of final states, and the names of choices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "support/checked.h"
#include "support/explored.h"

namespace heddle::members_test {
namespace {

using ::testing::HasSubstr;

template <class Build>
Model model(Build build) {
  return Model(Definition{.name = "test", .summary = "", .build = build});
}

// --- A replicated counter that only grows: each replica counts for itself and tells all others what it knows of
// everybody.

struct Replica;
struct Known {
  Per<Replica, int> counts;
};
struct Replica {
  Per<Replica, int> counts;
  bool counted = false, told = false;
  void count(Id<Replica> self) {
    require(!counted);
    counted = true;
    ++counts[self];
  }
  void tell(Id<Replica> self, const Run& run, To<Replica, Known> out) {
    require(counted && !told);
    told = true;
    for (const Id<Replica> id : run.members<Replica>()) {
      if (id != self) out.send(id, {counts});
    }
  }
  void hear(const Known& known) {
    for (const auto& [id, count] : known.counts) counts[id] = std::max(counts[id], count);
  }
  static constexpr auto transitions = heddle::transitions<&Replica::count, &Replica::tell, &Replica::hear>;
};

int sum(const Per<Replica, int>& counts) {
  int all = 0;
  for (const auto& [id, count] : counts) all += count;
  return all;
}

void counter(Model& m) {
  m.add<Replica>(3);
  m.finally("converged", [](const View& v) {
    for (const Replica& r : v.all<Replica>()) {
      if (sum(r.counts) != 3) return false;
    }
    return true;
  });
}

TEST(Members, AHandlerReachesAllOfThem) {
  const Explored e = explore(model(counter));
  EXPECT_EQ(e.result.verdict, Verdict::Holds);
  // Every order ends where all know of all.
  ASSERT_EQ(e.finals.size(), 1u);
  EXPECT_EQ(count_with(e.finals, R"(counts={"replica 1":1,"replica 2":1,"replica 3":1})"), 1u) << *e.finals.begin();
}

TEST(Members, ALoopThatDoesNotDependOnTheOrderIsSymmetric) {
  const run::CheckResult reduced = checked(model(counter), with_plan({.symmetry = true, .insist = true}));
  EXPECT_EQ(reduced.verdict, Verdict::Holds);
  EXPECT_LT(reduced.counters.states, explore(model(counter)).result.counters.states);
}

// Tells one replica only, "the first".
struct Favourite {
  Id<Favourite> chosen;
  void choose(const Run& run, Id<Favourite> self) {
    require(!chosen);
    for (const Id<Favourite> id : run.members<Favourite>()) {
      if (id == self) continue;
      chosen = id;
      break;
    }
  }
  static constexpr auto transitions = heddle::transitions<&Favourite::choose>;
};

TEST(Members, ALoopThatDependsOnTheOrderIsNoticed) {
  try {
    checked(model([](Model& m) { m.add<Favourite>(3); }), with_plan({.symmetry = true, .insist = true}));
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("not symmetric"));
  }
}

struct Child {
  int x = 0;
  void never() { require(false); }
  static constexpr auto transitions = heddle::transitions<&Child::never>;
};

TEST(Members, PlacesForSpawnedOnesAreMembers) {
  const Model m = model([](Model& built) {
    built.add<Replica>(2);
    built.room_for<Child>(5);
  });
  EXPECT_EQ(m.run().members<Child>().size(), 5u);
  EXPECT_EQ(m.run().members<Replica>().size(), 2u);
}

TEST(Members, ASetIsARangeOfWhatIsInIt) {
  static_assert(std::ranges::input_range<const IdSet<Replica>&>);
  IdSet<Replica> set;
  EXPECT_EQ(set.begin(), set.end());
  for (const std::size_t i : {0, 5, 63}) set.insert(Model::id<Replica>(i));
  std::vector<Id<Replica>> seen;
  for (const Id<Replica> id : set) seen.push_back(id);
  EXPECT_EQ(seen, (std::vector{Model::id<Replica>(0), Model::id<Replica>(5), Model::id<Replica>(63)}));
}

// What a loop sees depends only on values, not on which members were written to before.
TEST(Members, APerIsARangeOfWhatIsNotTheDefault) {
  Per<Replica, int> per;
  EXPECT_TRUE(per.begin() == per.end());
  per[Model::id<Replica>(4)] = 7;
  per[Model::id<Replica>(1)] = 3;
  per[Model::id<Replica>(6)] = 9;
  per[Model::id<Replica>(6)] = 0;
  std::map<int, int> seen;
  for (auto [id, value] : per) {
    seen[id == Model::id<Replica>(4) ? 4 : id == Model::id<Replica>(1) ? 1 : -1] = value;
    value += 10;
  }
  EXPECT_EQ(seen, (std::map<int, int>{{1, 3}, {4, 7}}));
  EXPECT_EQ(per[Model::id<Replica>(4)], 17);
  const Per<Replica, int>& fixed = per;
  EXPECT_EQ(std::distance(fixed.begin(), fixed.end()), 2);
}

// --- Final states.

struct Walker {
  int at = 0;
  void walk() {
    require(at < 3);
    ++at;
  }
  void rest() {
    require(at == 1);
    at = 9;
  }
  static constexpr auto transitions = heddle::transitions<&Walker::walk, &Walker::rest>;
};

TEST(Finally, IsAboutStatesWithoutAStepOnly) {
  for (const SearchOptions::Order order : {SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst}) {
    SearchOptions options;
    options.order = order;
    options.stop_at_violation = false;
    const Explored e = explore(model([](Model& m) {
                                 m.add<Walker>();
                                 m.finally("far", [](const View& v) { return v.all<Walker>()[0].at >= 3; });
                                 m.finally("home", [](const View& v) { return v.all<Walker>()[0].at == 3; });
                               }),
                               {}, options);
    EXPECT_EQ(e.result.verdict, Verdict::Violated);
    ASSERT_EQ(e.result.violations.size(), 1u);
    EXPECT_EQ(e.result.violations[0].property, 1u);
    EXPECT_EQ(e.result.violations[0].path.steps.size(), 2u);  // walk, rest
    EXPECT_EQ(e.result.counters.deadlocks, 2u);
  }
}

// --- Choices.

struct Guest {
  enum class Mood { good, bad };
  struct Plan {
    Mood mood = Mood::good;
    int hour = 0;
  };
  int hour = 0;
  Id<Guest> friend_;
  bool done = false;
  void decide(Choice choose) {
    require(!done);
    done = true;
    friend_ = choose.member<Guest>();
    hour = choose.from(std::vector{11, 22});
    const Plan plan = choose.from(std::vector<Plan>{{Mood::bad, 5}});
    const auto unprintable = choose.from(std::vector<int (*)()>{nullptr, nullptr});
    hour += plan.hour + (choose.flip() ? 100 : 0) + static_cast<int>(choose(2)) + (unprintable == nullptr ? 0 : 1);
  }
  static constexpr auto transitions = heddle::transitions<&Guest::decide>;
};

TEST(Choices, AreCalledWhatWasChosen) {
  const auto system = make_actor_system(model([](Model& m) { m.add<Guest>(2); }), {});
  const SlotVector start = system->initial_states().front();
  StepBuffer steps;
  system->expand(start, steps);
  std::set<std::string> choices;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const SlotVector target = apply_changes(start, steps.changes(k));
    choices.insert(system->describer().describe_step(start, steps.step(k), target).choice);
  }
  std::set<std::string> expected;
  for (const std::string who : {"guest 1", "guest 2"}) {
    for (const std::string hour : {"11", "22"}) {
      for (const std::string which : {"0", "1"}) {
        for (const std::string heads : {"false", "true"}) {
          for (const std::string number : {"0", "1"}) {
            expected.insert("[\"" + who + "\"," + hour + R"(,{"mood":"bad","hour":5},)" + which + "," + heads + "," +
                            number + "]");
          }
        }
      }
    }
  }
  EXPECT_EQ(choices, expected);
}

}  // namespace
}  // namespace heddle::members_test
