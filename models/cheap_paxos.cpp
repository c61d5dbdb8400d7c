// Cheap Paxos (Lamport, Massa: Cheap Paxos, DSN 2004), as in Cirisci's thesis (2022), chapter 3: Multi-Paxos with
// 2f+1 acceptors, of which f+1 do the work. The quorum whose answers open a round is its active set: proposals go
// only to its members, and all of them have to vote. If one fails, the round is over, and another begins with an
// idle acceptor in its place.
//
// Granularity: round r has its own leader; all rounds have begun; a leader takes in the answers of a majority at
// once. It proposes for the next slot once it has decided the one before, without asking again. A free leader
// proposes its own value, r. A promise of an acceptor covers all slots. Messages are a soup. An acceptor that
// fails, or a leader that gives up its round, needs no step: it just does nothing more.
// `agreement`: one value for each slot. `validity`: one that some leader was asked for. Annotated for QTree, one
// tree for each slot: a proposal is add, a decision is commit.
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace {

using namespace heddle;

struct Vote {
  int round = 0, value = 0;  // round 0: none
  auto operator<=>(const Vote&) const = default;
};
using Votes = std::map<int, Vote>;  // by slot

struct Start {
  int round;
};
struct Join {
  Votes votes;
};
struct Propose {
  int round, slot, value;
};
struct Voted {
  int slot;
};

struct Acceptor {
  int joined = 0;  // the highest round it takes part in, for all slots
  Votes votes;

  void join(const Start& s, Reply<Join> out) {
    require(s.round > joined);
    joined = s.round;
    out.send({votes});
  }
  void vote(const Propose& p, Reply<Voted> out) {
    require(p.round >= joined && votes[p.slot].round < p.round);
    joined = p.round;
    votes[p.slot] = {p.round, p.value};
    out.send({p.slot});
  }
  static constexpr auto transitions = heddle::transitions<&Acceptor::join, &Acceptor::vote>;
};

struct Remaining {  // the size of a quorum when one of the active set is gone
  static std::size_t size(std::size_t acceptors) { return Majority::size(acceptors) - 1; }
};

struct Leader {
  int round = 0;
  bool started = false;
  IdSet<Acceptor> active = {};
  Votes continued = {};            // the highest votes it was told of
  std::vector<int> proposed = {};  // by slot
  int decided = 0;                 // number of slots

  void start(ToAll<Acceptor, Start> out) {
    require(!started);
    started = true;
    out.send({round});
  }
  void lead(const Quorum<Join, Acceptor>& joins) {
    require(active.empty());
    for (const auto& join : joins) {
      active.insert(join.sender);
      for (const auto& [slot, vote] : join->votes) continued[slot] = std::max(continued[slot], vote);
    }
  }
  void propose(const Run& run, To<Acceptor, Propose> out) {
    require(!active.empty() && proposed.size() == static_cast<std::size_t>(decided) && decided < run["slots"]);
    const int slot = decided + 1;
    proposed.push_back(continued.contains(slot) ? continued[slot].value : round);
    for (std::size_t i = 0; i < run.count<Acceptor>(); ++i) {
      const auto a = Model::id<Acceptor>(i);
      if (active.contains(a)) out.send(a, {round, slot, proposed.back()});
    }
  }
  void decide(const Quorum<Voted, Acceptor>& votes) { count(votes); }
  // Only a bug makes this step. Never with default parameters: Leader::decide_without_failed.
  void decide_without_failed(const Quorum<Voted, Acceptor, Remaining>& votes, const Run& run) {
    require(run.bug("shrunken_quorum"));
    count(votes);
  }
  template <class Quorum>
  void count(const Quorum& votes) {  // only active acceptors can have voted
    for (const auto& vote : votes) require(vote->slot == decided + 1);
    ++decided;
  }
  static constexpr auto transitions = heddle::transitions<&Leader::start, &Leader::lead, &Leader::propose,
                                                          &Leader::decide, &Leader::decide_without_failed>;
};

bool agreement(const View& v) {
  std::map<int, std::set<int>> values;
  for (const Leader& l : v.all<Leader>()) {
    for (int slot = 1; slot <= l.decided; ++slot) {
      values[slot].insert(l.proposed[static_cast<std::size_t>(slot) - 1]);
    }
  }
  return std::ranges::all_of(values, [](const auto& entry) { return entry.second.size() <= 1; });
}

bool validity(const View& v) {
  return std::ranges::all_of(v.all<Leader>(), [&](const Leader& l) {
    return std::all_of(l.proposed.begin(), l.proposed.begin() + l.decided,
                       [&](int value) { return value >= 1 && value <= v.run()["rounds"]; });
  });
}

const Register cheap_paxos({
    .name = "cheap_paxos",
    .summary = "Cheap Paxos: only the acceptors that opened a round work in it",
    .parameters = {{"acceptors", 3, 3, 7, "acceptors, 2f+1"},
                   {"rounds", 2, 1, 4, "rounds, each with a leader of its own"},
                   {"slots", 1, 1, 4, "slots of the log"}},
    .bugs =
        {{"shrunken_quorum", "agreement", {}, "when one of the active set fails, the leader goes on with the others"}},
    .expected = {{{}, 1936, 4500, 84, "own unreduced search"},
                 {{{"slots", "2"}}, 5476, 12717, 138, "own unreduced search"}},
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
          for (long r = 1; r <= m.run()["rounds"]; ++r) tree.clients.push_back(r);
          const auto commit = [](const Leader&, const Leader& leader, QTreeCalls& calls) {
            const long slot = leader.decided;
            calls.commit(leader.round, Repeat::strict, slot);
            calls.decided(leader.round, leader.proposed[static_cast<std::size_t>(slot) - 1], slot);
          };
          const auto acceptors = static_cast<std::size_t>(m.run()["acceptors"]);
          const std::size_t voting =
              m.run().bug("shrunken_quorum") ? Remaining::size(acceptors) : Majority::size(acceptors);
          m.refines<QTree>("qtree", tree)
              .implies({"agreement", "validity"})
              .shares("P4", "joins and votes", {Majority::size(acceptors), voting}, acceptors)
              .at<&Leader::propose>([](const Leader&, const Leader& leader, QTreeCalls& calls) {
                const int slot = leader.decided + 1;
                const auto vote = leader.continued.find(slot);
                const int parent = vote == leader.continued.end() ? 0 : vote->second.round;
                calls.add(leader.round, leader.proposed.back(), parent, Repeat::strict, slot);
              })
              .at<&Leader::decide>(commit)
              .at<&Leader::decide_without_failed>(commit);
        },
});

}  // namespace
