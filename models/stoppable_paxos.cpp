// Stoppable Paxos (Malkhi, Lamport, Zhou, 2008), as in Cirisci's thesis (2022), chapter 3: Multi-Paxos with a
// command `stop` after which nothing is executed, so that another configuration can take over. Values may still
// be decided for later slots.
//
// Granularity: round r has its own leader; all rounds have begun; a leader takes in the answers of a majority at
// once. It proposes for the next slot once it has decided the one before, without asking again. A free leader
// proposes its own command, r, or stop. It tells executors what is decided, and they execute slot after slot.
// Messages are a soup.
// `agreement`: one value for each slot. `validity`: one that some leader was asked for. `nothing after stop` is
// E1 of the thesis. `executed alike`: of what two executors have executed, one is a prefix of the other.
// Annotated for QTree, one tree for each slot: an executor that does not stop breaks E1 but not the tree.
#include <heddle/heddle.h>
#include <heddle/qtree.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace {

using namespace heddle;

constexpr int stop = 0;  // any other command is the round in which it was first proposed

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
struct Decided {
  int slot, value;
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

struct Executor {
  std::vector<int> executed;

  void execute(const Decided& d, const Run& run) {
    require(d.slot == static_cast<int>(executed.size()) + 1);
    require(executed.empty() || executed.back() != stop || run.bug("execute_after_stop"));
    executed.push_back(d.value);
  }
  static constexpr auto transitions = heddle::transitions<&Executor::execute>;
};

struct Leader {
  int round = 0;
  bool started = false, leads = false;
  Votes continued = {};            // the highest votes it was told of
  std::vector<int> proposed = {};  // by slot
  int decided = 0;                 // number of slots

  void start(ToAll<Acceptor, Start> out) {
    require(!started);
    started = true;
    out.send({round});
  }
  void lead(const Quorum<Join, Acceptor>& joins) {
    require(!leads);
    leads = true;
    for (const auto& join : joins) {
      for (const auto& [slot, vote] : join->votes) continued[slot] = std::max(continued[slot], vote);
    }
  }
  void propose(const Run& run, Choice choose, ToAll<Acceptor, Propose> out) {
    require(leads && proposed.size() == static_cast<std::size_t>(decided) && decided < run["slots"]);
    const int slot = decided + 1;
    proposed.push_back(continued.contains(slot) ? continued[slot].value : choose.flip() ? stop : round);
    out.send({round, slot, proposed.back()});
  }
  void decide(const Quorum<Voted, Acceptor>& votes, ToAll<Executor, Decided> out) {
    for (const auto& vote : votes) require(vote->slot == decided + 1);
    ++decided;
    out.send({decided, proposed[static_cast<std::size_t>(decided) - 1]});
  }
  static constexpr auto transitions =
      heddle::transitions<&Leader::start, &Leader::lead, &Leader::propose, &Leader::decide>;
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
                       [&](int value) { return value >= stop && value <= v.run()["rounds"]; });
  });
}
bool nothing_after_stop(const View& v) {
  return std::ranges::all_of(v.all<Executor>(), [](const Executor& e) {
    const auto stopped = std::ranges::find(e.executed, stop);
    return stopped == e.executed.end() || stopped + 1 == e.executed.end();
  });
}
bool executed_alike(const View& v) {
  const auto executors = v.all<Executor>();
  for (const Executor& a : executors) {
    for (const Executor& b : executors) {
      const auto common = static_cast<std::ptrdiff_t>(std::min(a.executed.size(), b.executed.size()));
      if (!std::equal(a.executed.begin(), a.executed.begin() + common, b.executed.begin())) return false;
    }
  }
  return true;
}

const Register stoppable_paxos({
    .name = "stoppable_paxos",
    .summary = "Stoppable Paxos: a command after which nothing is executed",
    .parameters = {{"acceptors", 3, 1, 7, "acceptors"},
                   {"rounds", 2, 1, 4, "rounds, each with a leader of its own"},
                   {"slots", 1, 1, 4, "slots of the log"},
                   {"executors", 2, 1, 4, "processes that execute what is decided"}},
    .bugs = {{"execute_after_stop", "nothing after stop", {{"rounds", "1"}, {"slots", "2"}}, "executors do not stop"}},
    .expected = {{{}, 19560, 62479, 392, "own unreduced search"}},
    .build =
        [](Model& m) {
          m.network.order = Network::Order::Soup;
          m.add<Leader>(static_cast<std::size_t>(m.run()["rounds"]),
                        [](std::size_t i) { return Leader{.round = static_cast<int>(i + 1)}; });
          m.add<Acceptor>(static_cast<std::size_t>(m.run()["acceptors"]));
          m.add<Executor>(static_cast<std::size_t>(m.run()["executors"]));
          m.start_after<&Leader::start>();
          m.always("agreement", agreement);
          m.always("validity", validity);
          m.always("nothing after stop", nothing_after_stop);
          m.always("executed alike", executed_alike);

          QTree tree;
          for (long command = stop; command <= m.run()["rounds"]; ++command) tree.clients.push_back(command);
          const auto acceptors = static_cast<std::size_t>(m.run()["acceptors"]);
          m.refines<QTree>("qtree", tree)
              .implies({"agreement", "validity"})
              .shares("P4", "joins and votes", {Majority::size(acceptors), Majority::size(acceptors)}, acceptors)
              .at<&Leader::propose>([](const Leader&, const Leader& leader, QTreeCalls& calls) {
                const int slot = leader.decided + 1;
                const auto vote = leader.continued.find(slot);
                const int parent = vote == leader.continued.end() ? 0 : vote->second.round;
                calls.add(leader.round, leader.proposed.back(), parent, Repeat::strict, slot);
              })
              .at<&Leader::decide>([](const Leader&, const Leader& leader, QTreeCalls& calls) {
                const long slot = leader.decided;
                calls.commit(leader.round, Repeat::strict, slot);
                calls.decided(leader.round, leader.proposed[static_cast<std::size_t>(slot) - 1], slot);
              });
        },
});

}  // namespace
