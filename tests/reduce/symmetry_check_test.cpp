// Properties and handlers that single out members. Whatever they do, the default verdict is that of the unreduced
// search: either they do no harm, or the search goes on without the symmetry they break, and says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "actor/actor_system.h"
#include "actor/random_model.h"
#include "reduce/reduced_search.h"
#include "reduce/symmetry.h"
#include "support/long_run.h"

namespace heddle::symmetry_check_test {
namespace {

struct Outcome {
  Verdict verdict{};
  bool complete = false;
  std::set<std::string> violated, reached;
  bool deadlocks = false;
  ReductionReport report;
  std::uint64_t states = 0;
  // Searches that a bound cuts off see different parts. It is enough that neither claims to be complete.
  friend bool operator==(const Outcome& a, const Outcome& b) {
    if (!a.complete && !b.complete) return true;
    return a.verdict == b.verdict && a.complete == b.complete && a.violated == b.violated && a.reached == b.reached &&
           a.deadlocks == b.deadlocks;
  }
};

std::ostream& operator<<(std::ostream& out, const Outcome& o) {
  out << name(o.verdict) << (o.complete ? " complete" : "") << (o.deadlocks ? " deadlocks" : "") << " violated:";
  for (const auto& p : o.violated) out << " " << p;
  out << " reached:";
  for (const auto& p : o.reached) out << " " << p;
  for (const auto& s : o.report.forsaken) out << " [" << s << "]";
  return out;
}

Outcome outcome(const TransitionSystem& system, const SearchResult& r) {
  Outcome o{r.verdict, r.complete, {}, {}, r.counters.deadlocks > 0, {}, r.counters.states};
  const auto check = [&](const Finding& f, bool truth) {
    const auto states = follow(system, f.path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ((system.evaluate(states->back()) >> f.property & 1) != 0, truth);
  };
  for (const Finding& f : r.violations) {
    o.violated.insert(system.properties()[f.property].name);
    check(f, false);
  }
  for (const Finding& f : r.witnesses) {
    o.reached.insert(system.properties()[f.property].name);
    check(f, true);
  }
  return o;
}

using Order = SearchOptions::Order;
using Make = std::function<Model()>;

Outcome unreduced(const Make& make, bool all) {
  const auto system = make_actor_system(make());
  SearchOptions options;
  options.stop_at_violation = !all;
  return outcome(*system, search(*system, options));
}

// Everything `heddle check` does by default.
Outcome by_default(const Make& make, bool all, Order order, unsigned threads = 1, bool dead = true, bool por = true) {
  using DropDead = ActorOptions::DropDead;
  const auto system =
      make_actor_system(make(), {.split = Split::Combined, .drop_dead = dead ? DropDead::UpToRenaming : DropDead::No});
  SearchOptions options;
  options.stop_at_violation = !all;
  options.order = order;
  options.threads = threads;
  ReductionReport report;
  const SearchResult r =
      reduced_search(*system, options, {.partial_order = por, .symmetry = true, .dead = dead}, report);
  Outcome o = outcome(*system, r);
  o.report = report;
  return o;
}

void expect_same(const Make& make) {
  const Outcome full = unreduced(make, true);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    const Outcome reduced = by_default(make, true, order);
    EXPECT_EQ(reduced, full) << (order == Order::BreadthFirst ? "breadth" : "depth") << " first";
    EXPECT_EQ(by_default(make, false, order).verdict, full.verdict);
  }
  EXPECT_EQ(by_default(make, true, Order::BreadthFirst, 2), full) << "two threads";
  EXPECT_EQ(by_default(make, true, Order::BreadthFirst, 1, false, false), full) << "symmetry alone";
}

// --- Counters that go up on their own, and lamps that go on.

struct Counter {
  int x = 0;
  void raise() {
    require(x < 2);
    ++x;
  }
  static constexpr auto transitions = heddle::transitions<&Counter::raise>;
};
struct Lamp {
  bool on = false;
  void light() {
    require(!on);
    on = true;
  }
  static constexpr auto transitions = heddle::transitions<&Lamp::light>;
};
Definition counters() {
  return {.name = "counters", .summary = "counters and lamps", .build = [](Model& m) {
            m.add<Counter>(3);
            m.add<Lamp>(3);
          }};
}

Make with(const std::function<void(Model&)>& add) {
  return [add] {
    static const Definition definition = counters();
    Model m(definition);
    add(m);
    return m;
  };
}

bool at_positions(const View& v, int a, int b, int c) {
  const auto all = v.all<Counter>();
  return all[0].x == a && all[1].x == b && all[2].x == c;
}

TEST(SymmetryCheck, PropertiesByPosition) {
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const int c = 3 - a - b;
      if (c < 0 || c > 2) continue;
      SCOPED_TRACE(std::to_string(a) + std::to_string(b) + std::to_string(c));
      expect_same(with([=](Model& m) {
        m.always("never there", [=](const View& v) { return !at_positions(v, a, b, c); });
        m.sometimes("there", [=](const View& v) { return at_positions(v, a, b, c); });
      }));
      expect_same(with([=](Model& m) {
        m.sometimes("there", [=](const View& v) {
          return v.at<Counter>(Model::id<Counter>(0)).x == a && v.at<Counter>(Model::id<Counter>(1)).x == b &&
                 v.at<Counter>(Model::id<Counter>(2)).x == c;
        });
      }));
    }
  }
}

// The class whose members are told apart loses its symmetry, the other class keeps it, and the run says so.
TEST(SymmetryCheck, OnlyTheClassThatIsToldApart) {
  const Make make = with([](Model& m) {
    m.sometimes("the second alone", [](const View& v) {
      const auto all = v.all<Counter>();
      return all[0].x == 0 && all[1].x == 2 && all[2].x == 0;
    });
    m.always("few lamps", [](const View& v) {
      int on = 0;
      for (const Lamp& l : v.all<Lamp>()) on += l.on;
      return on <= 3;
    });
  });
  expect_same(make);
  // Neither the witness nor the lamps need the symmetry of counters.
  EXPECT_EQ(by_default(make, true, Order::BreadthFirst, 1, false, false).states, 27u * 4);
  const Make never = with([](Model& m) {
    m.always("the first is not ahead", [](const View& v) {
      const auto all = v.all<Counter>();
      return all[0].x <= 1 || all[1].x + all[2].x <= 4;
    });
    m.always("in order", [](const View& v) { return v.all<Counter>()[0].x <= 2 && v.all<Lamp>().size() == 3; });
  });
  const Outcome fine = by_default(never, true, Order::BreadthFirst, 1, false, false);
  EXPECT_EQ(fine.verdict, Verdict::Holds);
  EXPECT_EQ(fine.states, 10u * 4) << "true everywhere, under every name";
  EXPECT_TRUE(fine.report.forsaken.empty());
}

TEST(SymmetryCheck, SaysWhichPropertyAndWhichRole) {
  const Make make = with([](Model& m) {
    m.always("the last lamp waits", [](const View& v) {
      const auto lamps = v.all<Lamp>();
      return !(lamps[2].on && !lamps[0].on && !lamps[1].on) || v.all<Counter>()[0].x < 3;
    });
    m.sometimes("one lamp, the middle one", [](const View& v) {
      const auto lamps = v.all<Lamp>();
      return !lamps[0].on && lamps[1].on && !lamps[2].on && v.all<Counter>().size() == 4;
    });
    m.always("the middle lamp is not alone", [](const View& v) {
      const auto lamps = v.all<Lamp>();
      return lamps[0].on || !lamps[1].on || lamps[2].on;
    });
  });
  expect_same(make);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    const Outcome o = by_default(make, true, order, 1, false, false);
    if (o.report.forsaken.empty()) continue;  // a run was found that shows it
    ASSERT_EQ(o.report.forsaken.size(), 1u);
    EXPECT_EQ(o.report.forsaken[0], "symmetry: property 'the middle lamp is not alone' tells members of Lamp apart");
    EXPECT_EQ(o.states, 10u * 8) << "counters are still alike";
  }
}

TEST(SymmetryCheck, DeadlockPredicatesByPosition) {
  // Everything comes to rest in one state; with a bound of one raise for each there would be more.
  expect_same(with([](Model& m) { m.deadlock_free([](const View& v) { return v.all<Counter>()[0].x == 2; }); }));
}

TEST(SymmetryCheck, BoundsByPosition) {
  for (int who = 0; who < 3; ++who) {
    expect_same(with([=](Model& m) {
      m.bound("not alone", [=](const View& v) {
        const auto all = v.all<Counter>();
        return all[static_cast<std::size_t>(who)].x != 2 || all[static_cast<std::size_t>((who + 1) % 3)].x != 0;
      });
      m.always("few", [](const View& v) { return v.all<Counter>().size() == 3; });
    }));
  }
}

// The property reads members up to the first that has been raised, and nothing behind it.
TEST(SymmetryCheck, TheFirstMemberThat) {
  const auto first_raised = [](const View& v) {
    for (const auto id : v.ids<Counter>()) {
      const Counter c = v.at<Counter>(id);
      if (c.x > 0) return c.x;
    }
    return 0;
  };
  for (int behind = 0; behind < 3; ++behind) {
    expect_same(with([=](Model& m) {
      m.always("a slow first", [=](const View& v) {
        if (first_raised(v) != 1) return true;
        const auto all = v.all<Counter>();
        return all[0].x + all[1].x + all[2].x != 3 + behind;
      });
    }));
    expect_same(with([=](Model& m) {
      m.sometimes("a fast first", [=](const View& v) {
        if (first_raised(v) != 2) return false;
        return v.at<Counter>(Model::id<Counter>(1)).x == behind;
      });
    }));
  }
  // This property stops early, but makes no difference between members.
  const Make any = with([](Model& m) {
    m.always("not all are at two before the lamps are on", [](const View& v) {
      for (const auto id : v.ids<Counter>()) {
        if (v.at<Counter>(id).x < 3) return true;
      }
      return v.all<Lamp>()[0].on;
    });
    m.sometimes("all are at two", [](const View& v) {
      for (const auto id : v.ids<Counter>()) {
        if (v.at<Counter>(id).x < 2) return false;
      }
      return true;
    });
  });
  expect_same(any);
  for (const bool por : {false, true}) {
    EXPECT_TRUE(by_default(any, true, Order::BreadthFirst, 1, false, por).report.forsaken.empty());
    EXPECT_TRUE(by_default(any, true, Order::DepthFirst, 1, false, por).report.forsaken.empty());
  }
  EXPECT_EQ(by_default(any, true, Order::BreadthFirst, 1, false, false).states, 10u * 4);
}

// A search shows what it finds among representatives in a run, or does not claim it.
TEST(SymmetryCheck, FindingsAreFollowedWithoutSymmetry) {
  std::size_t refused = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const int c = 3 - a - b;
      if (c < 0 || c > 2) continue;
      const auto system = make_actor_system(with([=](Model& m) {
        m.always("never there", [=](const View& v) { return !at_positions(v, a, b, c); });
        m.sometimes("there", [=](const View& v) { return at_positions(v, a, b, c); });
      })());
      const Symmetry symmetry(*system, {.check_every = 0});
      for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
        SearchOptions options;
        options.order = order;
        options.canonicalizer = [&] { return symmetry.canonicalizer(); };
        try {
          outcome(*system, search(*system, options));
        } catch (const NotSymmetric&) {
          refused += order == Order::DepthFirst;
        }
      }
    }
  }
  EXPECT_GT(refused, 0u);
}

// If symmetry is asked for by name, a model that is not symmetric is an error.
TEST(SymmetryCheck, AnErrorForWhoeverInsists) {
  const auto system = make_actor_system(with([](Model& m) {
    m.always("harmless", [](const View& v) { return v.all<Counter>()[2].x != 1 || v.all<Counter>()[0].x >= 0; });
    m.always("not the middle one", [](const View& v) { return !at_positions(v, 0, 1, 0); });
  })());
  ReductionReport report;
  SearchOptions options;
  options.stop_at_violation = false;
  EXPECT_THROW(
      {
        const SearchResult r = reduced_search(*system, options, {.symmetry = true, .insist = true}, report);
        // If the representative is the violating state itself, the property really is violated.
        if (!r.violations.empty()) throw NotSymmetric("shown by a run");
      },
      NotSymmetric);
}

// --- Random properties of random protocols.

using random_model::Answer;
using random_model::Hub;
using random_model::Node;
using random_model::Token;

std::function<bool(const View&)> random_predicate(std::uint64_t seed) {
  std::uint64_t bits = random_model::mix(seed * 77 + 5);
  const auto below = [&](std::uint64_t n) {
    const std::uint64_t r = bits % n;
    bits = random_model::mix(bits);
    return static_cast<int>(r);
  };
  const int form = below(9), k = below(3), i = below(2), wanted = below(2), other = below(3);
  return [=](const View& v) -> bool {
    const auto truth = [&]() -> bool {
      switch (form) {
        case 0: {
          int sum = 0;
          for (const Node& n : v.all<Node>()) sum += n.state;
          return sum == k + other;
        }
        case 1:
          return v.all<Node>()[static_cast<std::size_t>(i)].state == k;
        case 2:
          for (const auto id : v.ids<Node>()) {
            const Node n = v.at<Node>(id);
            if (n.state == k) return n.sends_left == other;
          }
          return false;
        case 3:
          return v.all<Hub>()[0].heard.contains(v.ids<Node>()[static_cast<std::size_t>(i)]) && k > 0;
        case 4:
          for (const auto id : v.ids<Node>()) {
            if (v.at<Node>(id).state == k) return v.all<Hub>().back().state == i;
          }
          return true;
        case 5: {
          const auto nodes = v.all<Node>();
          return nodes[0].state < nodes[1].state;
        }
        case 6: {
          const auto answers = v.in_flight<Answer>();
          return !answers.empty() && answers.front().about == v.ids<Node>()[static_cast<std::size_t>(i)];
        }
        case 7: {
          int sum = 0;
          for (const Hub& h : v.all<Hub>()) {
            for (const auto id : v.ids<Node>()) {
              if (h.heard.contains(id)) sum += v.at<Node>(id).state;
            }
          }
          return sum == k + other;
        }
        default: {
          const auto nodes = v.all<Node>();
          const auto first = std::ranges::find(nodes, k, &Node::state);
          return first != nodes.end() && first->timer.armed == (i == 1);
        }
      }
    };
    return truth() == (wanted == 1);
  };
}

void compare_random(long seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto bits = random_model::mix(static_cast<std::uint64_t>(seed) + 99);
  const int nodes = 2 + static_cast<int>(bits % 2), hubs = 1 + static_cast<int>(bits / 2 % 2);
  const auto make = [=] {
    Model m = random_model::make(seed, nodes, hubs, "nothing");
    if (bits / 4 % 3 == 0) m.network.order = Network::Order::Fifo;
    m.always("a", random_predicate(bits));
    m.sometimes("s", random_predicate(bits + 1));
    if (bits / 16 % 2 == 0) m.deadlock_free(random_predicate(bits + 2));
    if (bits / 32 % 4 == 0) m.bound("b", random_predicate(bits + 3));
    return m;
  };
  const auto plain = make_actor_system(make());
  SearchOptions few;
  few.stop_at_violation = false;
  std::size_t states = 0;
  struct Large {};
  few.on_state = [&](std::span<const Slot>) {
    if (++states > 1500) throw Large{};
  };
  try {
    search(*plain, few);
  } catch (const Large&) {
    return;
  }
  const Outcome full = unreduced(make, true);
  const Order order = bits / 64 % 2 == 0 ? Order::BreadthFirst : Order::DepthFirst;
  const bool dead = bits / 128 % 2 == 0, por = bits / 256 % 2 == 0;
  EXPECT_EQ(by_default(make, true, order, 1, dead, por), full);
  EXPECT_EQ(by_default(make, false, order, 1, dead, por).verdict, full.verdict);
}

TEST(SymmetryCheck, RandomPropertiesOfRandomProtocols) {
  const std::size_t count = testing::count_of(400, 20'000);
  for (std::size_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    compare_random(static_cast<long>(seed));
  }
}

// --- Handlers that single out members, or messages by their place in a quorum. A seed decides what they do.

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

TEST(SymmetryCheck, HandlersThatSingleOutMembers) {
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
    EXPECT_TRUE(o.report.forsaken.empty()) << o;
    EXPECT_TRUE(std::ranges::count(o.report.applied, "symmetry") == 1);
  }
}

TEST(SymmetryCheck, SaysWhichHandler) {
  const auto says = [](long tricks, const std::string& what) {
    const Outcome o = by_default(election(tricks, 99), true, Order::BreadthFirst);
    for (const std::string& sentence : o.report.forsaken) {
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

TEST(SymmetryCheck, AnOrbitThatIsTooLargeIsNotComparedWithoutEnd) {
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
}  // namespace heddle::symmetry_check_test
