// PBFT (Castro, Liskov: Practical Byzantine Fault Tolerance, OSDI 1999), one sequence number, in the words of Cirisci's
// thesis (2023): in a round (view) correct processes JOIN (prepare) one value, VOTE (commit) for it once a quorum
// joined, and DECIDE it once a quorum voted. To change the round is to report one's highest vote with its certificate;
// a leader proposes the highest of a quorum of reports, any value if there is none, with the reports as proof.
//
// Only correct processes have state. The Byzantine ones, all leaders among them, are the strongest there can be: they
// sign anything at any time, so a certificate can be formed iff quorum-f correct processes signed, and a leader
// proposes whatever a receiver lets pass. The network is a board of signatures that only grows. A step is one message
// signed by a correct process, its change to the next round, or its decision. history=kept: it also keeps all it did,
// which nobody looks at; the digest's counts do.
// schedule=closed: nobody does anything in a round that somebody has left, nor before all are there. What is done in a
// round depends on what was signed in this round and earlier ones only, and more of it never hinders, so every run can
// be rearranged to such a one with the same decisions (rounds are communication-closed; Elrad and Francez 1982).
// `agreement`: correct processes decide one value; `validity`: one of those that clients have. Corrections to the
// thesis: the proof holds all reports, not only votes; a certified value counts as soon as the certificate can be
// formed. Left out: checkpoints, several sequence numbers, clients.
#include <heddle/heddle.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

using namespace heddle;

// A value in a round; round 0: none.
struct Ballot {
  int round = 0, value = 0;
  auto operator<=>(const Ballot&) const = default;
};
// What a process joins, and the round of the vote that justifies it.
struct Proposal {
  int value = 0, justified_by = 0;
  auto operator<=>(const Proposal&) const = default;
};

int correct(const Run& run) { return static_cast<int>(run["n"] - run["f"]); }
// Signatures of correct processes that make a certificate; those of Byzantine ones are free.
int needed(const Run& run) { return static_cast<int>(run["quorum"] - run["f"]); }
int needed_joins(const Run& run) { return needed(run) - (run.bug("small_join_quorum") ? 1 : 0); }
int needed_votes(const Run& run) { return needed(run) - (run.bug("decide_early") ? 1 : 0); }

// How many correct processes have signed what, up to what a certificate needs.
struct Board {
  struct Joined {
    int signatures = 0;
    int justified_by = 0;  // the highest, when a certificate could be formed first
  };
  std::map<Ballot, Joined> joins;
  std::map<Ballot, int> votes;
  std::map<int, std::map<Ballot, int>> reports;  // by the round that was entered
  std::vector<int> left;                         // how many have left round 1, 2, ...
  std::set<int> decided;                         // values

  void join(const Ballot& b, int justified_by, const Run& run) {
    Joined& j = joins[b];
    if (j.signatures == needed_joins(run)) return;
    ++j.signatures;
    j.justified_by = std::max(j.justified_by, justified_by);
  }
  bool certified(const Ballot& b, const Run& run) const {
    const auto found = joins.find(b);
    return found != joins.end() && found->second.signatures == needed_joins(run);
  }
  // What nobody can need any more is taken off: when all have left a round, certificates of joins remain of it.
  void tidy(const Run& run) {
    if (run.bug("late_votes") || run.text("decide") == "any_time") return;
    const auto over = std::count(left.begin(), left.end(), correct(run));
    std::erase_if(joins, [&](const auto& e) { return e.first.round <= over && !certified(e.first, run); });
    std::erase_if(votes, [&](const auto& e) { return e.first.round <= over; });
    std::erase_if(reports, [&](const auto& e) { return e.first <= over; });
  }
};

struct Deed {
  enum class What { join, vote, decide } what;
  int round;
  Proposal proposal;
  auto operator<=>(const Deed&) const = default;
};

struct Replica {
  int round = 1;
  Ballot highest;                     // vote so far
  std::set<int> joined;               // values in this round
  std::set<int> voted;                // rounds
  std::map<int, int> decided;         // by round
  Auxiliary<std::set<Deed>> history;  // all it has done, if kept

  void change_round(const Run& run, Ghost<Board>& board, Timeout) {
    require(round < run["rounds"]);
    board->left.resize(std::max(board->left.size(), static_cast<std::size_t>(round)));
    ++board->left[static_cast<std::size_t>(round - 1)];
    ++round;
    joined.clear();
    if (!run.bug("late_votes")) voted.clear();
    if (run.text("decide") == "in_its_round") decided.clear();
    ++board->reports[round][run.bug("empty_reports") ? Ballot{} : highest];
    board->tidy(run);
  }

  void join(const Run& run, Choice choose, Ghost<Board>& board) {
    require(in_time(round, *board, run));
    std::set<Proposal> options = proposals(*board, run);
    std::erase_if(
        options, [&](const Proposal& p) { return run.bug("join_twice") ? joined.contains(p.value) : !joined.empty(); });
    const Proposal p = choose.from(options);
    joined.insert(p.value);
    board->join({round, p.value}, p.justified_by, run);
    note({Deed::What::join, round, p}, run);
  }
  // What a leader can justify to this process: the highest vote of quorum-f correct reports and f Byzantine ones, which
  // may hold any certificate that can be formed.
  std::set<Proposal> proposals(const Board& board, const Run& run) const {
    std::set<Proposal> all;
    const auto any_value = [&](int justified_by) {
      for (int value = 1; value <= run["values"]; ++value) all.insert({value, justified_by});
    };
    if (round == 1) {
      any_value(0);
      return all;
    }
    const auto& reports = board.reports.at(round);
    const int enough = run.bug("unchecked_proof") ? 0 : needed(run);
    const auto reports_up_to = [&](int highest_round) {
      int sum = 0;
      for (const auto& [report, count] : reports) sum += report.round <= highest_round ? count : 0;
      return sum;
    };
    for (const auto& [report, count] : reports) {
      if (reports_up_to(report.round) < enough) continue;
      all.insert({report.value, report.round});
      if (run.bug("unchecked_value")) any_value(report.round);
    }
    if (reports_up_to(0) >= enough) any_value(0);
    std::erase_if(all, [](const Proposal& p) { return p.value == 0; });
    for (int r = 1; r < round && run["f"] > 0; ++r) {
      for (int value = 1; value <= run["values"] && reports_up_to(r - 1) >= enough; ++value) {
        if (!board.certified({r, value}, run) && !run.bug("unchecked_certificate")) continue;
        all.insert({value, r});
        if (run.bug("unchecked_value")) any_value(r);
      }
    }
    return all;
  }

  void vote(const Run& run, Choice choose, Ghost<Board>& board) {
    std::vector<Ballot> options;
    for (const auto& entry : board->joins) {
      const Ballot& b = entry.first;
      const bool timely = in_time(b.round, *board, run) || (run.bug("late_votes") && b.round < round);
      if (timely && board->certified(b, run) && !voted.contains(b.round)) options.push_back(b);
    }
    const Ballot b = choose.from(options);
    voted.insert(b.round);
    if (!run.bug("first_vote") || highest.round == 0) highest = std::max(highest, b);
    board->votes[b] = std::min(board->votes[b] + 1, needed_votes(run));
    note({Deed::What::vote, b.round, {b.value}}, run);
  }
  void decide(const Run& run, Choice choose, Ghost<Board>& board) {
    std::vector<Ballot> options;
    for (const auto& [b, count] : board->votes) {
      const bool timely = in_time(b.round, *board, run) || (run.text("decide") == "any_time" && b.round < round);
      if (timely && board->certified(b, run) && count == needed_votes(run) && !decided.contains(b.round)) {
        options.push_back(b);
      }
    }
    const Ballot b = choose.from(options);
    decided[b.round] = b.value;
    board->decided.insert(b.value);
    if (run.bug("forget_decided")) highest = {};
    note({Deed::What::decide, b.round, {b.value}}, run);
  }
  bool in_time(int r, const Board& board, const Run& run) const {
    if (r != round || run.text("schedule") == "any") return r == round;
    return board.left.size() + 1 == static_cast<std::size_t>(r) &&
           std::ranges::count(board.left, correct(run)) == r - 1;
  }
  void note(const Deed& deed, const Run& run) {
    if (run.text("history") == "dropped") return;
    history.update([](auto& all, const Deed& d) { all.insert(d); }, deed);
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::change_round, &Replica::join, &Replica::vote, &Replica::decide>;
};

const Register pbft({
    .name = "pbft",
    .summary = "PBFT with changes of the view, against Byzantine processes and leaders",
    .parameters = {{"n", 4, 1, 16, "processes"},
                   {"f", 1, 0, 8, "Byzantine ones among them"},
                   {"rounds", 2, 1, 9, "rounds (views)"},
                   {"values", 2, 1, 9, "values of clients"},
                   {"quorum", 3, 1, 16, "signatures of a certificate"},
                   {"decide", {"in_its_round", "any_time"}, "a process decides in the round it is in, or also later"},
                   {"schedule", {"any", "closed"}, "any, or all in one round at a time"},
                   {"history", {"dropped", "kept"}, "whether processes keep all they did"}},
    .bugs = {{"small_join_quorum", "agreement", {}, "one signature fewer is enough to vote"},
             {"join_twice", "agreement", {}, "a process joins several values in a round"},
             {"decide_early", "agreement", {}, "one vote fewer is enough to decide"},
             {"empty_reports", "agreement", {}, "processes that change the round do not report votes"},
             {"forget_decided", "agreement", {}, "who has decided reports no vote"},
             {"first_vote",
              "refines qtree",
              {{"rounds", "3"}, {"values", "1"}, {"schedule", "closed"}},
              "processes report their first vote, not the highest; needs three rounds"},
             {"unchecked_proof", "agreement", {}, "a proposal needs no quorum of reports"},
             {"unchecked_certificate",
              "refines qtree",
              {},
              "a reported vote needs no certificate; disagreement takes three rounds"},
             {"unchecked_value", "agreement", {}, "the value is not compared with the highest vote"},
             {"late_votes", "agreement", {}, "processes vote in rounds they have left"}},
    .expected = {{{{"history", "kept"}}, 186008, 589818, 2232, "digest prototype"}},
    .build =
        [](Model& m) {
          if (needed(m.run()) < 1) throw std::invalid_argument("pbft: quorum must be larger than f");
          m.ghost<Board>();
          m.add<Replica>(static_cast<std::size_t>(correct(m.run())));
          m.always("agreement", [](const View& v) { return v.ghost<Board>().decided.size() <= 1; });
          m.always("validity", [](const View& v) {
            return std::ranges::all_of(v.ghost<Board>().decided,
                                       [&](int value) { return value >= 1 && value <= v.run()["values"]; });
          });

          // A value is added when its joins can be certified (as printed: when a correct process votes for it, which is
          // too late if only Byzantine processes have the certificate), committed when a correct process decides it.
          QTree tree;
          for (long v = 1; v <= m.run()["values"]; ++v) tree.clients.push_back(v);
          m.refines<QTree>("qtree", tree)
              .implies({"agreement", "validity"})
              .at<&Replica::join>([](const View& before, const View& after, QTreeCalls& calls) {
                require(!calls.thesis());
                const auto then = before.ghost<Board>(), now = after.ghost<Board>();
                for (const auto& [b, joined] : now.joins) {
                  if (!now.certified(b, after.run()) || then.certified(b, after.run())) continue;
                  calls.add(b.round, b.value, joined.justified_by);
                }
              })
              .at<&Replica::vote>([](const View& before, const View& after, QTreeCalls& calls) {
                require(calls.thesis());
                const auto then = before.ghost<Board>(), now = after.ghost<Board>();
                for (const auto& [b, count] : now.votes) {
                  if (!then.votes.contains(b)) calls.add(b.round, b.value, now.joins.at(b).justified_by);
                }
              })
              .at<&Replica::decide>([](const Replica& before, const Replica& after, QTreeCalls& calls) {
                for (const auto& [round, value] : after.decided) {
                  if (before.decided.contains(round)) continue;
                  calls.commit(round, Repeat::once);
                  calls.decided(round, value);
                }
              });
        },
});

}  // namespace
