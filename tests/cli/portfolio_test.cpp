// `heddle check` of programs with threads: --portfolio, --order, and the trial of --reduce auto, from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::portfolio_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Portfolio : public ProgramTest {
 protected:
  static std::string example(const char* name) {
    return (fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native" / name).string();
  }
};

TEST_F(Portfolio, TheFirstVerdictCountsAndSaysWhose) {
  const Outcome run = heddle({"check", example("afek_stack.cpp"), "--client", "push(1) | push(2); pop() | pop()",
                              "--portfolio", "--verify-reduction", "--json"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("reduction verified"));
  EXPECT_EQ(run.json().at("complete"), true);
  EXPECT_THAT(std::string(run.json().at("chosen").as_string()), HasSubstr("the first of 6 searches side by side"));
}

TEST_F(Portfolio, AViolationIsShownAndReplays) {
  const Outcome run = heddle({"check", example("afek_stack.cpp"), "--client", "push(1) | push(2); pop() | pop()",
                              "--portfolio", "--", "-DBUG_READ_THEN_CLEAR"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("violated: linearizability"));
  EXPECT_THAT(run.last_line(), HasSubstr("of 6 searches side by side"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

TEST_F(Portfolio, AllFailingClientsAreListed) {
  const auto failing = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"check",     example("afek_stack.cpp"), "--values", "1", "--all", "--json",
                                      "--no-trace"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", "-DBUG_TWO_STEP_INDEX"});
    const Outcome run = heddle(words);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    return boost::json::serialize(run.json().at("failing_clients"));
  };
  EXPECT_EQ(failing({"--portfolio"}), failing({"--reduce", "none"}));
}

TEST_F(Portfolio, WhatItDoesNotGoTogetherWithIsNamed) {
  const auto error = [&](std::vector<std::string> words, const std::string& word) {
    words.insert(words.begin(), "check");
    const Outcome run = heddle(words);
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_THAT(run.out + run.err, HasSubstr(word));
  };
  const std::string file = example("peterson.c");
  error({file, "--portfolio", "--reduce", "safe"}, "--reduce does not go together with --portfolio");
  error({file, "--portfolio", "--threads", "2"}, "--threads does not go together with --portfolio");
  error({file, "--portfolio", "--search", "random"}, "--portfolio does not apply to --search random");
  error({"paxos", "--portfolio"}, "has none");
  error({"paxos", "--order", "1", "--search", "dfs"}, "--order is about threads");
  error({file, "--order", "1"}, "--search dfs");
  error({file, "--order", "1,x", "--search", "dfs"}, "a list of threads");
  error({file, "--order", "1,1", "--search", "dfs"}, "named twice");
  error({file, "--order", "random:", "--search", "dfs"}, "random:SEED");
}

TEST_F(Portfolio, OrdersFindTheSame) {
  const auto states = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"check", example("peterson.c"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = heddle(words);
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    return run.json().at("deadlocks").as_int64();
  };
  const auto finals = states({});
  EXPECT_EQ(states({"--search", "dfs", "--order", "2,1"}), finals);
  EXPECT_EQ(states({"--reduce", "lazy", "--order", "reverse"}), finals);
  EXPECT_EQ(states({"--reduce", "lazy", "--order", "random:3"}), finals);
}

// 10,132 states with safe sets, and ten times fewer with the others.
TEST_F(Portfolio, AutoSaysWhatItHasChosen) {
  const Outcome run = heddle({"check", example("lastzero.c"), "--", "-DN=5"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.last_line(),
              AnyOf(HasSubstr("reduced by thread futures ("), HasSubstr("reduced by lazy source sets (")));
  EXPECT_THAT(run.last_line(), HasSubstr("chosen by a trial of "));
  const Outcome threads = heddle({"check", example("lastzero.c"), "--threads", "2", "--", "-DN=5"});
  EXPECT_THAT(threads.last_line(), Not(HasSubstr("lazy source sets")));
  EXPECT_THAT(heddle({"check", example("peterson.c")}).last_line(), Not(HasSubstr("trial")));
}

}  // namespace
}  // namespace heddle::cli::portfolio_test
