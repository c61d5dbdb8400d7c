// heddle schedules, as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace heddle::cli::schedules_test {
namespace {

using testing::HasSubstr;
using testing::Not;

using Schedules = ProgramTest;

TEST_F(Schedules, ShowTheStaleReadOfOpenChord) {
  const Outcome r = heddle({"schedules", "open_chord", "--harness", "2R+1W", "--scheduler", "LV,SL"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_THAT(r.out, HasSubstr("#UH"));
  EXPECT_THAT(r.out, HasSubstr("may miss"));
  EXPECT_THAT(r.out, HasSubstr("minimised from"));
  EXPECT_THAT(r.last_line(), HasSubstr("violated: linearizability"));
  EXPECT_TRUE(fs::exists(home / "heddle-trace.json"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

TEST_F(Schedules, AreSureOnlyIfNothingWasLeftOut) {
  const auto run = [&](const std::string& scheduler) {
    return heddle({"schedules", "distributed_register", "--scheduler", scheduler});
  };
  EXPECT_EQ(run("SL").code, 0);
  EXPECT_EQ(run("EX").code, 0);
  EXPECT_EQ(run("LV").code, 2);
  EXPECT_EQ(run("SR,LV").code, 2);
  EXPECT_EQ(heddle({"schedules", "distributed_register", "--scheduler", "EX", "--cutoff", "10"}).code, 2);
}

TEST_F(Schedules, GiveTheirCountsAsJson) {
  const Outcome r = heddle({"schedules", "erroneous_register", "--json", "--no-trace"});
  EXPECT_EQ(r.code, 1);
  const auto json = r.json().as_object();
  EXPECT_EQ(json.at("command").as_string(), "schedules");
  const auto& rows = json.at("schedulers").as_array();
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows[0].at("name").as_string(), "EX");
  EXPECT_EQ(rows[0].at("schedules").as_int64(), 252);
  EXPECT_EQ(rows[0].at("may_miss").as_bool(), false);
}

TEST_F(Schedules, SayWhatIsWrong) {
  EXPECT_THAT(heddle({"schedules", "open_chord", "--scheduler", "XX"}).last_line(), HasSubstr("no scheduler 'XX'"));
  EXPECT_THAT(heddle({"schedules", "paxos"}).last_line(), HasSubstr("Model::linearizable"));
  EXPECT_THAT(heddle({"schedules", "paxos", "--harness", "2R+1W"}).last_line(), HasSubstr("no parameter 'harness'"));
  EXPECT_THAT(heddle({"schedules", "open_chord", "--harness", "9R"}).last_line(), HasSubstr("2R+1W"));
}

// In a soup no schedule ends, so one that nobody has asked for is replaced, and one that somebody has is refused.
TEST_F(Schedules, ReplaceASoup) {
  const Outcome r = heddle({"schedules", "multi_paxos", "--harness", "1R+1W", "--scheduler", "SL", "--no-trace"});
  EXPECT_THAT(r.out, HasSubstr("scheduled with --network multiset"));
  EXPECT_THAT(r.out, HasSubstr("network=multiset"));
  const Outcome soup = heddle({"schedules", "distributed_register", "--network", "soup"});
  EXPECT_EQ(soup.code, 3);
  EXPECT_THAT(soup.last_line(), HasSubstr("--network multiset"));
}

TEST_F(Schedules, SayWhyTheyMayMiss) {
  const Outcome r = heddle({"schedules", "multi_paxos", "--harness", "1R+1W", "-p", "retries=1", "--scheduler", "SL,SR",
                            "--json", "--no-trace", "--cutoff", "2000000"});
  const auto rows = r.json().at("schedulers").as_array();
  EXPECT_TRUE(rows[0].at("may_miss").as_bool());
  EXPECT_THAT(std::string(rows[0].at("misses_because").as_string()), HasSubstr("--unfolded"));
  EXPECT_TRUE(rows[1].at("misses_because").is_null());  // its own way
  EXPECT_THAT(std::string(r.json().at("stopped_by").as_string()), HasSubstr("--unfolded"));
  EXPECT_THAT(r.err, HasSubstr("SL may miss: a client was sent an answer"));
}

TEST_F(Schedules, VerifyExclusions) {
  const Outcome r = heddle({"schedules", "open_chord", "--verify-exclusions"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("the exclusions are safe here"));
  EXPECT_THAT(heddle({"schedules", "another_register", "--verify-exclusions"}).out,
              HasSubstr("nothing that the model"));
}

}  // namespace
}  // namespace heddle::cli::schedules_test
