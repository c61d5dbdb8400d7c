// Crashes, recovery, Byzantine senders, and the equivalence of explicit and implicit crashes.
#include <gtest/gtest.h>

#include "heddle/heddle.h"
#include "support/explored.h"

namespace heddle {
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
  // Only the first, only the second, both, none.
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
      const trace::Step step = system->describe_step(state, steps.step(k), next);
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

// Theorem 2 of the digest (section 3): for properties of local states, crashes need not be modelled at all.
TEST(Faults, ExplicitCrashesAddNoLocalStates) {
  Model crashing = herald(3);
  crashing.faults.crashes = 3;
  EXPECT_EQ(explore(std::move(crashing)).locals_without_flags, explore(herald(3)).locals);
}

}  // namespace
}  // namespace heddle
