// The clients of a replicated key-value store, and the sequential store that they must seem to use. raft, multi_paxos,
// zab and viewstamped_replication share this file; each of them defines its Replica.
//
// A harness such as 2R+1W is two reads and one write, each by a different client (as in Al-Mahfoudh, Stutsman,
// Gopalakrishnan: Efficient linearizability checking for actor-based systems, 2023). Clients begin at any time and ask
// any replica that may ever lead; with `retries` a writer that waits may ask another one. A client writes its own name,
// so that clients and replicas can be renamed at will.
// Everything lies in an unnamed namespace, because each model has another Replica and hence another Client.
#pragma once

#include <heddle/harness.h>
#include <heddle/heddle.h>

#include <algorithm>
#include <map>
#include <vector>

namespace {

using namespace heddle;

struct Replica;
struct Client;

enum class Kind { get, put };
struct Operation {
  Kind kind = Kind::get;
  int key = 0;
  Id<Client> by;  // also what a put writes; nobody where there are no clients
  bool operator==(const Operation&) const = default;
};
// The operation as the specification sees it.
struct Call {
  Kind kind = Kind::get;
  int key = 0;
  Id<Client> value;  // what is put
};
struct Result {
  Id<Client> value;  // what a get finds; nobody: nothing, or the answer to a put
};

inline Call call_of(const Operation& operation) {
  return {operation.kind, operation.key, operation.kind == Kind::put ? operation.by : Id<Client>{}};
}

struct KeyValueStore {
  std::map<int, Id<Client>> values;
  Result apply(const Call& call) {
    if (call.kind == Kind::get) {
      const auto at = values.find(call.key);
      return {at == values.end() ? Id<Client>{} : at->second};
    }
    values[call.key] = call.value;
    return {};
  }
};

struct Client {
  enum class Phase { idle, waiting, done };
  Operation operation;
  std::vector<Id<Replica>> contacts;
  unsigned retries = 0;
  Phase phase = Phase::idle;

  void invoke(Choice choose, Invoke<Call> invocation, To<Replica, Operation> ask) {
    require(phase == Phase::idle);
    phase = Phase::waiting;
    invocation(call_of(operation));
    ask.send(choose.from(contacts), operation);
  }
  void retry(Timeout, Choice choose, To<Replica, Operation> ask) {
    require(phase == Phase::waiting && retries > 0);
    --retries;
    ask.send(choose.from(contacts), operation);
  }
  void finish(const Result& result, Return<Result> response) {
    require(phase == Phase::waiting);
    phase = Phase::done;
    response(result);
  }
  static constexpr auto transitions = heddle::transitions<&Client::invoke, &Client::retry, &Client::finish>;
};

// --- Shared by the replicas.

// A leader asks whether it still leads (in its term, round, epoch or view) on behalf of a read.
struct Probe {
  int term;
  Operation read;
};
struct Confirmation {
  int term;
  Operation read;
};

// How many other replicas make a majority together with the replica itself.
struct Others {
  static std::size_t size(std::size_t replicas) { return Majority::size(replicas) - 1; }
};

// Whether the first `length` entries of two logs are there and the same.
template <class Log>
bool same_prefix(const Log& a, const Log& b, std::size_t length) {
  return a.size() >= length && b.size() >= length &&
         std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(length), b.begin());
}

// Returns what an operation finds after the first `length` entries of a log.
template <class Log>
Result result_after(const Log& log, std::size_t length, const Operation& operation) {
  KeyValueStore store;
  for (std::size_t i = 0; i < length; ++i) store.apply(call_of(log[i].operation));
  return store.apply(call_of(operation));
}

// Parameters every store has.
inline Parameter clients_parameter() {
  return {"harness",
          {"none", "1R+1W", "1R+2W", "2R+1W", "2R+2W"},
          "clients: so many reads and writes, each by a client of its own; none: replicas propose values themselves"};
}
inline Parameter keys_parameter() { return {"keys", 1, 1, 4, "keys that writes, and reads, go round"}; }
inline Parameter retries_parameter() { return {"retries", 0, 0, 4, "writers that may ask a second time"}; }

inline bool has_clients(const Run& run) { return run.text("harness") != "none"; }

// Returns the length of the longest log: with clients there is room for all they ask for.
inline std::size_t room(const Run& run, const char* parameter) {
  return has_clients(run) ? harness_requests(run).size() : static_cast<std::size_t>(run[parameter]);
}

// Adds the clients of the harness, readers first, and the properties that must hold of them.
inline void add_clients(Model& m, const std::vector<Id<Replica>>& contacts) {
  auto requests = harness_requests(m.run());
  std::ranges::stable_partition(requests, [](const HarnessRequest& request) { return !request.writes; });
  m.add<Client>(requests.size(), [&](std::size_t i) {
    const auto& [writes, number] = requests[i];
    const int key = (number - 1) % static_cast<int>(m.run()["keys"]);
    const bool impatient = writes && number <= m.run()["retries"];
    return Client{{writes ? Kind::put : Kind::get, key, Model::id<Client>(i)}, contacts, impatient ? 1U : 0U};
  });
  m.linearizable<KeyValueStore, Call>("linearizability");
  m.sometimes("every operation returns", [](const View& v) {
    return std::ranges::all_of(v.all<Client>(), [](const Client& c) { return c.phase == Client::Phase::done; });
  });
}

}  // namespace
