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
#include "reduce/symmetry_outcome.h"
#include "support/long_run.h"

namespace heddle::symmetry_check_test {
namespace {

using symmetry_outcome::by_default;
using symmetry_outcome::expect_same;
using symmetry_outcome::Make;
using symmetry_outcome::Order;
using symmetry_outcome::outcome;
using symmetry_outcome::Outcome;
using symmetry_outcome::unreduced;

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
  EXPECT_TRUE(fine.forsaken.empty());
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
    if (o.forsaken.empty()) continue;  // a run was found that shows it
    ASSERT_EQ(o.forsaken.size(), 1u);
    EXPECT_EQ(o.forsaken[0], "symmetry: property 'the middle lamp is not alone' tells members of Lamp apart");
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
    EXPECT_TRUE(by_default(any, true, Order::BreadthFirst, 1, false, por).forsaken.empty());
    EXPECT_TRUE(by_default(any, true, Order::DepthFirst, 1, false, por).forsaken.empty());
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

TEST(SymmetryCheck, SlowRandomPropertiesOfRandomProtocols) {
  const std::size_t count = testing::count_of(400, 20'000);
  for (std::size_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    compare_random(static_cast<long>(seed));
  }
}

}  // namespace
}  // namespace heddle::symmetry_check_test
