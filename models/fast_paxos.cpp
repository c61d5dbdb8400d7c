// Fast Paxos (Lamport: Fast Paxos, 2006), one slot, as in Cirisci's thesis (2022), chapter 3: acceptors = 3f+1
// and every quorum is 2f+1. A leader that hears of no vote may open its round to clients: acceptors then vote at
// once for the first value they see. A leader of a later round continues the highest round k it hears of. If k
// has one value there, it proposes that. Of several values it proposes the one with enough votes to have been
// decided (quorum - (acceptors - quorum) among the answers). If none has, it is free.
//
// Granularity: round r has its own leader; all rounds have begun; a leader takes in exactly `quorum` answers at
// once, so that equal answers of different quorums are different steps. A free leader proposes its own value.
// Messages are a soup.
// Annotated for QTree with corrected linearization points. The printed ones (--lp thesis) add a fast round when
// it decides, which is too late for a leader that continued it before. Whether it can still decide depends on the
// global state.
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace {

using namespace heddle;

constexpr int any_value = 0;  // what a leader proposes to open its round to clients

struct Vote {
  int round = 0, value = 0;  // round 0: none
  auto operator<=>(const Vote&) const = default;
};
struct Start {
  int round;
};
struct Join {
  int round;
  Vote highest;
};
struct Propose {
  int round, value;
};
struct Voted {
  int value;
};
struct Size {
  static std::size_t size(std::size_t, const Run& run) { return static_cast<std::size_t>(run["quorum"]); }
};

struct Acceptor {
  int joined = 0;            // the highest round it takes part in
  std::map<int, int> votes;  // by round

  void join(const Start& s, Reply<Join> out) {
    require(s.round > joined);
    joined = s.round;
    out.send({s.round, votes.empty() ? Vote{} : Vote{votes.rbegin()->first, votes.rbegin()->second}});
  }
  void vote(const Propose& p, const Run& run, Choice choose, Reply<Voted> out) {
    require(p.round >= joined && !votes.contains(p.round));
    const bool fast = p.value == any_value;
    const int value = fast ? 1 + static_cast<int>(choose(static_cast<std::uint32_t>(run["values"]))) : p.value;
    joined = p.round;
    votes[p.round] = value;
    out.send({value});
  }
  static constexpr auto transitions = heddle::transitions<&Acceptor::join, &Acceptor::vote>;
};

using Joins = Quorum<Join, Acceptor, Size>;

// The highest round that the answers tell of (0: none), and those of its values that a leader may propose. If
// there are none, the leader is free.
struct Selection {
  int round = 0;
  std::set<int> values;
};
Selection select(const Joins& joins, const Run& run) {
  Selection s;
  for (const auto& join : joins) s.round = std::max(s.round, join->highest.round);
  if (s.round == 0) return s;
  std::map<int, long> votes;
  for (const auto& join : joins) {
    if (join->highest.round == s.round) ++votes[join->highest.value];
  }
  const long size = static_cast<long>(run.count<Acceptor>()), quorum = run["quorum"];
  const long enough = 2 * quorum - size + (run.bug("high_threshold") ? 1 : 0);
  const bool all = votes.size() == 1 || run.bug("any_of_several");
  for (const auto& [value, count] : votes) {
    if (all || (count >= enough && !run.bug("free_of_several"))) s.values.insert(value);
  }
  return s;
}

struct Leader {
  int round = 0;
  bool started = false;
  std::optional<int> proposed = {}, decided = {};

  void start(ToAll<Acceptor, Start> out) {
    require(!started);
    started = true;
    out.send({round});
  }
  void propose(const Joins& joins, const Run& run, Choice choose, ToAll<Acceptor, Propose> out) {
    require(!proposed);
    const Selection s = select(joins, run);
    if (!s.values.empty()) {
      proposed = choose.from(s.values);
    } else {
      const int own = static_cast<int>(run["values"]) + round;
      proposed = s.round == 0 && choose.flip() ? any_value : own;
    }
    out.send({round, *proposed});
  }
  void decide(const Quorum<Voted, Acceptor, Size>& votes) {
    require(!decided);
    for (const auto& vote : votes) require(vote->value == votes.front()->value);
    decided = votes.front()->value;
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

// Clients ask acceptors for the values 1, 2, ... of fast rounds, and each leader for another one.
long last_value(const Run& run) { return run["values"] + run["rounds"]; }
bool validity(const View& v) {
  return std::ranges::all_of(v.all<Leader>(), [&](const Leader& l) {
    return !l.decided || (*l.decided >= 1 && *l.decided <= last_value(v.run()));
  });
}

// Returns whether round k may still decide the value: those who voted for it and those who still may form a quorum.
bool choosable(const View& v, int k, int value) {
  long voters = 0;
  for (const Acceptor& a : v.all<Acceptor>()) {
    const auto vote = a.votes.find(k);
    voters += vote != a.votes.end() ? vote->second == value : a.joined <= k;
  }
  return voters >= v.run()["quorum"];
}
bool is_fast(const View& v, int round) {
  return std::ranges::any_of(v.all<Leader>(),
                             [&](const Leader& l) { return l.round == round && l.proposed == any_value; });
}

const Register fast_paxos({
    .name = "fast_paxos",
    .summary = "Fast Paxos: rounds in which clients are voted for directly",
    .parameters = {{"acceptors", 4, 1, 7, "acceptors"},
                   {"rounds", 2, 1, 4, "rounds, each with a leader of its own"},
                   {"values", 2, 1, 4, "values that clients propose in fast rounds"},
                   {"quorum", 3, 1, 7, "answers a leader needs to propose, and votes to decide"}},
    .bugs =
        {{"any_of_several", "agreement", {}, "of several values any one is continued"},
         {"free_of_several", "agreement", {}, "leaders are free if they hear of several values"},
         {"high_threshold", "agreement", {}, "one vote more is asked of the value that is continued"},
         {"small_system", "agreement", {{"acceptors", "3"}, {"quorum", "2"}}, "three acceptors and quorums of two"}},
    .expected = {{{}, 106216, 323964, 6410, "own unreduced search; 116,296 states with the tree"}},
    .build =
        [](Model& m) {
          m.network.order = Network::Order::Soup;
          m.add<Leader>(static_cast<std::size_t>(m.run()["rounds"]),
                        [](std::size_t i) { return Leader{.round = static_cast<int>(i + 1)}; });
          m.add<Acceptor>(static_cast<std::size_t>(m.run()["acceptors"]));
          m.start_after<&Leader::start>();
          m.always("agreement", agreement);
          m.always("validity", validity);

          QTree tree;
          for (long v = 1; v <= last_value(m.run()); ++v) tree.clients.push_back(v);
          const auto acceptors = static_cast<std::size_t>(m.run()["acceptors"]);
          const auto quorum = static_cast<std::size_t>(m.run()["quorum"]);
          m.refines<QTree>("qtree", tree)
              .implies({"agreement", "validity"})
              .shares("P1", "votes of a fast round, twice", {quorum, quorum}, acceptors)
              .shares("P4", "votes of a fast round, twice, and joins", {quorum, quorum, quorum}, acceptors)
              .at<&Leader::propose>([](const Leader&, const Leader& leader, const Joins& joins, const Run& run,
                                       const View& before, QTreeCalls& calls) {
                const int value = *leader.proposed;
                require(value != any_value);
                const Selection s = select(joins, run);
                const int k = s.values.contains(value) ? s.round : 0;
                if (calls.thesis() || k == 0 || !is_fast(before, k)) return calls.add(leader.round, value, k);
                if (!choosable(before, k, value)) return calls.add(leader.round, value, 0);
                calls.add(k, value, 0, Repeat::once);
                calls.add(leader.round, value, k);
              })
              .at<&Leader::decide>([](const Leader&, const Leader& leader, QTreeCalls& calls) {
                if (leader.proposed == any_value) calls.add(leader.round, *leader.decided, 0, Repeat::once);
                calls.commit(leader.round);
                calls.decided(leader.round, *leader.decided);
              });
        },
});

}  // namespace
