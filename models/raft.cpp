// Raft (Ongaro, Ousterhout: In Search of an Understandable Consensus Algorithm, 2014), at the granularity in
// which Cirisci's thesis (2022) relates it to the Quorum Tree: a leader sends its whole log, and a follower takes
// it unless its own is longer.
//
//   campaign   VOTEREQ   a new term, a vote for oneself, votes asked for
//   vote       VOTERESP  once a term, for a log that is up to date
//   lead, append, commit LOGREQ: the first message of a term, one with a new entry, one that decides what a
//   majority
//                        has acknowledged if the last entry is of the leader's term; each has log and decided
//                        length
//   follow     LOGRESP   takes the log, acknowledges (term, length)
//
// With harness=none, `lead` and `commit` may also append an entry, whose value is its author. `agreement`:
// decided prefixes are comparable, and nobody puts another entry where it had decided one. `validity`: a decided
// entry was appended by its author. `leader completeness`: a leader of the term of a decided entry, or of a later
// one, has that entry.
// With clients, the first replica leads term 1 from the start. Puts go through the log. So do gets with
// reads=log. With reads=index (section 6.4 of Ongaro's thesis, 2014), the leader, having decided all it
// inherited, answers them after a majority confirmed that it still leads. A request in the log is not appended
// again; it is answered when decided. Messages are a soup, which covers late, lost and repeated messages.
// Membership changes and snapshots are not modelled.
#include <heddle/qtree.h>

#include "kv_clients.h"

namespace {

struct Entry {
  int term = 0;
  Id<Replica> author;
  Operation operation;
  bool operator==(const Entry&) const = default;
};
using Log = std::vector<Entry>;

struct VoteRequest {
  int term;
  std::size_t length;
  int last_term;
};
struct Vote {
  int term;
};
struct LogRequest {
  int term;
  Log log;
  std::size_t decided;
};
struct Acknowledgement {
  int term = 0;
  std::size_t length = 0;
  bool operator==(const Acknowledgement&) const = default;
};

// Returns how many others a replica needs for a quorum with itself.
std::size_t others(std::size_t replicas, long quorum) {
  return quorum == 0 ? Others::size(replicas) : static_cast<std::size_t>(quorum) - 1;
}
struct OtherVotes {
  static std::size_t size(std::size_t replicas, const Run& run) {
    return run.bug("one_vote_elects") ? 0 : others(replicas, run["vote_quorum"]);
  }
};
struct OtherLogs {
  static std::size_t size(std::size_t replicas, const Run& run) {
    return run.bug("one_vote_elects") ? replicas - 1 : others(replicas, run["log_quorum"]);
  }
};

struct Replica {
  enum class Standing { follower, candidate, leader };
  bool may_lead = true;
  Durable<int> term, voted;  // `voted` is the last term in which it gave its vote
  Durable<Log> log;
  Durable<std::size_t> decided;  // length of the decided prefix
  Standing standing = Standing::follower;
  Acknowledgement acknowledged;  // the last one
  IdSet<Client> answered;        // whose reads were answered in this term
  int voted_in_memory = 0;       // only for a bug
  Durable<bool> recanted;        // it has put another entry where it had decided one; only bugs do that

  void campaign(Timeout, const Run& run, ToAll<Replica, VoteRequest> out) {
    require(may_lead && *term < run["terms"] && !(has_clients(run) && standing == Standing::leader));
    enter(*term + 1);
    standing = Standing::candidate;
    record_vote(run);
    out.send({*term, log->size(), last_term()});
  }
  void vote(const VoteRequest& r, const Run& run, Reply<Vote> out) {
    const int already = run.bug("volatile_vote") ? voted_in_memory : *voted;
    require(r.term >= *term && (already < r.term || run.bug("vote_twice")));
    const bool up_to_date = run.bug("up_to_date_by_length")
                                ? log->size() <= r.length
                                : std::pair(last_term(), log->size()) <= std::pair(r.last_term, r.length);
    require(up_to_date || run.bug("no_up_to_date_test"));
    enter(r.term);
    record_vote(run);
    out.send({r.term});
  }
  void lead(const Quorum<Vote, Replica, OtherVotes>& votes, Choice choose, const Run& run, Id<Replica> self,
            ToAll<Replica, LogRequest> out) {
    require(standing == Standing::candidate);
    for (const auto& v : votes) require(v->term == *term);
    standing = Standing::leader;
    maybe_append(choose, run, self);
    send_log(out);
  }
  void append(const Run& run, Id<Replica> self, ToAll<Replica, LogRequest> out) {
    require(!has_clients(run) && standing == Standing::leader && has_room(run));
    log->push_back({*term, self, {}});
    send_log(out);
  }
  void commit(const Quorum<Acknowledgement, Replica, OtherLogs>& acknowledgements, Choice choose, const Run& run,
              Id<Replica> self, ToAll<Replica, LogRequest> out, To<Client, Result> answer) {
    require(standing == Standing::leader && *decided < log->size());
    for (const auto& a : acknowledgements) {
      require(a->term == *term && (a->length == log->size() || run.bug("acknowledgement_of_any_length")));
    }
    require(last_term() == *term || run.bug("commit_older_term"));
    for (std::size_t i = *decided; i < log->size(); ++i) {
      const Operation& operation = (*log)[i].operation;
      if (operation.by) answer.send(operation.by, result_after(*log, i, operation));
    }
    *decided = log->size();
    maybe_append(choose, run, self);
    send_log(out);
  }
  void follow(const LogRequest& r, const Run& run, Reply<Acknowledgement> out) {
    require(r.term >= *term || run.bug("follower_ignores_term"));
    require(r.log.size() >= log->size() || run.bug("no_length_test"));
    const Acknowledgement acknowledgement{r.term, r.log.size()};
    // With clients, only leaders look at what is decided.
    const std::size_t known = may_lead || !has_clients(run) ? std::max(*decided, r.decided) : 0;
    require(r.term > *term || r.log != *log || known > *decided || acknowledgement != acknowledged);  // no idle step
    enter(std::max(*term, r.term));
    *recanted |= !same_prefix(*log, r.log, std::min({*decided, log->size(), r.log.size()}));
    *log = r.log;
    *decided = known;
    acknowledged = acknowledgement;
    out.send(acknowledgement);
  }

  // Steps for clients, who exist only if `harness` says so.
  // Never with default parameters: Replica::request; Replica::read; Replica::confirm; Replica::answer.
  // Never with default parameters: sending Confirmation; sending Operation; sending Probe; sending Result.
  void request(const Operation& operation, const Run& run, Id<Replica> self, ToAll<Replica, LogRequest> out,
               To<Client, Result> answer) {
    require(standing == Standing::leader && (operation.kind == Kind::put || run.text("reads") == "log"));
    const auto known = std::ranges::find(*log, operation, &Entry::operation);
    if (known != log->end() && !run.bug("no_duplicate_detection")) {
      const auto at = static_cast<std::size_t>(known - log->begin());
      require(at < *decided);
      return answer.send(operation.by, result_after(*log, at, operation));
    }
    require(has_room(run));
    log->push_back({*term, self, operation});
    send_log(out);
  }
  void read(const Operation& operation, const Run& run, ToAll<Replica, Probe> out, To<Client, Result> answer) {
    require(standing == Standing::leader && operation.kind == Kind::get && run.text("reads") == "index");
    require(!answered.contains(operation.by));
    if (run.bug("local_read") || OtherLogs::size(run.count<Replica>(), run) == 0) return answer_read(operation, answer);
    out.send({*term, operation});
  }
  void confirm(const Probe& p, Reply<Confirmation> out) {
    require(p.term >= *term);
    enter(p.term);
    out.send({p.term, p.read});
  }
  void answer(const Quorum<Confirmation, Replica, OtherLogs>& confirmations, To<Client, Result> out) {
    require(standing == Standing::leader && confirmations.size() > 0);
    const Operation& operation = confirmations.front()->read;
    for (const auto& c : confirmations) require(c->term == *term && c->read == operation);
    require(!answered.contains(operation.by));
    answer_read(operation, out);
  }

  // --- Parts of steps.
  int last_term() const { return log->empty() ? 0 : log->back().term; }
  bool has_room(const Run& run) const { return log->size() < room(run, "entries"); }
  void enter(int later) {
    if (later == *term) return;
    *term = later;
    standing = Standing::follower;
    answered.clear();
  }
  void record_vote(const Run& run) { (run.bug("volatile_vote") ? voted_in_memory : *voted) = *term; }
  void maybe_append(Choice choose, const Run& run, Id<Replica> self) {
    if (!has_clients(run) && has_room(run) && choose.flip()) log->push_back({*term, self, {}});
  }
  void send_log(ToAll<Replica, LogRequest> out) const { out.send({*term, *log, *decided}); }
  void answer_read(const Operation& operation, To<Client, Result> out) {
    const auto inherited = std::ranges::count_if(*log, [&](const Entry& e) { return e.term < *term; });
    require(*decided >= static_cast<std::size_t>(inherited));
    answered.insert(operation.by);
    out.send(operation.by, result_after(*log, *decided, operation));
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::campaign, &Replica::vote, &Replica::lead, &Replica::append, &Replica::commit,
                          &Replica::follow, &Replica::request, &Replica::read, &Replica::confirm, &Replica::answer>;
};

std::size_t decided_length(const Replica& r) { return std::min(*r.decided, r.log->size()); }

bool agreement(const View& v) {
  const auto replicas = v.all<Replica>();
  for (const Replica& a : replicas) {
    if (*a.recanted) return false;
    for (const Replica& b : replicas) {
      if (!same_prefix(*a.log, *b.log, std::min(decided_length(a), decided_length(b)))) return false;
    }
  }
  return true;
}

// A decided entry was appended by its author, in a term the author has been in.
bool validity(const View& v) {
  const auto replicas = v.all<Replica>();
  return std::ranges::all_of(replicas, [&](const Replica& r) {
    return std::all_of(
        r.log->begin(), r.log->begin() + static_cast<std::ptrdiff_t>(decided_length(r)),
        [&](const Entry& e) { return e.author && e.term >= 1 && e.term <= *v.at<Replica>(e.author).term; });
  });
}

bool leader_completeness(const View& v) {
  const auto replicas = v.all<Replica>();
  for (const Replica& a : replicas) {
    const std::size_t length = decided_length(a);
    if (length == 0) continue;
    const int decided_term = (*a.log)[length - 1].term;
    for (const Replica& b : replicas) {
      if (b.standing == Replica::Standing::leader && *b.term >= decided_term && !same_prefix(*a.log, *b.log, length))
        return false;
    }
  }
  return true;
}

// --- The Quorum Tree: a round is (term, index); its parent is the entry before it.
struct Payload {
  Id<Replica> author;
  Operation operation;
  bool operator==(const Payload&) const = default;
};
using Tree = BasicQTree<Payload>;

Round round_of(const Log& log, std::size_t index) {
  return index == 0 ? Round{} : Round{log[index - 1].term, static_cast<long>(index)};
}
Payload payload_of(const Log& log, std::size_t index) { return {log[index - 1].author, log[index - 1].operation}; }

// Reports what a process considers decided now and did not before, including another entry in the place of one it
// had decided.
void observe_decided(const Replica& before, const Replica& after, Calls<Tree>& tree) {
  const std::size_t known = decided_length(before);
  for (std::size_t i = 1; i <= decided_length(after); ++i) {
    if (i <= known && (*before.log)[i - 1] == (*after.log)[i - 1]) continue;
    tree.decided(round_of(*after.log, i), payload_of(*after.log, i));
  }
}
// A leader commits the entries of its own term that are now decided; earlier ones are decided with them. Then it
// adds what it appended. As printed in the thesis, it adds all undecided entries of its term each time.
void label_leader(const Replica& before, const Replica& after, Calls<Tree>& tree) {
  const Log& log = *after.log;
  for (std::size_t i = *before.decided + 1; i <= *after.decided; ++i) {
    if (log[i - 1].term == *after.term) tree.commit(round_of(log, i), Repeat::once);
  }
  const std::size_t last = *after.decided;
  if (last > *before.decided && log[last - 1].term != *after.term && !tree.thesis()) {
    tree.commit(round_of(log, last), Repeat::implied);
  }
  for (std::size_t i = (tree.thesis() ? last : before.log->size()) + 1; i <= log.size(); ++i) {
    if (log[i - 1].term == *after.term) tree.add(round_of(log, i), payload_of(log, i), round_of(log, i - 1));
  }
  observe_decided(before, after, tree);
}

const std::string completeness = "leader completeness";
const Settings third_term = {{"terms", "3"}, {"candidates", "2"}, {"start", "elected"}};
const Settings third_term_two_entries = {{"terms", "3"}, {"entries", "2"}, {"candidates", "2"}, {"start", "elected"}};

const Register model({
    .name = "raft",
    .summary = "Raft: leader election, log replication and commitment, no changes of membership, as a key-value store",
    .parameters = {{"replicas", 3, 1, 7, "servers"},
                   {"candidates", 0, 0, 7, "replicas that may lead; 0: all, with clients two"},
                   {"terms", 2, 1, 9, "the last term"},
                   {"entries", 1, 1, 9, "the longest log; with clients as long as need be"},
                   {"vote_quorum", 0, 0, 7, "votes a leader needs, its own included; 0: a majority"},
                   {"log_quorum", 0, 0, 7, "copies a decided entry needs; 0: a majority"},
                   {"crashes", 0, 0, 3, "restarts with what is durable"},
                   {"start", {"cold", "elected"}, "elected, as always with clients: the first leads term 1"},
                   clients_parameter(),
                   {"reads", {"index", "log"}, "reads after a confirmation round, or through the log"},
                   keys_parameter(),
                   retries_parameter()},
    .bugs = {{"commit_older_term", completeness, third_term, "decides an entry of an earlier term by counting copies"},
             {"no_up_to_date_test", completeness, {}, "votes for any log"},
             {"vote_twice", completeness, {}, "votes again in a term"},
             {"follower_ignores_term", completeness, {}, "takes logs of leaders of earlier terms"},
             {"acknowledgement_of_any_length", completeness, {}, "acknowledgements of shorter logs count"},
             {"no_length_test", completeness, {}, "a late message may shorten a log"},
             {"one_vote_elects", completeness, {}, "one vote elects, all logs decide: two leaders in a term"},
             {"up_to_date_by_length", completeness, third_term_two_entries,
              "votes for logs that are long enough, whatever their terms"},
             {"volatile_vote", completeness, {{"terms", "1"}, {"crashes", "1"}}, "forgets in a restart that it voted"},
             {"local_read",
              "linearizability",
              {{"harness", "1R+1W"}},
              "a leader answers reads without asking whether it still leads"},
             {"no_duplicate_detection",
              "linearizability",
              {{"harness", "1R+2W"}, {"terms", "1"}, {"candidates", "1"}},
              "a request that arrives again is executed again"}},
    .expected = {{{{"terms", "1"}}, 983, 2310, 76, "own count"},
                 {{}, 132099, 308568, 11530, "own count"},
                 {{{"vote_quorum", "3"}, {"log_quorum", "1"}}, 12003, 25797, 2062, "own count"},
                 {{{"harness", "1R+1W"}}, 13237, 59451, 127, "own unreduced search"}},
    .build =
        [](Model& m) {
          const Run& run = m.run();
          const auto replicas = static_cast<std::size_t>(run["replicas"]);
          auto candidates = static_cast<std::size_t>(run["candidates"]);
          if (candidates == 0) candidates = has_clients(run) ? 2 : replicas;
          m.network.order = Network::Order::Soup;
          m.faults.crashes = static_cast<unsigned>(run["crashes"]);
          m.faults.recovery = run["crashes"] > 0;
          std::vector<Id<Replica>> contacts;
          m.add<Replica>(replicas, [&](std::size_t i) {
            Replica r;
            r.may_lead = i < candidates;
            if (r.may_lead) contacts.push_back(Model::id<Replica>(i));
            if (has_clients(run) || run.text("start") == "elected") {
              r.term.value = r.voted.value = r.voted_in_memory = 1;
              if (!run.bug("volatile_vote")) r.voted_in_memory = 0;
              if (i == 0) r.standing = Replica::Standing::leader;
            }
            return r;
          });
          const std::size_t votes = OtherVotes::size(replicas, run) + 1, logs = OtherLogs::size(replicas, run) + 1;
          m.refines<Tree>("qtree", Tree{.same_value = false})
              .shares("P1", "votes of a term, twice", {votes, votes}, replicas)
              .shares("P4", "votes and copies of an entry", {votes, logs}, replicas)
              .implies(has_clients(run) ? std::vector<std::string>{}
                                        : std::vector<std::string>{"agreement", "validity"})
              .at<&Replica::lead>(label_leader)
              .at<&Replica::append>(label_leader)
              .at<&Replica::commit>(label_leader)
              .at<&Replica::request>(label_leader)
              .at<&Replica::follow>(observe_decided);
          if (has_clients(run)) {
            add_clients(m, contacts);
          } else {
            m.add<Client>(0);
            m.always("agreement", agreement);
            m.always("validity", validity);
            m.always(completeness, leader_completeness);
            m.sometimes("an entry is decided everywhere", [](const View& v) {
              return std::ranges::all_of(v.all<Replica>(), [](const Replica& r) { return *r.decided > 0; });
            });
          }
        },
});

}  // namespace
