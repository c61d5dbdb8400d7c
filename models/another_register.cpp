// A register on two agents that both lead ("ADR" of Al-Mahfoudh, Stutsman, Gopalakrishnan 2023). An agent that is asked
// to write picks a number above all it has seen and asks the other to store the value under it. The other refuses if it
// has stored a value under a higher number. Then the write is tried again under a higher number, three times at most,
// as in Paxos. An agent stores its own write only after the other has stored it. A read asks for the other's copy and
// returns the newer one. A write that was refused is stored nowhere. A write that ended is known to both: later writes
// get higher numbers, and later reads see it. Client c asks agent c, round robin. The value of the n-th write is n.
#include <heddle/harness.h>
#include <heddle/heddle.h>

#include <algorithm>
#include <compare>
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
struct Stamp {
  int clock = 0, agent = 0;
  auto operator<=>(const Stamp&) const = default;
};
struct Copy {
  Stamp stamp;
  Value value = {};
};
struct Replicate {
  Copy copy;
  Id<Client> client;
};
struct Accepted {
  Copy copy;
  Id<Client> client;
};
struct Refused {
  Stamp newer;
  Value value;
  Id<Client> client;
};
struct Fetch {
  Id<Client> client;
};
struct Fetched {
  Copy copy;
  Id<Client> client;
};

struct Agent {
  int number = 0;  // breaks ties between stamps
  Copy copy = {};
  int clock = 0;                  // the highest it has seen
  Per<Client, int> retries = {};  // of writes it leads
  static constexpr int most_retries = 3;

  void serve(const Request& request, const Run& run, ToAll<Agent, Replicate> write, ToAll<Agent, Fetch> read,
             To<Client, Result> done) {
    const auto& [operation, client] = request;
    if (operation.op == Op::write) return replicate(operation.value, client, run, write);
    if (run.bug("local_read")) return done.send(client, {copy.value});
    read.send({client});
  }
  void replicate(Value value, Id<Client> client, const Run& run, ToAll<Agent, Replicate> write) {
    const Copy mine{{++clock, number}, value};
    if (run.bug("keep_early")) keep(mine);
    write.send({mine, client});
  }
  void store(const Replicate& write, Reply<Accepted> accept, Reply<Refused> refuse) {
    clock = std::max(clock, write.copy.stamp.clock);
    if (write.copy.stamp < copy.stamp) return refuse.send({copy.stamp, write.copy.value, write.client});
    keep(write.copy);
    accept.send({write.copy, write.client});
  }
  void accepted(const Accepted& answer, To<Client, Result> done) {
    keep(answer.copy);
    done.send(answer.client, {});
  }
  // Only overlapping writes are refused. Never with default parameters: Agent::refused; sending Refused.
  void refused(const Refused& answer, const Run& run, ToAll<Agent, Replicate> write) {
    clock = std::max(clock, answer.newer.clock);
    if (retries[answer.client]++ < most_retries) replicate(answer.value, answer.client, run, write);
  }
  void show(const Fetch& read, Reply<Fetched> out) { out.send({copy, read.client}); }
  void fetched(const Fetched& answer, To<Client, Result> done) {
    done.send(answer.client, {std::max(copy.stamp, answer.copy.stamp) == copy.stamp ? copy.value : answer.copy.value});
  }
  void keep(const Copy& other) {
    if (other.stamp > copy.stamp) copy = other;
  }
  static constexpr auto transitions = heddle::transitions<&Agent::serve, &Agent::store, &Agent::accepted,
                                                          &Agent::refused, &Agent::show, &Agent::fetched>;
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
    .name = "another_register",
    .summary = "a register on two agents that both lead; overlapping writes are tried again",
    .parameters = {harness_parameter()},
    .bugs = {{"local_read", "linearizability", {}, "an agent answers reads from its own copy"},
             {"keep_early",
              "linearizability",
              {{"harness", "2R+2W"}},
              "a value is kept at home before the other agent has accepted it"}},
    .expected = {{{}, 765, 1418, 34, source}, {{{"harness", "2R+2W"}}, 36152, 77748, 1094, source}},
    .build =
        [](Model& m) {
          const auto requests = harness_requests(m.run());
          m.add<Client>(requests.size(), [&](std::size_t c) {
            const auto& [writes, number] = requests[c];
            return Client{.operation = writes ? Operation{Op::write, number} : Operation{},
                          .agent = m.id<Agent>(c % 2)};
          });
          m.add<Agent>(2, [&](std::size_t a) { return Agent{.number = static_cast<int>(a)}; });
          m.linearizable<SequentialRegister, Operation>("linearizability");
          one_shot::every_operation_returns<Client>(m);
        },
});

}  // namespace
