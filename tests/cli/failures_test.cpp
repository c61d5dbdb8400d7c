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
  // What models do wrong here is for Heddle to find; a sanitizer must not end the program before, or afterwards.
  Failures() { environment["ASAN_OPTIONS"] = "abort_on_error=1:detect_leaks=0"; }

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
  const std::map<std::string, std::string> ways = {
      {"division", "SIGFPE"},
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
#ifndef __SANITIZE_THREAD__  // whose heap looks at less
      {"heap", "SIGABRT"},
#endif
  };
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
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "vfork is fork there, which is a mistake of the model";
#endif
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

// The handler takes as long as the whole run may: of the time after the crash nothing is left to find it again.
TEST_F(Failures, SlowTimeBeforeARestartCounts) {
  ASSERT_EQ(check("none").code, 0);  // compiled
  const Outcome run = check("slow_division", {"--json", "--time", "1"});
  ASSERT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(text(run.json(), "error"), HasSubstr("SIGFPE"));
  EXPECT_THAT(text(run.json(), "error"),
              HasSubstr("it has not done so again before the search was stopped: time limit of 1 s"));
  EXPECT_GE(run.json().at("seconds").to_number<double>(), 1.0);
}

// A library that lets so many threads begin and no more, as a limit of processes does.
TEST_F(Failures, ThreadsThatCannotBeStartedAreTold) {
  write("few.cpp", R"(
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  static int started = 0;
  if (++started > atoi(getenv("HEDDLE_TEST_THREADS"))) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, run, argument);
}
)");
  const std::string compile =
      "cd '" + home.string() + "' && " HEDDLE_TEST_COMPILER " -shared -fPIC few.cpp -o few.so -ldl";
  ASSERT_EQ(std::system(compile.c_str()), 0);
  environment["LD_PRELOAD"] = (home / "few.so").string();
  environment["ASAN_OPTIONS"] += ":verify_asan_link_order=0";
  const std::vector<std::vector<std::string>> searches = {{"--search", "bfs"}, {"--search", "dfs"}};
  for (const auto& search : searches) {
    for (const int started : {0, 1, 3}) {
      environment["HEDDLE_TEST_THREADS"] = std::to_string(1 + started);  // one is the watchdog's
      std::vector<std::string> arguments = {"check", "paxos", "--threads", "4", "--json", "--time", "30"};
      arguments.insert(arguments.end(), search.begin(), search.end());
      const Outcome run = heddle(arguments);
      EXPECT_EQ(run.code, 3) << search[1] << started << run.out << run.err;
      EXPECT_THAT(text(run.json(), "error"),
                  HasSubstr("only " + std::to_string(started) + " of 4 threads could be started"));
    }
    environment["HEDDLE_TEST_THREADS"] = "5";
    std::vector<std::string> arguments = {"check", "paxos", "--threads", "4"};
    arguments.insert(arguments.end(), search.begin(), search.end());
    EXPECT_EQ(heddle(arguments).code, 0) << search[1];
  }
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

TEST_F(Failures, ExceptionsOutsideOfStepsNameTheCodeThatThrew) {
  const std::vector<std::pair<std::string, std::string>> histories = {
      {"specification_throws", "specification Cell threw: map::at"},
      {"specification_throws_int", "specification Cell threw something that is no std::exception"}};
  for (const auto& [mistake, error] : histories) {
    const Outcome run = check(mistake, {"--json"}, "histories");
    EXPECT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), StartsWith(error));
  }
  const std::vector<std::pair<std::string, std::string>> votes = {
      {"quorum_throws", "quorum of Collector::decide threw: quo"}, {"domain_throws", "domain of Vote threw: dom"}};
  for (const auto& [mistake, error] : votes) {
    const Outcome run = check(mistake, {"--json", "--byzantine", "Voter=1"}, "votes");
    EXPECT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_EQ(text(run.json(), "error"), error);
  }
  const Outcome object = check("object_throws", {"--refines", "tally", "--json"});
  EXPECT_EQ(object.code, 3) << object.out << object.err;
  EXPECT_EQ(text(object.json(), "error"), "object tally::reach threw: map::at");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Failures, AModelThatReplacesSignalHandlersCrashesLikeAnyOther) {
  for (const std::string mistake : {"ignored_signal", "alarm"}) {
    const Outcome run = check(mistake, {"--json"});
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr("handler Server::serve "));
    EXPECT_THAT(text(run.json(), "error"), HasSubstr(mistake == "alarm" ? "SIGALRM" : "SIGSEGV"));
    EXPECT_EQ(run.json().at("trace_steps").as_int64(), 4);
  }
}
#endif

// The handler raises it whenever it runs, more than once before the search looks.
TEST_F(Failures, AModelThatAsksTheProgramToEndIsObeyedWithAClosingLine) {
  const Outcome run = check("terminated", {"--json"});
  ASSERT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_EQ(text(run.json(), "stopped_by"), "interrupted");
}

TEST_F(Failures, AModelThatClosesDescriptorsDoesNotSilenceTheProgram) {
  const Outcome run = check("close_all", {"--json"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(text(run.json(), "verdict"), "holds");
}

TEST_F(Failures, QuorumsAndDomainsThatFailAreErrors) {
  EXPECT_EQ(check("none", {"--byzantine", "Voter=1"}, "votes").code, 0);
  for (const std::string mistake : {"quorum", "quorum_division", "domain", "domain_division"}) {
    const Outcome run = check(mistake, {"--json", "--byzantine", "Voter=1"}, "votes");
    ASSERT_EQ(run.code, 3) << mistake << run.out << run.err;
    EXPECT_THAT(text(run.json(), "error"), HasSubstr(mistake.starts_with("quorum") ? "quorum of " : "domain of Vote"));
  }
  const Outcome impure = check("domain_static", {"--json", "--byzantine", "Voter=1"}, "votes");
  ASSERT_EQ(impure.code, 3) << impure.out << impure.err;
  EXPECT_THAT(text(impure.json(), "error"), StartsWith("domain of Vote is not a pure function"));
}

// The same in a specification for recorded histories. `add` has the mistake once the value is 1, `get` in the first
// state.
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
  std::vector<std::string> mistakes = {"rand", "coin", "static", "clock"};
#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // which fill new memory by themselves, always alike
  for (const char* sized : {"", "_block", "_large", "_or_zero"})
    mistakes.push_back(std::string("uninitialised") + sized);
#endif
  for (const std::string& mistake : mistakes) {
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

TEST_F(Failures, OtherFilesThatCannotBeWrittenHideNoViolation) {
  write("broken.net", broken_net);
  write("sound.net", sound_net);
  const std::string nowhere = "none/file";
  const Outcome simulated = heddle({"simulate", "broken.net", "--trace", nowhere});
  EXPECT_EQ(simulated.code, 1) << simulated.out << simulated.err;
  EXPECT_THAT(simulated.out, HasSubstr("warning: the trace was not written"));
  EXPECT_THAT(simulated.last_line(), StartsWith("violated: below"));
  // Without a violation the file is all that was wanted.
  EXPECT_EQ(heddle({"simulate", "sound.net", "--steps", "2", "--trace", nowhere}).code, 3);
  const Outcome drawn = heddle({"check", "flexible_paxos", "--bug", "ignore_votes", "--refines", "qtree", "--reduce",
                                "none", "--tree-dot", nowhere});
  EXPECT_EQ(drawn.code, 1) << drawn.out << drawn.err;
  EXPECT_THAT(drawn.out, HasSubstr("warning: the abstract object was not drawn"));
  EXPECT_THAT(drawn.last_line(), StartsWith("violated: "));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

// A result that nobody can read is not a result; what was written into files is there all the same.
TEST_F(Failures, AStandardOutputThatIsClosedOrFullIsAnError) {
  write("broken.net", broken_net);
  for (const std::string output : {">&-", ">/dev/full"}) {
    for (const std::string options : {"", " --json", " -q"}) {
      fs::remove(home / "heddle-trace.json");
      const std::string command =
          "cd '" + home.string() + "' && '" HEDDLE_EXECUTABLE "' check broken.net" + options + " " + output + " 2>err";
      const int status = std::system(command.c_str());
      ASSERT_TRUE(WIFEXITED(status)) << command;
      EXPECT_EQ(WEXITSTATUS(status), 3) << command << read(home / "err");
      EXPECT_THAT(read(home / "err"), HasSubstr("error: standard output cannot be written to")) << command;
      EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1) << command;
    }
    const std::string help = "'" HEDDLE_EXECUTABLE "' help check " + output + " 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(help.c_str())), 3) << help;
  }
}

}  // namespace
}  // namespace heddle::cli::failures_test
