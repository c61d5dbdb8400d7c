// Calls of a component that is there, and of programs in general: answers, limits, signals, and clear errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <cstdlib>
#include <fstream>

#include "run/component.h"
#include "run/component_directory.h"
#include "run/errors.h"
#include "run/subprocess.h"

namespace heddle::run::component_calls_test {
namespace {

using namespace component_directory;
using testing::HasSubstr;

// --- Calling one.

class Calling : public Directory {
 protected:
  Called call(const std::vector<std::string>& arguments, const std::string& input = {},
              const Limits& limits = {}) const {
    return call_component("echo", arguments, input, limits, tree);
  }
  const ComponentTree tree = {.table = {echo}, .prefix = HEDDLE_ECHO_PREFIX};
};

TEST_F(Calling, ItAnswers) {
  const std::string much(3'000'000, 'x');
  const Called called = call({"check", "it's \"this\""}, much);
  EXPECT_EQ(called.exit_code, 0);
  EXPECT_EQ(called.stopped_by, "");
  EXPECT_EQ(called.json(), boost::json::value({{"words", {"check", "it's \"this\""}}, {"input", much}}));
}

TEST_F(Calling, LimitsAreHandedOn) {
  Limits limits;
  limits.seconds = 60;
  limits.bytes = 1 << 20;
  const boost::json::value answer = call({"x"}, "", limits).json();
  const auto& words = answer.at("words").as_array();
  ASSERT_EQ(words.size(), 5u);
  EXPECT_EQ(words[1].as_string(), "--time");
  const double seconds = std::stod(words[2].as_string().c_str());
  EXPECT_GT(seconds, 0);
  EXPECT_LE(seconds, 60);
  EXPECT_EQ(words[3].as_string(), "--memory");
  EXPECT_EQ(words[4].as_string(), "1048576");
}

TEST_F(Calling, VerdictsArePassedOn) {
  for (const int code : {0, 1, 2, 3}) EXPECT_EQ(call({"--exit", std::to_string(code)}).exit_code, code);
  EXPECT_THAT(error_of([&] { call({"--exit", "4"}); }), HasSubstr("the component echo"));
  EXPECT_THAT(error_of([&] { call({"--exit", "4"}); }), HasSubstr("ended with exit code 4"));
}

TEST_F(Calling, ACrashIsAnError) {
  // Otherwise sanitizers turn the signal into an exit code of their own.
  for (const char* const options : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) ::setenv(options, "handle_segv=0", 1);
  EXPECT_THAT(error_of([&] { call({"--crash"}); }),
              testing::AllOf(HasSubstr("the component echo"), HasSubstr("signal 11 (Segmentation fault)")));
  EXPECT_THAT(error_of([&] { call({"--text"}).json(); }), HasSubstr("did not answer in JSON but with 'hello'"));
}

TEST_F(Calling, WhatIsNotAProgramIsAnError) {
  fs::create_directory(home / "bin");
  std::ofstream(home / "bin" / "heddle-echo") << "not a program";
  const ComponentTree broken = {.table = {echo}, .prefix = home};
  EXPECT_THAT(
      error_of([&] { call_component("echo", {}, "", {}, broken); }),
      HasSubstr("cannot run the component '" + (home / "bin" / "heddle-echo").string() + "': Permission denied"));
}

TEST_F(Calling, TimeIsLimited) {
  Limits limits;
  limits.seconds = 1;  // until then it must have begun
  const Called gentle = call({"--wait", (home / "process").string()}, "", limits);
  EXPECT_EQ(gentle.exit_code, 2);
  EXPECT_EQ(gentle.stopped_by, "time limit of 1 s");
  EXPECT_THAT(gentle.output, HasSubstr("words")) << "what it has found out by then";
  limits.seconds = 0.1;
  const Called deaf = call({"--deaf", "--wait", (home / "deaf").string()}, "", limits);
  EXPECT_EQ(deaf.exit_code, 2);
  EXPECT_EQ(deaf.stopped_by, "time limit of 0.1 s");
  EXPECT_EQ(deaf.output, "");
}

TEST_F(Calling, SignalsEndIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const bool deaf : {false, true}) {
      const fs::path process = home / ("process" + std::to_string(signal) + (deaf ? "deaf" : ""));
      const int code = interrupted(process, signal, [&] {
        std::vector<std::string> arguments = {"--wait", process.string()};
        if (deaf) arguments.insert(arguments.begin(), "--deaf");
        const Called called = call(arguments);
        const bool answered = called.output.find("words") != called.output.npos;
        return called.stopped_by == "interrupted" && called.exit_code == 2 && answered != deaf ? 0 : 1;
      });
      EXPECT_EQ(code, 0) << signal << deaf;
      EXPECT_TRUE(ends(process));
    }
  }
}

// Whoever kills this program ends the component, too.
TEST_F(Calling, ItDoesNotOutliveTheCaller) {
  const fs::path process = home / "process";
  EXPECT_EQ(interrupted(process, SIGKILL, [&] { return call({"--wait", process.string()}).exit_code; }), 128 + SIGKILL);
  EXPECT_TRUE(ends(process));
}

// --- Programs in general.

TEST(Subprocess, ChildrenThatStayBehindAreNotWaitedFor) {
  const Finished finished =
      run_subprocess({.command = {"sh", "-c", "sleep 5 & echo said; exit 1"}, .both_outputs = true});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.output, "said\n");
}

TEST(Subprocess, ItSaysWhatCannotBeStarted) {
  try {
    run_subprocess({.command = {"/no/such/program"}, .kind = "component", .remedy = "look for it"});
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "cannot run the component '/no/such/program': No such file or directory; look for it");
  }
}

}  // namespace
}  // namespace heddle::run::component_calls_test
