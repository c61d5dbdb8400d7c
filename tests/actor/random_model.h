// Random actor models: roles whose behaviour is drawn from a seed.
//
// Three roles, Node, Hub and Sink, exchange two kinds of messages by every means the API has: spontaneous steps,
// single messages, quorums, replies, broadcasts, messages to oneself, choices, timers. What a transition does in
// a local state with given messages is a hash of both and of the seed, so every seed is another protocol, and a
// handler stays a pure function. Local states and sends are bounded, so the state space is finite.
#pragma once

#include <cstdint>
#include <string>

#include "heddle/heddle.h"

namespace heddle::random_model {

struct Hub;
struct Node;
struct Sink;

struct Token {
  int value = 0;
};
struct Answer {
  int value = 0;
  Id<Node> about;
};

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// The facts from which the behaviour of a transition is drawn.
class Draw {
 public:
  Draw(const Run& run, int transition, int local, int input)
      : bits_(mix(static_cast<std::uint64_t>(run["seed"]) * 1000003u + static_cast<std::uint64_t>(transition) * 8191u +
                  static_cast<std::uint64_t>(local) * 131u + static_cast<std::uint64_t>(input))) {}
  int below(int n) {
    const int result = static_cast<int>(bits_ % static_cast<std::uint64_t>(n));
    bits_ = mix(bits_ + 0x9E3779B97F4A7C15u);
    return result;
  }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::uint64_t bits_;
};

struct Node {
  int state = 0;
  int sends_left = 2;
  Timer timer;
  Auxiliary<int> history;  // what was sent; only where the parameter asks for it

  void start(const Run& run, ToAll<Hub, Token> out, ToAll<Sink, Token> drain, Id<Node> self) {
    Draw d(run, 1, state, 0);
    static_cast<void>(self);
    require(sends_left > 0 && !d.one_in(3));
    --sends_left;
    out.send({d.below(2)});
    if (run.count<Sink>() > 0) drain.send({d.below(2)});
    if (run["history"] != 0) history.update([](int& all, int now) { all = (3 * all + now) % 7; }, state + 1);
    state = d.below(3);
    if (d.one_in(2)) timer.set();
  }
  void answered(const From<Answer, Hub>& answer, const Run& run, ToAll<Node, Token> gossip) {
    Draw d(run, 2, state, answer->value);
    require(!d.one_in(4));
    state = d.below(3);
    if (sends_left > 0 && d.one_in(3)) {
      --sends_left;
      gossip.send({d.below(2)});
    }
  }
  void gossiped(const Token& token, const Run& run, Choice choose) {
    Draw d(run, 3, state, token.value);
    require(!d.one_in(4));
    state = choose(2) == 0 ? d.below(3) : 2 - d.below(3);
  }
  void expire(Timeout, const Run& run, To<Node, Token> own, Id<Node> self) {
    timer.fire();
    Draw d(run, 4, state, 0);
    state = d.below(3);
    if (run["own"] == 0 || sends_left == 0) return;
    --sends_left;
    own.send(self, {d.below(2)});
    if (d.one_in(2)) own.send(self, {d.below(2)});
  }
  static constexpr auto transitions =
      heddle::transitions<&Node::start, &Node::answered, &Node::gossiped, &Node::expire>;
};

struct Hub {
  int state = 0;
  IdSet<Node> heard;

  void collect(const Quorum<Token, Node>& tokens, const Run& run, Reply<Answer> out) {
    int sum = 0;
    for (const auto& t : tokens) sum += t->value;
    Draw d(run, 5, state, sum);
    require(!d.one_in(4));
    for (const auto& t : tokens) heard.insert(t.sender);
    // Which sender comes first in a quorum is not a fact of the protocol; naming it would break symmetry.
    out.send({d.below(2), tokens.size() == 1 ? tokens.front().sender : Id<Node>{}});
    state = d.below(2);
  }
  void take(const From<Token, Node>& token, const Run& run, To<Node, Answer> out) {
    Draw d(run, 6, state, token->value);
    require(d.one_in(2));
    heard.insert(token.sender);
    if (d.one_in(2)) out.send(token.sender, {token->value, token.sender});
    state = d.below(2);
  }
  static constexpr auto transitions = heddle::transitions<&Hub::collect, &Hub::take>;
};

// Has only one handler, so every relation it takes part in counts.
struct Sink {
  int state = 0;

  void take(const From<Token, Node>& token, const Run& run) {
    Draw d(run, 7, state, token->value);
    require(state < 3 && !d.one_in(4));
    state += 1 + d.below(3);
  }
  static constexpr auto transitions = heddle::transitions<&Sink::take>;
};

inline Definition definition() {
  return {.name = "random",
          .summary = "a random protocol",
          .parameters = {{"seed", 0, 0, 1'000'000'000, "which one"},
                         {"nodes", 2, 1, 4, ""},
                         {"hubs", 1, 1, 2, ""},
                         {"sinks", 0, 0, 1, ""},
                         {"history", 0, 0, 1, "keep auxiliary data"},
                         {"own", 0, 0, 1, "send to oneself"},
                         {"sends", 2, 1, 4, "of each node"},
                         {"together", 0, 0, 2, "so many hubs are on a machine with a node"},
                         {"watch", {"both", "nodes", "hubs", "up", "nothing"}, "which properties there are"}},
          .build = [](Model& m) {
            const auto nodes = m.add<Node>(static_cast<std::size_t>(m.run()["nodes"]), [&](std::size_t) {
              Node node;
              node.sends_left = static_cast<int>(m.run()["sends"]);
              return node;
            });
            const auto hubs = m.add<Hub>(static_cast<std::size_t>(m.run()["hubs"]));
            for (std::size_t i = 0; i < hubs.size() && i < nodes.size(); ++i) {
              if (static_cast<long>(i) < m.run()["together"]) m.colocate(nodes[i], hubs[i]);
            }
            m.add<Sink>(static_cast<std::size_t>(m.run()["sinks"]));
            // Predicates that are true in some protocols and false in others.
            const std::string watch = m.run().text("watch");
            if (watch == "both" || watch == "nodes") {
              m.always("nodes differ", [](const View& v) {
                int sum = 0;
                for (const Node& n : v.all<Node>()) sum += n.state;
                return sum != 4;
              });
            }
            if (watch == "up") {
              m.always("a hub has heard somebody, or all nodes are up", [](const View& v) {
                bool heard = false, up = true;
                for (const Hub& h : v.all<Hub>()) heard |= !h.heard.empty();
                for (const auto id : v.ids<Node>()) up &= v.up(id);
                return heard || up;
              });
              m.sometimes("all hubs are down", [](const View& v) {
                bool up = false;
                for (const auto id : v.ids<Hub>()) up |= v.up(id);
                return !up;
              });
            }
            if (watch == "both" || watch == "hubs") {
              m.sometimes("a hub has heard all", [](const View& v) {
                for (const Hub& h : v.all<Hub>()) {
                  if (h.heard.size() == v.run().count<Node>()) return true;
                }
                return false;
              });
            }
          }};
}

inline Model make(long seed, int nodes, int hubs, const std::string& watch = "both", int sinks = 0, int history = 0) {
  return Model(definition(), {{"seed", std::to_string(seed)},
                              {"nodes", std::to_string(nodes)},
                              {"hubs", std::to_string(hubs)},
                              {"watch", watch},
                              {"sinks", std::to_string(sinks)},
                              {"history", std::to_string(history)}});
}

}  // namespace heddle::random_model
