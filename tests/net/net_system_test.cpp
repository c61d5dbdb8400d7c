#include "net/net_system.h"
#include "core/facets/describer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <regex>
#include <thread>

#include "explore.h"
#include "net/load_net.h"
#include "net/net_parser.h"
#include "random_net.h"

namespace heddle::net::net_system_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The net of figure 4.2 in the thesis the seed example comes from.
constexpr const char* seed = R"(
place p, a, b 1
place a', b', c, d, e
transition t1: p -> e
transition t2: p, c -> d
transition t3: a', b' -> c
transition t4: a -> a'
transition t5: b -> b'
deadlock_free except d == 1
always one: p + d + e == 1
)";

NetSystem system_of(const char* text) { return NetSystem(parse_net(text, "test.net")); }

std::vector<Step> steps_of(const NetSystem& system, const SlotVector& state) {
  StepBuffer buffer;
  system.expand(state, buffer);
  std::vector<Step> steps;
  steps.reserve(buffer.size());
  for (std::size_t i = 0; i < buffer.size(); ++i) steps.push_back(buffer.step(i));
  return steps;
}

std::string show(std::span<const trace::Field> fields) {
  std::string text;
  for (const trace::Field& field : fields) text += field.name + "=" + field.value + " ";
  return text;
}

std::string show(std::span<const Access> accesses) {
  std::string text;
  for (const Access& access : accesses) {
    text += std::to_string(access.slot) + (access.kind == Access::Kind::Read    ? "R "
                                           : access.kind == Access::Kind::Write ? "W "
                                                                                : "A ");
  }
  return text;
}

std::string footprint_of(const NetSystem& system, std::uint32_t transition) {
  std::vector<Access> accesses;
  system.footprint(system.initial_states()[0], {transition, 0}, accesses);
  return show(accesses);
}

TEST(NetSystem, HasTheStatesOfTheSeedExample) {
  const NetSystem system = system_of(seed);
  const Explored explored = explore(system);
  EXPECT_EQ(explored.states.size(), 11U);
  EXPECT_EQ(explored.steps, 16U);
  const SlotVector only_d{1, 1, 1, 1, 1, 1, 2, 1}, c_and_e{1, 1, 1, 1, 1, 2, 1, 2};
  EXPECT_EQ(explored.deadlocks, (std::set<SlotVector>{only_d, c_and_e}));
  EXPECT_EQ(verdict(system, explored), "violated deadlock_free");
}

TEST(NetSystem, ListsEnabledTransitionsInTheOrderOfTheFile) {
  const NetSystem system = system_of(seed);
  EXPECT_THAT(steps_of(system, system.initial_states()[0]), ElementsAre(Step{0, 0}, Step{3, 0}, Step{4, 0}));
  EXPECT_EQ(system.transition_count(), 5U);
  EXPECT_EQ(system.transition_name(3), "t4");
}

TEST(NetSystem, NeedsAsManyTokensAsTheArcWeighs) {
  const NetSystem system = system_of("place p 2 place q transition two: 2*p -> 3*q transition three: 3*p ->");
  const Explored explored = explore(system);
  EXPECT_EQ(explored.states.size(), 2U);
  EXPECT_TRUE(explored.states.contains({1, 4}));
}

TEST(NetSystem, TellsReadingWritingAndAppendingApart) {
  const NetSystem system =
      system_of("place a, b, c, d 3 transition t: a, 2*b, 2*d -> 2*b, c, d transition u: a -> 2*a");
  EXPECT_EQ(footprint_of(system, 0), "0W 1R 2A 3W ");
  EXPECT_EQ(footprint_of(system, 1), "0W ");
  StepBuffer buffer;
  system.expand(system.initial_states()[0], buffer);
  EXPECT_EQ(successor(system.initial_states()[0], buffer.changes(0)), (SlotVector{3, 4, 5, 3}));
}

TEST(NetSystem, ExplainsStepsStatesAndProperties) {
  const NetSystem system = system_of(seed);
  const SlotVector from = system.initial_states()[0], to{1, 2, 2, 1, 1, 1, 1, 2};
  EXPECT_EQ(show(system.describer().describe_state(from)), "p=1 a=1 b=1 a'=0 b'=0 c=0 d=0 e=0 ");
  EXPECT_EQ(show(system.describer().describe_property(0, to)), "a=1 b=1 e=1 ");
  EXPECT_EQ(show(system.describer().describe_property(1, to)), "p=0 d=0 e=1 ");
  const NetSystem repeats = system_of("place a, b 1 always x: b + a <= 2*b and a == 1 transition t: a -> a, b");
  EXPECT_EQ(show(repeats.describer().describe_property(0, repeats.initial_states()[0])), "a=1 b=1 ")
      << "each once, in the order of the file";
  EXPECT_EQ(repeats.describer().describe_step(SlotVector{2, 2}, {0, 0}, SlotVector{2, 3}).diffs.size(), 1U)
      << "a is only read";
  const trace::Step step = system.describer().describe_step(from, {0, 0}, to);
  EXPECT_EQ(step.name, "t1");
  ASSERT_EQ(step.diffs.size(), 2U);
  EXPECT_EQ(step.diffs[0].name + step.diffs[0].before + step.diffs[0].after, "p10");
  EXPECT_EQ(step.diffs[1].name + step.diffs[1].before + step.diffs[1].after, "e01");
  ASSERT_EQ(system.describer().lanes().size(), 1U);
  EXPECT_EQ(system.describer().lanes()[0].name, "net");
}

TEST(NetSystem, EvaluatesEachPropertyIntoItsBit) {
  const NetSystem system =
      system_of("place p 1 always a: p == 0 sometimes b: p == 1 bound p 0 deadlock_free bound q 0 place q");
  EXPECT_EQ(system.evaluate(system.initial_states()[0]), 0b10010U);
  EXPECT_EQ(system.evaluate(system.initial_states()[0], 0b00011), 0b00010U) << "only what was asked";
  EXPECT_EQ(system.properties()[2].kind, Property::Kind::Bound);
  EXPECT_EQ(system.properties()[2].name, "bound p");
}

TEST(NetSystem, KnowsWhichChangesMatterToAProperty) {
  const NetSystem system = system_of("place a, b, c, d 1 always x: a <= 1 deadlock_free except 0*b + c > 5");
  const auto matters = [&](std::vector<Change> changes) {
    return system.may_change_truth(system.initial_states()[0], changes);
  };
  EXPECT_TRUE(matters({{0, 1}}));
  EXPECT_TRUE(matters({{3, 1}, {2, 1}}));
  EXPECT_FALSE(matters({{3, 1}}));
  EXPECT_FALSE(matters({}));
}

TEST(NetSystem, SaysWhichPlacesGrew) {
  const NetSystem system = system_of("place a, b, c, d 1 transition t: a -> 7*b, 2*c transition u: d -> 9*c");
  EXPECT_THAT(system.describer().growth(), IsEmpty());
  explore(system);
  EXPECT_THAT(system.describer().growth(), ElementsAre("place 'c' held up to 12 tokens, at the start 1",
                                                       "place 'b' held up to 8 tokens, at the start 1"));
  EXPECT_GT(system.bytes(), sizeof(NetSystem));
}

TEST(NetSystem, ServesSeveralThreadsAtOnce) {
  const NetSystem system = system_of("place a 40 place b, c transition t: a -> 2*b transition u: b -> c");
  std::size_t states[2];
  {
    std::jthread other([&] { states[0] = explore(system).states.size(); });
    states[1] = explore(system).states.size();
  }
  EXPECT_EQ(states[0], states[1]);
  EXPECT_THAT(system.describer().growth(), ElementsAre("place 'b' held up to 80 tokens, at the start 0",
                                                       "place 'c' held up to 80 tokens, at the start 0"));
}

TEST(NetSystem, ReportsAnOverflowByThePlacesName) {
  const NetSystem fits = system_of("place p 1 place full 4294967293 transition t: p -> full");
  EXPECT_EQ(explore(fits).states.size(), 2U);
  const NetSystem overflows = system_of("place p 1 place full 4294967293 transition t: p -> 2*full");
  try {
    explore(overflows);
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("place 'full' would hold more than 4294967294 tokens after transition 't'"));
  }
}

TEST(NetSystem, RejectsNetsThatBreakAnInvariant) {
  const Net good = parse_net(seed, "seed.net");
  const auto broken = [&good](auto change) {
    Net net = good;
    change(net);
    return NetSystem(net);
  };
  EXPECT_NO_THROW(broken([](Net&) {}));
  EXPECT_THROW(broken([](Net& net) { net = {}; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.places[0].name = "a"; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.places[0].name = ""; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.places[0].name = "\n"; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.places[0].tokens = max_tokens + 1; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.transitions[1].name = "t1"; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.transitions[0].inputs[0].place = 8; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.transitions[0].outputs[0].weight = 0; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.transitions[0].inputs.push_back({0, 1}); }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.properties[1].formula.left.terms[0].place = 8; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.properties[1].formula.left.terms[0].factor = -(1LL << 32); }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.properties[1].formula.kind = Formula::Kind::Not; }), ModelError);
  EXPECT_THROW(broken([](Net& net) {
                 Formula& formula = net.properties[1].formula;
                 formula = Formula::combine(Formula::Kind::And, {formula});
               }),
               ModelError);
  EXPECT_THROW(broken([](Net& net) { net.properties[1].kind = Property::Kind::Bound; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.properties[0].name = "x"; }), ModelError);
  EXPECT_THROW(broken([](Net& net) { net.properties.resize(65, {"x", Property::Kind::Always, {}}); }), ModelError);
}

TEST(LoadNet, ReadsTheExamplesAndTheyDoWhatTheyPromise) {
  const auto folder = std::filesystem::path(HEDDLE_SOURCE_DIR) / "examples/nets";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!is_net_file(entry.path())) continue;
    SCOPED_TRACE(entry.path());
    const auto system = load_net(entry.path());
    const Explored explored = explore(*system);
    const std::size_t deadlocks = explored.deadlocks.size();
    const std::string actual = verdict(*system, explored) + ", " + std::to_string(explored.states.size()) +
                               " states, " + std::to_string(explored.steps) + " transitions, " +
                               std::to_string(deadlocks) + (deadlocks == 1 ? " deadlock" : " deadlocks");
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::smatch expected;
    ASSERT_TRUE(std::regex_search(text, expected, std::regex("# expect: ([^\n]*)")));
    EXPECT_EQ(actual, expected[1]);
    ++files;
  }
  EXPECT_GE(files, 3U);
}

TEST(LoadNet, ReportsWhatItCannotRead) {
  EXPECT_TRUE(is_net_file("x/y.net"));
  EXPECT_TRUE(is_net_file("y.pnml"));
  EXPECT_FALSE(is_net_file("net"));
  EXPECT_FALSE(is_net_file("y.net.cpp"));
  const auto error_of = [](const std::filesystem::path& path) -> std::string {
    try {
      load_net(path);
      return "no error";
    } catch (const ModelError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(error_of("no such file.net"), HasSubstr("no such file.net: the file cannot be read"));
  EXPECT_THAT(error_of("x.txt"), HasSubstr("x.txt: this is no net"));
}

// Contract 3 and 4 of transition_system.h, plus the firing rule itself, computed a second time from the arcs.
void check_contract(const NetSystem& system, const SlotVector& state, const StepBuffer& buffer) {
  std::size_t listed = 0;
  for (std::uint32_t t = 0; t < system.transition_count(); ++t) {
    SlotVector expected = state;
    bool enabled = true;
    for (const Arc& arc : system.net().transitions[t].inputs) {
      enabled = enabled && state[arc.place] - 1 >= arc.weight;
      expected[arc.place] -= arc.weight;
    }
    for (const Arc& arc : system.net().transitions[t].outputs) expected[arc.place] += arc.weight;
    if (!enabled) continue;
    RC_ASSERT(listed < buffer.size());
    RC_ASSERT(buffer.step(listed) == (Step{t, 0}));
    RC_ASSERT(successor(state, buffer.changes(listed)) == expected);
    RC_ASSERT(system.may_change_truth(state, buffer.changes(listed)) ||
              system.evaluate(state) == system.evaluate(expected));

    std::vector<Access> footprint;
    system.footprint(state, buffer.step(listed), footprint);
    std::map<std::uint32_t, Access::Kind> access;
    for (const auto& [slot, kind] : footprint) RC_ASSERT(access.emplace(slot, kind).second);
    std::set<std::uint32_t> changed;
    for (const Change& change : buffer.changes(listed)) {
      RC_ASSERT(changed.insert(change.slot).second);
      RC_ASSERT(access.contains(change.slot));
      RC_ASSERT(access[change.slot] != Access::Kind::Read);
    }
    for (const Arc& arc : system.net().transitions[t].inputs) {
      RC_ASSERT(access.contains(arc.place));
      RC_ASSERT(access[arc.place] != Access::Kind::Append);
    }
    ++listed;
  }
  RC_ASSERT(listed == buffer.size());
}

RC_GTEST_PROP(NetSystem, KeepsTheContractOfADoor, ()) {
  Net net = random_net();
  for (std::size_t i = 0; i < net.places.size(); ++i) net.places[i].name = "p" + std::to_string(i);
  for (std::size_t i = 0; i < net.transitions.size(); ++i) net.transitions[i].name = "t" + std::to_string(i);
  net.properties = {{"x", Property::Kind::Always, random_formula(static_cast<std::uint32_t>(net.places.size()), 2)}};
  const NetSystem system(net);
  SlotVector state = system.initial_states()[0];
  StepBuffer buffer;
  for (int step = 0; step < 20; ++step) {
    buffer.clear();
    system.expand(state, buffer);
    check_contract(system, state, buffer);
    if (buffer.size() == 0) break;
    state = successor(state, buffer.changes(*rc::gen::inRange<std::size_t>(0, buffer.size())));
  }
}

}  // namespace
}  // namespace heddle::net::net_system_test
