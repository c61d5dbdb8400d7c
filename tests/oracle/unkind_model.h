// Random models that are unkind: a seed draws what they do, and it is what a model checker would rather not see.
//
// Nodes and hubs send equal messages several times, messages to themselves, and several messages to one receiver.
// Quorums have any size, even 0, and their members are read in order. Further, there are answers to quorums;
// choices that depend on choices; members singled out by position, in handlers and in properties (only if `names`
// says so); fields with names that the library uses itself; durable and auxiliary fields; a ghost variable. A
// handler is a pure function of its fields, its messages and the seed, and sends at most `sends` times by itself,
// so the state space is finite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heddle/heddle.h"

namespace heddle::unkind {

struct Hub;
struct Node;

inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDu;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53u;
  return x ^ (x >> 33);
}

// Draws what the seed says about a transition in a local state with certain messages.
class Draw {
 public:
  Draw(std::uint64_t seed, int transition, int local, int input = 0)
      : bits_(mix(mix(mix(seed) + static_cast<std::uint64_t>(transition)) + static_cast<std::uint64_t>(local) * 64u +
                  static_cast<std::uint64_t>(input))) {}
  Draw(const Run& run, int transition, int local, int input = 0)
      : Draw(static_cast<std::uint64_t>(run["seed"]), transition, local, input) {}
  int below(int n) {
    bits_ = mix(bits_ + 0x9E3779B97F4A7C15u);
    return static_cast<int>(bits_ % static_cast<std::uint64_t>(n));
  }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::uint64_t bits_;
};

enum class Colour { red, green };
struct Word {
  Colour colour = Colour::red;
  Auxiliary<int> inbox;
};
struct Echo {
  int up = 0;
  Id<Node> about;
  static std::vector<Echo> domain(const Run&) { return {{0, {}}, {1, Model::id<Node>(0)}}; }
};
enum class Only { one };
struct Poke {
  Only only = Only::one;
};

// A quorum as large as the run says.
struct AsTold {
  static std::size_t size(std::size_t members, const Run& run) {
    const auto told = static_cast<std::size_t>(run["quorum"]);
    return told < members ? told : members;
  }
};

struct Memory {
  int count = 0;
  Id<Node> last;
  Auxiliary<int> all;
};

struct Node {
  int state = 0;
  int sent = 0;
  Durable<int> inbox;
  Id<Node> up;  // some node
  Auxiliary<int> log;

  void start(const Run& run, ToAll<Hub, Word> broadcast, To<Hub, Word> word, To<Node, Poke> poke, Id<Node> self,
             Choice choose) {
    Draw d(run, 1, state, sent);
    require(sent < run["sends"] && !d.one_in(6));
    ++sent;
    const auto colour = [&] { return static_cast<Colour>(d.below(2)); };
    switch (d.below(run["names"] != 0 ? 7 : 5)) {
      case 0:
        broadcast.send({colour(), Auxiliary<int>(state)});
        break;
      case 1: {
        const Colour twice = colour();
        broadcast.send({twice, {}});
        broadcast.send({twice, {}});
        break;
      }
      case 2:
        poke.send(self, {});
        if (d.one_in(2)) poke.send(self, {});
        break;
      case 3:
        poke.send(choose.member<Node>(), {});
        break;
      case 4:
        if (choose.flip()) {
          const std::uint32_t which = choose(3);
          require(which != 1);
          state = static_cast<int>(which);
          if (which == 2) broadcast.send({choose.flip() ? Colour::red : Colour::green, {}});
        }
        break;
      case 5:
        word.send(Model::id<Hub>(0), {Colour::red, {}});
        word.send(Model::id<Hub>(0), {Colour::green, {}});
        word.send(Model::id<Hub>(0), {Colour::red, {}});
        break;
      default:
        up = Model::id<Node>(0);
        if (self == Model::id<Node>(0)) poke.send(Model::id<Node>(run.count<Node>() - 1), {});
        break;
    }
    log.update([](int& all, int now) { all = (2 * all + now) % 3; }, state);
    if (d.one_in(2)) state = d.below(3);
    if (d.one_in(3)) *inbox = d.below(2);
  }
  void poked(const Poke&, const Run& run, Reply<Echo> out, Id<Node> self, Ghost<Memory>& memory) {
    Draw d(run, 2, state, *inbox);
    require(!d.one_in(5));
    if (d.one_in(2)) out.send({d.below(2), self});
    if (d.one_in(2)) {
      memory->count = (memory->count + 1) % 3;
      if (d.one_in(2)) memory->last = self;
      memory->all.update([](int& all) { all = 1 - all; });
    }
    state = d.below(3);
  }
  void echoed(const From<Echo, Hub>& echo, const Run& run) {
    Draw d(run, 3, state, echo->up);
    require(!d.one_in(5));
    state = d.below(3);
    if (d.one_in(2)) up = echo->about;
  }
  void echoes(const Quorum<Echo, Hub, AsTold>& echoes, const Run& run, Reply<Poke> out, Id<Node> self) {
    int input = 0;
    for (const auto& e : echoes) input += 1 + e->up + (e->about == self ? 3 : 0);
    Draw d(run, 4, state, input);
    require(run["quorum"] > 0 && d.one_in(2));
    state = d.below(3);
    if (d.one_in(2)) out.send({});
  }
  void expire(Timeout, const Run& run) {
    Draw d(run, 5, state);
    require(d.one_in(4));
    state = (state + 1) % 3;
    *inbox = 1;
  }
  void retire(const Run& run, Id<Node> self, To<Node, Poke> poke, ToAll<Hub, Word> broadcast, Exit leave) {
    Draw d(run, 9, state, sent);
    require(run["exits"] != 0 && d.one_in(4));
    if (d.one_in(2)) broadcast.send({Colour::green, {}});
    if (d.one_in(2)) poke.send(self, {});
    leave();
  }
  static constexpr auto transitions =
      heddle::transitions<&Node::start, &Node::poked, &Node::echoed, &Node::echoes, &Node::expire, &Node::retire>;
};

struct Hub {
  int state = 0;
  IdSet<Node> sent;
  Durable<Id<Node>> first;

  void collect(const Quorum<Word, Node, AsTold>& words, const Run& run, Reply<Echo> out) {
    int input = 0;
    for (const auto& w : words) input += 1 + static_cast<int>(w->colour);
    const bool names = run["names"] != 0 && words.size() > 0;
    if (names) input = static_cast<int>(words.front()->colour);
    Draw d(run, 6, state, input);
    require(d.one_in(2));
    state = d.below(2);
    if (d.one_in(2)) {
      for (const auto& w : words) sent.insert(w.sender);
    }
    Id<Node> about;
    if (names) {
      for (const auto& w : words) {
        if (w->colour != Colour::green) continue;
        about = w.sender;
        break;
      }
    }
    if (d.one_in(2)) out.send({d.below(2), about});
    if (d.one_in(5)) out.send({d.below(2), about});
  }
  void take(const From<Word, Node>& word, const Run& run, To<Node, Echo> out, Ghost<Memory>& memory) {
    Draw d(run, 7, state, static_cast<int>(word->colour));
    require(d.one_in(2));
    state = d.below(2);
    if (d.one_in(2)) *first = word.sender;
    if (d.one_in(2)) {
      const Echo echo{d.below(2), *first};
      out.send(word.sender, echo);
      if (*first && d.one_in(3)) out.send(*first, echo);
    }
    if (d.one_in(4)) memory->last = word.sender;
  }
  void poked(const Poke&, const Run& run, Reply<Word> out, ToAll<Hub, Poke> on) {
    Draw d(run, 8, state);
    require(!d.one_in(3));
    if (d.one_in(3)) out.send({Colour::green, {}});
    if (state < 2 && d.one_in(3)) on.send({});
    state = 2;
  }
  static constexpr auto transitions = heddle::transitions<&Hub::collect, &Hub::take, &Hub::poked>;
};

inline void add_properties(Model& m) {
  const bool names = m.run()["names"] != 0;
  Draw d(m.run(), 100, 0);
  const int sum = 1 + d.below(4);
  m.always("sum", [sum](const View& v) {
    int all = 0;
    for (const Node& n : v.all<Node>()) all += n.state;
    return all != sum;
  });
  if (d.one_in(2)) {
    m.sometimes("heard", [](const View& v) {
      for (const Hub& h : v.all<Hub>()) {
        if (h.sent.size() > 1 || *h.first) return true;
      }
      return false;
    });
  }
  if (d.one_in(3)) {
    m.sometimes("in flight", [](const View& v) { return v.in_flight<Echo>().size() + v.in_flight<Word>().size() > 2; });
  }
  if (d.one_in(3)) m.always("ghost", [](const View& v) { return v.ghost<Memory>().count < 2; });
  if (d.one_in(3)) {
    m.sometimes("friends", [](const View& v) {
      const auto ids = v.ids<Node>();
      const auto all = v.all<Node>();
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].up == ids[i]) return true;
      }
      return false;
    });
  }
  if (d.one_in(3)) {
    m.always("those that are up", [sum](const View& v) {
      int all = 0;
      for (const Id<Node> id : v.ids<Node>()) all += v.up(id) ? v.at<Node>(id).state : 1;
      return all != sum;
    });
  }
  if (names && d.one_in(2)) {
    m.always("first", [](const View& v) { return v.all<Node>().empty() || v.all<Node>()[0].state != 2; });
  }
  if (names && d.one_in(2)) {
    m.sometimes("the first that", [](const View& v) {
      for (const Node& n : v.all<Node>()) {
        if (n.state == 1) return *n.inbox == 1;
      }
      return false;
    });
  }
  if (d.one_in(2)) {
    const bool never = d.one_in(2);
    m.deadlock_free([never](const View& v) {
      if (never) return false;
      for (const Hub& h : v.all<Hub>()) {
        if (h.state == 0) return false;
      }
      return true;
    });
  }
  if (m.run()["bound"] != 0) {
    m.bound("not too many", [](const View& v) {
      int all = 0;
      for (const Node& n : v.all<Node>()) all += n.sent;
      return all < 2;
    });
  }
}

inline Definition definition() {
  return {.name = "unkind",
          .summary = "a random model",
          .parameters = {{"seed", 0, 0, 1'000'000'000, "which one"},
                         {"nodes", 2, 1, 3, ""},
                         {"hubs", 1, 1, 2, ""},
                         {"sends", 1, 1, 3, "how often a node sends by itself"},
                         {"quorum", 1, 0, 3, "how many messages a quorum is"},
                         {"names", 0, 0, 1, "members are singled out by position"},
                         {"together", 0, 0, 2, "how many hubs are co-located with nodes"},
                         {"exits", 0, 0, 1, "nodes may end"},
                         {"bound", 0, 0, 1, "there is a bound"},
                         {"begun", 0, 0, 1, "every node has taken its first step"}},
          .build = [](Model& m) {
            const auto nodes = static_cast<std::size_t>(m.run()["nodes"]);
            const auto hubs = static_cast<std::size_t>(m.run()["hubs"]);
            m.add<Node>(nodes);
            m.add<Hub>(hubs);
            for (std::size_t i = 0; i < static_cast<std::size_t>(m.run()["together"]) && i < nodes && i < hubs; ++i) {
              m.colocate(Model::id<Node>(i), Model::id<Hub>(i));
            }
            m.ghost<Memory>();
            if (m.run()["begun"] != 0) m.start_after<&Node::start>();
            add_properties(m);
          }};
}

}  // namespace heddle::unkind
