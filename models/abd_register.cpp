// The atomic register of Attiya, Bar-Noy and Dolev (JACM 1995), for several writers (Lynch, Shvartsman 1997).
// Every server keeps a copy with a timestamp. To read or write, one first asks a majority for the newest copy.
// Then a majority records the copy that is returned or the new one.
// Granularity of Stateright's linearizable-register: a client asks one server, which coordinates one operation at
// a time and is itself in both majorities; the answers of the others are a quorum. The operations of client c go
// through the servers c, c+1, ... A value is the client that wrote it. State counts are Stateright's, where the
// first request of every client is under way in the initial state. With start=any a client may start at any time,
// so that writes also follow each other.
#include <heddle/heddle.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace heddle;

struct Client;
struct Server;

enum class Kind { write, read };
struct Operation {
  Id<Client> client;
  std::size_t number;  // among the client's operations
  Kind kind;
  bool operator==(const Operation&) const = default;
};
// The operation as others see it.
struct Call {
  Kind kind;
  Id<Client> value;  // what is written
};
struct Result {
  Id<Client> value;  // what was read; nobody for a write
};
struct Stamp {
  int clock = 0;
  int server = 0;
  auto operator<=>(const Stamp&) const = default;
};
struct Copy {
  Stamp stamp;
  Id<Client> value;
};

struct Query {
  Operation operation;
};
struct Answer {
  Operation operation;
  Copy copy;
};
struct Record {
  Operation operation;
  Copy copy;
};
struct Recorded {
  Operation operation;
};

// How many others make a majority together with oneself.
struct Others {
  static std::size_t size(std::size_t servers, const Run& run) {
    return servers / 2 - (run.bug("half_quorum") ? 1 : 0);
  }
};

struct Client {
  std::vector<Kind> plan;
  std::vector<Id<Server>> route;  // the server of each operation
  std::size_t begun = 0, returned = 0;

  void start(Id<Client> self, Invoke<Call> invoke, To<Server, Operation> ask) {
    require(begun == 0);
    next(self, invoke, ask);
  }
  void proceed(const Result& r, Return<Result> result, Id<Client> self, Invoke<Call> invoke,
               To<Server, Operation> ask) {
    result(r);
    ++returned;
    if (begun < plan.size()) next(self, invoke, ask);
  }
  void next(Id<Client> self, Invoke<Call> invoke, To<Server, Operation> ask) {
    const Operation operation{self, begun, plan[begun]};
    invoke({operation.kind, operation.kind == Kind::write ? self : Id<Client>{}});
    ask.send(route[begun++], operation);
  }
  static constexpr auto transitions = heddle::transitions<&Client::start, &Client::proceed>;
};

// The operation that a server coordinates.
struct Task {
  Operation operation;
  bool recording = false;  // second phase
  Copy copy;               // in the first phase its own when it asked, in the second what to return
};

struct Server {
  int number = 0;  // breaks ties between timestamps
  Copy copy;
  std::optional<Task> task = {};

  void begin(const Operation& operation, const Run& run, ToAll<Server, Query> query, ToAll<Server, Record> record) {
    require(!task);
    task = Task{operation, false, copy};
    if (operation.kind == Kind::write && run.bug("stale_timestamp")) return second_phase(copy, record);
    query.send({operation});
  }
  void answer(const Query& query, Reply<Answer> out) { out.send({query.operation, copy}); }
  void decide(const Quorum<Answer, Server, Others>& answers, const Run& run, ToAll<Server, Record> record,
              To<Client, Result> done) {
    require(task && !task->recording);
    Copy newest = task->copy;
    for (const auto& answer : answers) {
      require(answer->operation == task->operation);
      if (answer->copy.stamp > newest.stamp) newest = answer->copy;
    }
    if (task->operation.kind == Kind::read && run.bug("no_write_back")) return finish(newest.value, done);
    second_phase(newest, record);
  }
  void second_phase(Copy newest, ToAll<Server, Record> record) {
    const bool writes = task->operation.kind == Kind::write;
    if (writes) newest = {{newest.stamp.clock + 1, number}, task->operation.client};
    keep(newest);
    record.send({task->operation, newest});
    task = Task{task->operation, true, {{}, writes ? Id<Client>{} : newest.value}};
  }
  void store(const Record& record, Reply<Recorded> out) {
    keep(record.copy);
    out.send({record.operation});
  }
  void complete(const Quorum<Recorded, Server, Others>& recorded, To<Client, Result> done) {
    require(task && task->recording);
    for (const auto& r : recorded) require(r->operation == task->operation);
    finish(task->copy.value, done);
  }
  void finish(Id<Client> value, To<Client, Result> done) {
    done.send(task->operation.client, {value});
    task.reset();
  }
  void keep(const Copy& other) {
    if (other.stamp > copy.stamp) copy = other;
  }
  static constexpr auto transitions =
      heddle::transitions<&Server::begin, &Server::answer, &Server::decide, &Server::store, &Server::complete>;
};

struct SequentialRegister {
  Id<Client> value;
  Result apply(const Call& call) {
    if (call.kind == Kind::read) return {value};
    value = call.value;
    return {};
  }
};

const std::string source = "prototype of Stateright's example that also gives its 544";

const Register model({
    .name = "abd_register",
    .summary = "Attiya, Bar-Noy and Dolev's atomic register, replicated on servers of which a majority is enough",
    .parameters = {{"clients", 2, 1, 6, "processes that read and write"},
                   {"servers", 2, 2, 7, "copies of the register"},
                   {"workload", {"wr_wr", "w_rr", "wr_w"}, "w, r: operations of the first client _ of every other"},
                   {"start", {"together", "any"}, "clients send their first requests"}},
    .bugs = {{"no_write_back",
              "linearizability",
              {{"servers", "3"}, {"workload", "w_rr"}},
              "a read does not record what it saw"},
             {"stale_timestamp",
              "linearizability",
              {{"servers", "3"}, {"workload", "wr_w"}, {"start", "any"}},
              "a write does not ask for the newest timestamp"},
             {"ties_unbroken", "linearizability", {}, "timestamps of two writers may be equal"},
             {"half_quorum", "linearizability", {{"clients", "1"}}, "half of the servers are taken for a majority"}},
    .expected = {{{}, 544, 874, 16, "Stateright's linearizable-register"},
                 {{{"start", "any"}}, 807, 1262, 26, source},
                 {{{"clients", "1"}, {"servers", "3"}}, 1449, 3727, 40, source},
                 {{{"clients", "3"}}, 35009, 68114, 628, source}},
    .build =
        [](Model& m) {
          const std::string& workload = m.run().text("workload");
          const std::string first = workload.substr(0, workload.find('_')), others = workload.substr(first.size() + 1);
          const auto servers = static_cast<std::size_t>(m.run()["servers"]);
          m.add<Client>(static_cast<std::size_t>(m.run()["clients"]), [&](std::size_t c) {
            Client client;
            for (const char kind : c == 0 ? first : others) {
              client.plan.push_back(kind == 'w' ? Kind::write : Kind::read);
              client.route.push_back(m.id<Server>((c + client.route.size()) % servers));
            }
            return client;
          });
          m.add<Server>(servers, [&](std::size_t s) {
            const int number = m.run().bug("ties_unbroken") ? 0 : static_cast<int>(s);
            return Server{.number = number, .copy = {{0, number}, {}}};
          });
          if (m.run().text("start") == "together") m.start_after<&Client::start>();
          m.linearizable<SequentialRegister, Call>("linearizability");
          m.sometimes("every operation returns", [](const View& v) {
            return std::ranges::all_of(v.all<Client>(), [](const Client& c) { return c.returned == c.plan.size(); });
          });
        },
});

}  // namespace
