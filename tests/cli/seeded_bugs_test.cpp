// Every seeded bug of the nine consensus protocols from the command line, as a user meets it: exit code 1, a
// shortest run (the depths are own counts of unreduced breadth-first searches), the clause that failed with call,
// witness and the tree before and after, in the text, in the JSON and in the trace, and a replay that ends alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <set>

#include "cli/program.h"

namespace heddle::cli::seeded_bugs_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Seeded {
  std::string model, bug;
  std::string property, clause;  // of the tree; empty: it has nothing against this bug
  std::size_t depth = 0;
  std::vector<std::string> more = {};
  bool slow = false;
};
void PrintTo(const Seeded& s, std::ostream* out) { *out << s.model << " " << s.bug; }

const std::vector<std::string> any_order = {"--param", "schedule=any"};

// Where two clauses stand for one property, which of them fails first depends on the run that is found.
const std::vector<Seeded> table = {
    {"paxos", "accept_always", "P4", "extendsTrunk", 8},
    {"paxos", "learner_ignores_agreement", "P4", "not-ADDED", 11},
    {"paxos", "last_accepted", "P4", "extendsTrunk", 15, {}, true},
    {"flexible_paxos", "ignore_votes", "P4", "", 11},
    {"flexible_paxos", "first_responder", "P4", "", 11},
    {"flexible_paxos", "lowest_vote", "P4", "", 13, {}, true},
    {"flexible_paxos", "own_value", "P3a", "valueConstraint", 9},
    {"flexible_paxos", "amnesia", "P4", "", 11},
    {"flexible_paxos", "first_vote", "P4", "", 13, {}, true},
    {"flexible_paxos", "vote_always", "P4", "", 11},
    {"flexible_paxos", "join_older", "P3", "link", 9},
    {"flexible_paxos", "report_joined", "P3", "link", 6},
    {"flexible_paxos", "two_values", "P1", "newRound", 5},
    {"flexible_paxos", "votes_of_any_round", "P4", "", 12, {}, true},
    {"flexible_paxos", "small_q1", "P4", "", 9},
    {"flexible_paxos", "small_q2", "P4", "", 10},
    {"multi_paxos", "promise_per_slot", "P4", "", 9},
    {"multi_paxos", "no_first_phase", "P4", "", 7},
    {"multi_paxos", "first_slot_decides", "P3", "link", 11},
    {"multi_paxos", "report_first_slot", "P4", "", 17, {}, true},
    {"cheap_paxos", "shrunken_quorum", "P4", "", 10},
    {"stoppable_paxos", "execute_after_stop", "", "", 13},
    {"fast_paxos", "any_of_several", "P4", "extendsTrunk", 13, {}, true},
    {"fast_paxos", "free_of_several", "P4", "extendsTrunk", 13, {}, true},
    {"fast_paxos", "high_threshold", "P4", "extendsTrunk", 13, {}, true},
    {"fast_paxos", "small_system", "P4", "", 10},
    {"pbft", "small_join_quorum", "P1", "newRound", 2},
    {"pbft", "join_twice", "P1", "newRound", 4},
    {"pbft", "decide_early", "P4", "", 8},
    {"pbft", "empty_reports", "P4", "", 9},
    {"pbft", "forget_decided", "P4", "", 9},
    {"pbft", "first_vote", "P4", "", 15, any_order, true},
    {"pbft", "unchecked_proof", "P4", "", 9},
    {"pbft", "unchecked_certificate", "P3", "link", 4},
    {"pbft", "unchecked_value", "P3a", "valueConstraint", 6},
    {"pbft", "late_votes", "P4", "", 9},
    {"pbft", "first_number", "P4", "", 9},  // own search: like empty_reports, of all numbers but the first
    {"hotstuff", "small_quorum", "P1", "newRound", 2},
    {"hotstuff", "lock_by_block", "P4", "", 10},
    {"hotstuff", "never_lock", "P4", "", 10},
    {"hotstuff", "lock_parent", "P4", "", 10},
    {"hotstuff", "lock_inverted", "P4", "", 10},
    {"hotstuff", "decide_by_prevotes", "P4", "", 8},
    {"hotstuff", "two_phase_never_lock", "P4", "", 8},
    {"hotstuff", "late_votes", "P4", "", 10},
    {"hotstuff", "uncertified_parent", "P3", "link", 5},
    {"hotstuff", "forged_parent", "P3", "link", 4},
    {"hotstuff", "join_twice", "P1", "newRound", 4},
    {"hotstuff", "two_chain", "P4", "", 12},
    {"hotstuff", "chain_with_gaps", "P4", "", 17},
    {"raft", "commit_older_term", "P4", "not-ADDED", 10, {}, true},  // 12 with the election of the first leader
    {"raft", "no_up_to_date_test", "P4", "", 8, {}, true},
    {"raft", "vote_twice", "P1", "newRound", 6},
    {"raft", "follower_ignores_term", "P4", "", 8, {}, true},
    {"raft", "acknowledgement_of_any_length", "P4", "", 9, {}, true},
    {"raft", "no_length_test", "P4", "", 10, {}, true},
    {"raft", "one_vote_elects", "P1", "newRound", 4},
    {"raft", "up_to_date_by_length", "P4", "", 10, {}, true},
    {"raft", "volatile_vote", "P1", "newRound", 7},
};

const std::map<std::string, std::string> clause_of = {{"P1", "newRound"}, {"P3", "link"}, {"P3a", "valueConstraint"}};

class SeededBugs : public ProgramTest, public testing::WithParamInterface<Seeded> {
 protected:
  std::vector<std::string> check(std::vector<std::string> last) const {
    const Seeded& s = GetParam();
    std::vector<std::string> words = {"check", s.model, "--bug", s.bug, "--refines", "qtree"};
    words.insert(words.end(), s.more.begin(), s.more.end());
    words.insert(words.end(), last.begin(), last.end());
    return words;
  }
  static std::string text_of(const boost::json::value& v) {
    return v.is_string() ? std::string(v.as_string()) : boost::json::serialize(v);
  }
};

// A file of the working directory that ends in a call the tree rejects; empty if there is none.
std::string rejecting_trace(const fs::path& home, std::size_t depth) {
  for (const char* name : {"heddle-trace.json", "heddle-trace-2.json"}) {
    std::ifstream in(home / name);
    if (!in) continue;
    const auto trace = boost::json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
    const auto& steps = trace.at("steps").as_array();
    if (steps.size() != depth || trace.at("property").as_string() != "refines qtree") continue;
    const auto& calls = steps.back().at("calls").as_array();
    if (calls.back().at("answer").as_string() == "rejected") return name;
  }
  return "";
}

TEST_P(SeededBugs, AreFoundWithTheShortestRunAndTheClause) {
  const Seeded& s = GetParam();
  const Outcome text = heddle(check({"--width", "1000"}));  // sentences on one line
  ASSERT_EQ(text.code, 1) << text.out << text.err;
  EXPECT_THAT(text.last_line(), HasSubstr(" at depth " + std::to_string(s.depth)));
  if (s.property.empty()) {
    EXPECT_THAT(text.out, Not(HasSubstr("REJECTED")));
    EXPECT_THAT(text.out, Not(HasSubstr("ANNOTATION-SUSPECT")));
    EXPECT_THAT(text.out, HasSubstr("it is a matter of its own, qtree does not imply it"));
    return;
  }
  const std::string trace = rejecting_trace(home, s.depth);
  ASSERT_FALSE(trace.empty()) << text.out;

  const Outcome run = heddle(check({"--json"}));
  EXPECT_EQ(run.code, 1) << run.err;
  const boost::json::value json = run.json();
  const auto& refinement = json.at("refinement");
  EXPECT_EQ(refinement.at("verdict").as_string(), "violated");
  EXPECT_EQ(text_of(refinement.at("property")), s.property);
  const std::string clause = text_of(refinement.at("clause"));
  if (!s.clause.empty()) {
    EXPECT_EQ(clause, s.clause);
  }
  if (s.property == "P4") {
    EXPECT_TRUE(clause == "extendsTrunk" || clause == "not-ADDED") << clause;
  } else {
    EXPECT_EQ(clause, clause_of.at(s.property));
  }
  EXPECT_TRUE(refinement.at("class").is_null()) << "not asked for: " << text_of(refinement.at("class"));

  // What is said is about the run that is shown: the call with its answer, and the tree on both sides of it.
  const std::string call = text_of(refinement.at("call"));
  const std::string sentence =
      "✗ qtree rejects " + call + ": " + clause + " (" + s.property + "): " + text_of(refinement.at("witness")) + "\n";
  EXPECT_THAT(text.out, HasSubstr(sentence));
  EXPECT_THAT(text.out, HasSubstr("as calls on qtree\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("step +call +before +after\n"));

  const Outcome again = heddle({"replay", trace, "--width", "1000"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_THAT(again.last_line(), testing::StartsWith("violated: refines qtree at depth " + std::to_string(s.depth)));
  EXPECT_THAT(again.out, HasSubstr(sentence));
}

std::vector<Seeded> rows(bool slow) {
  std::vector<Seeded> out;
  for (const Seeded& s : table) {
    if (s.slow == slow) out.push_back(s);
  }
  return out;
}
std::string name_of(const testing::TestParamInfo<Seeded>& test) { return test.param.model + "_" + test.param.bug; }
INSTANTIATE_TEST_SUITE_P(Quick, SeededBugs, testing::ValuesIn(rows(false)), name_of);
INSTANTIATE_TEST_SUITE_P(Slow, SeededBugs, testing::ValuesIn(rows(true)), name_of);

// A bug that joins a model joins the table.
class AllSeededBugs : public ProgramTest {};
TEST_F(AllSeededBugs, AreInTheTable) {
  std::set<std::string> listed;
  for (const Seeded& s : table) listed.insert(s.model + " " + s.bug);
  for (const char* model : {"paxos", "multi_paxos", "flexible_paxos", "fast_paxos", "cheap_paxos", "stoppable_paxos",
                            "raft", "pbft", "hotstuff"}) {
    const boost::json::value shown = heddle({"models", model, "--json"}).json();
    for (const auto& bug : shown.at("bugs").as_array()) {
      const std::string name(bug.at("name").as_string()), property(bug.at("property").as_string());
      // Of clients' histories, and of a property that is wrong itself, the tree knows nothing.
      if (property == "linearizability" || name == "wrong_safety") continue;
      EXPECT_TRUE(listed.contains(std::string(model) + " " + name)) << model << " " << name;
    }
  }
}

}  // namespace
}  // namespace heddle::cli::seeded_bugs_test
