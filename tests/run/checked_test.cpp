// heddle::check, what a project that uses Heddle as a library calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "heddle/check.h"
#include "heddle/heddle.h"
#include "report/trace_json.h"
#include "run/actor_door.h"
#include "run/recorder.h"
#include "run/replay.h"

namespace heddle::checked_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Server;
struct Request {};
struct Grant {};

struct Client {
  bool asked = false, holds = false;
  void ask(To<Server, Request> out) {
    require(!asked);
    asked = true;
    out.send({});
  }
  void enter(const Grant&) { holds = true; }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::enter>;
};
struct Server {
  bool free = true, forgets = false;
  void grant(const Request&, Reply<Grant> out) {
    require(free);
    free = forgets;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Server::grant>;
};

Definition lock() {
  return {.name = "little_lock",
          .summary = "a lock server",
          .parameters = {{"clients", 2, 1, 4, "how many"}},
          .bugs = {{"forgetful", "mutual exclusion"}},
          .build = [](Model& m) {
            m.add<Client>(static_cast<std::size_t>(m.run()["clients"]));
            m.add<Server>(1, [&](std::size_t) { return Server{.free = true, .forgets = m.run().bug("forgetful")}; });
            m.always("mutual exclusion", [](const View& v) {
              int holders = 0;
              for (const Client& c : v.all<Client>()) holders += static_cast<int>(c.holds);
              return holders <= 1;
            });
          }};
}

TEST(HeddleCheck, AModelOfTheProgramItself) {
  const Checked holds = check(lock(), {.parameters = {{"clients", "3"}}});
  EXPECT_TRUE(holds.holds()) << holds.message;
  EXPECT_THAT(holds.message, StartsWith("holds: "));
  EXPECT_EQ(holds.trace, "");
  const Checked all = check(lock(), {.parameters = {{"clients", "3"}}, .reduce = false});
  EXPECT_TRUE(all.holds());
  EXPECT_GT(all.states, holds.states);  // three clients that are alike
  // Nobody has been granted: each has asked or not. One of three has been: the grant is in transit or has arrived, and
  // each of the two others has asked or not.
  EXPECT_EQ(all.states, 8u + 3u * 2u * 4u);
}

TEST(HeddleCheck, AViolationIsATraceThatReplays) {
  const Definition definition = lock();
  const Checked broken = check(definition, {.bug = "forgetful"});
  EXPECT_TRUE(broken.violated()) << broken.message;
  EXPECT_EQ(broken.property, "mutual exclusion");
  EXPECT_THAT(broken.trace, HasSubstr("mutual exclusion is violated"));
  const trace::Trace recorded = report::trace_from_json(broken.trace_json, "trace");
  const auto again = run::replay(run::open_definition(definition).instance(run::settings_of(recorded)), recorded);
  EXPECT_EQ(again.verdict, Verdict::Violated);
}

TEST(HeddleCheck, ModelsOfTheLibraryWithSwitchesAndLimits) {
  EXPECT_TRUE(check("two_phase_commit").holds());
  EXPECT_TRUE(check("paxos", {.bug = "accept_always"}).violated());
  const Checked fifo = check("two_phase_commit", {.options = {{"network", "fifo"}}});
  EXPECT_TRUE(fifo.holds()) << fifo.message;
  const Checked stopped = check("paxos", {.parameters = {{"proposers", "3"}}, .reduce = false, .seconds = 0});
  EXPECT_EQ(stopped.verdict, "unknown");
  EXPECT_THAT(stopped.message, HasSubstr("time limit"));
}

TEST(HeddleCheck, WhatIsWrongIsAVerdict) {
  const Checked unknown = check("paxso");
  EXPECT_EQ(unknown.verdict, "error");
  EXPECT_THAT(unknown.message, HasSubstr("did you mean paxos?"));
  EXPECT_EQ(check("paxos", {.parameters = {{"acceptors", "many"}}}).verdict, "error");
  EXPECT_EQ(check("paxos", {.options = {{"loss", "-1"}}}).verdict, "error");
  Definition odd = lock();
  odd.build = [](Model&) { throw 7; };
  EXPECT_EQ(check(odd).verdict, "error");
}

// What a model with one process does whose only handler runs `act`.
struct Actor {
  bool done = false;
  static inline void (*act)() = nullptr;
  void go() {
    require(!done);
    done = true;
    act();
  }
  static constexpr auto transitions = heddle::transitions<&Actor::go>;
};

Definition acting(void (*act)()) {
  Actor::act = act;
  return {.name = "acting", .summary = "", .build = [](Model& m) { m.add<Actor>(); }};
}

TEST(HeddleCheck, AHandlerThatThrowsIsAnErrorWithATrace) {
  const Checked thrown = check(acting([] { throw std::runtime_error("boom"); }));
  EXPECT_EQ(thrown.verdict, "error");
  EXPECT_THAT(thrown.message, HasSubstr("threw: boom"));
  EXPECT_THAT(thrown.trace, HasSubstr("go"));
}

TEST(HeddleCheck, AMessageOfSeveralLinesKeepsThemAllAndItsPlace) {
  const Checked thrown = check(acting([] { throw std::runtime_error("boom\nand bang\n"); }));
  EXPECT_EQ(thrown.verdict, "error");
  EXPECT_THAT(thrown.message, HasSubstr("threw: boom and bang in actor"));
}

TEST(HeddleCheck, AnExceptionInBuildNamesItsPlace) {
  const Checked thrown =
      check(Definition{.name = "unbuilt", .summary = "", .build = [](Model&) { throw std::runtime_error("no\nway"); }});
  EXPECT_EQ(thrown.verdict, "error");
  EXPECT_THAT(thrown.message, HasSubstr("the .build of unbuilt: threw: no way"));
}

TEST(HeddleCheckDeathTest, AHandlerThatCallsExitDoesNotLookLikeSuccess) {
  const auto check_and_end = [](void (*act)()) {
    check(acting(act));
    std::_Exit(0);
  };
  EXPECT_EXIT(check_and_end([] { std::exit(0); }), testing::ExitedWithCode(3),
              "called exit\\(\\) during heddle::check");
  EXPECT_EXIT(check_and_end([] { std::quick_exit(0); }), testing::ExitedWithCode(3), "called exit");
}

TEST(HeddleCheck, SettingsThatMakeNoSenseAreNamed) {
  const auto error = [](const CheckSettings& settings, const std::string& words) {
    const Checked wrong = check(lock(), settings);
    EXPECT_EQ(wrong.verdict, "error") << words;
    EXPECT_THAT(wrong.message, HasSubstr(words));
  };
  error({.options = {{"search", "dpor"}}}, "options: there is no option 'search' for network and faults");
  error({.options = {{"lost", "1"}}}, "did you mean loss?");
  error({.threads = 0}, "threads: 0 is not a number from 1 to 128");
  error({.threads = 4294967295}, "threads: 4294967295");
  error({.seconds = -1}, "seconds: -1 is no duration");
  error({.seconds = std::numeric_limits<double>::quiet_NaN()}, "seconds: nan");
}

using HeddleCheckFiles = run::InADirectory;

TEST_F(HeddleCheckFiles, Nets) {
  const std::string file = write("a.net", "place p 2\ntransition take: p -> \nalways some: p >= 1\n");
  const Checked result = check(file);
  EXPECT_TRUE(result.violated()) << result.message;
  EXPECT_EQ(result.property, "some");
  EXPECT_THAT(result.trace, HasSubstr("take"));
}

}  // namespace
}  // namespace heddle::checked_test
