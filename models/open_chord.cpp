// A ring of two nodes that keeps keys and values, one of them about to join ("OC", Open Chord, of Al-Mahfoudh,
// Stutsman, Gopalakrishnan 2023; Chord: Stoica et al. 2001). The first node has the ring to itself. The second asks for
// its successor (FindSucc) and learns it, makes itself known, receives its keys and says so, while clients read and
// write at both nodes. A node that is not responsible for a key looks up who is, fetches or stores there, and answers
// its client.
//
// The mistake is the paper's: a node believes that it is its own successor until it is told otherwise. So it answers
// for every key before it has joined, and a read of a key that was written at the first node comes back empty. With
// repaired=yes a joining node lets requests wait until it has received its keys.
//
// Odd keys belong to the first node, even keys to the second. The n-th write writes n to the n-th key, so that a second
// write is about another key. All reads are of the first key. Client c asks node c, round robin.
#include <heddle/harness.h>
#include <heddle/heddle.h>

#include <map>
#include <optional>
#include <string>

#include "one_shot_client.h"

namespace {

using namespace heddle;

struct Node;

enum class Op { get, put };
struct Operation {
  Op op = Op::get;
  int key = 0;
  std::optional<int> value = {};  // to be written
};
struct Result {
  std::optional<int> value = {};  // what was read
};
using Client = one_shot::Client<Node, Operation, Result>;
using Request = one_shot::Request<Node, Operation, Result>;
// --- Looking up, and acting where the key is.
struct Lookup {
  Request request;
};
struct Located {
  Request request;
};
struct Act {
  Request request;
};
struct Acted {
  Request request;
  Result result;
};
// --- Joining.
struct FindSucc {};
struct FoundSucc {};
struct Notify {};
struct Transfer {
  std::map<int, int> values;
};
struct Joined {};

struct Node {
  enum class Phase { outside, asking, found, joined };
  bool first = false;
  Phase phase = Phase::outside;
  bool alone = true;  // it is its own successor
  std::map<int, int> values = {};

  // --- Joining, at the newcomer and at the first node in turns.
  void join(ToAll<Node, FindSucc> out) {
    require(phase == Phase::outside);
    phase = first ? Phase::joined : Phase::asking;
    if (!first) out.send({});
  }
  void find(const FindSucc&, Reply<FoundSucc> out) { out.send({}); }
  void found(const FoundSucc&, Reply<Notify> out) {
    phase = Phase::found;
    alone = false;
    out.send({});
  }
  void notified(const Notify&, const Run& run, Reply<Transfer> out) {
    alone = false;
    Transfer theirs;
    for (const auto& [key, value] : values) {
      if (!run.bug("keys_stay") && !mine(key)) theirs.values[key] = value;
    }
    for (const auto& [key, value] : theirs.values) values.erase(key);
    out.send(theirs);
  }
  void handed(const Transfer& transfer, Reply<Joined> out) {
    phase = Phase::joined;
    for (const auto& [key, value] : transfer.values) values[key] = value;
    out.send({});
  }
  void joined(const Joined&) { phase = Phase::joined; }

  // --- Requests.
  void serve(const Request& request, const Run& run, ToAll<Node, Lookup> lookup, To<Client, Result> done) {
    require(ready(run));
    if (alone || mine(request.operation.key)) return done.send(request.client, act(request.operation));
    lookup.send({request});
  }
  void locate(const Lookup& lookup, const Run& run, Reply<Located> out) {
    require(ready(run));
    out.send({lookup.request});
  }
  void located(const Located& located, Reply<Act> out) { out.send({located.request}); }
  void act_for(const Act& a, const Run& run, Reply<Acted> out) {
    require(ready(run));
    out.send({a.request, act(a.request.operation)});
  }
  void acted(const Acted& a, To<Client, Result> done) { done.send(a.request.client, a.result); }

  Result act(const Operation& operation) {
    if (operation.op == Op::put) {
      values[operation.key] = *operation.value;
      return {};
    }
    const auto at = values.find(operation.key);
    return {at == values.end() ? std::nullopt : std::optional(at->second)};
  }
  bool mine(int key) const { return (key % 2 == 1) == first; }
  bool ready(const Run& run) const {
    const bool patient = run.text("repaired") == "yes" && !run.bug("answers_before_joining");
    return first || !patient || phase == Phase::joined;
  }
  static constexpr auto transitions =
      heddle::transitions<&Node::join, &Node::find, &Node::found, &Node::notified, &Node::handed, &Node::joined,
                          &Node::serve, &Node::locate, &Node::located, &Node::act_for, &Node::acted>;
};

struct SequentialMap {
  std::map<int, int> values;
  Result apply(const Operation& operation) {
    if (operation.op == Op::put) {
      values[operation.key] = *operation.value;
      return {};
    }
    const auto at = values.find(operation.key);
    return {at == values.end() ? std::nullopt : std::optional(at->second)};
  }
};

const std::string source = "this model";

const Register model({
    .name = "open_chord",
    .summary = "a ring of nodes that keeps keys; one joins while it is asked: wrong by itself, unless repaired",
    .parameters = {harness_parameter(),
                   {"key", 1, 1, 2, "the first key: 1 belongs to the first node, 2 to the one that joins"},
                   {"repaired", {"no", "yes"}, "a node answers only after it has joined"}},
    .bugs = {{"answers_before_joining",
              "linearizability",
              {{"repaired", "yes"}},
              "a node answers for every key until it has joined"},
             {"keys_stay",
              "linearizability",
              {{"repaired", "yes"}, {"harness", "1R+1W"}, {"key", "2"}},
              "a node that joins is not handed its keys"}},
    .expected = {{{}, 2586, 6220, 43, source}, {{{"harness", "2R+2W"}}, 36518, 95765, 476, source}},
    .violates = {"linearizability"},
    .build =
        [](Model& m) {
          const auto requests = harness_requests(m.run());
          const int first_key = static_cast<int>(m.run()["key"]);
          m.add<Client>(requests.size(), [&](std::size_t c) {
            const auto& [writes, number] = requests[c];
            const int key = writes ? first_key + number - 1 : first_key;
            return Client{.operation = writes ? Operation{Op::put, key, number} : Operation{Op::get, key},
                          .agent = m.id<Node>(c % 2)};
          });
          m.add<Node>(2, [&](std::size_t n) { return Node{.first = n == 0}; });
          // The newcomer's first message is under way when clients begin.
          m.start_after<&Node::join>();
          const auto key = [](const auto& message) { return message.request.operation.key; };
          m.key_of<Request>([](const Request& request) { return request.operation.key; });
          m.key_of<Lookup>(key);
          m.key_of<Located>(key);
          m.key_of<Act>(key);
          m.key_of<Acted>(key);
          // The ring itself counts as one more key, 0; a Transfer may be about any key.
          m.key_of<FindSucc>([](const FindSucc&) { return 0; });
          m.key_of<FoundSucc>([](const FoundSucc&) { return 0; });
          m.key_of<Notify>([](const Notify&) { return 0; });
          m.exclude<Joined>();
          m.linearizable<SequentialMap, Operation>("linearizability");
          one_shot::every_operation_returns<Client>(m);
        },
});

}  // namespace
