// A register replicated by a leader ("DR" of Al-Mahfoudh, Stutsman, Gopalakrishnan 2023). Every agent takes requests
// and hands them to the leader. The leader stores a write at once, tells the others to store it, and answers when a
// majority, itself included, has stored it. It answers a read with the value that it held when the read arrived, once
// it has heard from a majority. So the leader's copy is the register, and an operation happens when the leader receives
// it. Each request has its own client; client c asks agent c, round robin. The value of the n-th write is n.
#include <heddle/harness.h>
#include <heddle/heddle.h>

#include <optional>
#include <string>

#include "one_shot_client.h"

namespace {

using namespace heddle;

struct Agent;

enum class Op { read, write };
using Value = std::optional<int>;  // none before any write
struct Operation {
  Op op = Op::read;
  Value value = {};  // to be written
};
struct Result {
  Value value = {};  // what was read
};
using Client = one_shot::Client<Agent, Operation, Result>;
using Request = one_shot::Request<Agent, Operation, Result>;
struct IAmLeader {};
struct WriteReplica {
  Value value;
  Id<Client> client;
};
struct WriteReplicaAck {
  Id<Client> client;
};
struct ReadReplica {
  Id<Client> client;
};
struct ReadReplicaAck {
  Value value;
  Id<Client> client;
};

// An operation that the leader has under way.
struct Tracker {
  Op op = Op::read;
  Value value = {};
  std::size_t acks = 1;  // its own
  bool operator==(const Tracker&) const = default;
};

struct Agent {
  Id<Agent> leader;
  bool announced = true;
  Value value = {};
  Per<Client, Tracker> under_way = {};

  // Used if the leader is not known from the start (leader=announced).
  // Never with default parameters: Agent::announce; Agent::meet; sending IAmLeader.
  void announce(Id<Agent> self, ToAll<Agent, IAmLeader> out) {
    require(leader == self && !announced);
    announced = true;
    out.send({});
  }
  void meet(const From<IAmLeader, Agent>& leading) { leader = leading.sender; }
  void serve(const Request& request, Id<Agent> self, const Run& run, To<Agent, Request> forward,
             ToAll<Agent, WriteReplica> write, ToAll<Agent, ReadReplica> read, To<Client, Result> done) {
    require(static_cast<bool>(leader));
    const auto& [operation, client] = request;
    if (operation.op == Op::read && run.bug("local_read")) return done.send(client, {value});
    if (leader != self) return forward.send(leader, request);
    under_way[client] = {operation.op, operation.op == Op::write ? operation.value : value};
    if (operation.op == Op::read) return read.send({client});
    write.send({operation.value, client});
    if (run.bug("early_ack")) return done.send(client, {});
    value = operation.value;
  }
  void store(const WriteReplica& write, Reply<WriteReplicaAck> ack) {
    value = write.value;
    ack.send({write.client});
  }
  void show(const ReadReplica& read, Reply<ReadReplicaAck> ack) { ack.send({value, read.client}); }
  void stored(const WriteReplicaAck& ack, const Run& run, To<Client, Result> done) {
    Tracker& t = under_way[ack.client];
    if (++t.acks != run.count<Agent>() / 2 + 1) return;
    if (!run.bug("early_ack")) return done.send(ack.client, {});
    value = t.value;
  }
  void shown(const ReadReplicaAck& ack, const Run& run, To<Client, Result> done) {
    Tracker& t = under_way[ack.client];
    if (++t.acks == run.count<Agent>() / 2 + 1) done.send(ack.client, {t.value});
  }
  static constexpr auto transitions = heddle::transitions<&Agent::announce, &Agent::meet, &Agent::serve, &Agent::store,
                                                          &Agent::show, &Agent::stored, &Agent::shown>;
};

struct SequentialRegister {
  Value value;
  Result apply(const Operation& operation) {
    if (operation.op == Op::read) return {value};
    value = operation.value;
    return {};
  }
};

const std::string source = "this model; its schedules are as many as those of the paper";

const Register model({
    .name = "distributed_register",
    .summary = "a register replicated by a leader that waits for a majority",
    .parameters = {harness_parameter(),
                   {"agents", 2, 2, 5, "copies of the register"},
                   {"leader", {"known", "announced"}, "the others know the leader, or are told while requests arrive"}},
    .bugs = {{"local_read", "linearizability", {}, "whoever is asked answers a read from its own copy"},
             {"early_ack", "linearizability", {}, "a write is acknowledged at once and stored when a majority has it"}},
    .expected = {{{}, 1256, 2524, 34, source}, {{{"harness", "2R+2W"}}, 76549, 187144, 1094, source}},
    .build =
        [](Model& m) {
          const auto agents = static_cast<std::size_t>(m.run()["agents"]);
          const auto requests = harness_requests(m.run());
          m.add<Client>(requests.size(), [&](std::size_t c) {
            const auto& [writes, number] = requests[c];
            return Client{.operation = writes ? Operation{Op::write, number} : Operation{},
                          .agent = m.id<Agent>(c % agents)};
          });
          const bool known = m.run().text("leader") == "known";
          m.add<Agent>(agents, [&](std::size_t a) {
            return Agent{.leader = known || a == 0 ? m.id<Agent>(0) : Id<Agent>{}, .announced = known || a != 0};
          });
          // As in the paper (5.8.5): acknowledgements are not permuted by LiViola.
          m.exclude<WriteReplicaAck>();
          m.exclude<ReadReplicaAck>();
          m.linearizable<SequentialRegister, Operation>("linearizability");
          one_shot::every_operation_returns<Client>(m);
        },
});

}  // namespace
