// Multi-Paxos (Lamport: Paxos Made Simple, 2001) at the granularity in which Cirisci's thesis (2022) relates it
// to the Quorum Tree: rounds have fixed leaders, one promise covers all slots, and a step takes in a whole
// quorum. Nobody announces a round: a replica may join any later one at any time.
//
//   join      promises a round to its leader and reports the highest vote for every slot
//   propose   for the first undecided slot: the highest vote that a quorum of joins reports, otherwise an own
//   value
//   vote      unless a later round was promised
//   decide    after a quorum of votes; only then comes the next slot
//
// With harness=none, a free value is the pair of round and slot. `agreement`: a slot is decided with one value.
// `validity`: this is a value that some leader was asked for.
// With clients, round 1 is joined from the start. A leader proposes puts once a quorum of joins has nothing more
// to report. It answers gets from what it decided, after a majority has confirmed that it joined no later round.
// This is the Multi-Paxos map of Al-Mahfoudh, Stutsman and Gopalakrishnan (2023), who used two replicas. Messages
// are a soup, which covers late, lost and repeated messages.
#include <heddle/qtree.h>

#include <set>

#include "kv_clients.h"

namespace {

struct Command {
  int round = 0;  // of a leader that proposes its own value, and for which slot
  std::size_t slot = 0;
  Operation operation;
  bool operator==(const Command&) const = default;
};
struct Ballot {
  int round = 0;
  Command command;
};

struct Join {
  int round;
  std::vector<Ballot> votes;  // one for each slot
};
struct Propose {
  int round;
  std::size_t slot;
  Command command;
};
struct Vote {
  int round;
  std::size_t slot;
};
// What the leader of a round has done in it.
struct Leading {
  std::vector<Command> proposed;  // slot by slot
  std::size_t decided = 0;
  bool established = false;  // no earlier vote is left to take over
  IdSet<Client> answered;    // whose reads were answered
};

// Returns the vote that a quorum of joins makes the leader continue with; round 0 if there is none.
Ballot selected(const Quorum<Join, Replica>& joins, std::size_t slot, const Run& run) {
  Ballot highest;
  for (const auto& j : joins) {
    const Ballot& vote = j->votes[run.bug("first_slot_decides") ? 0 : slot];
    if (vote.round > highest.round) highest = vote;
  }
  return highest;
}

struct Replica {
  std::vector<Id<Replica>> leaders;  // of rounds 1, 2, ...
  int joined = 0;
  std::vector<Ballot> votes;  // the highest for each slot
  std::map<int, Leading> led;

  void join(Choice choose, const Run& run, To<Replica, Join> out) {
    joined += 1 + static_cast<int>(choose(static_cast<std::uint32_t>(run["rounds"] - joined)));
    std::vector<Ballot> report = votes;
    if (run.bug("report_first_slot")) std::fill(report.begin() + 1, report.end(), Ballot{});
    out.send(leaders[static_cast<std::size_t>(joined - 1)], {joined, report});
  }
  void propose(const Quorum<Join, Replica>& joins, const Run& run, Id<Replica> self, To<Replica, Propose> own,
               ToAll<Replica, Propose> out) {
    const int round = joins.front()->round;
    Leading& leading = led[round];
    const std::size_t slot = leading.proposed.size();
    require(slot < votes.size() && leading.decided == slot && !leading.established);
    for (const auto& j : joins) require(j->round == round);
    const Ballot highest = selected(joins, slot, run);
    if (highest.round == 0 && has_clients(run)) {
      leading.established = true;
    } else {
      offer(round, highest.round > 0 ? highest.command : Command{round, slot, {}}, self, own, out);
    }
  }
  // Only a bug makes this step. Never with default parameters: Replica::propose_unasked.
  void propose_unasked(Choice choose, const Run& run, Id<Replica> self, To<Replica, Propose> own,
                       ToAll<Replica, Propose> out) {
    require(run.bug("no_first_phase"));
    const int round = 2 + static_cast<int>(choose(static_cast<std::uint32_t>(run["rounds"] - 1)));
    require(leaders[static_cast<std::size_t>(round - 1)] == self);
    const Leading& leading = led[round];
    require(leading.proposed.size() < votes.size() && leading.decided == leading.proposed.size());
    offer(round, {round, leading.proposed.size(), {}}, self, own, out);
  }
  void vote(const Propose& p, const Run& run, Reply<Vote> out) {
    require(p.round > votes[p.slot].round && (p.round >= joined || run.bug("promise_per_slot")));
    joined = std::max(joined, p.round);
    votes[p.slot] = {p.round, p.command};
    out.send({p.round, p.slot});
  }
  void decide(const Quorum<Vote, Replica>& given, To<Client, Result> answer) {
    const Vote& first = *given.front();
    for (const auto& v : given) require(v->round == first.round && v->slot == first.slot);
    Leading& leading = led[first.round];
    require(leading.decided == first.slot);
    ++leading.decided;
    const Operation& put = leading.proposed[first.slot].operation;
    if (put.by) answer.send(put.by, {});
  }

  // Steps for clients, who exist only if `harness` says so.
  // Never with default parameters: Replica::request; Replica::read; Replica::confirm; Replica::answer.
  // Never with default parameters: sending Confirmation; sending Operation; sending Probe; sending Result.
  void request(const Operation& put, const Run& run, Id<Replica> self, To<Replica, Propose> own,
               ToAll<Replica, Propose> out, To<Client, Result> answer) {
    require(put.kind == Kind::put);
    auto& [round, leading] = current();
    const auto& known = leading.proposed;
    const auto at = std::ranges::find(known, put, &Command::operation) - known.begin();
    if (static_cast<std::size_t>(at) < known.size() && !run.bug("no_duplicate_detection")) {
      require(static_cast<std::size_t>(at) < leading.decided);
      return answer.send(put.by, {});
    }
    require(leading.established && leading.decided == known.size() && known.size() < votes.size());
    offer(round, {0, 0, put}, self, own, out);
  }
  void read(const Operation& get, const Run& run, ToAll<Replica, Probe> out, To<Client, Result> answer) {
    require(get.kind == Kind::get);
    auto& [round, leading] = current();
    require(!leading.answered.contains(get.by));
    if (run.bug("read_without_vote")) return answer_read(leading, get, answer);
    out.send({round, get});
  }
  void confirm(const Probe& p, Reply<Confirmation> out) {
    require(p.term >= joined);
    joined = p.term;
    out.send({p.term, p.read});
  }
  void answer(const Quorum<Confirmation, Replica, Others>& confirmations, To<Client, Result> out) {
    require(confirmations.size() > 0);
    const auto& [round, get] = *confirmations.front();
    for (const auto& c : confirmations) require(c->term == round && c->read == get);
    Leading& leading = led[round];
    require(joined <= round && !leading.answered.contains(get.by));
    answer_read(leading, get, out);
  }

  // --- Parts of steps.
  std::pair<const int, Leading>& current() {
    require(!led.empty());
    return *led.rbegin();
  }
  void offer(int round, const Command& command, Id<Replica> self, To<Replica, Propose> own,
             ToAll<Replica, Propose> out) {
    Leading& leading = led[round];
    const Propose proposal{round, leading.proposed.size(), command};
    leading.proposed.push_back(command);
    own.send(self, proposal);
    out.send(proposal);
  }
  static void answer_read(Leading& leading, const Operation& get, To<Client, Result> out) {
    require(leading.established);
    leading.answered.insert(get.by);
    out.send(get.by, result_after(leading.proposed, leading.decided, get));
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::join, &Replica::propose, &Replica::propose_unasked, &Replica::vote,
                          &Replica::decide, &Replica::request, &Replica::read, &Replica::confirm, &Replica::answer>;
};

bool agreement(const View& v) {
  std::map<std::size_t, Command> decided;
  for (const Replica& r : v.all<Replica>()) {
    for (const auto& [round, leading] : r.led) {
      for (std::size_t slot = 0; slot < leading.decided; ++slot) {
        if (decided.try_emplace(slot, leading.proposed[slot]).first->second != leading.proposed[slot]) return false;
      }
    }
  }
  return true;
}

bool validity(const View& v) {
  const auto asked_for = [&](const Command& c) {
    return c.round >= 1 && c.round <= v.run()["rounds"] && c.slot < static_cast<std::size_t>(v.run()["slots"]);
  };
  for (const Replica& r : v.all<Replica>()) {
    for (const auto& [round, leading] : r.led) {
      const auto end = leading.proposed.begin() + static_cast<std::ptrdiff_t>(leading.decided);
      if (!std::all_of(leading.proposed.begin(), end, asked_for)) return false;
    }
  }
  return true;
}

bool all_decided(const View& v) {
  std::set<int> rounds;
  for (const Replica& r : v.all<Replica>()) {
    for (const auto& [round, leading] : r.led) {
      if (leading.decided == r.votes.size()) rounds.insert(round);
    }
  }
  return rounds.size() == static_cast<std::size_t>(v.run()["rounds"]);
}

// --- The Quorum Tree: one tree for each slot.
using Tree = BasicQTree<Command>;

// Adds the proposals that `after` has beyond `before`; they continue round `parent`.
void label_proposals(const Replica& before, const Replica& after, int parent, Calls<Tree>& tree) {
  for (const auto& [round, leading] : after.led) {
    const auto old = before.led.find(round);
    for (std::size_t slot = old == before.led.end() ? 0 : old->second.proposed.size(); slot < leading.proposed.size();
         ++slot) {
      tree.add(round, leading.proposed[slot], parent, Repeat::strict, static_cast<long>(slot) + 1);
    }
  }
}

void label(Model& m) {
  Tree tree;
  for (int r = 1; r <= m.run()["rounds"] && !has_clients(m.run()); ++r) {
    for (std::size_t s = 0; s < static_cast<std::size_t>(m.run()["slots"]); ++s) tree.clients.push_back({r, s, {}});
  }
  const auto replicas = static_cast<std::size_t>(m.run()["replicas"]);
  m.refines<Tree>("qtree", tree)
      .shares("P4", "joins and votes", {Majority::size(replicas), Majority::size(replicas)}, replicas)
      .implies(has_clients(m.run()) ? std::vector<std::string>{} : std::vector<std::string>{"agreement", "validity"})
      .at<&Replica::propose>([](const Replica& before, const Replica& after, const Quorum<Join, Replica>& joins,
                                const Run& run, Calls<Tree>& calls) {
        const auto led = before.led.find(joins.front()->round);
        const std::size_t slot = led == before.led.end() ? 0 : led->second.proposed.size();
        label_proposals(before, after, selected(joins, slot, run).round, calls);
      })
      .at<&Replica::propose_unasked>([](const Replica& before, const Replica& after, Calls<Tree>& calls) {
        label_proposals(before, after, 0, calls);
      })
      .at<&Replica::request>([](const Replica& before, const Replica& after, Calls<Tree>& calls) {
        label_proposals(before, after, 0, calls);
      })
      .at<&Replica::decide>(
          [](const Replica&, const Replica& after, const Quorum<Vote, Replica>& given, Calls<Tree>& calls) {
            const auto [round, slot] = *given.front();
            calls.commit(round, Repeat::strict, static_cast<long>(slot) + 1);
            calls.decided(round, after.led.at(round).proposed[slot], static_cast<long>(slot) + 1);
          });
}

const Register model({
    .name = "multi_paxos",
    .summary = "Multi-Paxos: a log of slots with a leader for each round, as a replicated key-value store",
    .parameters = {{"replicas", 0, 0, 7, "acceptors, who lead in turn; 0: three, with clients two"},
                   {"rounds", 2, 1, 9, "the last round"},
                   {"slots", 2, 1, 9, "length of the log; with clients as long as need be"},
                   clients_parameter(),
                   keys_parameter(),
                   retries_parameter()},
    .bugs = {{"promise_per_slot", "agreement", {}, "a promise binds only for slots that were voted for since"},
             {"no_first_phase", "agreement", {}, "later leaders propose without asking for votes"},
             {"first_slot_decides", "agreement", {}, "the highest vote for slot 1 is taken for every slot"},
             {"report_first_slot", "agreement", {}, "joins report the vote for slot 1 only"},
             {"read_without_vote",
              "linearizability",
              {{"harness", "1R+1W"}},
              "a leader answers reads without asking whether it still leads"},
             {"no_duplicate_detection",
              "linearizability",
              {{"harness", "1R+2W"}, {"rounds", "1"}},
              "a request that arrives again is executed again"}},
    .expected = {{{}, 64528, 209328, 652, "own count"}, {{{"harness", "1R+1W"}}, 949, 2867, 6, "own unreduced search"}},
    .build =
        [](Model& m) {
          const Run& run = m.run();
          auto replicas = static_cast<std::size_t>(run["replicas"]);
          if (replicas == 0) replicas = has_clients(run) ? 2 : 3;
          m.network.order = Network::Order::Soup;
          Replica replica;
          replica.votes.resize(room(run, "slots"));
          for (std::size_t r = 0; r < static_cast<std::size_t>(run["rounds"]); ++r) {
            replica.leaders.push_back(Model::id<Replica>(r % replicas));
          }
          const auto contacts = std::vector(
              replica.leaders.begin(),
              replica.leaders.begin() + static_cast<std::ptrdiff_t>(std::min(replicas, replica.leaders.size())));
          m.add<Replica>(replicas, [&](std::size_t i) {
            Replica r = replica;
            if (has_clients(run)) {
              r.joined = 1;
              if (i == 0) r.led[1].established = true;
            }
            return r;
          });
          label(m);
          if (has_clients(run)) {
            add_clients(m, contacts);
          } else {
            m.add<Client>(0);
            m.always("agreement", agreement);
            m.always("validity", validity);
            m.sometimes("every slot is decided in every round", all_decided);
          }
        },
});

}  // namespace
