// Zab, the atomic broadcast of ZooKeeper (Junqueira, Reed, Serafini: Zab, High-performance Broadcast for
// Primary-backup Systems, 2011). Who tries to lead is left open: any candidate may, at any time, with the epoch
// after the last it accepted.
//
//   discover, accept_epoch   NEWEPOCH, ACK-E: a follower accepts an epoch once, reports its history and current
//   epoch
//   synchronise, adopt       a majority accepted: the longest history of the latest current epoch; NEWLEADER,
//   ACK-LD
//   establish                a majority has that history: it is delivered, and the broadcast begins
//   propose, accept, commit  PROPOSE, ACK, COMMIT: one transaction after the other, delivered after a majority
//   has it
//
// CEPOCH, by which a leader learns of epochs to exceed, is left out: a follower refuses an epoch that is not new,
// so safety does not rest on it. With harness=none, a transaction is its leader's name. `agreement`: delivered
// prefixes are comparable. `one leader an epoch`: no two replicas are established in the same epoch.
// With clients, the first replica leads epoch 1 from the start. Puts are broadcast; a put that is in the history
// is not proposed again. Gets go to the leader, which answers after a majority confirmed its epoch (the purpose
// of `sync` before a read). ZooKeeper's plain reads are local and, as documented, not linearizable: bug
// local_read. Messages are a soup; `crashes` restart replicas with their durable epochs and history.
#include "kv_clients.h"

namespace {

struct Transaction {
  int epoch = 0;
  Id<Replica> leader;
  Operation operation;
  bool operator==(const Transaction&) const = default;
};
using History = std::vector<Transaction>;

struct NewEpoch {
  int epoch;
};
struct EpochAccepted {
  int epoch;
  int current;
  History history;
};
struct NewLeader {
  int epoch;
  History history;
};
struct LeaderAccepted {
  int epoch;
};
struct Propose {
  std::size_t number;
  Transaction transaction;
};
struct Accepted {
  int epoch;
  std::size_t number;
};
struct Commit {
  int epoch;
  std::size_t number;
};
struct Acknowledgements {
  static std::size_t size(std::size_t replicas, const Run& run) {
    return run.bug("commit_without_majority") ? 0 : Others::size(replicas);
  }
};

struct Replica {
  enum class Phase { follower, discovery, synchronisation, broadcast };
  bool may_lead = true;
  Durable<int> accepted, current;  // the last epoch it promised to follow, and the epoch of its history
  Durable<History> history;
  std::size_t delivered = 0;
  Phase phase = Phase::follower;
  IdSet<Client> answered;      // whose reads were answered in this epoch
  int accepted_in_memory = 0;  // only for a bug

  void discover(Timeout, const Run& run, ToAll<Replica, NewEpoch> out) {
    require(may_lead && epoch(run) < run["epochs"] && !(has_clients(run) && phase == Phase::broadcast));
    enter(epoch(run) + 1, run);
    phase = Phase::discovery;
    out.send({epoch(run)});
  }
  void accept_epoch(const NewEpoch& n, const Run& run, Reply<EpochAccepted> out) {
    require(n.epoch > epoch(run));
    enter(n.epoch, run);
    out.send({n.epoch, *current, *history});
  }
  void synchronise(const Quorum<EpochAccepted, Replica, Others>& followers, const Run& run,
                   ToAll<Replica, NewLeader> out) {
    require(phase == Phase::discovery);
    const bool longest = run.bug("longest_history");
    auto best = std::pair(longest ? 0 : *current, history->size());
    for (const auto& f : followers) {
      require(f->epoch == epoch(run));
      const auto found = std::pair(longest ? 0 : f->current, f->history.size());
      if (found <= best) continue;
      best = found;
      *history = f->history;
    }
    *current = epoch(run);
    phase = Phase::synchronisation;
    out.send({*current, *history});
  }
  void adopt(const NewLeader& n, const Run& run, Reply<LeaderAccepted> out) {
    require(n.epoch == epoch(run) && *current < n.epoch);
    *current = n.epoch;
    *history = n.history;
    out.send({n.epoch});
  }
  void establish(const Quorum<LeaderAccepted, Replica, Others>& followers, const Run& run, ToAll<Replica, Commit> out,
                 To<Client, Result> answer) {
    require(phase == Phase::synchronisation);
    for (const auto& f : followers) require(f->epoch == epoch(run));
    phase = Phase::broadcast;
    for (const Transaction& t : *history) {
      if (t.operation.by) answer.send(t.operation.by, {});
    }
    delivered = history->size();
    out.send({*current, delivered});
  }

  void propose(const Run& run, Id<Replica> self, ToAll<Replica, Propose> out) {
    require(!has_clients(run) && phase == Phase::broadcast);
    broadcast({}, run, self, out);
  }
  void accept(const Propose& p, const Run& run, Reply<Accepted> out) {
    require(p.transaction.epoch == *current && (epoch(run) == *current || run.bug("accept_from_old_leader")));
    require(phase == Phase::follower && p.number == history->size() + 1);
    history->push_back(p.transaction);
    out.send({*current, p.number});
  }
  void commit(const Quorum<Accepted, Replica, Acknowledgements>& followers, ToAll<Replica, Commit> out,
              To<Client, Result> answer) {
    require(phase == Phase::broadcast && delivered < history->size());
    for (const auto& f : followers) require(f->epoch == *current && f->number == delivered + 1);
    const Operation& put = (*history)[delivered++].operation;
    if (put.by) answer.send(put.by, {});
    out.send({*current, delivered});
  }
  void deliver(const Commit& c, const Run& run) {
    require(!has_clients(run) || run.bug("local_read"));  // otherwise nothing looks at what is delivered
    require(c.epoch == *current && phase == Phase::follower && c.number > delivered && c.number <= history->size());
    delivered = c.number;
  }

  // Steps for clients, who exist only if `harness` says so.
  // Never with default parameters: Replica::request; Replica::read; Replica::confirm; Replica::answer.
  // Never with default parameters: sending Confirmation; sending Operation; sending Probe; sending Result.
  void request(const Operation& put, const Run& run, Id<Replica> self, ToAll<Replica, Propose> out,
               To<Client, Result> answer) {
    require(put.kind == Kind::put && phase == Phase::broadcast);
    const auto found = std::ranges::find(*history, put, &Transaction::operation);
    const auto at = static_cast<std::size_t>(found - history->begin());
    if (at == history->size() || run.bug("no_duplicate_detection")) return broadcast(put, run, self, out);
    require(at < delivered);
    answer.send(put.by, {});
  }
  void read(const Operation& get, const Run& run, ToAll<Replica, Probe> out, To<Client, Result> answer) {
    require(get.kind == Kind::get && !answered.contains(get.by));
    if (run.bug("local_read")) return answer_read(get, answer);
    require(phase == Phase::broadcast);
    out.send({*current, get});
  }
  void confirm(const Probe& p, Reply<Confirmation> out) {
    require(p.term == *current);
    out.send({p.term, p.read});
  }
  void answer(const Quorum<Confirmation, Replica, Others>& confirmations, To<Client, Result> out) {
    require(phase == Phase::broadcast && confirmations.size() > 0);
    const Operation& get = confirmations.front()->read;
    for (const auto& c : confirmations) require(c->term == *current && c->read == get);
    require(!answered.contains(get.by));
    answer_read(get, out);
  }

  // --- Parts of steps.
  int epoch(const Run& run) const { return run.bug("volatile_epoch") ? accepted_in_memory : *accepted; }
  void enter(int later, const Run& run) {
    (run.bug("volatile_epoch") ? accepted_in_memory : *accepted) = later;
    phase = Phase::follower;
    answered.clear();
  }
  void broadcast(const Operation& put, const Run& run, Id<Replica> self, ToAll<Replica, Propose> out) {
    require(history->size() < room(run, "entries"));
    history->push_back({*current, self, put});
    out.send({history->size(), history->back()});
  }
  void answer_read(const Operation& get, To<Client, Result> out) {
    answered.insert(get.by);
    out.send(get.by, result_after(*history, delivered, get));
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::discover, &Replica::accept_epoch, &Replica::synchronise, &Replica::adopt,
                          &Replica::establish, &Replica::propose, &Replica::accept, &Replica::commit, &Replica::deliver,
                          &Replica::request, &Replica::read, &Replica::confirm, &Replica::answer>;
};

bool agreement(const View& v) {
  const auto replicas = v.all<Replica>();
  for (const Replica& a : replicas) {
    for (const Replica& b : replicas) {
      if (!same_prefix(*a.history, *b.history, std::min(a.delivered, b.delivered))) return false;
    }
  }
  return true;
}

bool one_leader(const View& v) {
  std::vector<int> established;
  for (const Replica& r : v.all<Replica>()) {
    if (r.phase == Replica::Phase::broadcast) established.push_back(*r.current);
  }
  std::ranges::sort(established);
  return std::ranges::adjacent_find(established) == established.end();
}

const Register model({
    .name = "zab",
    .summary =
        "Zab, ZooKeeper's atomic broadcast: discovery, synchronisation and broadcast, as a replicated key-value store",
    .parameters = {{"replicas", 3, 1, 7, "servers"},
                   {"candidates", 2, 0, 7, "replicas that may lead; 0: all"},
                   {"epochs", 2, 1, 9, "the last epoch"},
                   {"entries", 1, 1, 9, "the longest history; with clients as long as need be"},
                   {"crashes", 0, 0, 3, "restarts with what is durable"},
                   {"start",
                    {"cold", "elected"},
                    "elected: the first replica leads epoch 1 already; always with clients"},
                   clients_parameter(),
                   keys_parameter(),
                   retries_parameter()},
    .bugs = {{"volatile_epoch",
              "one leader an epoch",
              {{"epochs", "1"}, {"crashes", "1"}},
              "forgets in a restart which epoch it accepted"},
             {"commit_without_majority", "agreement", {}, "a leader commits what only it has"},
             {"longest_history",
              "agreement",
              {{"epochs", "3"}, {"entries", "2"}, {"start", "elected"}},
              "a new leader takes the longest history, not that of the latest epoch"},
             {"accept_from_old_leader",
              "agreement",
              {},
              "a follower that accepted a new epoch still accepts transactions of the old one"},
             {"local_read",
              "linearizability",
              {{"harness", "1R+1W"}, {"epochs", "1"}},
              "any replica answers reads from what it delivered"},
             {"no_duplicate_detection",
              "linearizability",
              {{"harness", "1R+2W"}, {"epochs", "1"}},
              "a request that arrives again is executed again"}},
    .expected = {{{}, 10359, 21436, 386, "own unreduced search"},
                 {{{"harness", "1R+1W"}}, 6843, 25031, 139, "own unreduced search"}},
    .build =
        [](Model& m) {
          const Run& run = m.run();
          const auto replicas = static_cast<std::size_t>(run["replicas"]);
          const auto candidates = run["candidates"] == 0 ? replicas : static_cast<std::size_t>(run["candidates"]);
          m.network.order = Network::Order::Soup;
          m.faults.crashes = static_cast<unsigned>(run["crashes"]);
          m.faults.recovery = run["crashes"] > 0;
          std::vector<Id<Replica>> contacts;
          m.add<Replica>(replicas, [&](std::size_t i) {
            Replica r;
            r.may_lead = i < candidates;
            if (r.may_lead) contacts.push_back(Model::id<Replica>(i));
            if (has_clients(run) || run.text("start") == "elected") {
              r.enter(1, run);
              *r.current = 1;
              if (i == 0) r.phase = Replica::Phase::broadcast;
            }
            return r;
          });
          if (has_clients(run)) {
            add_clients(m, contacts);
          } else {
            m.add<Client>(0);
            m.always("agreement", agreement);
            m.always("one leader an epoch", one_leader);
            m.sometimes("a transaction is delivered everywhere in the last epoch", [](const View& v) {
              return std::ranges::all_of(v.all<Replica>(), [&](const Replica& r) {
                return r.delivered > 0 && *r.current == v.run()["epochs"];
              });
            });
          }
        },
});

}  // namespace
