// The table of doors: what it accepts, what it says of the rest, and that one row is enough for a new door.
#include "run/doors.h"

#include <gmock/gmock.h>

#include <memory>
#include <set>

#include "core/facets/describer.h"
#include "net/net_system.h"
#include "run/check.h"
#include "run/errors.h"
#include "run/recorder.h"

namespace heddle::run::doors_test {
namespace {

using testing::HasSubstr;

std::string error_of(const Given& given, const std::vector<Door>& table = doors()) {
  try {
    open(given, table);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

using Doors = InADirectory;

TEST_F(Doors, WhatIsNotKnownIsAnErrorWithSuggestions) {
  EXPECT_EQ(error_of({.text = "paxso"}), "there is no model 'paxso' in the library; did you mean paxos?");
  EXPECT_EQ(error_of({.text = "qqqqqq"}), "there is no model 'qqqqqq' in the library; `heddle models` lists them");
  const std::string file = write("readme.txt", "text");
  EXPECT_EQ(
      error_of({.text = file}),
      file + ": Heddle reads programs in .c and .cpp files, models in .cpp files and nets in .net and .pnml files");
  write("mine.cpp", "");
  const std::string mine = (home / "mine").string();
  EXPECT_THAT(error_of({.text = mine}), HasSubstr("did you mean " + mine + ".cpp?"));
  EXPECT_EQ(error_of({.text = "paxos", .model = "raft"}), "--model chooses among the models of a .cpp file");
}

TEST_F(Doors, AnOptionThatADoorHasNotIsAnError) {
  const std::string file = write("a.net", "place p 1\n");
  const auto error = [&](const RunSettings& settings) -> std::string {
    try {
      open(file).instance(settings);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error({.parameters = {{"n", "1"}}}), file + ": a net has no parameters; drop --param");
  EXPECT_EQ(error({.bug = "b"}), file + ": a net has no bugs to switch on; drop --bug");
  EXPECT_EQ(error({.switches = {{"loss", "1"}}}), file + ": a net has no messages and processes; drop --loss");
  EXPECT_EQ(error({.switches = {{"deadlock", "true"}}}), "no error");
}

TEST(DoorTable, NamesAreDifferentAndGroupsExist) {
  // --linearizable is an option of `check`, which hands it to programs as a switch.
  std::set<std::string> names, groups = {"model", "linearizable"};
  for (const Switch& one : switch_table()) groups.insert({one.name, one.group});
  for (const Door& door : doors()) {
    EXPECT_TRUE(names.insert(door.name).second) << door.name;
    EXPECT_FALSE(door.commands.empty()) << door.name;
    EXPECT_EQ(door.open != nullptr, door.accepts != nullptr) << door.name;
    for (const std::string& option : door.options) EXPECT_TRUE(groups.contains(option)) << option;
    EXPECT_EQ(door.component, door.name == "program" ? "lower" : "");
  }
  EXPECT_EQ(
      taken_by("check"),
      "A library model (`heddle models`), a program's .c or .cpp file, a model's .cpp file, a .net or .pnml file");
  EXPECT_EQ(taken_by("nothing"), "");
}

// A door for single numbers: a net with so many tokens, of which one is taken at a time.
TEST(DoorTable, ARowIsEnoughForADoor) {
  std::vector<Door> table = doors();
  const auto open_number = [](const Given& given) {
    const auto settle = [given](const RunSettings&) {
      Instance instance;
      instance.model = "count down from " + given.text;
      instance.build = [given](const BuildOptions&) {
        net::Net net;
        net.places = {{"tokens", static_cast<std::uint32_t>(std::stoul(given.text))}};
        net.transitions = {{.name = "take", .inputs = {{0, 1}}, .outputs = {}}};
        return std::make_unique<net::NetSystem>(std::move(net));
      };
      return instance;
    };
    return Source{.file = "", .definition = {}, .settle = settle};
  };
  table.push_back({.name = "number",
                   .commands = "check",
                   .takes = "a number",
                   .reads = "",
                   .accepts = [](const std::string& given) { return std::isdigit(given[0]) != 0; },
                   .lacks = "a number is all there is",
                   .open = open_number,
                   .component = "heddle-numbers"});
  EXPECT_THAT(taken_by("check", table), testing::EndsWith(", a number"));
  Listener nobody;
  const CheckResult result = check(open({.text = "7"}, table), {}, nobody);
  EXPECT_EQ(result.counters.states, 8u);
  EXPECT_EQ(result.counters.deadlocks, 1u);
  RunSettings lossy{.switches = {{"loss", "1"}}};
  EXPECT_THROW(open({.text = "7"}, table).instance(lossy), UsageError);
}

}  // namespace
}  // namespace heddle::run::doors_test
