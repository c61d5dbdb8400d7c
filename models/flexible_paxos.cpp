// Flexible Paxos (Howard, Malkhi, Spiegelman, 2016): Paxos whose two phases have quorums of different sizes, q1
// and q2. It is safe iff they intersect: q1 + q2 > acceptors. If both are majorities, it is Paxos as in Cirisci's
// thesis (2022), chapter 3.
//
// Round r has its own leader, which proposes and decides in it; a leader without a reported vote proposes the
// value r. Messages are a soup: they are never taken out, so loss, duplication and reordering need no further
// steps. start=implicit: all rounds have begun. Annotated for QTree: a proposal is add(round, value, round of the
// highest reported vote), a decision is commit(round).
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <set>

namespace {

using namespace heddle;

struct Vote {
  int round = 0, value = 0;
  auto operator<=>(const Vote&) const = default;
};
struct Start {
  int round;
};
struct Join {
  int round;
  Vote highest;  // the highest vote of the sender; round 0: none
};
struct Propose {
  Vote proposal;
};
struct Voted {
  Vote vote;
};

struct Joining {
  static std::size_t size(std::size_t members, const Run& run) {
    return run["q1"] == 0 ? Majority::size(members) : static_cast<std::size_t>(run["q1"]);
  }
};
struct Voting {
  static std::size_t size(std::size_t members, const Run& run) {
    return run["q2"] == 0 ? Majority::size(members) : static_cast<std::size_t>(run["q2"]);
  }
};

struct Leader;

struct Acceptor {
  int joined = 0;               // the highest round it takes part in
  Vote last;                    // its highest vote
  Vote first = {};              // only for the bug first_vote
  std::set<int> answered = {};  // only for the bug join_older

  void join(const Start& s, const Run& run, Choice choose, Reply<Join> out) {
    const bool older = run.bug("join_older");
    require(s.round > joined || (older && !answered.contains(s.round)));
    if (older) answered.insert(s.round);
    if (run.bug("amnesia") && last.round > 0 && choose.flip()) last = {};
    Vote report = run.bug("first_vote") ? first : last;
    if (run.bug("report_joined")) report = {joined, last.value};
    out.send({s.round, report});
    joined = std::max(joined, s.round);
  }
  void vote(const Propose& p, const Run& run, ToAll<Leader, Voted> out) {
    require(p.proposal.round >= joined || run.bug("vote_always"));
    require(p.proposal != last);
    joined = std::max(joined, p.proposal.round);
    last = p.proposal;
    if (run.bug("first_vote") && first.round == 0) first = last;
    out.send({last});
  }
  static constexpr auto transitions = heddle::transitions<&Acceptor::join, &Acceptor::vote>;
};

// Returns the vote that a proposal continues, according to the reports; round 0 if there is none.
Vote selected(const Quorum<Join, Acceptor, Joining>& joins, const Run& run) {
  Vote highest, lowest;
  for (const auto& join : joins) {
    const Vote& vote = join->highest;
    highest = std::max(highest, vote);
    if (vote.round > 0 && (lowest.round == 0 || vote < lowest)) lowest = vote;
  }
  if (run.bug("ignore_votes")) return {};
  return run.bug("lowest_vote") ? lowest : highest;
}

struct Leader {
  int round = 0;
  bool started = false;
  std::set<int> proposed = {};  // values; at most one
  int parent = 0;               // the round whose vote it continues
  std::optional<int> decided = {};

  void start(ToAll<Acceptor, Start> out) {
    require(!started);
    started = true;
    out.send({round});
  }
  void propose(const Quorum<Join, Acceptor, Joining>& joins, const Run& run, Choice choose,
               ToAll<Acceptor, Propose> out) {
    for (const auto& join : joins) require(join->round == round);
    Vote from = selected(joins, run);
    if (run.bug("first_responder")) from = choose.from(joins)->highest;
    // A leader that has forgotten its proposal and makes another takes the same vote again; only a free choice
    // may differ.
    require(proposed.empty() || (run.bug("two_values") && proposed.size() == 1 && from.round == 0));
    parent = from.round;
    const bool free = from.round == 0 || run.bug("own_value");
    int value = free ? round : from.value;
    if (!proposed.empty()) value = -round;
    proposed.insert(value);
    out.send({{round, value}});
  }
  void decide(const Quorum<Voted, Acceptor, Voting>& votes, const Run& run) {
    require(!decided);
    for (const auto& vote : votes) {
      const bool counts = run.bug("votes_of_any_round") ? vote->vote.round <= round : vote->vote.round == round;
      require(counts && (run.bug("votes_of_any_round") || vote->vote.value == votes.front()->vote.value));
    }
    require(!proposed.empty());
    decided = run.bug("votes_of_any_round") ? *proposed.begin() : votes.front()->vote.value;
  }
  static constexpr auto transitions = heddle::transitions<&Leader::start, &Leader::propose, &Leader::decide>;
};

bool agreement(const View& v) {
  std::set<int> values;
  for (const Leader& l : v.all<Leader>()) {
    if (l.decided) values.insert(*l.decided);
  }
  return values.size() <= 1;
}

// Returns what clients have asked for: leader r for the value r, and for -r should it ask for a second one.
std::vector<long> clients(const Run& run) {
  std::vector<long> values;
  for (long r = 1; r <= run["rounds"]; ++r) values.insert(values.end(), {r, -r});
  return values;
}
bool validity(const View& v) {
  const std::vector<long> asked_for = clients(v.run());
  return std::ranges::all_of(v.all<Leader>(), [&](const Leader& l) {
    return !l.decided || std::ranges::find(asked_for, *l.decided) != asked_for.end();
  });
}

const Settings three_rounds = {{"rounds", "3"}, {"start", "implicit"}};

const Register flexible_paxos({
    .name = "flexible_paxos",
    .summary = "Paxos with a quorum size for each phase",
    .parameters = {{"acceptors", 3, 1, 7, "acceptors"},
                   {"rounds", 2, 1, 5, "rounds, each with a leader of its own"},
                   {"q1", 0, 0, 7, "answers a leader needs to propose; 0: a majority"},
                   {"q2", 0, 0, 7, "votes it needs to decide; 0: a majority"},
                   {"start", {"explicit", "implicit"}, "leaders start their rounds, or all have begun"}},
    .bugs =
        {{"ignore_votes", "refines qtree", {}, "leaders propose their own value whatever was reported"},
         {"first_responder", "refines qtree", {}, "leaders continue some reported vote, not the highest"},
         {"lowest_vote", "refines qtree", three_rounds,
          "leaders continue the lowest reported vote; needs three rounds"},
         {"own_value", "refines qtree", {}, "leaders continue the highest vote's round with their own value"},
         {"amnesia", "refines qtree", {}, "acceptors may have lost their vote when they join"},
         {"first_vote", "refines qtree", three_rounds, "acceptors report their first vote; needs three rounds"},
         {"vote_always", "refines qtree", {}, "acceptors vote also below a round they have joined"},
         {"join_older", "refines qtree", {}, "acceptors join rounds below one they have joined"},
         {"report_joined", "refines qtree", {}, "acceptors report the round they joined last as that of their vote"},
         {"two_values", "refines qtree", {}, "leaders that are free to choose propose a second value in their round"},
         {"votes_of_any_round", "refines qtree", three_rounds, "leaders count votes of earlier rounds; needs three"},
         {"small_q1", "refines qtree", {{"q1", "1"}}, "one answer is enough to propose"},
         {"small_q2", "refines qtree", {{"q2", "1"}}, "one vote is enough to decide"}},
    .expected = {{{{"rounds", "1"}}, 57, 118, 4, "own count"}, {{}, 3393, 9615, 156, "own count"}},
    .build =
        [](Model& m) {
          m.network.order = Network::Order::Soup;
          m.add<Leader>(static_cast<std::size_t>(m.run()["rounds"]),
                        [](std::size_t i) { return Leader{.round = static_cast<int>(i + 1)}; });
          m.add<Acceptor>(static_cast<std::size_t>(m.run()["acceptors"]));
          if (m.run().text("start") == "implicit") m.start_after<&Leader::start>();
          m.always("agreement", agreement);
          m.always("validity", validity);
          const auto acceptors = static_cast<std::size_t>(m.run()["acceptors"]);
          m.refines<QTree>("qtree", QTree{.clients = clients(m.run())})
              .implies({"agreement", "validity"})
              .shares("P4", "joins and votes", {Joining::size(acceptors, m.run()), Voting::size(acceptors, m.run())},
                      acceptors)
              .at<&Leader::propose>([](const Leader& before, const Leader& after, QTreeCalls& calls) {
                for (const int value : after.proposed) {
                  if (!before.proposed.contains(value)) calls.add(after.round, value, after.parent);
                }
              })
              .at<&Leader::decide>([](const Leader&, const Leader& after, QTreeCalls& calls) {
                calls.commit(after.round);
                calls.decided(after.round, *after.decided);
              });
        },
});

}  // namespace
