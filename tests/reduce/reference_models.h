// Reference models with auxiliary data: small-step versions of the protocols of Saissi's thesis (TU Darmstadt 2019,
// chapter 3), where the messages consumed by the last step are auxiliary. Their counts are own counts
// (tests/reduce/auxiliary_search_test.cpp). One quorum step exists for every majority of matching messages; messages
// that it does not consume stay.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/heddle.h"

namespace heddle::reference {

inline Model build(std::string name, std::vector<Parameter> parameters, std::vector<Bug> bugs,
                   const std::function<void(Model&)>& build, const std::map<std::string, std::string>& values,
                   const std::string& bug) {
  return Model(Definition{.name = std::move(name),
                          .summary = "reference model",
                          .parameters = std::move(parameters),
                          .bugs = std::move(bugs),
                          .build = build},
               values, bug);
}

// --- REF-Paxos(P, A, 1).

namespace paxos {

struct Acceptor;
struct Learner;
struct Prepare {
  int number;
};
struct Promise {
  int number, accepted_number, accepted_value;
};
struct Accept {
  int number, value;
};
struct Accepted {
  int number, value;
};

// A consumed message.
struct Consumed {
  std::string type;
  Id<Acceptor> acceptor;  // its sender or receiver
  int number = 0, accepted_number = 0, value = 0;
};
using Last = Auxiliary<std::vector<Consumed>>;

struct Proposer {
  int number = 0, value = 0, state = 0;

  void start(ToAll<Acceptor, Prepare> out, Ghost<Last>& last) {
    require(state == 0);
    state = 1;
    out.send({number});
    *last = {};
  }
  void propose(const Quorum<Promise, Acceptor>& promises, ToAll<Acceptor, Accept> out, Ghost<Last>& last) {
    require(state == 1);
    state = 2;
    int highest = 0, chosen = value;
    std::vector<Consumed> consumed;
    for (const auto& p : promises) {
      if (p->accepted_number > highest) {
        highest = p->accepted_number;
        chosen = p->accepted_value;
      }
      consumed.push_back({"1b", p.sender, p->number, p->accepted_number, p->accepted_value});
    }
    out.send({number, chosen});
    *last = consumed;
  }
  static constexpr auto transitions = heddle::transitions<&Proposer::start, &Proposer::propose>;
};

enum class Fault { none, accepts_all, remembers_last };

struct Acceptor {
  Fault fault = Fault::none;
  int promised = 0, accepted_number = 0, accepted_value = -1;

  void promise(const Prepare& p, Id<Acceptor> self, Reply<Promise> out, Ghost<Last>& last) {
    *last = {Consumed{"1a", self, p.number, 0, 0}};
    if (p.number <= promised) return;
    promised = p.number;
    out.send({p.number, accepted_number, accepted_value});
  }
  void accept(const Accept& a, Id<Acceptor> self, To<Learner, Accepted> out, Ghost<Last>& last) {
    *last = {Consumed{"2a", self, a.number, 0, a.value}};
    if (a.number < promised && fault != Fault::accepts_all) return;
    if (a.number > accepted_number || fault == Fault::remembers_last) {
      accepted_number = a.number;
      accepted_value = a.value;
    }
    out.send({a.number, a.value});
  }
  static constexpr auto transitions = heddle::transitions<&Acceptor::promise, &Acceptor::accept>;
};

struct Learner {
  std::set<int> learned;

  void learn(const Quorum<Accepted, Acceptor>& votes, Ghost<Last>& last) {
    std::vector<Consumed> consumed;
    for (const auto& v : votes) {
      require(v->number == votes.front()->number && v->value == votes.front()->value);
      consumed.push_back({"L", v.sender, v->number, 0, v->value});
    }
    learned.insert(votes.front()->value);
    *last = consumed;
  }
  static constexpr auto transitions = heddle::transitions<&Learner::learn>;
};

// `bug` of acceptor 0: "", "accepts_all" (I), "remembers_last" (II).
inline Model model(int proposers, int acceptors, const std::string& bug = "") {
  return build(
      "ref_paxos", {{"proposers", 2, 1, 8, ""}, {"acceptors", 3, 1, 9, ""}},
      {{"accepts_all", "agreement", {}, ""}, {"remembers_last", "agreement", {}, ""}},
      [](Model& m) {
        m.ghost<Last>();
        m.add<Proposer>(static_cast<std::size_t>(m.run()["proposers"]), [](std::size_t i) {
          return Proposer{.number = static_cast<int>(i + 1), .value = static_cast<int>(i)};
        });
        const Fault fault = m.run().bug("accepts_all")      ? Fault::accepts_all
                            : m.run().bug("remembers_last") ? Fault::remembers_last
                                                            : Fault::none;
        m.add<Acceptor>(static_cast<std::size_t>(m.run()["acceptors"]),
                        [&](std::size_t i) { return Acceptor{.fault = i == 0 ? fault : Fault::none}; });
        m.add<Learner>();
        m.always("agreement", [](const View& v) { return v.all<Learner>()[0].learned.size() <= 1; });
      },
      {{"proposers", std::to_string(proposers)}, {"acceptors", std::to_string(acceptors)}}, bug);
}

}  // namespace paxos

// --- REF-Register(n): one write of 1 over 0, one read.

namespace storage {

struct Object;
struct Write {};
struct Written {};
struct Read {};
struct Value {
  int timestamp;
};
struct Consumed {
  std::string type;
  Id<Object> object;
  int timestamp = 0;
};
struct Monitor {
  int writer = 0;
  Auxiliary<std::vector<Consumed>> last;
};

struct Writer {
  void start(ToAll<Object, Write> out, Ghost<Monitor>& monitor) {
    require(monitor->writer == 0);
    monitor->writer = 1;
    monitor->last = {};
    out.send({});
  }
  void end(const Quorum<Written, Object>& answers, Ghost<Monitor>& monitor) {
    require(monitor->writer == 1);
    monitor->writer = 2;
    std::vector<Consumed> consumed;
    for (const auto& a : answers) consumed.push_back({"WA", a.sender, 0});
    monitor->last = consumed;
  }
  static constexpr auto transitions = heddle::transitions<&Writer::start, &Writer::end>;
};

struct Reader {
  int state = 0, returned = 0;
  bool write_done_at_start = false, write_started_at_end = false, write_done_at_end = false;

  void start(ToAll<Object, Read> out, Ghost<Monitor>& monitor) {
    require(state == 0);
    state = 1;
    write_done_at_start = monitor->writer == 2;
    monitor->last = {};
    out.send({});
  }
  void end(const Quorum<Value, Object>& answers, Ghost<Monitor>& monitor) {
    require(state == 1);
    state = 2;
    std::vector<Consumed> consumed;
    for (const auto& a : answers) {
      returned = std::max(returned, a->timestamp);
      consumed.push_back({"RA", a.sender, a->timestamp});
    }
    write_started_at_end = monitor->writer >= 1;
    write_done_at_end = monitor->writer == 2;
    monitor->last = consumed;
  }
  static constexpr auto transitions = heddle::transitions<&Reader::start, &Reader::end>;
};

struct Object {
  int timestamp = 0;

  void write(const Write&, Id<Object> self, Reply<Written> out, Ghost<Monitor>& monitor) {
    timestamp = 1;
    monitor->last = {Consumed{"W", self, 0}};
    out.send({});
  }
  void read(const Read&, Id<Object> self, Reply<Value> out, Ghost<Monitor>& monitor) {
    monitor->last = {Consumed{"R", self, 0}};
    out.send({timestamp});
  }
  static constexpr auto transitions = heddle::transitions<&Object::write, &Object::read>;
};

inline Model model(int objects, const std::string& bug = "") {
  return build(
      "ref_register", {{"objects", 3, 1, 9, ""}}, {{"wrong_regularity", "regularity", {}, ""}},
      [](Model& m) {
        m.ghost<Monitor>();
        m.add<Writer>();
        m.add<Reader>();
        m.add<Object>(static_cast<std::size_t>(m.run()["objects"]));
        m.always("regularity", [](const View& v) {
          const Reader r = v.all<Reader>()[0];
          if (r.state != 2) return true;
          if (v.run().bug("wrong_regularity")) return !r.write_done_at_end || r.returned == 1;
          return (!r.write_done_at_start || r.returned == 1) && (r.write_started_at_end || r.returned == 0);
        });
      },
      {{"objects", std::to_string(objects)}}, bug);
}

}  // namespace storage

// --- REF-Zab(l, f): one establishment of a leader and one transaction (Junqueira, Reed, Serafini, DSN 2011). Every
// follower picks a leader once. Liveness is a property of states without a step: a quorum has delivered some
// transaction.

namespace zab {

struct Leader;
struct Follower;
struct CurrentEpoch {
  int promised;
};
struct NewEpoch {
  int epoch;
};
struct EpochAck {
  int accepted;
  std::vector<int> history;
};
struct NewLeader {
  int epoch;
  std::vector<int> history;
};
struct LeaderAck {};
struct LeaderCommit {};
struct Propose {
  int epoch, transaction;
};
struct ProposalAck {};
struct Commit {
  int transaction;
};
struct Consumed {
  std::string type;
  Id<Leader> leader;
  Id<Follower> follower;
};
using Last = Auxiliary<std::vector<Consumed>>;

template <class Messages>
std::vector<Consumed> all_of(const char* type, Id<Leader> self, const Messages& messages) {
  std::vector<Consumed> out;
  for (const auto& m : messages) out.push_back({type, self, m.sender});
  return out;
}

struct Leader {
  enum class Phase { discovery, synchronisation, established, broadcast, done };
  int number = 0;
  Phase phase = Phase::discovery;
  int epoch = 0;

  void new_epoch(const Quorum<CurrentEpoch, Follower>& q, Id<Leader> self, const Run& run, Reply<NewEpoch> out,
                 Ghost<Last>& last) {
    require(phase == Phase::discovery && epoch == 0);
    const int leaders = static_cast<int>(run.count<Leader>());
    int highest = 0;
    for (const auto& m : q) highest = std::max(highest, m->promised);
    epoch = (highest / leaders + 1) * leaders + number;
    out.send({epoch});
    *last = all_of("CEPOCH", self, q);
  }
  void new_leader(const Quorum<EpochAck, Follower>& q, Id<Leader> self, Reply<NewLeader> out, Ghost<Last>& last) {
    require(phase == Phase::discovery);
    phase = Phase::synchronisation;
    std::pair<int, std::vector<int>> recent{-1, {}};
    for (const auto& m : q) recent = std::max(recent, std::pair(m->accepted, m->history));
    out.send({epoch, recent.second});
    *last = all_of("ACK-E", self, q);
  }
  void establish(const Quorum<LeaderAck, Follower>& q, Id<Leader> self, Reply<LeaderCommit> out, Reply<Propose> propose,
                 Ghost<Last>& last) {
    require(phase == Phase::synchronisation);
    phase = Phase::broadcast;
    out.send({});
    propose.send({epoch, number});
    *last = all_of("ACK-LD", self, q);
  }
  void commit(const Quorum<ProposalAck, Follower>& q, Id<Leader> self, Reply<Commit> out, Ghost<Last>& last) {
    require(phase == Phase::broadcast);
    phase = Phase::done;
    out.send({number});
    *last = all_of("ACK", self, q);
  }
  static constexpr auto transitions =
      heddle::transitions<&Leader::new_epoch, &Leader::new_leader, &Leader::establish, &Leader::commit>;
};

struct Follower {
  Id<Leader> leader;
  int promised = 0, accepted = 0;
  bool synchronised = false;
  std::vector<int> history, delivered;

  void pick(Choice choose, To<Leader, CurrentEpoch> out, Ghost<Last>& last) {
    require(!leader);
    leader = choose.member<Leader>();
    out.send(leader, {promised});
    *last = {};
  }
  void promise(const NewEpoch& m, Id<Follower> self, Reply<EpochAck> out, Ghost<Last>& last) {
    require(promised < m.epoch);
    promised = m.epoch;
    out.send({accepted, history});
    *last = {Consumed{"NEWEPOCH", leader, self}};
  }
  void synchronise(const NewLeader& m, Id<Follower> self, Reply<LeaderAck> out, Ghost<Last>& last) {
    require(promised == m.epoch);
    accepted = m.epoch;
    history = m.history;
    out.send({});
    *last = {Consumed{"NEWLEADER", leader, self}};
  }
  void establish(const LeaderCommit&, Id<Follower> self, Ghost<Last>& last) {
    synchronised = true;
    delivered = history;
    *last = {Consumed{"COMMIT-LD", leader, self}};
  }
  void append(const Propose& m, Id<Follower> self, Reply<ProposalAck> out, Ghost<Last>& last) {
    require(synchronised && accepted == m.epoch);
    history.push_back(m.transaction);
    out.send({});
    *last = {Consumed{"PROPOSE", leader, self}};
  }
  void deliver(const Commit& m, Id<Follower> self, Ghost<Last>& last) {
    delivered.push_back(m.transaction);
    *last = {Consumed{"COMMIT", leader, self}};
  }
  static constexpr auto transitions = heddle::transitions<&Follower::pick, &Follower::promise, &Follower::synchronise,
                                                          &Follower::establish, &Follower::append, &Follower::deliver>;
};

inline Model model(int leaders, int followers) {
  return build(
      "ref_zab", {{"leaders", 3, 1, 8, ""}, {"followers", 3, 1, 9, ""}}, {},
      [](Model& m) {
        m.ghost<Last>();
        m.add<Leader>(static_cast<std::size_t>(m.run()["leaders"]),
                      [](std::size_t i) { return Leader{.number = static_cast<int>(i)}; });
        m.add<Follower>(static_cast<std::size_t>(m.run()["followers"]));
        m.deadlock_free([](const View& v) {
          std::map<int, std::size_t> delivered;
          for (const Follower& f : v.all<Follower>()) {
            for (const int t : f.delivered) ++delivered[t];
          }
          return std::ranges::any_of(
              delivered, [&](const auto& d) { return d.second >= Majority::size(v.run().count<Follower>()); });
        });
      },
      {{"leaders", std::to_string(leaders)}, {"followers", std::to_string(followers)}}, "");
}

}  // namespace zab
}  // namespace heddle::reference
