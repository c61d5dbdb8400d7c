// Models whose code fails in every way C++ knows. models/mistakes.cpp has them all, so that it is compiled once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::failures_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Failures : public ProgramTest {
 protected:
  // Where it lies, so that all tests share what they compile.
  const std::string model_file = HEDDLE_SOURCE_DIR "/tests/cli/models/mistakes.cpp";

  Outcome check(const std::string& mistake, const std::vector<std::string>& more = {},
                const std::string& model = "mistakes") const {
    std::vector<std::string> arguments = {"check", model_file, "--model", model, "-p", "mistake=" + mistake};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return heddle(arguments);
  }
  static std::string text(const boost::json::value& json, const char* key) {
    return json.at(key).is_null() ? "" : std::string(json.at(key).as_string());
  }
};

TEST_F(Failures, AFailedAssertionIsAViolationWithTheShortestRunToIt) {
  const std::map<std::string, std::string> expressions = {
      {"assert", "n < 2 && \"small\""}, {"index", "__n < this->size()"}, {"optional", "this->_M_is_engaged()"}};
  for (const auto& [mistake, expression] : expressions) {
    fs::remove(home / "heddle-trace.json");
    const Outcome run = check(mistake, {"--json"});
    ASSERT_EQ(run.code, 1) << mistake << run.out << run.err;
    const auto json = run.json();
    EXPECT_EQ(text(json, "verdict"), "violated");
    EXPECT_EQ(text(json, "property"), "assertion");
    EXPECT_EQ(json.at("trace_steps").as_int64(), 4) << "three messages sent, the last received";
    EXPECT_EQ(text(json.at("failure"), "kind"), "assertion");
    EXPECT_EQ(text(json.at("failure"), "expression"), expression);
    EXPECT_EQ(text(json.at("failure"), "lane"), "server");
    EXPECT_THAT(text(json.at("failure"), "text"), HasSubstr("receiving Ping(2) from client"));
    EXPECT_THAT(run.err, HasSubstr("assertion is violated"));
    const Outcome again = heddle({"replay", "heddle-trace.json", "--json"});
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    EXPECT_EQ(text(again.json().at("failure"), "expression"), expression);
  }
  EXPECT_THAT(text(check("assert", {"--json"}).json().at("failure"), "at"), HasSubstr("mistakes.cpp:"));
  EXPECT_THAT(check("assert", {"-q"}).out, StartsWith("violated: assertion at depth 4; "));
}

TEST_F(Failures, EverySearchFindsTheAssertionAndTheMinimiserShortensIt) {
  const std::vector<std::vector<std::string>> searches = {{"--search", "dfs"},
                                                          {"--search", "random"},
                                                          {"--threads", "2"},
                                                          {"--search", "dfs", "--threads", "2"},
                                                          {"--reduce", "none"},
                                                          {"--reduce", "por"},
                                                          {"--reduce", "symmetry"},
                                                          {"--no-memo"},
                                                          {"--no-compression"},
                                                          {"--search", "dfs", "--store", "hash-compact"},
                                                          {"--loss", "1"},
                                                          {"--all"},
                                                          {"--crashes", "1", "--reduce", "none"}};
  for (auto search : searches) {
    search.insert(search.end(), {"--json"});
    const Outcome run = check("assert", search);
    ASSERT_EQ(run.code, 1) << search[0] << run.out << run.err;
    EXPECT_EQ(text(run.json(), "property"), "assertion");
    EXPECT_EQ(run.json().at("trace_steps").as_int64(), 4) << search[0] << search[1];
  }
  for (const std::string reduce : {"auto", "none"}) {
    const auto alike = check("assert", {"-p", "clients=1", "--reduce", reduce, "--json"}).json();
    EXPECT_EQ(text(alike, "property"), "assertion");
    EXPECT_EQ(alike.at("trace_steps").as_int64(), 4);
  }
  EXPECT_EQ(heddle({"simulate", model_file, "--model", "mistakes", "-p", "mistake=assert", "--steps", "100"}).code, 1);
}

TEST_F(Failures, AModelWithoutMistakeHasNoPropertyMore) {
  const Outcome run = check("none", {"--json"});
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.json().at("properties").as_array().size(), 1u);
  EXPECT_FALSE(run.json().as_object().contains("failure"));
}

TEST_F(Failures, AnAssertionInAPropertyOrASpecificationExplainsItsViolation) {
  const Outcome property = check("property", {"--json"});
  ASSERT_EQ(property.code, 1) << property.out << property.err;
  EXPECT_EQ(text(property.json(), "property"), "safe");
  EXPECT_EQ(text(property.json().at("failure"), "expression"), "seen < 2");
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  const Outcome specification = check("specification", {"--json"}, "histories");
  ASSERT_EQ(specification.code, 1) << specification.out << specification.err;
  EXPECT_EQ(text(specification.json(), "property"), "linearizability");
  EXPECT_EQ(text(specification.json().at("failure"), "expression"), "value == 0");
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

TEST_F(Failures, AnAssertionInAPropertyOfFinalStatesIsAViolation) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--search", "dfs"}, {"--reduce", "none"}, {"-p", "clients=2"}}) {
    std::vector<std::string> all = {"--json"};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome run = check("finally", all);
    ASSERT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_EQ(text(run.json(), "property"), "served");
    EXPECT_EQ(text(run.json().at("failure"), "expression"), "seen % 3 != 0");
    EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  }
  const Outcome crash = check("finally_division", {"--json"});
  ASSERT_EQ(crash.code, 3) << crash.out << crash.err;
  EXPECT_THAT(text(crash.json(), "error"), HasSubstr("property 'served'"));
}

TEST_F(Failures, ACrashIsAnErrorWithTheRunThatLeadsToIt) {
  const std::map<std::string, std::string> ways = {{"division", "SIGFPE"},
                                                   {"null", "SIGSEGV"},
                                                   {"recursion", "endless recursion"},
                                                   {"exit", "exit()"},
                                                   {"_exit", "_exit()"},
                                                   {"quick_exit", "exit()"},
                                                   {"abort", "abort()"},
                                                   {"fork", "fork()"},
                                                   {"fork_and_exit", "fork()"},
                                                   {"throw", "threw: boom"},
                                                   {"throw_int", "no std::exception"},
                                                   {"noexcept", "std::terminate"},
                                                   {"heap", "SIGABRT"}};
  for (const auto& [mistake, how] : ways) {
    fs::remove(home / "heddle-trace.json");
    const Outcome run = check(mistake, {"--json"});
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    const auto json = run.json();
    EXPECT_EQ(text(json, "verdict"), "error");
    EXPECT_THAT(text(json, "error"), StartsWith("handler Server::serve ")) << mistake;
    EXPECT_THAT(text(json, "error"), HasSubstr(how)) << mistake;
    EXPECT_THAT(text(json, "error"), HasSubstr("receiving Ping(2) from client")) << mistake;
    EXPECT_EQ(text(json.at("failure"), "kind"), "crash");
    EXPECT_EQ(json.at("trace_steps").as_int64(), 4) << mistake;
    ASSERT_TRUE(fs::exists(home / "heddle-trace.json")) << mistake;
    const Outcome again = heddle({"replay", "heddle-trace.json", "--json"});
    EXPECT_EQ(again.code, 3) << mistake << again.out << again.err;
    EXPECT_THAT(text(again.json(), "error"), HasSubstr(how)) << mistake;
  }
  const Outcome line = check("division", {"-q"});
  EXPECT_THAT(line.out, StartsWith("error: handler Server::serve "));
  EXPECT_THAT(line.out, HasSubstr("trace in heddle-trace.json"));
}

// The child is a process of its own, and its end is not the program's.
TEST_F(Failures, AChildOfAHandlerDoesNotStartTheProgramAgain) {
  const Outcome run = check("vfork", {"--json"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

// Nothing can be repaired there, but the run ends with an error that is told.
TEST_F(Failures, ThreadsThatAModelStartsCannotEndTheProgramInSilence) {
  for (const std::string mistake : {"thread_exit", "thread_null"}) {
    const Outcome run = check(mistake, {"--json"});
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_EQ(text(run.json(), "verdict"), "error") << mistake;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr("a thread that the model has started"));
    EXPECT_THAT(check(mistake, {"-q"}).out, StartsWith("error: ")) << mistake;
  }
}

TEST_F(Failures, TextThatIsNotUtf8IsShownAllTheSame) {
  const Outcome run = check("throw_bytes", {"--json"});
  ASSERT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(text(run.json(), "error"), HasSubstr("threw: boom \xef\xbf\xbd"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 3);
}

TEST_F(Failures, AnAbstractObjectThatFails) {
  EXPECT_EQ(check("none", {"--refines", "tally"}).code, 0);
  const Outcome asserted = check("object", {"--refines", "tally", "--json"});
  ASSERT_EQ(asserted.code, 1) << asserted.out << asserted.err;
  EXPECT_EQ(text(asserted.json().at("refinement"), "clause"), "assertion");
  EXPECT_THAT(text(asserted.json().at("refinement"), "witness"), HasSubstr("seen < 2"));
  const Outcome ended = check("object_exit", {"--refines", "tally", "--json"});
  ASSERT_EQ(ended.code, 3) << ended.out << ended.err;
  EXPECT_THAT(text(ended.json(), "error"), HasSubstr("object tally::reach called exit()"));
}

TEST_F(Failures, ALoopBeforeTheSearchObeysTheBudget) {
  const Outcome run = check("build_loop", {"--json", "--time", "1"});
  ASSERT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(text(run.json(), "stopped_by"), StartsWith("time limit of 1 s"));
}

TEST_F(Failures, EverySearchFindsTheCrash) {
  const std::vector<std::vector<std::string>> searches = {
      {"--search", "dfs"}, {"--search", "random"}, {"--threads", "2"}, {"--reduce", "none"}, {"--no-memo"}};
  for (auto search : searches) {
    search.insert(search.end(), {"--json"});
    const Outcome run = check("null", search);
    ASSERT_EQ(run.code, 3) << search[0] << run.out << run.err;
    EXPECT_EQ(run.json().at("trace_steps").as_int64(), 4) << search[0] << search[1];
  }
  const Outcome alike = check("null", {"-p", "clients=1", "--json"});
  EXPECT_EQ(alike.code, 3) << alike.out << alike.err;
  EXPECT_EQ(alike.json().at("trace_steps").as_int64(), 4);
  const Outcome simulated =
      heddle({"simulate", model_file, "--model", "mistakes", "-p", "mistake=null", "--steps", "100", "--json"});
  EXPECT_EQ(simulated.code, 3) << simulated.out << simulated.err;
  EXPECT_THAT(text(simulated.json(), "error"), HasSubstr("Server::serve"));
  const Outcome audited = heddle({"audit", model_file, "--model", "mistakes", "-p", "mistake=null", "--json"});
  EXPECT_EQ(audited.code, 3) << audited.out << audited.err;
  EXPECT_THAT(text(audited.json(), "error"), HasSubstr("Server::serve"));
}

TEST_F(Failures, CrashesOutsideOfHandlersAreErrorsToo) {
  for (const std::string mistake : {"property_division", "property_throws"}) {
    const Outcome run = check(mistake, {"--json"});
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr("property safe"));
    EXPECT_GT(run.json().at("trace_steps").as_int64(), 0);
    EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 3);
  }
  const Outcome specification = check("specification_division", {"--json"}, "histories");
  EXPECT_EQ(specification.code, 3) << specification.out << specification.err;
  EXPECT_THAT(text(specification.json(), "error"), HasSubstr("specification Cell"));
  for (const std::string mistake : {"build", "build_division"}) {
    const Outcome run = check(mistake, {"--json"});
    EXPECT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr("the .build of mistakes")) << mistake;
  }
}

TEST_F(Failures, QuorumsAndDomainsThatFailAreErrors) {
  EXPECT_EQ(check("none", {"--byzantine", "Voter=1"}, "votes").code, 0);
  for (const std::string mistake : {"quorum", "quorum_division", "domain", "domain_division"}) {
    const Outcome run = check(mistake, {"--json", "--byzantine", "Voter=1"}, "votes");
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr(mistake.starts_with("quorum") ? "quorum of " : "domain of Vote"));
  }
}

// The same in a specification for recorded histories. `add` has the mistake once the value is 1, `get` in the first state.
TEST_F(Failures, SpecificationsOfRecordedHistoriesThatFail) {
  write("counter.cpp", R"(
#include <heddle/specification.h>
#include <cassert>
#include <cstdlib>
#include <string>
struct Counter {
  long value = 0;
  long add(const std::string& mistake) {
    volatile long zero = value - value;
    if (value == 1 && mistake == "assert") assert(value == 0);
    if (value == 1 && mistake == "division") return 7 / zero;
    if (value == 1 && mistake == "exit") std::exit(0);
    if (value == 1 && mistake == "throw") throw 7;
    return ++value;
  }
  long get(const std::string& mistake) {
    volatile long zero = value - value;
    if (value == 0 && mistake == "division") return 7 / zero;
    if (value == 0 && mistake == "assert") assert(value > 0);
    return value;
  }
  static constexpr auto operations = heddle::operations<&Counter::add, &Counter::get>;
};
const heddle::RegisterSpecification<Counter> counter("counter");
)");
  const auto history = [&](const std::string& first, const std::string& second, int times = 1) {
    std::string out;
    const auto operation = [&](const std::string& f, const std::string& mistake, int result) {
      out += "{:process 0, :type :invoke, :f :" + f + ", :value \"" + mistake +
             "\"}\n{:process 0, :type :ok, :f :" + f + ", :value " + std::to_string(result) + "}\n";
    };
    operation("add", first, 1);
    for (int i = 0; i < times; ++i) operation("add", second, 2 + i);
    write("h.edn", out);
  };
  const std::vector<std::string> command = {"lin", "h.edn", "--spec", "counter.cpp", "--json"};
  history("none", "none");
  EXPECT_EQ(heddle(command).code, 0);
  history("none", "assert");
  const Outcome asserted = heddle(command);
  ASSERT_EQ(asserted.code, 1) << asserted.out << asserted.err;
  EXPECT_EQ(text(asserted.json().at("failure"), "expression"), "value == 0");
  EXPECT_THAT(asserted.err, HasSubstr("assertion value == 0 failed"));
  for (const std::string mistake : {"division", "exit", "throw"}) {
    history("none", mistake);
    const Outcome run = heddle(command);
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr("specification counter::add")) << mistake;
  }
  // What is not a pure function.
  write("impure.cpp", R"(
#include <heddle/specification.h>
struct Next {
  int unused = 0;
  long next() {
    static long calls = 0;
    return ++calls;
  }
  static constexpr auto operations = heddle::operations<&Next::next>;
};
const heddle::RegisterSpecification<Next> next("next");
)");
  write("next.edn", "{:process 0, :type :invoke, :f :next}\n{:process 0, :type :ok, :f :next, :value 2}\n");
  const Outcome impure = heddle({"lin", "next.edn", "--spec", "impure.cpp", "--json"});
  EXPECT_EQ(impure.code, 3) << impure.out << impure.err;
  EXPECT_THAT(text(impure.json(), "error"), HasSubstr("specification next::next is not a pure function"));
  // An operation that failed has not happened.
  write("failed.edn",
        "{:process 0, :type :invoke, :f :get, :value \"division\"}\n{:process 0, :type :fail, :f :get}\n");
  EXPECT_EQ(heddle({"lin", "failed.edn", "--spec", "counter.cpp"}).code, 0);
  write("h.edn",
        "{:process 0, :type :invoke, :f :get, :value \"division\"}\n{:process 0, :type :ok, :f :get, :value 0}\n");
  EXPECT_EQ(heddle(command).code, 3) << "in the first state, where types are looked at";
  write("h.edn",
        "{:process 0, :type :invoke, :f :get, :value \"assert\"}\n{:process 0, :type :ok, :f :get, :value 0}\n");
  EXPECT_EQ(heddle(command).code, 1);
}

TEST_F(Failures, WhatAModelPrintsGoesToStandardError) {
  const Outcome run = check("print", {"--json"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(text(run.json(), "verdict"), "holds");
  EXPECT_THAT(run.err, HasSubstr("hello from cout"));
  EXPECT_THAT(run.err, HasSubstr("hello from printf"));
  EXPECT_THAT(check("print").out, Not(HasSubstr("hello")));
}

TEST_F(Failures, CodeThatIsNoPureFunctionIsFoundWithoutAskingForIt) {
  for (const std::string mistake : {"rand", "coin", "static", "clock", "uninitialised"}) {
    const Outcome run = check(mistake, {"--json"});
    EXPECT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), StartsWith("handler Server::serve is not a pure function")) << mistake;
  }
  const Outcome audited = heddle({"audit", model_file, "--model", "mistakes", "-p", "mistake=rand", "--json"});
  EXPECT_EQ(audited.code, 3) << audited.out << audited.err;
  EXPECT_THAT(text(audited.json(), "error"), HasSubstr("is not a pure function"));
  const Outcome property = check("property_static", {"--json"});
  EXPECT_EQ(property.code, 3) << property.out << property.err;
  EXPECT_THAT(text(property.json(), "error"), StartsWith("property 'safe' is not a pure function"));
}

TEST_F(Failures, AViolationWhoseTraceCannotBeWrittenIsAViolation) {
  write("broken.net", broken_net);
  const std::string name(255, 'x');  // there is no room for the name of the temporary file
  const Outcome run = heddle({"check", "broken.net", "--trace", name});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("below is violated"));
  EXPECT_THAT(run.out, HasSubstr("warning: the trace of below was not written"));
  const Outcome quiet = heddle({"check", "broken.net", "--trace", name, "-q"});
  EXPECT_EQ(quiet.code, 1);
  EXPECT_THAT(quiet.out, StartsWith("violated: below at depth 3"));
  EXPECT_THAT(quiet.out, HasSubstr("was not written"));
  const auto json = heddle({"check", "broken.net", "--trace", name, "--json"}).json();
  EXPECT_EQ(text(json, "verdict"), "violated");
  EXPECT_TRUE(json.at("trace").is_null());
}

}  // namespace
}  // namespace heddle::cli::failures_test
