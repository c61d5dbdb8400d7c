// Viewstamped Replication (Liskov, Cowling: Viewstamped Replication Revisited, 2012): normal operation and view
// change, without disks. Views have fixed primaries; view 1 is in operation at the start.
//
//   propose, request   the primary appends a command and sends PREPARE
//   prepare            a backup of the view appends it if it is the next one, and answers PREPAREOK
//   commit             f PREPAREOKs for the first command that is not committed; COMMIT tells the backups
//   suspect, join      a backup gives up on the primary, or hears of one that did: next view, STARTVIEWCHANGE
//   report             f STARTVIEWCHANGEs of others: DOVIEWCHANGE with log, last normal view and commit number
//   take_over          f+1 DOVIEWCHANGEs: the longest log of the latest normal view; STARTVIEW
//   adopt              a backup takes that log and acknowledges what is not committed yet
//
// With harness=none, commands are numbers of views. `agreement`: committed prefixes are comparable. `primary
// completeness`: a primary has everything that was committed up to its view.
// With clients, a request that is in the log is not appended again (the log doubles as client table). Gets are
// answered from what is committed, after f backups confirmed the view. Messages are a soup. Recovery and
// reconfiguration are not modelled: a crashed replica takes no more steps.
#include "kv_clients.h"

namespace {

struct Command {
  int view = 0;  // of a primary that proposes its own command
  Operation operation;
  bool operator==(const Command&) const = default;
};
using Log = std::vector<Command>;

struct Prepare {
  int view;
  std::size_t number;
  Command command;
};
struct PrepareOk {
  int view;
  std::size_t number;
};
struct Commit {
  int view;
  std::size_t number;
};
struct StartViewChange {
  int view;
};
struct DoViewChange {
  int view;
  Log log;
  int last_normal;
  std::size_t committed;
};
struct StartView {
  int view;
  Log log;
  std::size_t committed;
};
struct Acknowledgements {
  static std::size_t size(std::size_t replicas, const Run& run) {
    return Others::size(replicas) - (run.bug("commit_without_majority") ? 1 : 0);
  }
};

struct Replica {
  enum class Status { normal, change, reported };
  std::vector<Id<Replica>> primaries;  // of views 1, 2, ...
  int view = 1, last_normal = 1;
  Status status = Status::normal;
  Log log;
  std::size_t committed = 0;
  std::size_t inherited = 0;  // length of a primary's log when its view began
  IdSet<Client> answered;     // whose reads were answered in this view

  void propose(const Run& run, Id<Replica> self, ToAll<Replica, Prepare> out) {
    require(!has_clients(run) && primary(self));
    append({view, {}}, run, out);
  }
  void prepare(const Prepare& p, const Run& run, Reply<PrepareOk> out) {
    const bool in_view = status == Status::normal && p.view == view;
    require(in_view || (run.bug("prepare_during_change") && p.view == last_normal));
    require(p.number == log.size() + 1);
    log.push_back(p.command);
    out.send({p.view, p.number});
  }
  void commit(const Quorum<PrepareOk, Replica, Acknowledgements>& oks, Id<Replica> self, ToAll<Replica, Commit> out,
              To<Client, Result> answer) {
    require(primary(self) && committed < log.size());
    for (const auto& ok : oks) require(ok->view == view && ok->number == committed + 1);
    const Operation& put = log[committed++].operation;
    if (put.by) answer.send(put.by, {});
    out.send({view, committed});
  }
  void learn(const Commit& c, const Run& run) {
    require(!has_clients(run));  // only primaries answer, and a new one commits again what it takes over
    require(status == Status::normal && c.view == view && c.number > committed && c.number <= log.size());
    committed = c.number;
  }

  void suspect(Timeout, const Run& run, Id<Replica> self, ToAll<Replica, StartViewChange> out) {
    require(!primary(self) && view < run["views"]);
    change(view + 1, out);
  }
  void join(const StartViewChange& s, ToAll<Replica, StartViewChange> out) {
    require(s.view > view);
    change(s.view, out);
  }
  void report(const Quorum<StartViewChange, Replica, Others>& changes, To<Replica, DoViewChange> out) {
    require(status == Status::change);
    for (const auto& s : changes) require(s->view == view);
    status = Status::reported;
    out.send(primary_of(view), {view, log, last_normal, committed});
  }
  void take_over(const Quorum<DoViewChange, Replica>& reports, const Run& run, ToAll<Replica, StartView> out) {
    require(status != Status::normal);
    std::pair<int, std::size_t> best{-1, 0};
    for (const auto& r : reports) {
      require(r->view == view);
      const std::pair found{run.bug("longest_log") ? 0 : r->last_normal, r->log.size()};
      if (found > best) {
        best = found;
        log = r->log;
      }
      committed = std::max(committed, r->committed);
    }
    begin_view();
    inherited = log.size();
    out.send({view, log, committed});
  }
  void adopt(const StartView& s, Reply<PrepareOk> out) {
    require(s.view > view || (s.view == view && status != Status::normal));
    view = s.view;
    log = s.log;
    committed = std::max(committed, s.committed);
    begin_view();
    for (std::size_t n = s.committed + 1; n <= log.size(); ++n) out.send({view, n});
  }

  // Steps for clients, who exist only if `harness` says so.
  // Never with default parameters: Replica::request; Replica::read; Replica::confirm; Replica::answer.
  // Never with default parameters: sending Confirmation; sending Operation; sending Probe; sending Result.
  void request(const Operation& put, const Run& run, Id<Replica> self, ToAll<Replica, Prepare> out,
               To<Client, Result> answer) {
    require(put.kind == Kind::put && primary(self));
    const auto at = static_cast<std::size_t>(std::ranges::find(log, put, &Command::operation) - log.begin());
    if (at == log.size() || run.bug("no_duplicate_detection")) return append({0, put}, run, out);
    require(at < committed);
    answer.send(put.by, {});
  }
  void read(const Operation& get, const Run& run, Id<Replica> self, ToAll<Replica, Probe> out,
            To<Client, Result> answer) {
    require(get.kind == Kind::get && primary(self) && !answered.contains(get.by));
    if (run.bug("local_read")) return answer_read(get, answer);
    out.send({view, get});
  }
  void confirm(const Probe& p, Reply<Confirmation> out) {
    require(status == Status::normal && p.term == view);
    out.send({p.term, p.read});
  }
  void answer(const Quorum<Confirmation, Replica, Others>& confirmations, Id<Replica> self, To<Client, Result> out) {
    require(primary(self) && confirmations.size() > 0);
    const Operation& get = confirmations.front()->read;
    for (const auto& c : confirmations) require(c->term == view && c->read == get);
    require(!answered.contains(get.by));
    answer_read(get, out);
  }

  // --- Parts of steps.
  Id<Replica> primary_of(int of) const { return primaries[static_cast<std::size_t>(of - 1)]; }
  bool primary(Id<Replica> self) const { return status == Status::normal && primary_of(view) == self; }
  void append(const Command& command, const Run& run, ToAll<Replica, Prepare> out) {
    require(log.size() < room(run, "entries"));
    log.push_back(command);
    out.send({view, log.size(), command});
  }
  void change(int later, ToAll<Replica, StartViewChange> out) {
    view = later;
    status = Status::change;
    inherited = 0;
    answered.clear();
    out.send({view});
  }
  void begin_view() {
    status = Status::normal;
    last_normal = view;
    answered.clear();
  }
  void answer_read(const Operation& get, To<Client, Result> out) {
    require(committed >= inherited);
    answered.insert(get.by);
    out.send(get.by, result_after(log, committed, get));
  }
  static constexpr auto transitions =
      heddle::transitions<&Replica::propose, &Replica::prepare, &Replica::commit, &Replica::learn, &Replica::suspect,
                          &Replica::join, &Replica::report, &Replica::take_over, &Replica::adopt, &Replica::request,
                          &Replica::read, &Replica::confirm, &Replica::answer>;
};

bool agreement(const View& v) {
  const auto replicas = v.all<Replica>();
  for (const Replica& a : replicas) {
    for (const Replica& b : replicas) {
      if (!same_prefix(a.log, b.log, std::min(a.committed, b.committed))) return false;
    }
  }
  return true;
}

bool primary_completeness(const View& v) {
  const auto replicas = v.all<Replica>();
  for (const Id<Replica> id : v.ids<Replica>()) {
    const Replica b = v.at<Replica>(id);
    if (!b.primary(id)) continue;
    for (const Replica& a : replicas) {
      if (a.last_normal <= b.view && !same_prefix(a.log, b.log, a.committed)) return false;
    }
  }
  return true;
}

const Register model({
    .name = "viewstamped_replication",
    .summary = "Viewstamped Replication: normal operation and view changes, as a replicated key-value store",
    .parameters = {{"replicas", 3, 1, 7, "copies of the store; primaries in turn"},
                   {"views", 2, 1, 9, "the last view"},
                   {"entries", 1, 1, 9, "the longest log; with clients as long as need be"},
                   clients_parameter(),
                   keys_parameter(),
                   retries_parameter()},
    .bugs = {{"longest_log",
              "primary completeness",
              {{"views", "3"}, {"entries", "2"}},
              "a new primary takes the longest log, not that of the latest normal view"},
             {"commit_without_majority",
              "primary completeness",
              {},
              "f acknowledgements commit, the primary's own included"},
             {"prepare_during_change",
              "primary completeness",
              {},
              "a backup that has left a view still acknowledges commands in it"},
             {"local_read",
              "linearizability",
              {{"harness", "1R+1W"}},
              "a primary answers reads without asking whether the view is over"},
             {"no_duplicate_detection",
              "linearizability",
              {{"harness", "1R+2W"}, {"views", "1"}},
              "a request that arrives again is executed again"}},
    .expected = {{{}, 1013, 2680, 73, "own unreduced search"},
                 {{{"harness", "1R+1W"}}, 24207, 91805, 834, "own unreduced search"}},
    .build =
        [](Model& m) {
          const Run& run = m.run();
          const auto replicas = static_cast<std::size_t>(run["replicas"]);
          m.network.order = Network::Order::Soup;
          Replica replica;
          for (std::size_t v = 0; v < static_cast<std::size_t>(run["views"]); ++v) {
            replica.primaries.push_back(Model::id<Replica>(v % replicas));
          }
          m.add<Replica>(replicas, [&](std::size_t) { return replica; });
          if (has_clients(run)) {
            replica.primaries.resize(std::min(replicas, replica.primaries.size()));
            add_clients(m, replica.primaries);
          } else {
            m.add<Client>(0);
            m.always("agreement", agreement);
            m.always("primary completeness", primary_completeness);
            m.sometimes("a command is committed everywhere in the last view", [](const View& v) {
              return std::ranges::all_of(v.all<Replica>(), [&](const Replica& r) {
                return r.committed > 0 && r.last_normal == v.run()["views"];
              });
            });
          }
        },
});

}  // namespace
