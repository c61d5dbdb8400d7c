// The small parsers behind the options, and the verdict of a search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/errors.h"
#include "run/findings.h"
#include "run/quantities.h"
#include "run/suggestions.h"
#include "run/switches.h"

namespace heddle::run::parsing_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Quantities, Durations) {
  EXPECT_EQ(parse_seconds("90", "--time"), 90);
  EXPECT_EQ(parse_seconds("1.5h", "--time"), 5400);
  EXPECT_EQ(parse_seconds("5m", "--time"), 300);
  for (const char* text : {"", "m", "-1", "5 m", "5x", "nan", "inf", "1e"})
    EXPECT_THROW(parse_seconds(text, "--time"), UsageError) << text;
}

TEST(Quantities, Memory) {
  EXPECT_EQ(parse_bytes("1024", "--memory"), 1024u);
  EXPECT_EQ(parse_bytes("2G", "--memory"), std::size_t{2} << 30);
  EXPECT_EQ(parse_bytes("0.5KiB", "--memory"), 512u);
  EXPECT_EQ(parse_bytes("512MB", "--memory"), std::size_t{512} << 20);
  for (const char* text : {"", "G", "-1G", "2Q", "99999999T"})
    EXPECT_THROW(parse_bytes(text, "--memory"), UsageError) << text;
}

TEST(Suggestions, AreClose) {
  const std::vector<std::string> names = {"paxos", "two_phase_commit", "storage", "abd_register"};
  EXPECT_THAT(nearest("paxso", names), ElementsAre("paxos"));
  EXPECT_THAT(nearest("register", names), ElementsAre("abd_register"));
  EXPECT_THAT(nearest("xyz", names), IsEmpty());
  EXPECT_EQ(did_you_mean("storag", names), "; did you mean storage?");
}

Definition empty_definition() {
  return {.name = "empty", .summary = "", .build = [](Model&) {}};
}

TEST(Switches, OverrideTheModelAndAreRecorded) {
  Model model(empty_definition());
  model.network.order = Network::Order::Soup;
  const Switches given = {{"network", "multiset"}, {"loss", "2"}, {"byzantine", "A=1,B=2"}, {"recovery", "true"}};
  apply_switches(model, given);
  EXPECT_EQ(model.network.order, Network::Order::Multiset);
  EXPECT_EQ(model.network.losses, 2u);
  EXPECT_EQ(model.faults.byzantine.at("B"), 2u);
  // All of them, also the one that equals the plain default, for the model's own default is another.
  EXPECT_EQ(effective_switches(model, given), given);
}

TEST(Switches, TheModelsOwnAreRecordedToo) {
  Model model(empty_definition());
  model.network.order = Network::Order::Fifo;
  model.faults.crashes = 1;
  EXPECT_EQ(effective_switches(model, {}), (Switches{{"crashes", "1"}, {"network", "fifo"}}));
  model.network.order = Network::Order::Multiset;
  EXPECT_EQ(effective_switches(model, {}), (Switches{{"crashes", "1"}, {"network", "multiset"}}));  // the default, too
}

TEST(Switches, CrashesOfAllOrOfRoles) {
  Model model(empty_definition());
  model.faults.crashes = 2;
  apply_switches(model, {{"crashes", "Server=1,Client=3"}});
  EXPECT_EQ(model.faults.crashes, 0u);
  EXPECT_EQ(model.faults.crashes_of, (std::map<std::string, unsigned>{{"Client", 3}, {"Server", 1}}));
  EXPECT_EQ(effective_switches(model, {}), (Switches{{"crashes", "Client=3,Server=1"}, {"network", "multiset"}}));
  apply_switches(model, effective_switches(model, {}));
  EXPECT_EQ(model.faults.crashes_of.size(), 2u);
  apply_switches(model, {{"crashes", "1"}});
  EXPECT_EQ(model.faults.crashes, 1u);
  EXPECT_TRUE(model.faults.crashes_of.empty());
  // Without crashes a model's own recovery has no meaning.
  model.faults.recovery = true;
  apply_switches(model, {{"crashes", "0"}});
  EXPECT_FALSE(model.faults.recovery);
}

TEST(Switches, BadValuesAreErrors) {
  for (const Switches& bad : {Switches{{"network", "postal"}},
                              {{"loss", "-1"}},
                              {{"loss", "many"}},
                              {{"byzantine", "A"}},
                              {{"traffic", "jam"}},
                              {{"when-full", "explode"}},
                              {{"when-full", "block"}},
                              {{"crashes", "1,Server=1"}},
                              {{"crashes", "Server="}},
                              {{"crashes", "1,2"}},
                              {{"recovery", "maybe"}},
                              {{"weather", "fine"}}}) {
    Model model(empty_definition());
    EXPECT_THROW(apply_switches(model, bad), UsageError) << bad.begin()->first;
  }
}

TEST(Verdicts, NothingIncompleteHolds) {
  SearchResult result;
  EXPECT_EQ(verdict_of(result), Verdict::Unknown);
  result.unreached = {0};
  EXPECT_EQ(verdict_of(result), Verdict::Unknown);
  result.complete = true;
  EXPECT_EQ(verdict_of(result), Verdict::Violated);
  result.unreached.clear();
  EXPECT_EQ(verdict_of(result), Verdict::Holds);
  result.complete = false;
  result.violations.push_back({});
  EXPECT_EQ(verdict_of(result), Verdict::Violated);
}

}  // namespace
}  // namespace heddle::run::parsing_test
