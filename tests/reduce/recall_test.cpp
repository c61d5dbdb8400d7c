// A run that was found with something left out of states is found again with it (reduce/auxiliary.h). The recalled run
// takes the same messages and ends in what was found. These are tests of reduce/ alone.
#include <gtest/gtest.h>

#include <functional>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "reduce/auxiliary.h"
#include "reduce/reduced_search.h"

namespace heddle::recall_test {
namespace {

std::unique_ptr<TransitionSystem> actors(const std::function<void(Model&)>& build, const ActorOptions& options = {}) {
  return make_actor_system(Model(Definition{.name = "test", .summary = "", .build = build}), options);
}

// Finds the one violation with everything left out, and expects that the recalled run ends in it.
void expect_recalled(const std::function<void(Model&)>& build) {
  const auto full = actors(build);
  const auto less = actors(build, {.forget_auxiliary = true, .drop_dead = ActorOptions::DropDead::Yes});
  SearchOptions o;
  o.stop_at_violation = false;
  ReductionReport report;
  const SearchResult all = reduced_search(*full, o, {}, report), found = reduced_search(*less, o, {}, report);
  ASSERT_EQ(found.violations.size(), all.violations.size());
  ASSERT_FALSE(found.violations.empty());
  for (const Finding& f : found.violations) {
    const auto path = recall_finding(*full, *less, f);
    ASSERT_TRUE(path.has_value()) << full->properties()[f.property].name;
    const auto states = follow(*full, *path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ(full->evaluate(states->back()) >> f.property & 1, 0u);
    if (full->properties()[f.property].kind != Property::Kind::DeadlockFree) continue;
    StepBuffer steps;
    full->expand(states->back(), steps);
    EXPECT_EQ(steps.size(), 0u) << "the run does not end in a deadlock";
  }
}

struct Number {
  int value = 0;
  Auxiliary<int> note;
};
struct Taker;
struct Sender {
  bool sent = false;
  void go(To<Taker, Number> out) {
    require(!sent);
    sent = true;
    out.send({1, Auxiliary<int>(1)});
    out.send({2, Auxiliary<int>(2)});
  }
  static constexpr auto transitions = heddle::transitions<&Sender::go>;
};
// Takes any number first, and then only the second. A taker that takes the second first is left with the first, which
// is dead.
struct Taker {
  bool first = false, second = false;
  void any(const Number&) {
    require(!first);
    first = true;
  }
  void two(const Number& n) {
    require(first && n.value == 2);
    second = true;
  }
  static constexpr auto transitions = heddle::transitions<&Taker::any, &Taker::two>;
};

TEST(Recall, TheRunTakesTheSameMessages) {
  expect_recalled([](Model& m) {
    m.add<Sender>();
    m.add<Taker>();
    m.deadlock_free([](const View& v) { return v.all<Taker>()[0].second; });
  });
}

// A field of a model may have any name.
struct Shelf {
  int inbox = 0;
  void put(const Number& n) {
    require(inbox == 0);
    inbox = n.value;
  }
  static constexpr auto transitions = heddle::transitions<&Shelf::put>;
};
struct Supplier {
  bool sent = false;
  void go(To<Shelf, Number> out) {
    require(!sent);
    sent = true;
    out.send({1, Auxiliary<int>(1)});
    out.send({2, Auxiliary<int>(2)});
  }
  static constexpr auto transitions = heddle::transitions<&Supplier::go>;
};

TEST(Recall, AFieldMayBeCalledInbox) {
  expect_recalled([](Model& m) {
    m.add<Supplier>();
    m.add<Shelf>();
    m.always("never 2", [](const View& v) { return v.all<Shelf>()[0].inbox != 2; });
    m.deadlock_free([](const View& v) { return v.all<Shelf>()[0].inbox == 1; });
  });
}

// The step tells which message was lost, not the fields after it: the message that is left may be dead or not.
TEST(Recall, TheRunLosesTheSameMessage) {
  expect_recalled([](Model& m) {
    m.add<Supplier>();
    m.add<Shelf>();
    m.network.losses = 1;
    m.deadlock_free([](const View& v) { return v.all<Shelf>()[0].inbox != 2; });
  });
}

// Two messages differ only in auxiliary data. Which of them is taken shows only at the end, so the search for the run
// has to backtrack.
struct Pile {
  Auxiliary<int> last;
  int taken = 0;
  void take(const Number& n) {
    require(taken < 1);
    ++taken;
    last = n.note;
  }
  void rest() {
    require(taken == 1);
    ++taken;
  }
  static constexpr auto transitions = heddle::transitions<&Pile::take, &Pile::rest>;
};
struct Twins {
  bool sent = false;
  void go(To<Pile, Number> out) {
    require(!sent);
    sent = true;
    for (int i = 1; i <= 3; ++i) out.send({0, Auxiliary<int>(int{i})});
  }
  static constexpr auto transitions = heddle::transitions<&Twins::go>;
};

TEST(Recall, TheSearchForTheRunComesBackFromAWrongEnd) {
  const auto build = [](Model& m) {
    m.add<Twins>();
    m.add<Pile>();
    m.always("not done", [](const View& v) { return v.all<Pile>()[0].taken < 2; });
  };
  const auto full = actors(build), less = actors(build, {.forget_auxiliary = true});
  const SearchResult r = search(*less, {});
  ASSERT_EQ(r.violations.size(), 1u);
  for (const char* last : {"1", "2", "3", "4"}) {
    const auto path = recall_auxiliary(*full, *less, r.violations[0].path, [&](std::span<const Slot> end) {
      for (const trace::Field& f : full->describer().describe_state(end)) {
        if (f.name == "last" && f.value == last) return true;
      }
      return false;
    });
    EXPECT_EQ(path.has_value(), std::string(last) != "4") << last;
  }
}

// Six initial states, two for each place; the search has three.
struct Walker {
  int place = 0;
  Auxiliary<int> way;
  void start(Choice choose) {
    require(place == 0);
    const int chosen = static_cast<int>(choose(6));
    place = 1 + chosen / 2;
    way = Auxiliary<int>(int{chosen});
  }
  static constexpr auto transitions = heddle::transitions<&Walker::start>;
};

TEST(Recall, TheRunBeginsInAnyInitialStateThatFits) {
  expect_recalled([](Model& m) {
    m.add<Walker>();
    m.start_after<&Walker::start>();
    m.always("not at 1", [](const View& v) { return v.all<Walker>()[0].place != 1; });
    m.always("not at 3", [](const View& v) { return v.all<Walker>()[0].place != 3; });
  });
}

}  // namespace
}  // namespace heddle::recall_test
