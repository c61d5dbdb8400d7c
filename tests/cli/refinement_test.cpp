// `heddle check --refines` from the outside: the closing line, the JSON object, the trace and its replay, classes, DOT,
// errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/program.h"

namespace heddle::cli::refinement_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Refines : public ProgramTest {
 protected:
  std::string content(const std::string& name) const {
    std::ifstream in(home / name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
};

TEST_F(Refines, PaxosHoldsAndSaysWhatWasCalled) {
  const Outcome run = heddle({"check", "paxos", "--refines", "qtree", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto json = run.json();
  const boost::json::object& r = json.at("refinement").as_object();
  EXPECT_EQ(r.at("object").as_string(), "qtree");
  EXPECT_EQ(r.at("spec").as_string(), "strict");
  EXPECT_EQ(r.at("verdict").as_string(), "holds");
  EXPECT_TRUE(r.at("clause").is_null());
  EXPECT_TRUE(r.at("class").is_null());
  for (const char* kind : {"adds", "commits", "ghosts", "stutters"}) {
    EXPECT_TRUE(r.at("counts").as_object().contains(kind)) << kind;
  }
  EXPECT_GT(r.at("counts").at("commits").as_int64(), 0);
  EXPECT_EQ(json.at("properties").as_array().back().at("name").as_string(), "refines qtree");
}

TEST_F(Refines, WithoutTheSwitchTheObjectIsNotMentioned) {
  const Outcome run = heddle({"check", "paxos", "--json"});
  EXPECT_FALSE(run.json().as_object().contains("refinement"));
}

TEST_F(Refines, AViolationNamesClauseCallAndWitnessAndReplays) {
  const Outcome run = heddle({"check", "flexible_paxos", "--bug", "ignore_votes", "--reduce", "none", "--tree-dot",
                              "tree.dot", "--classify", "--width", "400"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("violated: refines qtree at depth 11"));
  EXPECT_THAT(run.out, HasSubstr("REJECTED"));
  EXPECT_THAT(run.out, HasSubstr("(P4)"));
  EXPECT_THAT(run.out, HasSubstr("as calls on qtree"));
  EXPECT_THAT(run.out, HasSubstr("CONFIRMED: agreement is violated"));
  // What is said is about the run that is shown, after minimising, and said once.
  const std::size_t said = run.out.find("qtree rejects ");
  ASSERT_NE(said, std::string::npos) << run.out;
  const std::string call = run.out.substr(said + 14, run.out.find("): ", said) + 1 - said - 14);
  EXPECT_THAT(run.out, HasSubstr(call + " REJECTED"));
  EXPECT_EQ(run.out.find("rejects", said + 7), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("(P4)"), run.out.rfind("(P4)")) << run.out;
  EXPECT_THAT(run.out, Not(HasSubstr("refines qtree is violated")));
  EXPECT_THAT(content("heddle-trace.json"), HasSubstr("\"answer\": \"rejected\""));
  EXPECT_THAT(content("tree.dot"), HasSubstr("style=dashed"));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.last_line(), StartsWith("violated: refines qtree at depth 11"));
}

TEST_F(Refines, ABugThatNoPropertyOfTheModelShowsIsLatent) {
  const Outcome run = heddle({"check", "flexible_paxos", "--bug", "join_older", "--classify", "--json"});
  EXPECT_EQ(run.code, 1) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json.at("refinement").at("class").as_string(), "LATENT");
  EXPECT_EQ(json.at("refinement").at("property").as_string(), "P3");
  EXPECT_EQ(json.at("refinement").at("clause").as_string(), "link");
  const Outcome without = heddle({"check", "flexible_paxos", "--bug", "join_older", "--refines", "none"});
  EXPECT_EQ(without.code, 0) << without.out;
}

// The protocol is correct, its linearization points are not: the mapping fails where the invariants hold.
TEST_F(Refines, AWrongAnnotationOfACorrectProtocolIsSaidToBeOne) {
  const Outcome protocol = heddle({"check", "hotstuff"});
  EXPECT_EQ(protocol.code, 0) << protocol.out << protocol.err;
  const Outcome wrong = heddle({"check", "hotstuff", "--refines", "qtree", "--lp", "thesis", "--classify"});
  EXPECT_EQ(wrong.code, 1) << wrong.err;
  EXPECT_THAT(wrong.last_line(), StartsWith("violated: refines qtree at depth 7"));
  EXPECT_THAT(wrong.out,
              HasSubstr("\n✗ qtree rejects add(2, [1,1], 1): link (P3): its parent, round 1, was never added\n"));
  EXPECT_THAT(wrong.out, HasSubstr("ANNOTATION-SUSPECT: no run that goes on from here within these bounds violates "
                                   "agreement or validity; an earlier call is missing, so look first at the "
                                   "annotation: which step should have made it?"));
}

TEST_F(Refines, SlowAWrongAnnotationIsSuspectAndABlindOneToo) {
  const std::string model = R"(#include <heddle/heddle.h>
#include <heddle/qtree.h>
using namespace heddle;
struct Decider {
  int round = 0, value = 0;
  bool proposed = false, decided = false;
  void propose() { require(!proposed); proposed = true; }
  void decide() { require(proposed && !decided); decided = true; }
  static constexpr auto transitions = heddle::transitions<&Decider::propose, &Decider::decide>;
};
const Register model({.name = "decider", .summary = "decides",
  .parameters = {{"annotation", {"right", "no_add", "blind"}, "which"}, {"deciders", 1, 1, 2, "how many"},
                 {"implies", {"unsaid", "agreement", "nothing", "concord"}, "what"}},
  .build = [](Model& m) {
    m.add<Decider>(static_cast<std::size_t>(m.run()["deciders"]), [](std::size_t i) {
      return Decider{.round = static_cast<int>(i + 1), .value = static_cast<int>(i + 1)}; });
    m.always("agreement", [](const View& v) {
      int decided = 0;
      for (const Decider& d : v.all<Decider>()) decided += d.decided;
      return decided <= 1;
    });
    const bool blind = m.run().text("annotation") == "blind", no_add = m.run().text("annotation") == "no_add";
    auto tree = m.refines<QTree>("qtree");
    const std::string implied = m.run().text("implies");
    if (implied == "nothing") tree.implies({});
    else if (implied != "unsaid") tree.implies({implied});
    tree.at<&Decider::propose>([=](const Decider& d, QTreeCalls& tree) { if (!no_add && !blind) tree.add(d.round, d.value, 0); })
        .at<&Decider::decide>([=](const Decider& d, QTreeCalls& tree) { if (!blind) tree.commit(d.round); });
  }});
)";
  write("decider.cpp", model);
  const Outcome right = heddle({"check", "decider.cpp", "--refines", "qtree"});
  EXPECT_EQ(right.code, 0) << right.out << right.err;
  const Outcome wrong =
      heddle({"check", "decider.cpp", "--refines", "qtree", "--param", "annotation=no_add", "--classify", "--json"});
  EXPECT_EQ(wrong.code, 1) << wrong.err;
  EXPECT_EQ(wrong.json().at("refinement").at("class").as_string(), "ANNOTATION-SUSPECT");
  EXPECT_EQ(wrong.json().at("refinement").at("property").as_string(), "P2");
  EXPECT_THAT(std::string(wrong.json().at("refinement").at("advice").as_string()),
              HasSubstr("look first at the annotation"));
  const Outcome blind =
      heddle({"check", "decider.cpp", "--refines", "qtree", "--param", "annotation=blind", "--param", "deciders=2"});
  EXPECT_EQ(blind.code, 1) << blind.err;
  EXPECT_THAT(blind.out, HasSubstr("ANNOTATION-SUSPECT: agreement is violated although qtree accepted every call"));
  EXPECT_THAT(blind.out, HasSubstr("or agreement says more than the object: then name what it does imply"));
  const auto saying = [&](const std::string& implied) {
    return heddle({"check", "decider.cpp", "--refines", "qtree", "--param", "annotation=blind", "--param", "deciders=2",
                   "--param", "implies=" + implied});
  };
  EXPECT_THAT(saying("agreement").out, HasSubstr("ANNOTATION-SUSPECT: agreement is violated although"));
  EXPECT_THAT(saying("agreement").out, Not(HasSubstr("does not imply")));
  EXPECT_THAT(saying("nothing").out, HasSubstr("it is a matter of its own, qtree does not imply it"));
  EXPECT_THAT(saying("nothing").out, Not(HasSubstr("ANNOTATION-SUSPECT")));
  const Outcome misnamed = saying("concord");
  EXPECT_EQ(misnamed.code, 3) << misnamed.out;
  EXPECT_THAT(misnamed.last_line(), HasSubstr("said to imply 'concord'; it has no `always` property of that name"));
  const Outcome vacuous = heddle({"check", "decider.cpp", "--refines", "qtree", "--param", "annotation=blind"});
  EXPECT_EQ(vacuous.code, 0);
  EXPECT_THAT(vacuous.out, HasSubstr("warning: no step made a call on qtree"));
}

// A property of the model and the object can be violated in one run or in two, in either order.
TEST_F(Refines, SlowWhatAViolationMeansInEveryOrderOfEvents) {
  write("two.cpp", R"(#include <heddle/heddle.h>
#include <heddle/qtree.h>
using namespace heddle;
struct Left {
  int done = 0;
  void first() { require(done == 0); done = 1; }
  void second() { require(done == 1); done = 2; }
  static constexpr auto transitions = heddle::transitions<&Left::first, &Left::second>;
};
struct Right {
  int done = 0;
  void only() { require(done == 0); done = 1; }
  static constexpr auto transitions = heddle::transitions<&Right::only>;
};
const Register model({.name = "two", .summary = "two processes",
  .parameters = {{"what", {"call_first", "latent", "property_first", "same_step", "same_depth", "two_runs", "blind"}, "which"}},
  .build = [](Model& m) {
    m.add<Left>(1);
    m.add<Right>(1);
    const std::string what = m.run().text("what");
    m.always("sound", [=](const View& v) {
      const int left = v.all<Left>()[0].done, right = v.all<Right>()[0].done;
      if (what == "call_first") return left < 2 || right < 1;
      if (what == "property_first") return left < 1;
      if (what == "same_step" || what == "blind") return left < 2;
      if (what == "same_depth" || what == "two_runs") return right < 1 || left > 0;
      return true;
    });
    m.refines<QTree>("qtree")
        .at<&Left::first>([=](const Left&, QTreeCalls& tree) {
          if (what == "same_depth" || what == "two_runs") tree.commit(9);
          tree.add(1, 1, 0);
        })
        .at<&Left::second>([=](const Left&, QTreeCalls& tree) { if (what != "blind") tree.add(1, 2, 0); })
        .at<&Right::only>([=](const Right&, QTreeCalls& tree) { if (what == "two_runs") tree.commit(8); });
  }});
)");
  const auto said = [&](const std::string& what, bool classify) {
    std::vector<std::string> arguments{"check",   "two.cpp",      "--refines", "qtree",
                                       "--param", "what=" + what, "--reduce",  "none"};
    if (classify) arguments.emplace_back("--classify");
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    std::string text = "# " + what + (classify ? " --classify" : "") + "\n";
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
      for (const char* start : {"✗ qtree rejects", "CONFIRMED", "LATENT", "ANNOTATION", "also:", "warning:"}) {
        if (line.starts_with(start)) text += line + "\n";
      }
    }
    const std::string last = run.last_line();
    return text + last.substr(0, last.find(';')) + "\n";
  };
  std::string all;
  for (const char* what : {"call_first", "latent", "property_first", "same_step", "same_depth", "two_runs", "blind"}) {
    all += said(what, true);
  }
  for (const char* what : {"property_first", "same_depth"}) all += said(what, false);
  expect_golden("refinement_classes", all);
  // The class in the JSON object is that of the rejected call, whatever happens elsewhere.
  const auto json = heddle({"check", "two.cpp", "--refines", "qtree", "--param", "what=same_depth", "--reduce", "none",
                            "--classify", "--json"})
                        .json();
  EXPECT_EQ(json.at("refinement").at("class").as_string(), "ANNOTATION-SUSPECT");
  EXPECT_EQ(json.at("refinement").at("property").as_string(), "P2");
  ASSERT_EQ(json.at("refinement").at("notes").as_array().size(), 1u);
}

TEST_F(Refines, AnAuditIncludesTheObject) {
  const Outcome run = heddle({"audit", "paxos", "-p", "acceptors=2", "--refines", "qtree"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("qtree is part of every state; different calls on it: "));
  EXPECT_THAT(run.out, HasSubstr("adds"));
  const Outcome without = heddle({"audit", "paxos", "-p", "acceptors=2"});
  EXPECT_THAT(without.out, Not(HasSubstr("qtree")));
}

TEST_F(Refines, WhatDoesNotExistIsAnErrorThatNamesWhatDoes) {
  const auto last = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"check"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, 3) << run.out;
    return run.last_line();
  };
  EXPECT_THAT(last({"paxos", "--refines", "queue"}), HasSubstr("it refines: qtree"));
  EXPECT_THAT(last({"two_phase_commit", "--refines", "qtree"}), HasSubstr("it refines: none"));
  EXPECT_THAT(last({"paxos", "--refines", "qtree", "--spec", "loose"}), HasSubstr("no variant 'loose'"));
  EXPECT_THAT(last({"paxos", "--refines", "qtree", "--lp", "mine"}), HasSubstr("corrected, thesis, search"));
  EXPECT_THAT(last({"paxos", "--refines", "qtree", "--lp", "search"}), HasSubstr("names no candidate calls"));
  EXPECT_THAT(last({"paxos", "--spec", "literal"}), HasSubstr("--refines"));
  EXPECT_THAT(last({"paxos", "--classify"}), HasSubstr("--refines"));
}

TEST_F(Refines, TheLiteralSpecificationIsRecorded) {
  const Outcome run = heddle({"check", "paxos", "--refines", "qtree", "--spec", "literal", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json().at("refinement").at("spec").as_string(), "literal");
  EXPECT_EQ(run.json().at("options").at("spec").as_string(), "literal");
}

}  // namespace
}  // namespace heddle::cli::refinement_test
