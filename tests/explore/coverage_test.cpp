// What coverage says of random protocols, networks and faults is what a walk through every state and step sees; and
// reductions, which leave most steps out, do not change what never happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "actor/random_run.h"
#include "core/facets/describer.h"
#include "explore/search.h"
#include "net/net_parser.h"
#include "net/net_system.h"
#include "reduce/small_systems.h"
#include "support/checked.h"

namespace heddle::coverage_test {
namespace {

constexpr std::size_t most_states = 3000;

// Every step of every state, told by its description.
struct Walked {
  std::map<std::string, std::uint64_t> steps;
  std::set<std::string> received, sent;
  std::set<std::string> chosen;  // "Node::gossiped 1"
};

std::string role_of(std::string lane) {
  lane = lane.substr(0, lane.find(' '));
  lane[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(lane[0])));
  return lane;
}

Walked walk(const TransitionSystem& system) {
  Walked walked;
  const auto lanes = system.describer().lanes();
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> state) {
    StepBuffer steps;
    system.expand(state, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const SlotVector next = apply_changes(state, steps.changes(i));
      const trace::Step step = system.describer().describe_step(state, steps.step(i), next);
      const bool handler =
          step.kind == "step" || step.kind == "timeout" || (step.kind == "crash" && step.name != "crash");
      if (!handler) continue;
      const std::string name = role_of(lanes[step.lane].name) + "::" + step.name;
      ++walked.steps[name];
      for (const trace::Message& m : step.received) walked.received.insert(m.type);
      for (const trace::Message& m : step.sent) walked.sent.insert(m.type);
      if (!step.choice.empty()) walked.chosen.insert(name + " " + step.choice.substr(1, 1));
    }
  };
  search(system, options);
  return walked;
}

bool may_block(const random_model::Configuration& c) {
  return c.network.capacity > 0 && c.network.when_full == Network::WhenFull::Block;
}

// Which things happened, whatever their counts.
void expect_same(const Coverage& coverage, const Walked& walked, bool blocking, bool renamed) {
  for (const Coverage::Transition& t : coverage.transitions) {
    if (t.tried) RC_ASSERT((t.executed > 0) == walked.steps.contains(t.name));
  }
  for (const Coverage::Message& m : coverage.messages) {
    RC_ASSERT((m.received > 0) == walked.received.contains(m.name));
    if (!m.sent) RC_ASSERT(!walked.sent.contains(m.name));
    if (m.sent && !blocking) RC_ASSERT(walked.sent.contains(m.name));
    RC_ASSERT(m.sent || !m.arrived);
  }
  for (const Coverage::Option& o : coverage.options) {
    const bool taken = walked.chosen.contains(o.transition + " " + std::to_string(o.option));
    if (!o.taken) RC_ASSERT(!taken);
    if (o.taken && !blocking && !renamed) RC_ASSERT(taken);
  }
}

RC_GTEST_PROP(Coverage, CountsEveryStepOfAnUnreducedSearch, ()) {
  const auto c = random_model::random_configuration();
  const auto system = random_model::make(c);
  RC_PRE(small(*system, most_states));
  const Walked walked = walk(*system);
  SearchOptions options;
  options.stop_at_violation = false;
  options.order = *rc::gen::element(SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst);
  options.threads = *rc::gen::element(1u, 2u);
  const auto fresh = random_model::make(c);
  const SearchResult result = search(*fresh, options);
  RC_ASSERT(result.complete);
  const Coverage coverage = fresh->describer().coverage(result.executed, false);
  std::uint64_t handlers = 0;
  for (const Coverage::Transition& t : coverage.transitions) {
    if (!t.tried) continue;
    const auto seen = walked.steps.find(t.name);
    RC_ASSERT(t.executed == (seen == walked.steps.end() ? 0 : seen->second));
    handlers += t.executed;
  }
  RC_ASSERT(handlers <= result.counters.transitions);
  expect_same(coverage, walked, may_block(c), false);
}

RC_GTEST_PROP(Coverage, ReductionsDoNotChangeWhatNeverHappens, ()) {
  const auto c = random_model::random_configuration();
  const auto full = random_model::make(c);
  RC_PRE(small(*full, most_states));
  const Walked walked = walk(*full);
  run::CheckRequest request;
  request.plan = {.partial_order = *rc::gen::arbitrary<bool>(),
                  .symmetry = *rc::gen::arbitrary<bool>(),
                  .dead = *rc::gen::arbitrary<bool>()};
  request.split = *rc::gen::element(Split::None, Split::Combined);
  request.search.stop_at_violation = false;
  request.search.order = *rc::gen::element(SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst);
  request.search.threads = *rc::gen::element(1u, 2u);
  run::Instance instance;
  instance.build = [&](const run::BuildOptions& build) { return random_model::make(c, build); };
  const run::CheckResult result = checked(instance, request);
  RC_ASSERT(result.complete);
  const bool renamed = std::ranges::find(result.reductions, "symmetry") != result.reductions.end();
  expect_same(*result.coverage, walked, may_block(c), renamed);
}

TEST(Coverage, ANetsDeadTransitionIsOneThatIsNeverExecuted) {
  const net::NetSystem system(
      net::parse_net("place a 2\nplace b\nplace c\ntransition go: a -> b\ntransition dead: c -> a\n", "test.net"));
  const SearchResult result = search(system);
  const Coverage coverage = system.describer().coverage(result.executed, false);
  ASSERT_EQ(coverage.transitions.size(), 2u);
  EXPECT_EQ(coverage.transitions[0].name, "go");
  EXPECT_EQ(coverage.transitions[0].executed, 2u);
  EXPECT_EQ(coverage.transitions[1].executed, 0u);
}

// A protocol with one of each kind of thing that never happens.
struct Server;
struct Client;
struct Ask {
  int n = 0;
};
struct Told {};
struct Forgotten {};
struct ToNobody {};
struct Client {
  int asked = 0;
  void ask(To<Server, Ask> out, Choice choose) {
    require(asked == 0);
    const auto n = static_cast<int>(choose(3));
    require(n != 1);
    asked = 1;
    out.send({n});
  }
  void hear(const Told&) { asked = 2; }
  void impossible() { require(asked == 7); }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::hear, &Client::impossible>;
};
struct Spare {
  bool alive = true;
  void take(const ToNobody&) {}
  static constexpr auto transitions = heddle::transitions<&Spare::take>;
};
struct Server {
  int n = 0;
  void take(const Ask& a, Reply<Told> out, Reply<Forgotten> other, To<Spare, ToNobody> nobody) {
    n = a.n + 1;
    nobody.send({});
    if (n > 90) {
      out.send({});
      other.send({});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Server::take>;
};

Definition lazy() {
  return {.name = "lazy", .summary = "", .build = [](Model& m) {
            m.add<Client>();
            m.add<Server>();
            m.room_for<Spare>(1);
            m.always("blind", [](const View&) { return true; });
            m.always("seeing", [](const View& v) { return v.all<Server>()[0].n < 9; });
            m.deadlock_free([](const View&) { return true; });
          }};
}

TEST(Coverage, OfAProtocolNamesEveryKindOfThingThatNeverHappens) {
  for (const bool memoise : {true, false}) {
    const auto system = make_actor_system(Model(lazy()), {.memoise = memoise});
    const SearchResult result = search(*system);
    ASSERT_TRUE(result.complete);
    const Coverage coverage = system->describer().coverage(result.executed, false);
    std::set<std::string> never, unsent, not_arrived, unreceived;
    for (const auto& t : coverage.transitions) {
      if (t.executed == 0) never.insert(t.name);
      if (t.name == "Client::impossible") {
        EXPECT_EQ(t.accepted, 0u);
        EXPECT_GT(t.tried, 0u);
      }
      if (t.name == "Client::hear") {
        EXPECT_EQ(t.tried, 0u);
      }
    }
    EXPECT_THAT(never, testing::ElementsAre("Client::hear", "Client::impossible", "Spare::take"));
    for (const auto& m : coverage.messages) {
      if (!m.sent) unsent.insert(m.name);
      if (m.sent && !m.arrived) not_arrived.insert(m.name);
      if (m.received == 0) unreceived.insert(m.name);
    }
    EXPECT_THAT(unsent, testing::ElementsAre("Forgotten", "Told"));
    EXPECT_THAT(not_arrived, testing::ElementsAre("ToNobody"));
    EXPECT_THAT(unreceived, testing::ElementsAre("Forgotten", "ToNobody", "Told"));
    std::vector<unsigned> untaken;
    for (const auto& o : coverage.options) {
      EXPECT_EQ(o.transition, "Client::ask");
      EXPECT_EQ(o.choice, 1u);
      if (!o.taken) untaken.push_back(o.option);
    }
    EXPECT_EQ(coverage.options.size(), 3u);
    EXPECT_THAT(untaken, testing::ElementsAre(1u));
    EXPECT_THAT(coverage.blind_properties, testing::ElementsAre("blind"));
  }
}

TEST(Coverage, WarnsOfHandlersThatWaitForWhatNobodySends) {
  EXPECT_THAT(make_actor_system(Model(lazy()))->describer().warnings(), testing::IsEmpty());
  Definition without = lazy();
  without.build = [](Model& m) { m.add<Client>(); };
  EXPECT_THAT(make_actor_system(Model(without))->describer().warnings(),
              testing::ElementsAre("Client::hear waits for Told, which no process sends: it will never happen"));
}

struct Idle {
  int n = 0;
  static constexpr auto transitions = heddle::transitions<>;
};
TEST(Coverage, WarnsOfRolesThatListNoHandler) {
  Definition idle = lazy();
  idle.build = [](Model& m) { m.add<Idle>(2); };
  EXPECT_THAT(make_actor_system(Model(idle))->describer().warnings(),
              testing::ElementsAre("Idle lists no handler: its processes do nothing"));
}

TEST(Coverage, FaultsThatCannotHappenAreNamed) {
  Model model(lazy());
  model.faults.crashes = 1;
  model.network.losses = 1;
  const auto system = make_actor_system(std::move(model));
  const SearchResult result = search(*system);
  const Coverage coverage = system->describer().coverage(result.executed, false);
  std::map<std::string, std::uint64_t> faults;
  for (const auto& t : coverage.transitions) {
    if (!t.tried) faults[t.name] = t.executed;
  }
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_GT(faults["loss"], 0u);
  EXPECT_GT(faults["crash"], 0u);
}

}  // namespace
}  // namespace heddle::coverage_test
