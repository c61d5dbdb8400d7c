// Three of Stateright's examples, counted state by state: single-copy-register, linearizable-register and paxos.
// Paxos is written here in the granularity of its examples/paxos.rs, whose servers are proposer, acceptor and
// learner in one and answer clients; the library's paxos keeps the roles apart.
//
// Stateright's own tests assert 93, 544 and 16,668. The other figures are own counts by a prototype of its
// semantics in Python, which also gives these three.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heddle/heddle.h"
#include "support/checked.h"

namespace heddle::stateright_paxos_test {
namespace {

struct Server;
struct Client;

struct Ballot {
  int round = 0, server = 0;
  auto operator<=>(const Ballot&) const = default;
};
// A value is the client that proposed it.
struct Vote {
  Ballot ballot;
  Id<Client> value;
};

struct Put {};
struct Get {};
struct PutOk {};
struct GetOk {
  Id<Client> value;
};
struct Prepare {
  Ballot ballot;
};
struct Prepared {
  Ballot ballot;
  int server;
  std::optional<Vote> accepted;
};
struct Accept {
  Vote vote;
};
struct Accepted {
  Ballot ballot;
};
struct Decided {
  Vote vote;
};

struct Operation {
  std::optional<Id<Client>> write;  // empty for a read
};
struct PaxosRegister {
  Id<Client> value;
  GetOk apply(const Operation& operation) {
    if (!operation.write) return {value};
    value = *operation.write;
    return {};
  }
};

struct Client {
  enum class Phase { idle, writes, reads, done };
  Id<Server> first, second;
  Phase phase = Phase::idle;

  void start(Id<Client> self, Invoke<Operation> invoke, To<Server, Put> out) {
    require(phase == Phase::idle);
    phase = Phase::writes;
    invoke({self});
    out.send(first, {});
  }
  void put_done(const PutOk&, Return<GetOk> result, Invoke<Operation> invoke, To<Server, Get> out) {
    require(phase == Phase::writes);
    phase = Phase::reads;
    result({});
    invoke({});
    out.send(second, {});
  }
  void get_done(const GetOk& reply, Return<GetOk> result) {
    phase = Phase::done;
    result(reply);
  }
  static constexpr auto transitions = heddle::transitions<&Client::start, &Client::put_done, &Client::get_done>;
};

struct Server {
  int number = 0;
  Ballot ballot = {};
  Id<Client> proposal = {};
  std::map<int, std::optional<Vote>> prepares = {};  // by server
  IdSet<Server> accepts = {};
  std::optional<Vote> accepted = {};
  bool decided = false;

  void put(const From<Put, Client>& put, ToAll<Server, Prepare> out) {
    require(!decided && !proposal);
    proposal = put.sender;
    ballot = {ballot.round + 1, number};
    prepares = {{number, accepted}};
    accepts.clear();
    out.send({ballot});
  }
  void prepare(const Prepare& prepare, Reply<Prepared> out) {
    require(!decided && ballot < prepare.ballot);
    ballot = prepare.ballot;
    out.send({ballot, number, accepted});
  }
  void propose(const Prepared& prepared, const Run& run, Id<Server> self, ToAll<Server, Accept> out) {
    require(!decided && ballot == prepared.ballot);
    prepares[prepared.server] = prepared.accepted;
    if (prepares.size() != Majority::size(run.count<Server>())) return;
    std::optional<Vote> newest;
    for (const auto& [server, vote] : prepares) {
      if (vote && (!newest || newest->ballot < vote->ballot)) newest = vote;
    }
    if (newest) proposal = newest->value;
    accepted = {ballot, proposal};
    accepts.insert(self);
    out.send({*accepted});
  }
  void accept(const Accept& accept, Reply<Accepted> out) {
    require(!decided && ballot <= accept.vote.ballot);
    ballot = accept.vote.ballot;
    accepted = accept.vote;
    out.send({ballot});
  }
  void decide(const From<Accepted, Server>& reply, const Run& run, ToAll<Server, Decided> out, To<Client, PutOk> done) {
    require(!decided && ballot == reply->ballot);
    accepts.insert(reply.sender);
    if (accepts.size() != Majority::size(run.count<Server>())) return;
    decided = true;
    out.send({{ballot, proposal}});
    done.send(proposal, {});
  }
  void learn(const Decided& other) {
    require(!decided);
    ballot = other.vote.ballot;
    accepted = other.vote;
    decided = true;
  }
  void get(const Get&, Reply<GetOk> out) {
    require(decided);
    out.send({accepted->value});
  }
  static constexpr auto transitions =
      heddle::transitions<&Server::put, &Server::prepare, &Server::propose, &Server::accept, &Server::decide,
                          &Server::learn, &Server::get>;
};

const Definition paxos{
    .name = "paxos with clients",
    .summary = "Stateright's paxos",
    .parameters = {{"clients", 2, 1, 6, ""}, {"servers", 3, 1, 7, ""}},
    .build =
        [](Model& m) {
          const auto servers = static_cast<std::size_t>(m.run()["servers"]);
          m.add<Client>(static_cast<std::size_t>(m.run()["clients"]), [&](std::size_t c) {
            return Client{.first = m.id<Server>(c % servers), .second = m.id<Server>((c + 1) % servers)};
          });
          m.add<Server>(servers, [](std::size_t s) { return Server{.number = static_cast<int>(s)}; });
          m.start_after<&Client::start>();
          m.linearizable<PaxosRegister, Operation>("linearizability");
          m.sometimes("value chosen", [](const View& v) {
            return std::ranges::any_of(v.in_flight<GetOk>(), [](const GetOk& reply) { return bool(reply.value); });
          });
        },
};

struct Example {
  std::string model;
  int clients, servers;
  std::size_t states, transitions, deadlocks;
  Verdict verdict = Verdict::Holds;
};

class Stateright : public testing::TestWithParam<Example> {};

TEST_P(Stateright, HasTheSameStates) {
  const Example& example = GetParam();
  const Definition* definition = example.model == "paxos" ? &paxos : find_model(example.model);
  ASSERT_NE(definition, nullptr);
  SearchOptions options;
  options.stop_at_violation = false;
  const run::CheckResult result = checked(
      Model(*definition, {{"clients", std::to_string(example.clients)}, {"servers", std::to_string(example.servers)}}),
      with_plan({}, options));
  EXPECT_TRUE(result.complete) << result.stopped_by;
  EXPECT_EQ(result.verdict, example.verdict);
  EXPECT_EQ(result.counters.states, example.states);
  EXPECT_EQ(result.counters.transitions, example.transitions);
  EXPECT_EQ(result.counters.deadlocks, example.deadlocks);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, Stateright,
    testing::Values(Example{"single_copy_register", 1, 1, 5, 4, 1}, Example{"single_copy_register", 2, 1, 93, 120, 12},
                    Example{"single_copy_register", 3, 1, 4243, 6777, 408},
                    Example{"single_copy_register", 2, 2, 62, 80, 8, Verdict::Violated},
                    Example{"abd_register", 1, 2, 13, 12, 1}, Example{"abd_register", 2, 2, 544, 874, 16},
                    Example{"abd_register", 3, 2, 35009, 68114, 628}, Example{"abd_register", 1, 3, 1449, 3727, 40},
                    Example{"paxos", 1, 2, 11, 11, 1}, Example{"paxos", 2, 2, 111, 136, 11},
                    Example{"paxos", 3, 2, 211, 261, 21}, Example{"paxos", 1, 3, 265, 481, 20},
                    Example{"paxos", 2, 3, 16668, 32970, 1268}),
    [](const auto& test) {
      return test.param.model + "_" + std::to_string(test.param.clients) + "_clients_" +
             std::to_string(test.param.servers) + "_servers";
    });

}  // namespace
}  // namespace heddle::stateright_paxos_test
