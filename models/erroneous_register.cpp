// A replicated register that is wrong by design ("EDR" of Al-Mahfoudh, Stutsman, Gopalakrishnan 2023): the leader
// acknowledges a write before anybody else has stored it, and every agent answers reads from its own copy. So a read
// that begins after a write has ended may miss it. An agent that has no copy yet makes one up if the parameter says so.
// repaired=yes hands reads to the leader, as distributed_register does. Then the early acknowledgement is harmless,
// because the leader's copy is the register. There are three agents, and the first leads. Writes go to the leader, the
// n-th read to the n-th of the others.
#include <heddle/harness.h>
#include <heddle/heddle.h>

#include <algorithm>
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
struct WriteReplica {
  Value value;
  Id<Client> client;
};
struct WriteReplicaAck {
  Id<Client> client;
};

struct Agent {
  Id<Agent> leader;
  Value value = {};
  bool blank = true;                // nothing was ever written here
  Per<Client, int> acks = {};       // of writes under way, at the leader
  static constexpr int quorum = 2;  // what the leader would wait for if it waited
  static constexpr int made_up = 99;

  void serve(const Request& request, Id<Agent> self, const Run& run, To<Agent, Request> forward,
             ToAll<Agent, WriteReplica> write, To<Client, Result> done) {
    const auto& [operation, client] = request;
    if (operation.op == Op::write) {
      value = operation.value;
      blank = false;
      write.send({value, client});
      return done.send(client, {});
    }
    const bool repaired = run.text("repaired") == "yes" && !run.bug("local_read");
    if (repaired && leader != self) return forward.send(leader, request);
    const bool invents = run.text("blank") == "invented" || run.bug("thin_air");
    done.send(client, {blank && invents ? Value(made_up) : value});
  }
  void store(const WriteReplica& write, Reply<WriteReplicaAck> ack) {
    value = write.value;
    blank = false;
    ack.send({write.client});
  }
  // Only counts: the client was told long ago.
  void stored(const WriteReplicaAck& ack) { acks[ack.client] = std::min(acks[ack.client] + 1, quorum); }
  static constexpr auto transitions = heddle::transitions<&Agent::serve, &Agent::store, &Agent::stored>;
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
    .name = "erroneous_register",
    .summary = "a replicated register that acknowledges writes too early: wrong by itself, unless repaired",
    .parameters = {harness_parameter(),
                   {"agents", 3, 2, 5, "copies of the register"},
                   {"repaired", {"no", "yes"}, "reads go to the leader"},
                   {"blank", {"zero", "invented"}, "what a copy that was never written holds"}},
    .bugs =
        {{"local_read", "linearizability", {{"repaired", "yes"}}, "whoever is asked answers a read from its own copy"},
         {"thin_air", "linearizability", {{"repaired", "yes"}}, "a value is made up where none was written yet"}},
    .expected = {{{}, 2158, 5380, 55, source}},
    .violates = {"linearizability"},
    .build =
        [](Model& m) {
          const auto agents = static_cast<std::size_t>(m.run()["agents"]);
          const auto requests = harness_requests(m.run());
          m.add<Client>(requests.size(), [&](std::size_t c) {
            const auto& [writes, number] = requests[c];
            const auto other = 1 + static_cast<std::size_t>(number - 1) % (agents - 1);
            return Client{.operation = writes ? Operation{Op::write, number} : Operation{},
                          .agent = m.id<Agent>(writes ? 0 : other)};
          });
          m.add<Agent>(agents, [&](std::size_t) { return Agent{.leader = m.id<Agent>(0)}; });
          m.linearizable<SequentialRegister, Operation>("linearizability");
          one_shot::every_operation_returns<Client>(m);
        },
});

}  // namespace
