// `heddle check --search dpor` from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CheckDpor : public ProgramTest {};

TEST_F(CheckDpor, AgreesWithTheOthersAndRemembersNothing) {
  for (const std::string kind : {"source", "optimal", "classic"}) {
    const Outcome run = heddle(
        {"check", "paxos", "-p", "acceptors=2", "--search", "dpor", "--dpor", kind, "--verify-reduction", "--json"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("reduction verified"));
    const auto json = run.json();
    EXPECT_EQ(json.at("search"), "dpor");
    EXPECT_EQ(json.at("store"), "none");
    EXPECT_EQ(json.at("states").as_int64(), 0);
    EXPECT_GT(json.at("nodes").as_int64(), 0);
    EXPECT_EQ(json.at("reductions"), boost::json::array{"partial order"});
    EXPECT_EQ(json.at("complete"), true);
  }
  const Outcome run = heddle({"check", "paxos", "-p", "acceptors=2", "--search", "dpor"});
  EXPECT_THAT(run.last_line(), StartsWith("holds: "));
  EXPECT_THAT(run.last_line(), HasSubstr(" nodes, "));
  EXPECT_THAT(run.last_line(), HasSubstr("source-DPOR: "));
}

TEST_F(CheckDpor, AViolationIsWrittenAndReplays) {
  const Outcome run = heddle({"check", "paxos", "--bug", "accept_always", "-p", "acceptors=1", "--search", "dpor"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("violated: agreement at depth 10"));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
}

TEST_F(CheckDpor, HistoriesAndRefinementAreChecked) {
  EXPECT_EQ(heddle({"check", "erroneous_register", "--search", "dpor", "--no-trace"}).code, 1);
  EXPECT_EQ(heddle({"check", "paxos", "-p", "acceptors=2", "--refines", "qtree", "--search", "dpor"}).code, 0);
}

TEST_F(CheckDpor, WhatWasCutOffIsUnknown) {
  const Outcome bounded = heddle({"check", "paxos", "--search", "dpor", "--depth", "5"});
  EXPECT_EQ(bounded.code, 2) << bounded.out;
  EXPECT_THAT(bounded.last_line(), HasSubstr("depth limit"));
  write("endless.net", "place here 1\nplace there\ntransition go: here -> there\ntransition back: there -> here\n");
  EXPECT_EQ(heddle({"check", "endless.net"}).code, 0);
  const Outcome endless = heddle({"check", "endless.net", "--search", "dpor"});
  EXPECT_EQ(endless.code, 2) << endless.out;
  EXPECT_THAT(endless.last_line(), HasSubstr("cycles"));
  EXPECT_EQ(heddle({"check", "endless.net", "--search", "dpor", "--depth", "50"}).code, 2);
}

TEST_F(CheckDpor, WhatItDoesNotGoTogetherWithIsNamed) {
  const auto error = [&](std::vector<std::string> more, const std::string& word) {
    more.insert(more.begin(), {"check", "paxos", "--search", "dpor"});
    const Outcome run = heddle(more);
    EXPECT_EQ(run.code, 3) << word;
    EXPECT_THAT(run.last_line(), HasSubstr(word));
  };
  error({"--reduce", "por"}, "--reduce");
  error({"--threads", "2"}, "--threads");
  error({"--store", "bitstate"}, "--store");
  error({"--spos"}, "--spos");
  error({"--dpor", "optmal"}, "optimal");
}

TEST_F(CheckDpor, OptionsWithoutEffectAreErrors) {
  const auto error = [&](std::vector<std::string> more, const std::string& words) {
    more.insert(more.begin(), {"check", "paxos"});
    const Outcome run = heddle(more);
    EXPECT_EQ(run.code, 3) << words;
    EXPECT_THAT(run.last_line(), HasSubstr(words));
  };
  error({"--dpor", "optimal"}, "--dpor says which one --search dpor is");
  for (const std::string search : {"dpor", "random"}) {
    error({"--search", search, "--split", "none"}, "--split is about the reduction por");
    error({"--search", search, "--por-start", "best"}, "--por-start is about the reduction por");
    error({"--search", search, "--no-net"}, "--no-net is about the reduction por");
  }
  for (const std::string store : {"exact", "none"}) {
    error({"--search", "dpor", "--store", store}, "--store does not apply to --search dpor");
  }
  error({"--search", "dpor", "--walks", "5"}, "--walks is about --search random");
  error({"--walk-length", "5"}, "--walk-length is about --search random");
  error({"--bitstate-memory", "1M"}, "--bitstate-memory is the size of --store bitstate");
}

}  // namespace
}  // namespace heddle::cli
