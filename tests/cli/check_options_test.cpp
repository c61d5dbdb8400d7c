// What is wrong on the command line of heddle check is an error that names it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::check_options_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CheckOptionsTest : public ProgramTest {};

TEST_F(CheckOptionsTest, AnUnknownModelSuggestsTheNearest) {
  const Outcome run = heddle({"check", "paxso"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), StartsWith("error: there is no model 'paxso'"));
  EXPECT_THAT(run.last_line(), HasSubstr("did you mean paxos?"));
}

TEST_F(CheckOptionsTest, BadParametersAreNamed) {
  const Outcome unknown = heddle({"check", "paxos", "--param", "aceptors=3"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.last_line(), HasSubstr("no parameter 'aceptors'; did you mean acceptors?"));
  EXPECT_THAT(unknown.last_line(), HasSubstr("proposers ("));
  const Outcome range = heddle({"check", "paxos", "--param", "acceptors=1000"});
  EXPECT_EQ(range.code, 3);
  EXPECT_THAT(range.last_line(), HasSubstr("1000"));
  const Outcome form = heddle({"check", "paxos", "--param", "acceptors"});
  EXPECT_EQ(form.code, 3);
  EXPECT_THAT(form.last_line(), HasSubstr("name=value"));
  const Outcome twice = heddle({"check", "paxos", "-p", "acceptors=2", "--param", "acceptors=3"});
  EXPECT_EQ(twice.code, 3);
  EXPECT_THAT(twice.last_line(), HasSubstr("--param: acceptors is given twice"));
  const Outcome bug = heddle({"check", "paxos", "--bug", "no_such_bug"});
  EXPECT_EQ(bug.code, 3);
  EXPECT_THAT(bug.last_line(), HasSubstr("Its bugs: "));
}

TEST_F(CheckOptionsTest, BadOptionsAreNamed) {
  write("sound.net", sound_net);
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--time", "soon"},
                                                  {"--memory", "much"},
                                                  {"--search", "sideways"},
                                                  {"--threads", "0"},
                                                  {"--depth", "-1"},
                                                  {"--nonsense"},
                                                  {"--loss", "1"},
                                                  {"--param", "a=1"},
                                                  {"--bug", "b"},
                                                  {"--trace", "no/such/dir/t.json"},
                                                  {"--trace", "."}}) {
    std::vector<std::string> arguments = {"check", "sound.net"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, 3) << options[0] << " " << run.out;
    EXPECT_THAT(run.last_line(), HasSubstr(options[0]));
  }
}

TEST_F(CheckOptionsTest, CrashesOfARoleThatDoesNotExist) {
  const Outcome unknown = heddle({"check", "two_phase_commit", "--crashes", "Acceptor=1"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.last_line(), HasSubstr("has no role 'Acceptor'; it has: "));
}

TEST_F(CheckOptionsTest, ARoleWhoseCrashesAreBoundedTwice) {
  const Outcome twice = heddle({"check", "two_phase_commit", "--crashes", "Manager=1", "--crashes", "Manager=2"});
  EXPECT_EQ(twice.code, 3);
  EXPECT_THAT(twice.last_line(), HasSubstr("--crashes: Manager is given twice"));
}

TEST_F(CheckOptionsTest, NumbersBelowZero) {
  const Outcome run = heddle({"check", "paxos", "--search", "random", "--walks", "-1"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("'-1' is not a number"));
}

TEST_F(CheckOptionsTest, NumbersWithoutRoom) {
  const std::string largest = "18446744073709551615", larger = "18446744073709551616";
  for (const std::string option : {"--walks", "--seed"}) {
    const Outcome run = heddle({"check", "paxos", "--search", "random", option, larger});
    EXPECT_EQ(run.code, 3) << option;
    EXPECT_THAT(run.last_line(), HasSubstr(larger + " is too large a number"));
  }
  const Outcome run = heddle({"check", "paxos", "--search", "random", "--seed", largest, "--walks", "2", "--no-trace"});
  EXPECT_EQ(run.code, 2) << run.out;
}

TEST_F(CheckOptionsTest, AnEmptyValueIsAnErrorAndNoOtherWordIsTakenForIt) {
  const Outcome run = heddle({"check", "paxos", "--trace=", "--json"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(std::string(run.json().at("error").as_string()), StartsWith("--trace: the value is empty"));
  EXPECT_FALSE(fs::exists(home / "--json"));
  const Outcome missing = heddle({"check", "paxos", "--loss", "--json"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(std::string(missing.json().at("error").as_string()),
              StartsWith("--loss: the value is missing, --json is an option"));
}

}  // namespace
}  // namespace heddle::cli::check_options_test
