// Crashes, recovery, Byzantine senders, and the equivalence of explicit and implicit crashes.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "support/explored.h"

namespace heddle::faults_test {
namespace {

struct Listener;
struct News {
  bool good = false;
};

struct Herald {
  Durable<int> told;
  int volatile_count = 0;
  void tell(ToAll<Listener, News> out) {
    require(*told == 0);
    *told = 1;
    volatile_count = 1;
    out.send({true});
  }
  static constexpr auto transitions = heddle::transitions<&Herald::tell>;
};
struct Listener {
  int heard = 0;  // 0 nothing, 1 good, 2 bad
  void hear(const News& n) {
    require(heard == 0);
    heard = n.good ? 1 : 2;
  }
  static constexpr auto transitions = heddle::transitions<&Listener::hear>;
};

Model herald(std::size_t listeners, bool together = false) {
  const Definition definition{.name = "herald", .summary = "", .build = [=](Model& m) {
                                const auto h = m.add<Herald>();
                                const auto l = m.add<Listener>(listeners);
                                if (together) m.colocate(h[0], l[0]);
                              }};
  return Model(definition);
}

TEST(Faults, ACrashMayComeInTheMidstOfABroadcast) {
  Model m = herald(2);
  m.faults.crashes = 1;
  const Explored e = explore(std::move(m));
  // Only the first hears it, only the second, both, none.
  EXPECT_GE(count_with(e.finals, "listener 1.heard=1 listener 1.up=true listener 2.heard=0"), 1u);
  EXPECT_GE(count_with(e.finals, "listener 1.heard=0 listener 1.up=true listener 2.heard=1"), 1u);
  EXPECT_GE(count_with(e.finals, "listener 1.heard=1 listener 1.up=true listener 2.heard=1"), 1u);
  EXPECT_GE(count_with(e.finals, "listener 1.heard=0 listener 1.up=true listener 2.heard=0"), 1u);
  // At most one is down.
  for (const std::string& s : e.locals) {
    std::size_t down = 0;
    for (std::size_t at = s.find("up=false"); at != s.npos; at = s.find("up=false", at + 1)) ++down;
    EXPECT_LE(down, 1u);
  }
}

struct Sleeper {
  bool up = true;
  int pokes = 0;
  void sleep() {
    require(up);
    up = false;
  }
  void poke() {
    require(!up && pokes == 0);
    ++pokes;
  }
  static constexpr auto transitions = heddle::transitions<&Sleeper::sleep, &Sleeper::poke>;
};

TEST(Faults, AFieldOfTheModelIsNotMistakenForTheCrash) {
  Model m(Definition{.name = "sleeper", .summary = "", .build = [](Model& model) { model.add<Sleeper>(); }});
  m.faults.crashes = 1;
  const auto system = make_actor_system(std::move(m));
  SlotVector state = system->initial_states()[0];
  for (const std::string name : {"sleep", "poke"}) {
    StepBuffer steps;
    system->expand(state, steps);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const SlotVector next = apply_changes(state, steps.changes(k));
      const trace::Step step = system->describer().describe_step(state, steps.step(k), next);
      if (step.name != name || step.kind != "step") continue;
      ASSERT_EQ(step.diffs.size(), 1u) << name;
      EXPECT_EQ(step.diffs[0].name, name == "sleep" ? "up" : "pokes");
      state = next;
      break;
    }
  }
  EXPECT_EQ(local_text(*system, state), "sleeper.up=false sleeper.pokes=1 sleeper.running=true ");
}

TEST(Faults, ColocatedRolesCrashTogether) {
  Model m = herald(1, true);
  m.faults.crashes = 1;
  for (const std::string& s : explore(std::move(m)).locals) {
    EXPECT_EQ(s.find("herald.up=false") == s.npos, s.find("listener.up=false") == s.npos) << s;
  }
}

TEST(Faults, RecoveryKeepsDurableFieldsOnly) {
  Model m = herald(1);
  m.faults.crashes = 1;
  m.faults.recovery = true;
  const Explored e = explore(std::move(m));
  EXPECT_GE(count_with(e.locals, "herald.told={\"value\":1} herald.volatile_count=0 herald.up=true"), 1u);
  EXPECT_EQ(count_with(e.locals, "herald.told={\"value\":0} herald.volatile_count=1"), 0u);
}

TEST(Faults, ByzantineSendersSendAnyWellFormedMessage) {
  Model m = herald(1);
  EXPECT_EQ(count_with(explore(std::move(m)).locals, "heard=2"), 0u);
  Model lying = herald(2);
  lying.faults.byzantine["Herald"] = 1;
  const Explored e = explore(std::move(lying));
  // It may tell the two listeners different news.
  EXPECT_GE(count_with(e.locals, "listener 1.heard=1 listener 2.heard=2"), 1u);
  EXPECT_GE(count_with(e.locals, "listener 1.heard=2 listener 2.heard=1"), 1u);
  EXPECT_TRUE(e.result.complete);
}

TEST(Faults, UnknownByzantineRoleIsAnError) {
  Model m = herald(1);
  m.faults.byzantine["King"] = 1;
  try {
    make_actor_system(std::move(m));
    FAIL() << "accepted";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("Herald, Listener"), std::string::npos) << e.what();
  }
}

// --- Crashes of machines, and in the middle of a step.

std::size_t transitions(Model m) { return explore(std::move(m)).result.counters.transitions; }

// Writes to itself and to the other; receives nothing.
struct Writer {
  int step = 0;
  void write(To<Writer, News> out, Id<Writer> self, Choice choose) {
    require(step == 0);
    step = 1;
    out.send(self, {true});
    out.send(Model::id<Writer>(1), {false});
    static_cast<void>(choose);
  }
  static constexpr auto transitions = heddle::transitions<&Writer::write>;
};

TEST(Faults, MessagesToOneselfAreAmongThoseThatACrashMayKeepBack) {
  Model m(Definition{.name = "writer", .summary = "", .build = [](Model& model) {
                       model.add<Writer>(2, [](std::size_t i) { return Writer{i == 0 ? 0 : 1}; });
                     }});
  m.faults.crashes_of["Writer"] = 1;
  const auto system = make_actor_system(std::move(m));
  const SlotVector state = system->initial_states()[0];
  StepBuffer steps;
  system->expand(state, steps);
  std::multiset<std::string> crashing;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const SlotVector next = apply_changes(state, steps.changes(i));
    const trace::Step step = system->describer().describe_step(state, steps.step(i), next);
    if (step.name != "write" || step.kind != "crash") continue;
    std::string text;
    for (const trace::Message& message : step.sent) text += std::to_string(message.to) + message.body;
    text += " -> ";
    for (const trace::Field& f : system->describer().describe_state(next)) {
      if (f.name == "inbox") text += f.value == "[]" ? "0" : "1";
    }
    crashing.insert(text);
  }
  EXPECT_EQ(crashing, (std::multiset<std::string>{" -> 00", R"(0{"good":true} -> 10)", R"(1{"good":false} -> 01)",
                                                  R"(1{"good":false}0{"good":true} -> 11)"}));
}

struct Chatty {
  int step = 0;
  void write(To<Chatty, News> out, Id<Chatty> self) {
    require(step == 0);
    step = 1;
    out.send(self, {true});
    out.send(self, {false});
  }
  static constexpr auto transitions = heddle::transitions<&Chatty::write>;
};

// With room for one, the second message to itself does not fit. So the step does not exist, but a crash after
// either message does.
TEST(Faults, OfWhatDoesNotFitACrashMaySendAPart) {
  Model m(Definition{.name = "chatty", .summary = "", .build = [](Model& model) { model.add<Chatty>(); }});
  m.network.capacity = 1;
  m.faults.crashes = 1;
  // It crashes before the step, or in it after sending none, the first, or the second.
  const Explored e = explore(std::move(m));
  EXPECT_EQ(e.result.counters.states, 5u);
  EXPECT_EQ(e.result.counters.transitions, 4u);
}

TEST(Faults, AMachineCrashesInOneStep) {
  // Herald and listener are on one machine; the listener has nothing to do yet.
  Model apart = herald(1), together = herald(1, true);
  for (Model* m : {&apart, &together}) m->faults.crashes = 1;
  const auto crashes = [](Model m) {
    const auto system = make_actor_system(std::move(m));
    StepBuffer steps;
    const SlotVector state = system->initial_states()[0];
    system->expand(state, steps);
    std::size_t count = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      count += system->describer().describe_step(state, steps.step(i), apply_changes(state, steps.changes(i))).name ==
               "crash";
    }
    return count;
  };
  EXPECT_EQ(crashes(std::move(apart)), 2u);
  EXPECT_EQ(crashes(std::move(together)), 1u);
}

struct Remembering {
  int steps = 0;
  void step(Ghost<int>& ghost) {
    require(steps == 0);
    ++steps;
    *ghost = 1;
  }
  static constexpr auto transitions = heddle::transitions<&Remembering::step>;
};

TEST(Faults, ACrashIsOneStepBesideAGhostVariable) {
  Model m(Definition{.name = "remembering", .summary = "", .build = [](Model& model) {
                       model.add<Remembering>();
                       model.ghost<int>();
                     }});
  m.faults.crashes = 1;
  m.faults.recovery = true;
  // Before the crash: a step, a crash, a step with a crash, and a crash after the step. After it: a recovery and
  // the step, each with the ghost variable changed or not.
  EXPECT_EQ(transitions(std::move(m)), 8u);
}

struct Mortal {
  bool tired = false;
  void end(Exit exit) { exit(); }
  static constexpr auto transitions = heddle::transitions<&Mortal::end>;
};

TEST(Faults, AMachineWhoseFirstProcessHasEndedCrashesAndRecovers) {
  Model m(Definition{.name = "mortal", .summary = "", .build = [](Model& model) {
                       const auto first = model.add<Mortal>();
                       const auto second = model.add<Sleeper>();
                       model.colocate(first[0], second[0]);
                     }});
  m.faults.crashes = 2;
  m.faults.recovery = true;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(count_with(e.finals, "running=false"), 0u);  // it can always come back
  // The mortal one has ended; the other has crashed.
  EXPECT_GE(count_with(e.locals, "sleeper.up=true sleeper.pokes=0 sleeper.running=false "), 1u);
  bool found = false;
  for (const std::string& s : e.locals) found |= s.find("mortal") == s.npos && s.find("running=false") != s.npos;
  EXPECT_TRUE(found);
}

TEST(Faults, CrashesOfARoleAreCountedForThatRole) {
  const auto down = [](std::map<std::string, unsigned> crashes_of, bool together = false) {
    Model m = herald(2, together);
    m.faults.crashes_of = std::move(crashes_of);
    std::set<std::string> seen;
    for (const std::string& s : explore(std::move(m)).locals) {
      std::string who;
      for (const std::string name : {"herald", "listener 1", "listener 2"}) {
        who += s.find(name + ".up=false") != s.npos ? "x" : "-";
      }
      seen.insert(who);
    }
    return seen;
  };
  using Sets = std::set<std::string>;
  EXPECT_EQ(down({{"Listener", 1}}), (Sets{"---", "-x-", "--x"}));
  EXPECT_EQ(down({{"Listener", 2}}), (Sets{"---", "-x-", "--x", "-xx"}));
  EXPECT_EQ(down({{"Herald", 3}}), (Sets{"---", "x--"}));
  EXPECT_EQ(down({{"Herald", 1}, {"Listener", 1}}), (Sets{"---", "x--", "-x-", "--x", "xx-", "x-x"}));
  // The machine of the herald and the first listener counts for both roles.
  EXPECT_EQ(down({{"Listener", 1}}, true), (Sets{"---", "xx-", "--x"}));
  EXPECT_EQ(down({{"Herald", 1}, {"Listener", 1}}, true), (Sets{"---", "xx-", "--x"}));
  EXPECT_EQ(down({{"Herald", 0}, {"Listener", 2}}, true), (Sets{"---", "--x"}));
}

TEST(Faults, APropertyAsksWhoIsUp) {
  const auto verdict = [](unsigned crashes, bool recovery) {
    Model m = herald(2);
    m.faults.crashes = crashes;
    m.faults.recovery = recovery;
    m.always("a listener is up", [](const View& v) {
      bool any = false;
      for (const auto id : v.ids<Listener>()) any |= v.up(id);
      return any;
    });
    m.sometimes("the herald was down and is back", [](const View& v) {
      return v.up(Model::id<Herald>(0)) && *v.all<Herald>()[0].told == 1 && v.all<Herald>()[0].volatile_count == 0;
    });
    const auto system = make_actor_system(std::move(m));
    SearchOptions options;
    options.stop_at_violation = false;
    const SearchResult r = search(*system, options);
    return std::pair(r.violations.size(), r.witnesses.size());
  };
  EXPECT_EQ(verdict(1, false), (std::pair<std::size_t, std::size_t>{0, 0}));
  EXPECT_EQ(verdict(2, false), (std::pair<std::size_t, std::size_t>{1, 0}));
  EXPECT_EQ(verdict(1, true), (std::pair<std::size_t, std::size_t>{0, 1}));
}

struct Parent {
  int left = 1;
  void bear(Spawn<Mortal> spawn) {
    require(left-- > 0);
    spawn({});
  }
  static constexpr auto transitions = heddle::transitions<&Parent::bear>;
};

TEST(Faults, CrashesAndSpawnAreRefused) {
  Model m(Definition{.name = "parent", .summary = "", .build = [](Model& model) {
                       model.add<Parent>();
                       model.room_for<Mortal>(1);
                     }});
  m.faults.crashes = 1;
  EXPECT_THROW(make_actor_system(std::move(m)), ModelError);
}

// The theorem on crash faults of Bokor's thesis: for properties of local states, crashes need not be modelled.
TEST(Faults, ExplicitCrashesAddNoLocalStates) {
  Model crashing = herald(3);
  crashing.faults.crashes = 3;
  EXPECT_EQ(explore(std::move(crashing)).locals_without_flags, explore(herald(3)).locals);
}

}  // namespace
}  // namespace heddle::faults_test
