// Handlers that single out members, or messages by their place in a quorum. Whatever they do, the default verdict is
// that of the unreduced search.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "actor/actor_system.h"
#include "actor/random_model.h"
#include "reduce/reduced_search.h"
#include "reduce/symmetry_outcome.h"
#include "support/long_run.h"

namespace heddle::symmetry_handlers_test {
namespace {

using symmetry_outcome::by_default;
using symmetry_outcome::expect_same;
using symmetry_outcome::Make;
using symmetry_outcome::Order;
using symmetry_outcome::outcome;
using symmetry_outcome::Outcome;
using symmetry_outcome::unreduced;

// A seed decides what the handlers do.

struct Chief;
struct Vote {
  int value = 0;
};
struct Word {
  int value = 0;
  Id<struct Voter> about = {};
};
struct Voter {
  int cast = 0, heard = 0;
  Id<Chief> boss = {};

  void vote(const Run& run, Choice choose, Id<Voter> self, ToAll<Chief, Vote> out) {
    const long tricks = run["tricks"];
    require(cast < 1);
    require((tricks & 1) == 0 || self != Model::id<Voter>(1));
    ++cast;
    const auto options = static_cast<std::uint32_t>((tricks & 2) != 0 && self == Model::id<Voter>(0) ? 1 : 2);
    out.send({static_cast<int>(choose(options))});
  }
  void hear(const From<Word, Chief>& word, Id<Voter> self, const Run& run) {
    require(heard < 3);
    heard = 1 + (word->value + (word->about == self ? 1 : 0)) % 2;
    if ((run["tricks"] & 4) != 0 && word->about == Model::id<Voter>(2)) heard = 3;
    boss = word.sender;
  }
  static constexpr auto transitions = heddle::transitions<&Voter::vote, &Voter::hear>;
};
struct Chief {
  int sum = 0, rounds = 0;

  void decide(const Quorum<Vote, Voter>& votes, const Run& run, Reply<Word> out, To<Voter, Word> one, Choice choose) {
    const long tricks = run["tricks"];
    require(rounds < 1);
    require((tricks & 8) == 0 || votes.front()->value == 1);
    int fold = 0;
    for (const auto& v : votes) fold = (tricks & 16) != 0 ? 3 * fold + v->value : fold + v->value;
    require((tricks & 32) == 0 || fold > 0);
    ++rounds;
    sum = fold;
    Id<Voter> about = {};
    if ((tricks & 64) != 0) about = votes.front().sender;
    if ((tricks & 128) != 0) about = choose.member<Voter>();
    if ((tricks & 256) != 0) {
      for (const auto& v : votes) {
        if (v->value == 1) {
          about = v.sender;
          break;
        }
      }
    }
    if ((tricks & 512) != 0) {
      one.send(Model::id<Voter>(0), {1, about});
    } else {
      out.send({0, about});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Chief::decide>;
};

Definition elections() {
  return {.name = "elections",
          .summary = "voters and their chiefs",
          .parameters = {{"tricks", 0, 0, 1023, "a bit each"},
                         {"voters", 3, 2, 5, ""},
                         {"chiefs", 1, 1, 2, ""},
                         {"goal", 0, 0, 99, ""}},
          .build = [](Model& m) {
            m.add<Voter>(static_cast<std::size_t>(m.run()["voters"]));
            m.add<Chief>(static_cast<std::size_t>(m.run()["chiefs"]));
            const int goal = static_cast<int>(m.run()["goal"]);
            const auto seen = [goal](const View& v) {
              int heard = 0, sum = 0;
              for (const Voter& voter : v.all<Voter>()) heard += voter.heard;
              for (const Chief& chief : v.all<Chief>()) sum += chief.sum;
              return heard == goal % 10 && sum == goal / 10;
            };
            m.always("never", [seen](const View& v) { return !seen(v); });
            m.sometimes("once", seen);
            if (goal % 3 == 0) m.deadlock_free([seen](const View& v) { return !seen(v); });
          }};
}

Make election(long tricks, int goal, int voters = 3, int chiefs = 1) {
  return [=] {
    static const Definition definition = elections();
    return Model(definition, {{"tricks", std::to_string(tricks)},
                              {"goal", std::to_string(goal)},
                              {"voters", std::to_string(voters)},
                              {"chiefs", std::to_string(chiefs)}});
  };
}

TEST(SymmetryCheck, SlowHandlersThatSingleOutMembers) {
  for (int trick = 0; trick < 10; ++trick) {
    for (const int goal : {0, 1, 2, 10, 13, 21, 31}) {
      SCOPED_TRACE("trick " + std::to_string(trick) + ", goal " + std::to_string(goal));
      expect_same(election(1l << trick, goal));
    }
  }
}

TEST(SymmetryCheck, HandlersThatAreFairKeepTheirSymmetry) {
  for (const long tricks : {0l, 32l, 128l, 160l}) {
    const Outcome o = by_default(election(tricks, 99), true, Order::BreadthFirst);
    EXPECT_TRUE(o.forsaken.empty()) << o;
    EXPECT_TRUE(std::ranges::count(o.applied, "symmetry") == 1);
  }
}

TEST(SymmetryCheck, SaysWhichHandler) {
  const auto says = [](long tricks, const std::string& what) {
    const Outcome o = by_default(election(tricks, 99), true, Order::BreadthFirst);
    for (const std::string& sentence : o.forsaken) {
      if (sentence.find(what) != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(says(1, "handler Voter::vote tells members of Voter apart"));
  EXPECT_TRUE(says(4 + 128, "handler Voter::hear tells members of Voter apart"));
  EXPECT_TRUE(
      says(16, "handler Chief::decide does something else when the messages of a quorum come in another order"));
  EXPECT_TRUE(says(512, "handler Chief::decide tells members of Voter apart"));
}

// A handler that looks at the first message of a quorum: dropping a message that is never first would hide what the
// message does as the second.
TEST(SymmetryCheck, TheFirstMessageOfAQuorum) {
  using DropDead = ActorOptions::DropDead;
  for (const int goal : {0, 10, 20, 12, 22}) {
    const Make make = election(8, goal);
    const Outcome full = unreduced(make, true);
    for (const bool symmetry : {false, true}) {
      const auto system = make_actor_system(
          make(), {.split = Split::Combined, .drop_dead = symmetry ? DropDead::UpToRenaming : DropDead::Yes});
      SearchOptions options;
      options.stop_at_violation = false;
      ReductionReport report;
      const SearchResult r =
          reduced_search(*system, options, {.partial_order = true, .symmetry = symmetry, .dead = true}, report);
      EXPECT_EQ(outcome(*system, r), full) << "goal " << goal;
      EXPECT_FALSE(report.forsaken.empty());
    }
  }
}

// One call in hundreds is unfair, and no sample of states meets it.
struct Climber {
  int height = 0;
  void climb() {
    require(height < 12);
    ++height;
  }
  void fly(Id<Climber> self, const Run& run) {
    require(height == 12 && self == Model::id<Climber>(static_cast<std::size_t>(run["who"])));
    height = 13;
  }
  static constexpr auto transitions = heddle::transitions<&Climber::climb, &Climber::fly>;
};

TEST(SymmetryCheck, AHandlerThatIsRarelyUnfair) {
  static const Definition climbers = {.name = "climbers",
                                      .summary = "one of them can fly",
                                      .parameters = {{"who", 0, 0, 2, ""}},
                                      .build = [](Model& m) {
                                        m.add<Climber>(3);
                                        m.always("nobody flies alone", [](const View& v) {
                                          int low = 0, high = 0;
                                          for (const Climber& c : v.all<Climber>()) {
                                            low += c.height == 0;
                                            high += c.height == 13;
                                          }
                                          return low < 2 || high == 0;
                                        });
                                      }};
  for (const char* who : {"0", "1", "2"}) {
    SCOPED_TRACE(who);
    expect_same([=] { return Model(climbers, {{"who", who}}); });
  }
}

TEST(SymmetryCheck, RandomTricks) {
  const std::size_t count = testing::count_of(150, 5'000);
  for (std::size_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    const auto bits = random_model::mix(seed + 7);
    const long tricks = static_cast<long>(bits % 1024 & (bits >> 12) % 1024);
    const int goal = static_cast<int>(bits >> 30 & 15) % 5 + 10 * static_cast<int>((bits >> 34) % 4);
    const int voters = 2 + static_cast<int>((bits >> 40) % 2), chiefs = 1 + static_cast<int>((bits >> 42) % 2);
    SCOPED_TRACE("tricks " + std::to_string(tricks) + ", goal " + std::to_string(goal) + ", voters " +
                 std::to_string(voters) + ", chiefs " + std::to_string(chiefs));
    const Make make = election(tricks, goal, voters, chiefs);
    const Outcome full = unreduced(make, true);
    const Order order = (bits >> 44) % 2 == 0 ? Order::BreadthFirst : Order::DepthFirst;
    EXPECT_EQ(by_default(make, true, order, 1, (bits >> 45) % 4 != 0, (bits >> 47) % 2 == 0), full);
  }
}

// A property that reads six names of twelve: its observation has 665,280 images. Comparing them all would take far
// longer than the search, so the class is not used.
struct Worker {
  int number = 0;
  static constexpr auto transitions = heddle::transitions<>;
};
struct Boss {
  bool done = false;
  std::vector<Id<Worker>> workers;
  void hire(Spawn<Worker> spawn) {
    require(!done);
    done = true;
    for (int i = 0; i < 6; ++i) workers.push_back(spawn(Worker{i}));
  }
  static constexpr auto transitions = heddle::transitions<&Boss::hire>;
};

TEST(SymmetryCheck, SlowAnOrbitThatIsTooLargeIsNotComparedWithoutEnd) {
  Definition definition;
  definition.name = "boss";
  definition.build = [](Model& m) {
    m.add<Boss>();
    m.room_for<Worker>(12);
    m.always("in order", [](const View& v) {
      const Boss boss = v.all<Boss>()[0];
      for (std::size_t i = 0; i < boss.workers.size(); ++i) {
        if (v.at<Worker>(boss.workers[i]).number != static_cast<int>(i)) return false;
      }
      return true;
    });
  };
  const auto system = make_actor_system(Model(definition));
  ReductionReport report;
  const SearchResult result = reduced_search(*system, {}, {.symmetry = true}, report);
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(report.forsaken.size(), 1u);
  EXPECT_NE(report.forsaken[0].find("in too many ways to compare"), std::string::npos) << report.forsaken[0];
}

}  // namespace
}  // namespace heddle::symmetry_handlers_test
