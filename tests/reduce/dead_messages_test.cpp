// Dead messages (src/actor/dead_messages.h): whatever the protocol, a message that is left out is never taken, and
// every message that could be left out is. These are tests of the door and the search alone: they compare states.
#include "actor/dead_messages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "actor/random_run.h"
#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "explore/search.h"
#include "reduce/auxiliary.h"
#include "reduce/reduced_search.h"
#include "reduce/small_systems.h"
#include "support/check_random.h"

namespace heddle::dead_messages_test {
namespace {

using DropDead = ActorOptions::DropDead;

// --- The rule itself, on a process with local states 1 -> 2 -> 3 -> ... that takes message m in local state m.

struct Toy {
  std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
  actor::DeadMessages dead{{[this](auto l, auto m) { return taken.contains({l, m}); },
                            [](auto l) { return actor::DeadMessages::Orbit{l, {0}, {0}}; },
                            [](auto m, auto) { return m; }}};
};

TEST(DeadMessages, AliveWhereItIsTakenAndWhereThatCanBeReachedFrom) {
  Toy t;
  t.taken = {{3, 7}};
  t.dead.step(1, 2);
  t.dead.step(2, 3);
  t.dead.step(3, 4);
  EXPECT_FALSE(t.dead.dead(1, 7));
  EXPECT_FALSE(t.dead.dead(3, 7));
  EXPECT_TRUE(t.dead.dead(4, 7));
  EXPECT_TRUE(t.dead.dead(1, 8));
  EXPECT_FALSE(t.dead.mistaken());
  EXPECT_EQ(t.dead.dropped(), 2u);
}

TEST(DeadMessages, ANewStepShowsThatSomethingWasDroppedTooEarly) {
  Toy t;
  t.taken = {{3, 7}};
  t.dead.step(1, 2);
  EXPECT_TRUE(t.dead.dead(1, 7));
  t.dead.step(4, 3);
  EXPECT_FALSE(t.dead.mistaken());
  t.dead.step(2, 4);
  EXPECT_TRUE(t.dead.mistaken());
  t.dead.reconsider();
  EXPECT_FALSE(t.dead.mistaken());
  EXPECT_FALSE(t.dead.dead(1, 7));
}

TEST(DeadMessages, InACycleOneTakerIsEnough) {
  Toy t;
  t.taken = {{2, 7}};
  for (std::uint32_t l = 1; l <= 5; ++l) t.dead.step(l, l % 5 + 1);
  for (std::uint32_t l = 1; l <= 5; ++l) EXPECT_FALSE(t.dead.dead(l, 7)) << l;
  EXPECT_TRUE(t.dead.dead(3, 8));
}

TEST(DeadMessages, RenamedPairsAreOne) {
  // There are two names, 0 and 1. The local states 10 and 11 and the messages 20 and 21 name one of them. A process in
  // 10 takes 20, a process in 11 takes 21.
  const auto exchanged = [](std::uint32_t x, std::uint32_t renaming) { return renaming == 1 ? x ^ 1u : x; };
  actor::DeadMessages dead({[](auto l, auto m) { return l == 10 && m == 20; },
                            [](auto l) {
                              return l == 10 || l == 11
                                         ? actor::DeadMessages::Orbit{10, {l - 10}, {l - 10}}
                                         : actor::DeadMessages::Orbit{l, {0, 1}, {0, 1}};  // names nobody
                            },
                            exchanged});
  dead.step(30, 11);
  EXPECT_FALSE(dead.dead(11, 21));
  EXPECT_TRUE(dead.dead(11, 20));
  EXPECT_TRUE(dead.dead(10, 21));
  // From 30 the process comes to 11, and after a renaming to 10.
  EXPECT_FALSE(dead.dead(30, 20));
  EXPECT_FALSE(dead.dead(30, 21));
  EXPECT_FALSE(dead.mistaken());
}

// --- The rule on protocols. Describes a state in words: local states and messages apart.

struct Described {
  std::string locals;
  std::map<std::uint32_t, std::string> lane;                // local state by lane
  std::map<std::uint32_t, std::vector<std::string>> inbox;  // one entry for each message
};

Described described(const TransitionSystem& system, std::span<const Slot> state) {
  Described d;
  for (const trace::Field& f : system.describer().describe_state(state)) {
    if (f.name == "inbox") {
      // A JSON array of objects without nested arrays of objects: cut at the boundaries.
      std::string one;
      int depth = 0;
      for (const char c : f.value) {
        depth += c == '{' ? 1 : 0;
        if (depth > 0) one += c;
        depth -= c == '}' ? 1 : 0;
        if (depth == 0 && !one.empty()) d.inbox[f.lane].push_back(std::exchange(one, ""));
      }
      continue;
    }
    d.lane[f.lane] += f.name + "=" + f.value + ";";
  }
  for (const auto& [lane, text] : d.lane) d.locals += std::to_string(lane) + ":" + text + "\n";
  return d;
}

struct Seen {
  std::set<std::string> locals, deadlocks, violated, reached;
  SearchResult result;
};

Seen look(const TransitionSystem& system) {
  Seen seen;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> s) { seen.locals.insert(described(system, s).locals); };
  options.on_deadlock = [&](std::span<const Slot> s) { seen.deadlocks.insert(described(system, s).locals); };
  seen.result = search(system, options);
  for (const Finding& f : seen.result.violations) seen.violated.insert(system.properties()[f.property].name);
  for (const Finding& f : seen.result.witnesses) seen.reached.insert(system.properties()[f.property].name);
  return seen;
}

// Searches until there is nothing left to reconsider.
SearchResult settle(TransitionSystem& system, ReductionReport& report) {
  SearchOptions options;
  options.stop_at_violation = false;
  return reduced_search(system, options, {}, report);
}

// Counts the states without the messages that are dead in the whole graph: nobody in this local state, or in one it
// leads to, ever takes the message.
std::size_t without_dead(const TransitionSystem& system) {
  std::map<std::string, std::set<std::string>> next, taken;  // by lane and local state
  std::vector<Described> all;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> s) {
    const SlotVector state(s.begin(), s.end());
    const Described here = all.emplace_back(described(system, state));
    StepBuffer steps;
    system.expand(state, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const SlotVector after = apply_changes(state, steps.changes(i));
      const Described there = described(system, after);
      for (const auto& [lane, text] : here.lane) {
        const auto to = there.lane.find(lane);
        if (to != there.lane.end()) next[std::to_string(lane) + text].insert(std::to_string(lane) + to->second);
      }
      const trace::Step step = system.describer().describe_step(state, steps.step(i), after);
      for (const trace::Message& m : step.received) {
        taken[std::to_string(step.lane) + here.lane.at(step.lane)].insert(
            "{\"" + m.type + "\":" + m.body + ",\"from\":\"" + system.describer().lanes()[m.from].name + "\"}");
      }
    }
  };
  search(system, options);
  for (bool more = true; more;) {
    more = false;
    for (const auto& [from, targets] : next) {
      std::set<std::string>& mine = taken[from];
      const std::size_t before = mine.size();
      for (const std::string& to : targets) {
        if (to != from) mine.insert(taken[to].begin(), taken[to].end());
      }
      more |= mine.size() != before;
    }
  }
  std::set<std::string> states;
  for (const Described& d : all) {
    std::string text = d.locals;
    for (const auto& [lane, messages] : d.inbox) {
      const std::set<std::string>& alive = taken[std::to_string(lane) + d.lane.at(lane)];
      for (const std::string& m : messages) text += alive.contains(m) ? std::to_string(lane) + m : "";
    }
    states.insert(text);
  }
  return states.size();
}

// --- Random protocols whose processes age: in each stage they take other messages, so many messages come too late or
// too early.

using random_model::Draw;

struct Peer;
struct Note {
  int value = 0;
};
struct Echo {
  int value = 0;
  Id<Peer> of;
};
struct Two {
  static constexpr std::size_t size(std::size_t members) { return members > 2 ? 2 : 1; }
};
struct Peer {
  int stage = 0;
  int left = 2;
  Id<Peer> friend_of;

  void act(const Run& run, ToAll<Peer, Note> out) {
    Draw d(run, 11, stage, left);
    require(left > 0 && !d.one_in(3));
    --left;
    out.send({d.below(3)});
    stage += d.below(2);
  }
  void take(const Note& note, const Run& run, Reply<Echo> out, Id<Peer> self) {
    Draw d(run, 12, stage, note.value);
    require(stage < 4 && d.one_in(2));
    if (d.one_in(2)) out.send({d.below(2), d.one_in(2) ? self : Id<Peer>{}});
    stage += d.below(3);
  }
  void hear(const From<Echo, Peer>& echo, const Run& run, Choice choose) {
    Draw d(run, 13, stage, echo->value);
    require(stage < 4 && d.one_in(2) && echo->of != friend_of);
    if (choose.flip()) friend_of = echo.sender;
    stage += 1;
  }
  void gather(const Quorum<Note, Peer, Two>& notes, const Run& run) {
    for (const auto& n : notes) require(n->value == Draw(run, 14, stage, 0).below(3));
    require(stage < 5);
    stage += 2;
  }
  static constexpr auto transitions = heddle::transitions<&Peer::act, &Peer::take, &Peer::hear, &Peer::gather>;
};

Model ageing(long seed, int peers, Network::Order order) {
  Model m({.name = "ageing",
           .summary = "",
           .parameters = {{"seed", 0, 0, 1'000'000'000, ""}, {"peers", 2, 1, 4, ""}},
           .build =
               [](Model& model) {
                 model.add<Peer>(static_cast<std::size_t>(model.run()["peers"]));
                 model.always("not both old", [](const View& v) {
                   int old = 0;
                   for (const Peer& p : v.all<Peer>()) old += p.stage >= 5 ? 1 : 0;
                   return old < 2;
                 });
                 model.sometimes("a friend at stage 3", [](const View& v) {
                   for (const Peer& p : v.all<Peer>()) {
                     if (p.stage == 3 && p.friend_of) return true;
                   }
                   return false;
                 });
               }},
          {{"seed", std::to_string(seed)}, {"peers", std::to_string(peers)}});
  m.network.order = order;
  return m;
}

void same_without_dead(const std::function<std::unique_ptr<TransitionSystem>(const ActorOptions&)>& make) {
  const auto full = make({});
  if (!small(*full, 3000)) return;
  ActorOptions options;
  options.drop_dead = DropDead::Yes;
  const auto dropping = make(options);
  ReductionReport report;
  const SearchResult settled = settle(*dropping, report);
  RC_ASSERT(settled.complete);
  RC_ASSERT(!dropping->assumptions()->mistaken());
  const Seen all = look(*full), less = look(*dropping);
  RC_ASSERT(!dropping->assumptions()->mistaken());
  RC_ASSERT(less.result.counters.states == settled.counters.states);
  RC_ASSERT(less.result.counters.states <= all.result.counters.states);
  RC_ASSERT(less.locals == all.locals);
  RC_ASSERT(less.deadlocks == all.deadlocks);
  RC_ASSERT(less.violated == all.violated);
  RC_ASSERT(less.reached == all.reached);
  for (const Finding& f : less.result.violations) RC_ASSERT(recall_finding(*full, *dropping, f).has_value());
  // With symmetry, and on two threads.
  options.drop_dead = DropDead::UpToRenaming;
  const auto symmetric = make(options);
  ReductionPlan plan;
  plan.symmetry = true;
  plan.partial_order = *rc::gen::arbitrary<bool>();
  SearchOptions search_options;
  search_options.stop_at_violation = false;
  search_options.threads = *rc::gen::element(1u, 2u);
  search_options.order = *rc::gen::element(SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst);
  const SearchResult reduced = reduced_search(*symmetric, search_options, plan, report);
  RC_ASSERT(reduced.complete);
  RC_ASSERT(reduced.counters.states <= less.result.counters.states);
  std::set<std::string> violated, reached;
  for (const Finding& f : reduced.violations) violated.insert(full->properties()[f.property].name);
  for (const Finding& f : reduced.witnesses) reached.insert(full->properties()[f.property].name);
  RC_ASSERT(violated == all.violated);
  RC_ASSERT(reached == all.reached);
  RC_ASSERT((reduced.counters.deadlocks > 0) == !all.deadlocks.empty());
  for (const Finding& f : reduced.violations) RC_ASSERT(recall_finding(*full, *symmetric, f).has_value());
  RC_CLASSIFY(!dropping->assumptions()->left_out().empty(), "dropped some");
  RC_CLASSIFY(report.runs > 1, "searched again");
}

RC_GTEST_PROP(DeadMessages, TheSameLocalStatesDeadlocksAndVerdictsOnRandomProtocols, ()) {
  random_model::Configuration c = random_model::random_configuration();
  c.nodes = std::min(c.nodes, 2);
  same_without_dead([&](const ActorOptions& options) { return random_model::make(c, options); });
}

void compare_ageing() {
  const long seed = *rc::gen::inRange(0l, 1'000'000l);
  const int peers = *rc::gen::inRange(2, 4);
  const auto order = *rc::gen::element(Network::Order::Multiset, Network::Order::Soup);
  const unsigned crashes = *rc::gen::element(0u, 0u, 1u);
  const bool recovery = crashes > 0 && *rc::gen::arbitrary<bool>();
  same_without_dead([&](const ActorOptions& options) {
    Model model = ageing(seed, peers, order);
    model.faults.crashes = crashes;
    model.faults.recovery = recovery;
    return make_actor_system(std::move(model), options);
  });
}

RC_GTEST_PROP(DeadMessages, TheSameOnProtocolsThatAge, ()) { compare_ageing(); }

TEST(DeadMessages, SlowThreeThousandProtocolsThatAge) { testing::check_random(3'000, compare_ageing); }

// Exactly the messages that are dead in the whole graph are left out, because handlers of single messages are probed
// exactly.
TEST(DeadMessages, NothingThatIsDeadIsKept) {
  std::size_t dropped = 0;
  for (long seed = 0; seed < 60; ++seed) {
    for (const auto order : {Network::Order::Multiset, Network::Order::Soup}) {
      const auto full = make_actor_system(ageing(seed, 2, order));
      if (!small(*full, 1500)) continue;
      ActorOptions options;
      options.drop_dead = DropDead::Yes;
      const auto dropping = make_actor_system(ageing(seed, 2, order), options);
      ReductionReport report;
      const std::size_t states = settle(*dropping, report).counters.states;
      EXPECT_GE(states, without_dead(*full)) << seed;
      EXPECT_LE(states, look(*full).result.counters.states) << seed;
      dropped += dropping->assumptions()->left_out().empty() ? 0 : 1;
    }
  }
  EXPECT_GT(dropped, 20u);
}

// --- A receiver that is not ready when the message comes.

struct Late;
struct Early {
  bool sent = false;
  struct Go {};
  void send(ToAll<Late, Go> out) {
    require(!sent);
    sent = true;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Early::send>;
};
struct Late {
  int stage = 0;
  void get_ready() {
    require(stage < 3);
    ++stage;
  }
  void go(const Early::Go&) {
    require(stage == 3);
    stage = 4;
  }
  static constexpr auto transitions = heddle::transitions<&Late::get_ready, &Late::go>;
};

Definition early_and_late(bool looks_at_messages) {
  return {.name = "late", .summary = "", .build = [looks_at_messages](Model& m) {
            m.add<Early>();
            m.add<Late>();
            m.always("never gone", [](const View& v) { return v.all<Late>()[0].stage < 4; });
            if (looks_at_messages) {
              m.sometimes("a message is left over", [](const View& v) {
                return v.all<Late>()[0].stage == 4 && !v.in_flight<Early::Go>().empty();
              });
            }
          }};
}

TEST(DeadMessages, AMessageThatComesTooEarlyIsKeptInTheSecondSearch) {
  ActorOptions options;
  options.drop_dead = DropDead::Yes;
  const auto system = make_actor_system(Model(early_and_late(false)), options);
  ReductionReport report;
  const SearchResult found = reduced_search(*system, {}, {}, report);
  EXPECT_GT(report.runs, 1u);
  EXPECT_EQ(found.verdict, Verdict::Violated);
  const auto full = make_actor_system(Model(early_and_late(false)));
  ASSERT_EQ(found.violations.size(), 1u);
  EXPECT_EQ(found.violations[0].path.steps.size(), search(*full).violations[0].path.steps.size());
}

TEST(DeadMessages, WhoLooksAtMessagesSeesDeadOnes) {
  Model model(early_and_late(true));
  model.network.order = Network::Order::Soup;
  ActorOptions options;
  options.drop_dead = DropDead::Yes;
  const auto system = make_actor_system(model, options);
  ReductionReport report;
  SearchOptions all;
  all.stop_at_violation = false;
  const SearchResult found = reduced_search(*system, all, {}, report);
  EXPECT_EQ(found.witnesses.size(), 1u);
  EXPECT_EQ(found.counters.states, search(*make_actor_system(model), all).counters.states);
}

// --- Probing tries every choice, and every member where a handler asks who it is.

struct Picky;
struct Offer {
  Id<Picky> to;
};
struct Giver {
  bool gave = false;
  void give(ToAll<Picky, Offer> out) {
    require(!gave);
    gave = true;
    out.send({Model::id<Picky>(1)});
  }
  static constexpr auto transitions = heddle::transitions<&Giver::give>;
};
struct Picky {
  bool took = false;
  void take(const Offer& offer, Id<Picky> self, Choice choose) {
    require(!took && offer.to == self && choose(3) == 2);
    took = true;
  }
  static constexpr auto transitions = heddle::transitions<&Picky::take>;
};

TEST(DeadMessages, AMessageForOneOfThemOrTakenByTheLastChoiceIsAlive) {
  const Definition definition{.name = "picky", .summary = "", .build = [](Model& m) {
                                m.add<Giver>();
                                m.add<Picky>(2);
                                m.sometimes("taken", [](const View& v) { return v.all<Picky>()[1].took; });
                              }};
  ActorOptions options;
  options.drop_dead = DropDead::Yes;
  const auto system = make_actor_system(Model(definition), options);
  ReductionReport report;
  EXPECT_EQ(reduced_search(*system, {}, {}, report).witnesses.size(), 1u);
}

// In a FIFO channel a message that is never taken holds up the next.
TEST(DeadMessages, FifoChannelsKeepThem) {
  Model model(early_and_late(false));
  model.network.order = Network::Order::Fifo;
  ActorOptions options;
  options.drop_dead = DropDead::Yes;
  const auto system = make_actor_system(model, options);
  SearchOptions all;
  all.stop_at_violation = false;
  const SearchResult kept = search(*make_actor_system(model), all);
  EXPECT_EQ(search(*system, all).counters.states, kept.counters.states);
  EXPECT_EQ(system->assumptions()->left_out(), "");
}

}  // namespace
}  // namespace heddle::dead_messages_test
