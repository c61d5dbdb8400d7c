// PBFT (Castro, Liskov: Practical Byzantine Fault Tolerance, OSDI 1999), in the words of Cirisci's thesis (2022):
// in a round (view) correct processes JOIN (prepare) one value for each sequence number, VOTE (commit) for it
// once a quorum joined, and DECIDE it once a quorum voted. A process that enters another round reports its
// highest votes with their certificates. A leader proposes the highest vote of a quorum of reports, or any value
// if there is none, with the reports as proof.
//
// Only correct processes have state. The Byzantine ones are as strong as possible: they sign anything at any
// time, so a certificate can be formed iff quorum-f correct processes signed. The network is a board of
// signatures that only grows. A step is one message signed by a correct process, its change to the next round, or
// its decision.
// leaders=adversarial: all leaders are Byzantine, and propose to each process whatever it accepts.
// leaders=explicit: leader(r) = r mod n. A correct leader is a process that proposes once for each sequence
// number, and only its proposal can be joined. It chooses from what the strongest leader could have justified, so
// adversarial leaders reach all states.
// history=kept: processes also keep all they did. Nothing reads it, but the expected counts below include it.
// schedule=closed: nobody acts in a round that somebody has left, nor before all are there. What is done in a
// round depends only on what was signed in this round and earlier ones, and more signatures never hinder. So
// every run can be rearranged to such a run with the same decisions (rounds are communication-closed; Elrad and
// Francez 1982).
// `agreement`: correct processes decide one value. `validity`: it is a value that clients have. Corrections to
// the thesis: the proof holds all reports, not only votes; a certified value counts as soon as the certificate
// can be formed. Checkpoints and clients are left out.
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace heddle;

// A value for a sequence number in a round; round 0 means none.
struct Ballot {
  int number = 1, round = 0, value = 0;
  auto operator<=>(const Ballot&) const = default;
};
// What a process joins, and the round of the vote that justifies it.
struct Proposal {
  int number = 1, value = 0, justified_by = 0;
  auto operator<=>(const Proposal&) const = default;
};

int correct(const Run& run) { return static_cast<int>(run["n"] - run["f"]); }
// Returns whether a Byzantine process leads the round: in every round, or in f consecutive ones of every n.
bool led_by_byzantine(int round, const Run& run) {
  if (run.text("leaders") == "adversarial") return true;
  const auto n = static_cast<int>(run["n"]), first = static_cast<int>(run["byzantine_round"]);
  return ((round - first) % n + n) % n < run["f"];
}
// Returns how many signatures of correct processes make a certificate; those of Byzantine ones are free.
int needed(const Run& run) { return static_cast<int>(run["quorum"] - run["f"]); }
int needed_joins(const Run& run) { return needed(run) - (run.bug("small_join_quorum") ? 1 : 0); }
int needed_votes(const Run& run) { return needed(run) - (run.bug("decide_early") ? 1 : 0); }

// Counts how many correct processes have signed what, up to the number that a certificate needs.
struct Board {
  struct Joined {
    int signatures = 0;
    int justified_by = 0;  // the highest at the time when a certificate could first be formed
  };
  std::map<Ballot, Joined> joins;
  std::map<Ballot, int> votes;
  std::map<int, std::map<Ballot, int>> reports;  // by the round entered
  std::vector<int> left;                         // how many have left round 1, 2, ...
  std::set<std::pair<int, int>> decided;         // sequence numbers and values
  std::map<int, std::set<Proposal>> proposals;   // of correct leaders, by round

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
  // Returns what a leader can justify: for each sequence number, the highest vote of quorum-f correct reports and
  // f Byzantine ones. The latter may contain any certificate that can be formed. A Byzantine leader also exploits
  // what receivers do not check.
  std::set<Proposal> justified(int round, const Run& run) const {
    std::set<Proposal> all;
    const bool honest = !led_by_byzantine(round, run);
    const auto unchecked = [&](const char* what) { return !honest && run.bug(what); };
    for (int number = 1; number <= run["sequence_numbers"]; ++number) {
      const auto any_value = [&](int justified_by) {
        for (int value = 1; value <= run["values"]; ++value) all.insert({number, value, justified_by});
      };
      if (round == 1) {
        any_value(0);
        continue;
      }
      const auto entered = reports.find(round);
      if (entered == reports.end()) continue;
      const int enough = unchecked("unchecked_proof") ? 0 : needed(run);
      const auto reports_up_to = [&](int highest_round) {
        int sum = 0;
        for (const auto& [report, count] : entered->second) {
          sum += report.number == number && report.round <= highest_round ? count : 0;
        }
        return sum;
      };
      for (const auto& [report, count] : entered->second) {
        if (report.number != number || report.round == 0 || reports_up_to(report.round) < enough) continue;
        all.insert({number, report.value, report.round});
        if (unchecked("unchecked_value")) any_value(report.round);
      }
      if (reports_up_to(0) >= enough) any_value(0);
      for (int r = 1; r < round && run["f"] > 0; ++r) {
        for (int value = 1; value <= run["values"] && reports_up_to(r - 1) >= enough; ++value) {
          if (!certified({number, r, value}, run) && !unchecked("unchecked_certificate")) continue;
          all.insert({number, value, r});
          if (unchecked("unchecked_value")) any_value(r);
        }
      }
    }
    return all;
  }
  // Returns whether processes may act in the round.
  bool open(int round, const Run& run) const {
    if (run.text("schedule") == "any") return true;
    return std::cmp_equal(left.size() + 1, round) && std::ranges::count(left, correct(run)) == round - 1;
  }
  // Removes what nobody can need again: when all have left a round, only its certificates of joins remain.
  void tidy(const Run& run) {
    if (run.bug("late_votes") || run.text("decide") == "any_time") return;
    const auto over = std::count(left.begin(), left.end(), correct(run));
    std::erase_if(joins, [&](const auto& e) { return e.first.round <= over && !certified(e.first, run); });
    std::erase_if(votes, [&](const auto& e) { return e.first.round <= over; });
    std::erase_if(reports, [&](const auto& e) { return e.first <= over; });
    std::erase_if(proposals, [&](const auto& e) { return e.first <= over; });
  }
};

struct Deed {
  enum class What { join, vote, decide } what;
  int round;
  Proposal proposal;
  auto operator<=>(const Deed&) const = default;
};

// A correct leader of one round.
struct Leader {
  int round;

  void propose(const Run& run, Choice choose, Ghost<Board>& board) {
    require(board->open(round, run));
    require(std::cmp_less(board->left.size(), round) ||
            board->left[static_cast<std::size_t>(round - 1)] < correct(run));  // somebody may still listen
    std::set<Proposal> options = board->justified(round, run);
    auto& proposed = board->proposals[round];
    std::erase_if(options, [&](const Proposal& p) {
      return std::ranges::any_of(proposed, [&](const Proposal& old) { return old.number == p.number; });
    });
    proposed.insert(choose.from(options));
  }
  static constexpr auto transitions = heddle::transitions<&Leader::propose>;
};

struct Replica {
  int round = 1;
  std::map<int, Ballot> highest;               // its highest vote so far, by sequence number
  std::set<std::pair<int, int>> joined;        // (sequence number, value) in this round
  std::set<std::pair<int, int>> voted;         // (round, sequence number)
  std::map<std::pair<int, int>, int> decided;  // by round and sequence number
  Auxiliary<std::set<Deed>> history;           // all it has done, if kept

  void change_round(const Run& run, Ghost<Board>& board, Timeout) {
    require(round < run["rounds"]);
    board->left.resize(std::max(board->left.size(), static_cast<std::size_t>(round)));
    ++board->left[static_cast<std::size_t>(round - 1)];
    ++round;
    joined.clear();
    if (!run.bug("late_votes")) voted.clear();
    if (run.text("decide") == "in_its_round") decided.clear();
    for (int number = 1; number <= run["sequence_numbers"]; ++number) {
      const auto vote = highest.find(number);
      const bool silent = run.bug("empty_reports") || (run.bug("first_number") && number > 1) || vote == highest.end();
      ++board->reports[round][silent ? Ballot{number} : vote->second];
    }
    board->tidy(run);
  }

  void join(const Run& run, Choice choose, Ghost<Board>& board) {
    require(in_time(round, *board, run));
    std::set<Proposal> options = led_by_byzantine(round, run) ? board->justified(round, run) : board->proposals[round];
    std::erase_if(options, [&](const Proposal& p) {
      return run.bug("join_twice") ? joined.contains({p.number, p.value})
                                   : std::ranges::any_of(joined, [&](const auto& j) { return j.first == p.number; });
    });
    const Proposal p = choose.from(options);
    joined.insert({p.number, p.value});
    board->join({p.number, round, p.value}, p.justified_by, run);
    note({Deed::What::join, round, p}, run);
  }

  void vote(const Run& run, Choice choose, Ghost<Board>& board) {
    std::vector<Ballot> options;
    for (const auto& entry : board->joins) {
      const Ballot& b = entry.first;
      const bool timely = in_time(b.round, *board, run) || (run.bug("late_votes") && b.round < round);
      if (timely && board->certified(b, run) && !voted.contains({b.round, b.number})) options.push_back(b);
    }
    const Ballot b = choose.from(options);
    voted.insert({b.round, b.number});
    if (const auto old = highest.find(b.number); old == highest.end()) {
      highest[b.number] = b;
    } else if (!run.bug("first_vote")) {
      old->second = std::max(old->second, b);
    }
    board->votes[b] = std::min(board->votes[b] + 1, needed_votes(run));
    note({Deed::What::vote, b.round, {b.number, b.value}}, run);
  }
  void decide(const Run& run, Choice choose, Ghost<Board>& board) {
    std::vector<Ballot> options;
    for (const auto& [b, count] : board->votes) {
      const bool timely = in_time(b.round, *board, run) || (run.text("decide") == "any_time" && b.round < round);
      if (timely && board->certified(b, run) && count == needed_votes(run) && !decided.contains({b.round, b.number})) {
        options.push_back(b);
      }
    }
    const Ballot b = choose.from(options);
    decided[{b.round, b.number}] = b.value;
    board->decided.insert({b.number, b.value});
    if (run.bug("forget_decided")) highest.erase(b.number);
    note({Deed::What::decide, b.round, {b.number, b.value}}, run);
  }
  bool in_time(int r, const Board& board, const Run& run) const { return r == round && board.open(r, run); }
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
                   {"history", {"dropped", "kept"}, "whether processes keep all they did"},
                   {"sequence_numbers", 1, 1, 9, "places in the log, each decided for itself"},
                   {"leaders", {"adversarial", "explicit"}, "all Byzantine, or correct ones as processes"},
                   {"byzantine_round", 1, 1, 16,
                    "explicit: the first of the f rounds in a row that Byzantine ones lead"}},
    .bugs = {{"small_join_quorum", "agreement", {}, "one signature fewer is enough to vote"},
             {"join_twice", "agreement", {}, "a process joins several values in a round"},
             {"decide_early", "agreement", {}, "one vote fewer is enough to decide"},
             {"empty_reports", "agreement", {}, "processes that change the round do not report votes"},
             {"forget_decided", "agreement", {}, "who has decided reports no vote"},
             {"first_vote",
              "refines qtree",
              {{"rounds", "3"}, {"values", "1"}, {"schedule", "closed"}},
              "processes report their first vote, not the highest; needs three rounds"},
             {"first_number",
              "agreement",
              {{"n", "3"}, {"quorum", "3"}, {"sequence_numbers", "2"}},
              "processes report their vote for the first sequence number only"},
             {"unchecked_proof", "agreement", {}, "a proposal needs no quorum of reports"},
             {"unchecked_certificate",
              "refines qtree",
              {},
              "a reported vote needs no certificate; disagreement takes three rounds"},
             {"unchecked_value", "agreement", {}, "the value is not compared with the highest vote"},
             {"late_votes", "agreement", {}, "processes vote in rounds they have left"}},
    .expected = {{{{"history", "kept"}}, 186008, 589818, 2232, "own count"}},
    .build =
        [](Model& m) {
          if (needed(m.run()) < 1) throw std::invalid_argument("pbft: quorum must be larger than f");
          m.ghost<Board>();
          m.add<Replica>(static_cast<std::size_t>(correct(m.run())));
          std::vector<int> led;  // rounds with a correct leader
          for (int r = 1; r <= m.run()["rounds"]; ++r) {
            if (!led_by_byzantine(r, m.run())) led.push_back(r);
          }
          if (!led.empty()) m.add<Leader>(led.size(), [=](std::size_t i) { return Leader{.round = led[i]}; });
          m.always("agreement", [](const View& v) {
            const auto decided = v.ghost<Board>().decided;
            return std::ranges::adjacent_find(decided, {}, &std::pair<int, int>::first) == decided.end();
          });
          m.always("validity", [](const View& v) {
            return std::ranges::all_of(v.ghost<Board>().decided, [&](const std::pair<int, int>& d) {
              return d.second >= 1 && d.second <= v.run()["values"];
            });
          });

          // A value is added when its joins can be certified, and committed when a correct process decides it.
          // (As printed in the thesis, it is added when a correct process votes for it, which is too late if only
          // Byzantine processes have the certificate.)
          QTree tree;
          for (long v = 1; v <= m.run()["values"]; ++v) tree.clients.push_back(v);
          // If there is only one sequence number, it needs no name.
          const long several = m.run()["sequence_numbers"] > 1 ? 1 : 0;
          const auto processes = static_cast<std::size_t>(m.run()["n"]),
                     faulty = static_cast<std::size_t>(m.run()["f"]);
          const std::size_t quorum = static_cast<std::size_t>(needed(m.run())) + faulty,
                            joins = static_cast<std::size_t>(needed_joins(m.run())) + faulty;
          m.refines<QTree>("qtree", tree)
              .implies({"agreement", "validity"})
              .shares("P1", "joins of a round, twice", {joins, joins}, processes, faulty)
              .shares("P4", "votes and reports", {quorum, quorum}, processes, faulty)
              .at<&Replica::join>([=](const View& before, const View& after, QTreeCalls& calls) {
                require(!calls.thesis());
                const auto then = before.ghost<Board>(), now = after.ghost<Board>();
                for (const auto& [b, joined] : now.joins) {
                  if (!now.certified(b, after.run()) || then.certified(b, after.run())) continue;
                  calls.add(b.round, b.value, joined.justified_by, Repeat::strict, several * b.number);
                }
              })
              .at<&Replica::vote>([=](const View& before, const View& after, QTreeCalls& calls) {
                require(calls.thesis());
                const auto then = before.ghost<Board>(), now = after.ghost<Board>();
                for (const auto& [b, count] : now.votes) {
                  if (then.votes.contains(b)) continue;
                  calls.add(b.round, b.value, now.joins.at(b).justified_by, Repeat::strict, several * b.number);
                }
              })
              .at<&Replica::decide>([=](const Replica& before, const Replica& after, QTreeCalls& calls) {
                for (const auto& [place, value] : after.decided) {
                  if (before.decided.contains(place)) continue;
                  const auto& [round, number] = place;
                  calls.commit(round, Repeat::once, several * number);
                  calls.decided(round, value, several * number);
                }
              });
        },
});

}  // namespace
