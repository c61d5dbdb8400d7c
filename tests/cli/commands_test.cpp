// replay, simulate, models, new and the program itself, from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "cli/program.h"
#include "cli/starting_file.h"

namespace heddle::cli::commands_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Commands : public ProgramTest {};

TEST_F(Commands, HelpAndVersion) {
  const Outcome help = heddle({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"check", "replay", "simulate", "models", "new"})
    EXPECT_THAT(help.out, HasSubstr(command));
  EXPECT_EQ(heddle({"check", "--help"}).code, 0);
  const Outcome version = heddle({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, StartsWith("heddle "));
}

TEST_F(Commands, MistakesInTheCommandLineAreErrors) {
  const Outcome nothing = heddle({});
  EXPECT_EQ(nothing.code, 3);
  EXPECT_THAT(nothing.last_line(), StartsWith("error: "));
  const Outcome mistyped = heddle({"chekc", "paxos"});
  EXPECT_EQ(mistyped.code, 3);
  EXPECT_THAT(mistyped.last_line(), HasSubstr("did you mean check?"));
}

TEST_F(Commands, ReplayRefusesWhatIsNoTrace) {
  EXPECT_EQ(heddle({"replay", "missing.json"}).code, 3);
  write("bad.json", "{\"lanes\": [");
  const Outcome cut = heddle({"replay", "bad.json"});
  EXPECT_EQ(cut.code, 3);
  EXPECT_THAT(cut.last_line(), HasSubstr("bad.json:1:"));
  write("other.json", "[1, 2]");
  EXPECT_EQ(heddle({"replay", "other.json"}).code, 3);
}

TEST_F(Commands, ReplayRefusesLanesThatDoNotExist) {
  ASSERT_EQ(heddle({"check", "two_phase_commit", "--bug", "commit_early"}).code, 1);
  const std::string trace = read(home / "heddle-trace.json");
  for (const std::string key : {"lane", "from", "to"}) {
    const std::string field = "\"" + key + "\": ";
    const std::size_t at = trace.rfind(field) + field.size();
    ASSERT_GT(at, field.size()) << key;
    std::string edited = trace;
    edited.replace(at, edited.find_first_not_of("0123456789", at) - at, "99");
    write("edited.json", edited);
    const Outcome run = heddle({"replay", "edited.json"});
    EXPECT_EQ(run.code, 3) << run.out << run.err;
    const auto line = 1 + std::count(trace.begin(), trace.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    EXPECT_THAT(run.last_line(), HasSubstr("edited.json:" + std::to_string(line) + ":"));
    EXPECT_THAT(run.last_line(), HasSubstr("lane 99 does not exist"));
  }
}

TEST_F(Commands, ReplaySaysWhereATraceDoesNotFit) {
  write("m.net", broken_net);
  ASSERT_EQ(heddle({"check", "m.net"}).code, 1);
  write("m.net", "place left 2\nplace done\ntransition count: left -> done\nalways below: done < 3\n");
  const Outcome start = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(start.code, 3);
  EXPECT_THAT(start.last_line(), HasSubstr("at the start, net's left is 3 in the trace and 2 in the model"));
  write("m.net",
        "place left 3\nplace may 2\nplace done\ntransition count: left, may -> done\nalways below: done < 3\n");
  const Outcome run = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("step 3 of 3 does not fit"));
  EXPECT_THAT(run.out, HasSubstr("no step at all"));
}

TEST_F(Commands, ReplaySaysThatATraceNoLongerViolates) {
  write("m.net", broken_net);
  ASSERT_EQ(heddle({"check", "m.net"}).code, 1);
  write("m.net", "place left 3\nplace done\ntransition count: left -> done\nalways below: done <= 3\n");
  const Outcome run = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(run.last_line(), HasSubstr("no longer violates below"));
}

TEST_F(Commands, ReplayFindsTheModelByHandIfItMoved) {
  write("m.net", broken_net);
  ASSERT_EQ(heddle({"check", "m.net"}).code, 1);
  fs::rename(home / "m.net", home / "n.net");
  const Outcome lost = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(lost.code, 3);
  EXPECT_THAT(lost.last_line(), HasSubstr("--model"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json", "--model", "n.net"}).code, 1);
}

TEST_F(Commands, SimulateShowsOneRun) {
  write("sound.net", sound_net);
  const Outcome run = heddle({"simulate", "sound.net", "--steps", "2", "--trace", "run.json"});
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_THAT(run.out, HasSubstr("count"));
  EXPECT_THAT(run.last_line(), StartsWith("unknown: one random run"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("? unknown")));
  EXPECT_EQ(heddle({"replay", "run.json"}).code, 0);
  write("broken.net", broken_net);
  EXPECT_EQ(heddle({"simulate", "broken.net"}).code, 1);
  EXPECT_EQ(heddle({"simulate", "broken.net", "--json"}).json().at("verdict").as_string(), "violated");
}

TEST_F(Commands, SimulateIsRepeatable) {
  const Outcome a = heddle({"simulate", "paxos", "--seed", "5", "--steps", "15"});
  const Outcome b = heddle({"simulate", "paxos", "--seed", "5", "--steps", "15"});
  const Outcome c = heddle({"simulate", "paxos", "--seed", "6", "--steps", "15"});
  const auto picture = [](const Outcome& run) { return run.out.substr(0, run.out.rfind("unknown: ")); };
  EXPECT_EQ(picture(a), picture(b));
  EXPECT_NE(picture(a), picture(c));
}

TEST_F(Commands, ModelsListsTheLibrary) {
  const Outcome list = heddle({"models"});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.out, HasSubstr("\npaxos "));
  EXPECT_THAT(list.out, HasSubstr("acceptors=3"));
  std::istringstream lines(list.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  const auto json = heddle({"models", "--json"}).json();
  const auto& models = json.as_array();
  EXPECT_GE(models.size(), 7u);
}

TEST_F(Commands, HelpAndVersionAreCommandsToo) {
  EXPECT_EQ(heddle({"help"}).out, heddle({"--help"}).out);
  EXPECT_EQ(heddle({"help", "check"}).out, heddle({"check", "--help"}).out);
  EXPECT_THAT(heddle({"help", "check"}).out, HasSubstr("--network"));
  for (const char* spelling : {"version", "-V", "--version"}) {
    const Outcome run = heddle({spelling});
    EXPECT_EQ(run.code, 0);
    EXPECT_THAT(run.out, StartsWith("heddle ")) << spelling;
  }
  const Outcome wrong = heddle({"help", "chek"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.last_line(), HasSubstr("did you mean check?"));
}

TEST_F(Commands, HelpShowsOneValueForOptionsThatMayBeRepeated) {
  const std::string help = heddle({"check", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("NAME=VALUE"));
  EXPECT_THAT(help, testing::Not(HasSubstr("NAME=VALUE ...")));
  EXPECT_THAT(help, testing::Not(HasSubstr("ROLE=N ...")));
  const Outcome both = heddle({"check", "paxos", "-p", "proposers=1", "-p", "learners=0", "--json"});
  EXPECT_EQ(both.json().at("parameters").at("proposers").as_int64(), 1);
  EXPECT_EQ(both.json().at("parameters").at("learners").as_int64(), 0);
}

TEST_F(Commands, ModelsTellsMoreOfOne) {
  const Outcome one = heddle({"models", "paxos"});
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, HasSubstr("acceptors"));
  const auto json = heddle({"models", "paxos", "--json"}).json();
  const auto& object = json.as_object();
  EXPECT_EQ(object.at("name").as_string(), "paxos");
  for (const char* key : {"summary", "parameters", "properties", "bugs", "expected"})
    EXPECT_TRUE(object.contains(key)) << key;
  const std::size_t parameters = object.at("parameters").as_array().size();
  for (const auto& parameter : object.at("parameters").as_array()) {
    EXPECT_TRUE(parameter.as_object().contains("default"));
    EXPECT_TRUE(parameter.as_object().contains("choices") || parameter.as_object().contains("max"));
  }
  ASSERT_FALSE(object.at("bugs").as_array().empty());
  for (const auto& bug : object.at("bugs").as_array()) {
    EXPECT_EQ(bug.at("parameters").as_object().size(), parameters) << "the full assignment";
    EXPECT_FALSE(bug.at("property").as_string().empty());
  }
  const Outcome none = heddle({"models", "paxoss"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.last_line(), HasSubstr("did you mean paxos?"));
}

TEST_F(Commands, ModelsAndRunsNameTheSameKinds) {
  const auto model = heddle({"models", "single_copy_register", "--json"}).json();
  const auto run = heddle({"check", "single_copy_register", "--json", "--depth", "1"}).json();
  const auto& in_model = model.at("properties").as_array();
  const auto& in_run = run.at("properties").as_array();
  ASSERT_EQ(in_model.size(), in_run.size());
  for (std::size_t i = 0; i < in_run.size(); ++i) {
    EXPECT_EQ(in_model[i].at("name"), in_run[i].at("name"));
    EXPECT_EQ(in_model[i].at("kind"), in_run[i].at("kind")) << in_run[i].at("name");
  }
}

TEST_F(Commands, NewWritesAFileAndNeverOverwritesOne) {
  const Outcome run = heddle({"new", "my_lock"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(read(home / "my_lock.cpp"), starting_file("my_lock"));
  write("my_lock.cpp", "mine");
  const Outcome again = heddle({"new", "my_lock.cpp"});
  EXPECT_EQ(again.code, 3);
  EXPECT_THAT(again.last_line(), HasSubstr("--force"));
  EXPECT_EQ(read(home / "my_lock.cpp"), "mine");
  EXPECT_EQ(heddle({"new", "my_lock", "--force"}).code, 0);
  EXPECT_NE(read(home / "my_lock.cpp"), "mine");
  EXPECT_EQ(heddle({"new", "9 lives"}).code, 3);
  EXPECT_EQ(heddle({"new", "no_dir/x"}).code, 3);
}

TEST(StartingFile, IsTheExampleUnderAnotherName) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/examples/lock.cpp", std::ios::binary);
  const std::string example(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(starting_file("lock"), example);
  const std::string renamed = starting_file("my_lock");
  EXPECT_THAT(renamed, HasSubstr("heddle check my_lock.cpp --loss 1"));
  EXPECT_THAT(renamed, HasSubstr(".name = \"my_lock\""));
  EXPECT_THAT(renamed, testing::Not(HasSubstr(" lock.cpp")));
  EXPECT_THAT(renamed, testing::Not(HasSubstr("\"lock\"")));
  EXPECT_THAT(renamed, HasSubstr("clients ask a server for a lock"));
}

}  // namespace
}  // namespace heddle::cli::commands_test
