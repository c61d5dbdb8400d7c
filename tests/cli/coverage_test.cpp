// Nothing passes in silence: what never happened, handlers that wait in vain, bugs that break nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cli/program.h"

namespace heddle::cli::coverage_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class CoverageOfRuns : public ProgramTest {};

constexpr const char* half_dead_net =
    "place left 3\nplace done\nplace empty\ntransition count: left -> done\ntransition dead: empty -> left\n"
    "always below: done <= 3\n";

TEST_F(CoverageOfRuns, ADeadTransitionOfANetIsNamedAboveTheClosingLine) {
  write("half.net", half_dead_net);
  const Outcome run = heddle({"check", "half.net"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nnever happened: dead\nholds: "));
  const Outcome json = heddle({"check", "half.net", "--json"});
  const auto coverage = json.json().at("coverage");
  EXPECT_EQ(coverage.at("never").as_array()[0].as_string(), "dead");
  EXPECT_EQ(coverage.at("transitions").as_array()[0].at("executed").to_number<int>(), 3);
  write("live.net", sound_net);
  EXPECT_THAT(heddle({"check", "live.net"}).out, Not(HasSubstr("never")));
}

TEST_F(CoverageOfRuns, AnIncompleteSearchSaysNothingOfNever) {
  write("half.net", half_dead_net);
  const Outcome run = heddle({"check", "half.net", "--depth", "1"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.out, Not(HasSubstr("never happened")));
  EXPECT_TRUE(heddle({"check", "half.net", "--depth", "1", "--json"}).json().at("coverage").at("never").is_null());
  const Outcome table = heddle({"check", "half.net", "--depth", "1", "--coverage"});
  EXPECT_THAT(table.out, HasSubstr("the search is incomplete"));
}

TEST_F(CoverageOfRuns, AGuardThatNeverHoldsIsNamedWithItsPlace) {
  write("stuck.cpp", R"(#include <heddle/heddle.h>
namespace {
using namespace heddle;
struct Node {
  int turns = 0;
  void turn() {
    require(turns < 2);
    ++turns;
  }
  void judge() {
    require(turns >= 0);
    require(turns == 7);
    turns = 0;
  }
  static constexpr auto transitions = heddle::transitions<&Node::turn, &Node::judge>;
};
const Register model({.name = "stuck", .summary = "", .build = [](Model& m) { m.add<Node>(); }});
}
)");
  const Outcome run = heddle({"check", "stuck.cpp"});
  EXPECT_THAT(run.out, HasSubstr("never happened: Node::judge (guard at stuck.cpp:12 never held)"));
  EXPECT_THAT(heddle({"check", "stuck.cpp", "--coverage"}).out,
              HasSubstr("never: rejected each time by the guard at stuck.cpp:12"));
  const auto never = heddle({"check", "stuck.cpp", "--json"}).json().at("coverage").at("transitions").as_array()[1];
  EXPECT_EQ(never.at("guards").as_array()[0].at("place").as_string(), "stuck.cpp:12");
  EXPECT_EQ(never.at("guards").as_array()[0].at("rejected").to_number<int>(), 3);
}

// A handler that rejects all it could take makes its messages dead, and dead messages are dropped.
TEST_F(CoverageOfRuns, AGuardThatRejectsDeadMessagesIsNamed) {
  write("dead.cpp", R"(#include <heddle/heddle.h>
namespace {
using namespace heddle;
struct Server;
struct Ping { int n = 0; };
struct Vote {};
struct Ask { bool well = false; };
struct Client {
  int n = 0;
  void go(To<Server, Ping> ping, To<Server, Vote> vote, To<Server, Ask> ask) {
    require(n < 2);
    ++n;
    ping.send({n});
    vote.send({});
    ask.send({n == 1});
  }
  static constexpr auto transitions = heddle::transitions<&Client::go>;
};
struct Server {
  bool leads = false;
  int asked = 0;
  void take(const Ping&) { require(leads); asked = 7; }
  void count(const Quorum<Vote, Client>&) { require(leads); asked = 8; }
  void answer(const Ask& ask, Choice choose) {
    if (ask.well) asked = 1;
    else require(choose.flip() && leads);
  }
  static constexpr auto transitions = heddle::transitions<&Server::take, &Server::count, &Server::answer>;
};
const Register model({.name = "dead", .summary = "", .build = [](Model& m) {
  m.add<Client>(2);
  m.add<Server>();
}});
}
)");
  const Outcome reduced = heddle({"check", "dead.cpp", "--coverage"}),
                full = heddle({"check", "dead.cpp", "--coverage", "--reduce", "none"});
  EXPECT_THAT(reduced.last_line(), HasSubstr("dead messages")) << reduced.out << reduced.err;
  EXPECT_THAT(full.last_line(), Not(HasSubstr("dead messages")));
  const auto never = [](const Outcome& run) {
    const std::size_t at = run.out.find("never happened: ");
    return run.out.substr(at, run.out.find('\n', at) - at);
  };
  EXPECT_EQ(never(reduced), never(full));
  EXPECT_THAT(never(full),
              StartsWith("never happened: Server::take (guard at dead.cpp:22 never held); Server::count "
                         "(guard at dead.cpp:23 never held); receiving Ping; receiving Vote; option 0 of"));
  EXPECT_THAT(reduced.out, HasSubstr("never: rejected each time by the guard at dead.cpp:22"));
  EXPECT_THAT(full.out, HasSubstr("never: rejected each time by the guard at dead.cpp:23"));
  // Whether the dropped messages would have made a quorum is not known.
  EXPECT_THAT(reduced.out, HasSubstr("never: no quorum that it could take; messages were rejected by the guard at "
                                     "dead.cpp:23"));
  const auto json = heddle({"check", "dead.cpp", "--json"}).json();
  const auto& transitions = json.at("coverage").at("transitions").as_array();
  EXPECT_GE(transitions[1].at("inputs").to_number<int>(), 2) << "Ping 1 and Ping 2";
  EXPECT_EQ(transitions[1].at("accepted").to_number<int>(), 0);
}

TEST_F(CoverageOfRuns, SlowAChoiceAmongNothingIsNamedLikeAGuard) {
  write("empty.cpp", R"(#include <heddle/heddle.h>
namespace {
using namespace heddle;
struct Node {
  std::set<int> options;
  void none(Choice choose) { choose(0); }
  void from(Choice choose) { choose.from(options); }
  void flip(Choice choose) { require(choose.flip()); require(options.empty()); options.clear(); }
  static constexpr auto transitions = heddle::transitions<&Node::none, &Node::from, &Node::flip>;
};
const Register model({.name = "empty", .summary = "", .build = [](Model& m) { m.add<Node>(); }});
}
)");
  const Outcome run = heddle({"check", "empty.cpp"});
  EXPECT_THAT(run.out, HasSubstr("never happened: Node::none (guard at empty.cpp:6 never held); Node::from (guard at "
                                 "empty.cpp:7 never held)"))
      << run.out << run.err;
}

TEST_F(CoverageOfRuns, TheTableCountsSteps) {
  const Outcome run = heddle({"check", "two_phase_commit", "--reduce", "none", "--coverage"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("\ncoverage\n  transition "));
  EXPECT_THAT(run.out, HasSubstr("  message "));
  const auto json = heddle({"check", "two_phase_commit", "--reduce", "none", "--json"}).json();
  int sum = 0;
  for (const auto& t : json.at("coverage").at("transitions").as_array()) sum += t.at("executed").to_number<int>();
  EXPECT_EQ(sum, json.at("transitions").to_number<int>()) << "without faults every step is one of a handler";
}

// What does not happen with default parameters is explained at the handler or message in the model's own file.
TEST_F(CoverageOfRuns, EverythingInTheLibraryHappensOrIsExplained) {
  const auto models = heddle({"models", "--json"}).json();
  for (const auto& model : models.as_array()) {
    const std::string name(model.at("name").as_string());
    const Outcome run = heddle({"check", name, "--json", "--no-trace", "--all", "-q"});
    const auto json = run.json();
    ASSERT_NE(run.code, 3) << name << ": " << run.out;
    const auto& never = json.at("coverage").at("never");
    ASSERT_TRUE(never.is_array()) << name << " does not end with its default parameters";
    // Things after this text, one from the other by "; ", up to a full stop.
    const std::string source = read(fs::path(HEDDLE_SOURCE_DIR) / "models" / (name + ".cpp"));
    const std::string mark = "Never with default parameters: ";
    std::set<std::string> explained, happened_not;
    for (std::size_t at = source.find(mark); at != source.npos; at = source.find(mark, at + 1)) {
      std::string list = source.substr(at + mark.size(), source.find(".\n", at) - at - mark.size()) + "; ";
      for (std::size_t end; (end = list.find("; ")) != list.npos; list.erase(0, end + 2))
        explained.insert(list.substr(0, end));
    }
    for (const auto& one : never.as_array()) happened_not.insert(std::string(one.as_string()));
    EXPECT_EQ(happened_not, explained) << name;
    EXPECT_FALSE(json.as_object().contains("warnings")) << name;
  }
}

TEST_F(CoverageOfRuns, MistypedOptionsAndModelsAreSuggested) {
  const std::string option = heddle({"check", "paxos", "--parm", "acceptors=2"}).last_line();
  EXPECT_THAT(option, StartsWith("error: check has no option --parm; did you mean --param?"));
  EXPECT_THAT(heddle({"check", "paxos", "--reduse=none"}).last_line(), HasSubstr("did you mean --reduce?"));
  EXPECT_THAT(heddle({"serializable", "--lvel"}).last_line(), HasSubstr("did you mean --level?"));
  EXPECT_THAT(heddle({"check", "paxos", "first", "second"}).last_line(),
              StartsWith("error: only programs in C and C++ have further files; paxos has not: first second"));
  EXPECT_THAT(heddle({"check", "twophase"}).last_line(), HasSubstr("did you mean two_phase_commit?"));
  write("counter.cpp", "");
  EXPECT_THAT(heddle({"check", "counter"}).last_line(), HasSubstr("did you mean counter.cpp?"));
}

// One file with several models, so that one compilation is enough.
constexpr const char* several = R"(#include <heddle/heddle.h>
using namespace heddle;
struct Stop {};
struct Counter {
  int n = 0;
  void count(const Run& run) { require(n < 3); n += run.bug("fast") ? 1 : 1; }
  void stop(const Stop&) { n = 9; }
  static constexpr auto transitions = heddle::transitions<&Counter::count, &Counter::stop>;
};
void build(Model& m) {
  m.add<Counter>();
  m.always("small", [](const View& v) { return v.all<Counter>()[0].n <= 3; });
}
const Register a({.name = "waits", .summary = "", .bugs = {{"fast", "small"}}, .build = build});
const Register b({.name = "wrong_bug", .summary = "", .bugs = {{"fast", "smal"}}, .build = build});
const Register c({.name = "twins", .summary = "", .bugs = {{"fast", "small"}}, .build = [](Model& m) {
  build(m);
  m.sometimes("small", [](const View&) { return true; });
}});
)";

TEST_F(CoverageOfRuns, MistakesOfAModelAreToldAtTheStart) {
  write("several.cpp", several);
  const Outcome waits = heddle({"check", "several.cpp", "--model", "waits"});
  EXPECT_EQ(waits.code, 0) << waits.out << waits.err;
  EXPECT_THAT(waits.out,
              HasSubstr("\nwarning: Counter::stop waits for Stop, which no process sends: it will never happen\n"));
  EXPECT_THAT(waits.out, HasSubstr("\nnever happened: Counter::stop; sending Stop (no handler sends it)\nholds: "));
  EXPECT_THAT(waits.out, Not(HasSubstr("did not break")));
  const auto json = heddle({"check", "several.cpp", "--model", "waits", "--json"}).json();
  EXPECT_EQ(json.at("warnings").as_array().size(), 1u);

  const Outcome blunt = heddle({"check", "several.cpp", "--model", "waits", "--bug", "fast"});
  EXPECT_EQ(blunt.code, 0) << blunt.out << blunt.err;
  EXPECT_THAT(blunt.last_line(), HasSubstr("; bug fast did not break small; "));

  for (const char* command : {"check", "models", "simulate", "audit"}) {
    const Outcome wrong = heddle({command, "several.cpp", "--model", "wrong_bug"});
    EXPECT_EQ(wrong.code, 3) << command;
    EXPECT_THAT(wrong.last_line(), HasSubstr("bug 'fast' of wrong_bug is said to break 'smal', but there is no such "
                                             "property; did you mean small? Properties: small"));
  }
  const Outcome twins = heddle({"check", "several.cpp", "--model", "twins"});
  EXPECT_EQ(twins.code, 3);
  EXPECT_THAT(twins.last_line(), HasSubstr("twins has two properties named 'small'"));

  EXPECT_THAT(heddle({"models", "several.cpp", "--model", "waits"}).last_line(),
              HasSubstr("check it with `heddle check several.cpp --model waits`"));
}

}  // namespace
}  // namespace heddle::cli::coverage_test
