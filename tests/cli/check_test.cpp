// `heddle check` from the outside: exit codes, the closing line, the JSON object, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "cli/program.h"

namespace heddle::cli::check_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Check : public ProgramTest {};

TEST_F(Check, ASoundModelHolds) {
  write("sound.net", sound_net);
  const Outcome run = heddle({"check", "sound.net"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("holds: 4 states, 3 transitions"));
  EXPECT_THAT(run.out, HasSubstr("sometimes two: reached, after 2 steps"));
  EXPECT_FALSE(fs::exists(home / "heddle-trace.json"));
}

TEST_F(Check, AViolationIsShownWrittenAndReplays) {
  write("broken.net", broken_net);
  const Outcome run = heddle({"check", "broken.net"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("violated: below at depth 3"));
  EXPECT_THAT(run.last_line(), HasSubstr("trace in heddle-trace.json"));
  EXPECT_THAT(run.out, HasSubstr("heddle replay heddle-trace.json"));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.last_line(), StartsWith("violated: below at depth 3"));
}

TEST_F(Check, TheModelIsNamedOnceHoweverManyViolationsThereAre) {
  const Outcome one = heddle({"check", "two_phase_commit", "--bug", "commit_early"});
  EXPECT_EQ(one.code, 1) << one.out;
  std::size_t titles = 0;
  for (std::size_t at = 0; (at = one.out.find("two_phase_commit", at)) != one.out.npos; ++at) ++titles;
  EXPECT_EQ(titles, 1u) << one.out;
  write("both.net",
        "place left 3\nplace done\ntransition count: left -> done\nalways below: done < 3\nalways few: done < 2\n");
  const Outcome two = heddle({"check", "both.net", "--all"});
  EXPECT_THAT(two.out, HasSubstr("heddle-trace-2.json"));
  EXPECT_EQ(two.out.find("both"), two.out.rfind("both")) << two.out;
}

TEST_F(Check, EverySearchFindsTheSameShortestTrace) {
  write("broken.net",
        "place left 3\nplace done, here 1\nplace there\nalways below: done < 4\n"
        "transition count: left -> done\ntransition go: here -> there\ntransition back: there -> here\n");
  for (const std::string search : {"bfs", "dfs", "random", "dpor"}) {
    const Outcome run = heddle({"check", "broken.net", "--search", search, "--json"});
    EXPECT_EQ(run.code, 1) << run.err;
    EXPECT_EQ(run.json().at("trace_steps").as_int64(), 3) << search;
  }
}

TEST_F(Check, AHandlerThatNeverReturnsEndsWithTheBudget) {
  write("endless.cpp", R"(#include <heddle/heddle.h>
struct Spinner {
  int n = 0;
  void spin() {
    volatile int here = n;
    while (here == n) {
    }
  }
  static constexpr auto transitions = heddle::transitions<&Spinner::spin>;
};
const heddle::Register endless({.name = "endless", .summary = "", .build = [](heddle::Model& m) { m.add<Spinner>(); }});
)");
  const Outcome run = heddle({"check", "endless.cpp", "--time", "0.2", "--json"});
  EXPECT_EQ(run.code, 2) << run.err;
  EXPECT_THAT(std::string(run.json().at("stopped_by").as_string()), HasSubstr("does not return"));
  EXPECT_TRUE(run.json().at("states").is_null()) << "nobody knows how many there were";
  const Outcome line = heddle({"check", "endless.cpp", "--time", "0.2", "-q"});
  EXPECT_THAT(line.last_line(), HasSubstr("no violation was found before, in how many states is not known"));
  EXPECT_THAT(line.last_line(), Not(HasSubstr("0 states")));
}

TEST_F(Check, ReductionsAreTheDefaultAndCanBeSwitchedOff) {
  const Outcome reduced = heddle({"check", "paxos", "--json", "--verify-reduction"});
  EXPECT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_THAT(reduced.err, HasSubstr("reduction verified"));
  EXPECT_EQ(reduced.json().at("reductions"), (boost::json::array{"partial order", "symmetry", "dead messages"}));
  const Outcome full = heddle({"check", "paxos", "--json", "--reduce", "none"});
  EXPECT_EQ(full.json().at("states").as_int64(), 15804);
  EXPECT_EQ(full.json().at("reductions"), boost::json::array());
  EXPECT_LT(reduced.json().at("states").as_int64(), 15804 / 10);
  EXPECT_THAT(heddle({"check", "paxos"}).last_line(), HasSubstr("reduced by partial order ("));
  const Outcome unknown = heddle({"check", "paxos", "--reduce", "por,symetry"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.last_line(), HasSubstr("symmetry"));
  EXPECT_EQ(heddle({"check", "paxos", "--reduce", "por", "--search", "random"}).code, 3);
  EXPECT_EQ(heddle({"check", "paxos", "--spos"}).code, 3);
  EXPECT_EQ(heddle({"check", "paxos", "--spos", "--search", "dfs"}).code, 0);
}

// Without a memo outcomes are computed again, when more is known of messages that nobody will take: a run that was
// found has to be followed all the same.
TEST_F(Check, SlowTheSameWithoutMemoWhereMessagesDie) {
  for (const auto& [model, bug] : {std::pair("raft", "local_read"), std::pair("multi_paxos", "no_first_phase")}) {
    const Outcome with = heddle({"check", model, "--bug", bug, "--json"});
    const Outcome without = heddle({"check", model, "--bug", bug, "--no-memo", "--json"});
    EXPECT_EQ(with.code, 1) << bug << with.out;
    EXPECT_EQ(without.code, 1) << bug << without.out;
    EXPECT_EQ(without.json().at("property").as_string(), with.json().at("property").as_string()) << bug;
  }
  EXPECT_EQ(heddle({"check", "two_phase_commit", "--no-memo"}).code, 0);
}

TEST_F(Check, SlowAuditFindsAFalseNote) {
  EXPECT_EQ(heddle({"audit", "paxos", "-p", "acceptors=2"}).code, 0);
  write("false_note.cpp", R"(#include <heddle/heddle.h>
using namespace heddle;
struct Switch {
  int on = 0, used = 0;
  void turn() {
    require(on == 0);
    on = 1;
  }
  void use() {
    require(on == 1 && used == 0);
    used = 1;
  }
  static constexpr auto transitions = heddle::transitions<&Switch::turn, &Switch::use>;
};
const Register note({.name = "false_note", .summary = "", .build = [](Model& m) {
  m.add<Switch>();
  m.annotate<&Switch::turn>(reads<&Switch::on>, writes<&Switch::on>);
  m.annotate<&Switch::use>(reads<&Switch::used>, writes<&Switch::used>);
}});
)");
  const Outcome run = heddle({"audit", "false_note.cpp"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("can_enable (switch.turn, switch.use) is wrong"));
}

TEST_F(Check, SlowGoesWithoutASymmetryThatIsNone) {
  write("positions.cpp", R"(#include <heddle/heddle.h>
using namespace heddle;
struct Runner {
  int x = 0;
  void run() {
    require(x < 9);
    ++x;
  }
  static constexpr auto transitions = heddle::transitions<&Runner::run>;
};
const Register positions({.name = "positions", .summary = "", .build = [](Model& m) {
  m.add<Runner>(3);
  for (std::size_t i = 0; i < 3; ++i) {
    m.sometimes("runner " + std::to_string(i) + " alone", [i](const View& v) {
      const auto all = v.all<Runner>();
      return all[i].x == 9 && all[(i + 1) % 3].x == 0 && all[(i + 2) % 3].x == 0;
    });
  }
}});
)");
  const Outcome run = heddle({"check", "positions.cpp"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("not reduced by symmetry: property 'runner "));
  EXPECT_THAT(run.out, HasSubstr("tells members of Runner apart"));
  const auto json = heddle({"check", "positions.cpp", "--json"}).json();
  EXPECT_EQ(json.at("not_reduced").as_array().size(), 1u);
  EXPECT_FALSE(heddle({"check", "paxos", "--json"}).json().as_object().contains("not_reduced"));
  EXPECT_EQ(heddle({"check", "positions.cpp", "--reduce", "symmetry"}).code, 3);
}

TEST_F(Check, JsonIsOneObjectWithEveryField) {
  write("broken.net", broken_net);
  const Outcome run = heddle({"check", "broken.net", "--json", "--trace", "t.json"});
  const auto object = run.json().as_object();
  for (const char* key : {"verdict", "model", "parameters", "states", "transitions", "deadlocks", "depth", "seconds",
                          "peak_bytes", "bytes_per_state", "reductions", "complete", "property", "trace"}) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
  EXPECT_EQ(object.at("verdict").as_string(), "violated");
  EXPECT_EQ(object.at("property").as_string(), "below");
  EXPECT_EQ(object.at("trace").as_string(), "t.json");
  EXPECT_TRUE(fs::exists(home / "t.json"));
  EXPECT_THAT(run.err, HasSubstr("count"));  // the picture is for people
}

TEST_F(Check, BytesPerStateAreAllThatTheProcessTook) {
  const Outcome run = heddle({"check", "paxos", "--reduce", "none", "--json"});
  const auto json = run.json();
  const auto number = [&](const char* key) { return json.at(key).to_number<double>(); };
  const double counted = (number("store_bytes") + number("door_bytes")) / number("states");  // the same in every run
  EXPECT_GE(number("all_bytes_per_state"), counted);
  const std::string line = heddle({"check", "paxos", "--reduce", "none"}).last_line();
  std::smatch said;
  ASSERT_TRUE(std::regex_search(line, said, std::regex(R"(\(([0-9.,]+) B/state\))"))) << line;
  const std::string told = std::regex_replace(said[1].str(), std::regex(","), "");
  constexpr double rounding = 0.05;
  EXPECT_GE(std::stod(told) + rounding, counted);
}

TEST_F(Check, QuietLeavesOneLine) {
  write("sound.net", sound_net);
  const Outcome run = heddle({"check", "sound.net", "--quiet"});
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 1) << run.out;
  EXPECT_EQ(run.err, "");
}

TEST_F(Check, ErrorsAreJsonToo) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"check", "no_such_model", "--json"},
                                                    {"check", "--json"},
                                                    {"chek", "x", "--json"},
                                                    {"check", "x.net", "--json"},
                                                    {"check", "paxos", "--param", "x", "--json"},
                                                    {"replay", "none.json", "--json"},
                                                    {"simulate", "nothing", "--json"},
                                                    {"models", "nothing", "--json"},
                                                    {"check", "x.cpp", "--json"}}) {
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, 3) << run.out;
    const auto object = run.json();
    EXPECT_EQ(object.at("verdict").as_string(), "error");
    EXPECT_FALSE(object.at("error").as_string().empty());
  }
}

TEST_F(Check, BudgetsEndInUnknown) {
  write("endless.net", endless_net);
  const Outcome depth = heddle({"check", "endless.net", "--depth", "10"});
  EXPECT_EQ(depth.code, 2) << depth.out;
  EXPECT_THAT(depth.last_line(), StartsWith("unknown: "));
  EXPECT_THAT(depth.out, HasSubstr("what grows: "));
  const Outcome time = heddle({"check", "endless.net", "--time", "0.2", "--json"});
  EXPECT_EQ(time.code, 2);
  EXPECT_EQ(time.json().at("verdict").as_string(), "unknown");
  EXPECT_FALSE(time.json().at("complete").as_bool());
  for (const std::string model : {"endless.net", "paxos"}) {
    const Outcome none = heddle({"check", model, "--time", "0"});
    EXPECT_EQ(none.code, 2) << none.out;
    EXPECT_THAT(none.last_line(), StartsWith("unknown: time limit of 0 s; "));
  }
  const Outcome memory = heddle({"check", "endless.net", "--memory", "64M", "--time", "60"});
  EXPECT_EQ(memory.code, 2);
  EXPECT_THAT(memory.last_line(), HasSubstr("memory"));
}

TEST_F(Check, TheLimitOfMemoryIsOneOfTheWholeProcess) {
  write("endless.net", endless_net);
  write("sound.net", sound_net);
  constexpr std::int64_t mib = 1 << 20;
#ifdef __SANITIZE_ADDRESS__
  constexpr std::int64_t most = 256 * mib;  // the sanitizer keeps what was freed, and shadows of everything
#else
  constexpr std::int64_t most = 80 * mib;
#endif
  for (const std::string order : {"bfs", "dfs"}) {
    const auto run = heddle({"check", "endless.net", "--memory", "64M", "--search", order, "--json"}).json();
    EXPECT_EQ(run.at("verdict").as_string(), "unknown");
    EXPECT_GT(run.at("peak_bytes").as_int64(), 48 * mib) << order;
    EXPECT_LT(run.at("peak_bytes").as_int64(), most) << order;
    const Outcome tiny = heddle({"check", "sound.net", "--memory", "1M", "--search", order});
    EXPECT_EQ(tiny.code, 2) << tiny.out;
    EXPECT_THAT(tiny.last_line(), HasSubstr("the program itself needs"));
  }
}

// Nobody should have to wait for the limit to learn why a search does not end.
TEST_F(Check, WhatGrowsIsSaidWhileItGrows) {
  write("endless.net", endless_net);
  const Outcome run = heddle({"check", "endless.net", "--memory", "64M"});
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("half of the memory limit of 64.0 MiB is taken\nwhat grows: "));
}

TEST_F(Check, CtrlCEndsInUnknownWithWhatWasCovered) {
  write("endless.net", endless_net);
  const Outcome run = heddle({"check", "endless.net", "--memory", "4G"}, 1.0);
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("unknown: interrupted"));
  EXPECT_THAT(run.last_line(), HasSubstr("no violation in "));
}

TEST_F(Check, AnUnreachedSometimesIsAViolationOnlyIfComplete) {
  write("never.net", "place left 3\nplace done\ntransition count: left -> done\nsometimes four: done == 4\n");
  const Outcome complete = heddle({"check", "never.net"});
  EXPECT_EQ(complete.code, 1);
  EXPECT_THAT(complete.last_line(), StartsWith("violated: four"));
  EXPECT_THAT(complete.out, HasSubstr("sometimes four: never reached"));
  const Outcome cut = heddle({"check", "never.net", "--depth", "1"});
  EXPECT_EQ(cut.code, 2) << cut.out;
}

TEST_F(Check, DeadlocksCountIfAsked) {
  write("sound.net", sound_net);
  EXPECT_EQ(heddle({"check", "sound.net"}).code, 0);
  const Outcome run = heddle({"check", "sound.net", "--deadlock"});
  EXPECT_EQ(run.code, 1);
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.last_line(), HasSubstr(", 1 deadlock, "));
  EXPECT_THAT(run.last_line(), HasSubstr("1 deadlock,"));
  EXPECT_THAT(heddle({"check", "sound.net"}).last_line(), HasSubstr("1 final state,"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

TEST_F(Check, TheNetworkIsRecordedAlsoWhereItIsTheDefault) {
  const auto run = heddle({"check", "paxos", "--bug", "accept_always", "--json"}).json();
  EXPECT_EQ(run.at("options").at("network").as_string(), "multiset");
  EXPECT_THAT(read(home / "heddle-trace.json"), HasSubstr(R"("network": "multiset")"));
}

// Operations of clients read like calls, and a trace of them is a history.
TEST_F(Check, OperationsAreCalls) {
  const Outcome run = heddle({"check", "erroneous_register", "--width", "100"});
  ASSERT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("invoke write(1)"));
  EXPECT_THAT(run.out, HasSubstr("return ok"));
  EXPECT_THAT(run.out, HasSubstr("├ write(1) ┤"));
  EXPECT_THAT(run.out, HasSubstr("read → none"));
  EXPECT_THAT(run.out, HasSubstr("the SequentialRegister\n  was 1."));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("writes=")));
  const Outcome lin = heddle({"lin", "heddle-trace.json", "--spec", "register"});
  EXPECT_EQ(lin.code, 1) << lin.out << lin.err;
  EXPECT_THAT(lin.out, HasSubstr("read → nil"));
  ASSERT_EQ(heddle({"check", "open_chord"}).code, 1);
  EXPECT_EQ(heddle({"lin", "heddle-trace.json", "--spec", "map"}).code, 1);
  ASSERT_EQ(heddle({"check", "abd_register", "--bug", "half_quorum"}).code, 1);
  EXPECT_EQ(heddle({"lin", "heddle-trace.json", "--spec", "register"}).code, 1);
  ASSERT_EQ(heddle({"check", "raft", "--bug", "local_read"}).code, 1);
  EXPECT_EQ(heddle({"lin", "heddle-trace.json", "--spec", "map"}).code, 1);
}

TEST_F(Check, AViolationWhoseTraceCannotBeWrittenIsStillOne) {
  // The temporary file beside it would have too long a name, for root as for anybody.
  const std::string name = std::string(245, 't') + ".json";
  write("broken.net", broken_net);
  const Outcome run = heddle({"check", "broken.net", "--trace", name});
  EXPECT_EQ(run.code, 1) << run.out;
  EXPECT_THAT(run.last_line(), HasSubstr(name));
  EXPECT_THAT(run.last_line(), HasSubstr("violated: below"));
  EXPECT_THAT(run.out, HasSubstr("count"));
}

TEST_F(Check, ATraceDoesNotOverwriteTheModel) {
  write("broken.net", broken_net);
  for (const std::string command : {"check", "simulate"}) {
    const Outcome run = heddle({command, "broken.net", "--trace", "./broken.net"});
    EXPECT_EQ(run.code, 3) << command;
    EXPECT_THAT(run.last_line(), HasSubstr("--trace: ./broken.net is the model itself")) << command;
    EXPECT_EQ(read(home / "broken.net"), broken_net) << command;
  }
}

TEST_F(Check, AllFindsEveryViolatedProperty) {
  write("both.net",
        "place left 3\nplace done\ntransition count: left -> done\nalways two: done < 2\nalways three: done < 3\n");
  const Outcome run = heddle({"check", "both.net", "--all"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.last_line(), HasSubstr("also "));
  EXPECT_TRUE(fs::exists(home / "heddle-trace.json"));
  EXPECT_TRUE(fs::exists(home / "heddle-trace-2.json"));
}

TEST_F(Check, ABrokenNetIsAnErrorWithItsPlace) {
  write("bad.net", "place a\ntransition t: a -> c\n");
  const Outcome run = heddle({"check", "bad.net"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("bad.net:2:"));
}

TEST_F(Check, CrashesOfARoleAreRecordedAndReplayed) {
  const Outcome run = heddle({"check", "two_phase_commit", "--crashes", "Coordinator=1", "--deadlock", "--json"});
  ASSERT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_EQ(run.json().at("options").as_object().at("crashes").as_string(), "Coordinator=1");
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

// A client that has come back takes an old answer for the new one: found, explained, replayed, and read as a history.
TEST_F(Check, ClientsCrashAndComeBack) {
  const std::vector<std::string> crashing = {"check", "distributed_register", "--crashes", "Client=1", "--recovery"};
  const Outcome run = heddle(crashing);
  ASSERT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("recover"));
  EXPECT_THAT(run.last_line(), HasSubstr("violated: linearizability"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  const Outcome history = heddle({"lin", "heddle-trace.json", "--spec", "register"});
  EXPECT_EQ(history.code, 1) << history.out << history.err;
  std::vector<std::string> json = crashing;
  json.emplace_back("--json");
  EXPECT_EQ(heddle(json).json().at("options").as_object().at("crashes").as_string(), "Client=1");
}

TEST_F(Check, AQueueLosesAnyOfSeveralEqualMessages) {
  write("letters.cpp", R"(#include "heddle/heddle.h"
using namespace heddle;
struct Reader;
enum class Letter { A, B, C };
struct Mail { Letter letter = Letter::A; };
struct Writer {
  int sent = 0;
  void send(To<Reader, Mail> out, Ghost<bool>& all_out) {
    constexpr Letter word[] = {Letter::A, Letter::B, Letter::A, Letter::C};
    require(sent < 4);
    out.send({word[sent++]});
    *all_out = sent == 4;
  }
  static constexpr auto transitions = heddle::transitions<&Writer::send>;
};
struct Reader {
  std::vector<Letter> got;
  void take(const Mail& mail, Ghost<bool>& all_out) {
    require(*all_out);
    got.push_back(mail.letter);
  }
  static constexpr auto transitions = heddle::transitions<&Reader::take>;
};
const Register letters({.name = "letters", .summary = "", .build = [](Model& m) {
  m.add<Writer>();
  m.add<Reader>();
  m.ghost<bool>();
  m.network.order = Network::Order::Fifo;
  m.network.capacity = 3;
  m.network.losses = 1;
  m.always("never A B C", [](const View& v) {
    return v.all<Reader>()[0].got != std::vector<Letter>{Letter::A, Letter::B, Letter::C};
  });
}});
)");
  const Outcome run = heddle({"check", "letters.cpp"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("place 3 of 3"));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("place 3 of 3"));
}

TEST_F(Check, SwitchesAreRecordedInTheTraceAndReplayed) {
  const Outcome run = heddle({"check", "two_phase_commit", "--crashes", "1", "--deadlock", "--json"});
  ASSERT_LE(run.code, 1) << run.out << run.err;
  const auto options = run.json().at("options").as_object();
  EXPECT_EQ(options.at("crashes").as_int64(), 1);
  if (run.code == 1) {
    EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  }
}

}  // namespace
}  // namespace heddle::cli::check_test
