// Counts that another run would not repeat are marked as such; those that mean nothing are not printed.
#include <gmock/gmock.h>

#include "cli/program.h"

namespace heddle::cli::counts_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Counts : public ProgramTest {};

TEST_F(Counts, VaryWithPartialOrderReductionAndSeveralThreadsOnly) {
  const std::string sentence = "counts vary from run to run with several threads";
  const auto expect = [&](std::vector<std::string> switches, bool vary) {
    switches.insert(switches.begin(), {"check", "paxos"});
    EXPECT_EQ(heddle(switches).last_line().find(sentence) != std::string::npos, vary) << switches.back();
    switches.emplace_back("--json");
    EXPECT_EQ(heddle(switches).json().as_object().contains("counts_vary"), vary) << switches[switches.size() - 2];
  };
  expect({"--threads", "2"}, true);
  expect({"--threads", "2", "--search", "dfs"}, true);
  expect({"--threads", "2", "--reduce", "por"}, true);
  expect({"--threads", "1"}, false);
  expect({"--threads", "2", "--reduce", "none"}, false);
  expect({"--threads", "2", "--reduce", "symmetry"}, false);
  expect({"--threads", "2", "--reduce", "dead,symmetry"}, false);
}

TEST_F(Counts, AnAuditCountsStatesOnly) {
  const Outcome run = heddle({"audit", "paxos", "-p", "acceptors=2"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.last_line(), HasSubstr("holds: 100 states, complete"));
  EXPECT_THAT(run.last_line(), Not(HasSubstr("depth 0")));
}

}  // namespace
}  // namespace heddle::cli::counts_test
