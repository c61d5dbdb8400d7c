// Small models whose figures are known from elsewhere: by hand, by brute force, or from the literature. The oracle and the
// program both have to give them.
#include <gtest/gtest.h>

#include "oracle/compare.h"

namespace heddle::oracle {
namespace {

Found found(const Model& model) { return explore(Oracle(model), 100'000); }

// --- A B A C through a FIFO channel with room for three, one loss. The receiver sleeps until C is out.
namespace letters {

enum class Letter { A, B, C };
struct Receiver;
struct Sender;
struct Bell;
struct Post {
  Letter letter = Letter::A;
};
struct Ring {
  bool loud = false;
};

struct Sender {
  int next = 0;
  bool rung = false;
  void send(To<Receiver, Post> out) {
    constexpr Letter word[] = {Letter::A, Letter::B, Letter::A, Letter::C};
    require(next < 4);
    out.send({word[next++]});
  }
  void ring(To<Bell, Ring> out) {
    require(next == 4 && !rung);
    rung = true;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Sender::send, &Sender::ring>;
};
struct Bell {
  bool loud = false;
  void ring(const Ring&, To<Receiver, Ring> out) {
    loud = true;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Bell::ring>;
};
struct Receiver {
  bool awake = false;
  std::vector<Letter> seen;
  void wake(const Ring&) { awake = true; }
  void take(const Post& post) {
    require(awake);
    seen.push_back(post.letter);
  }
  static constexpr auto transitions = heddle::transitions<&Receiver::wake, &Receiver::take>;
};

Model model() {
  Model m({.name = "letters", .summary = "", .build = [](Model& b) {
             b.add<Sender>();
             b.add<Bell>();
             b.add<Receiver>();
             b.always("never A B C", [](const View& v) {
               return v.all<Receiver>()[0].seen != std::vector<Letter>{Letter::A, Letter::B, Letter::C};
             });
           }});
  m.network.order = Network::Order::Fifo;
  m.network.capacity = 3;
  m.network.losses = 1;
  return m;
}

}  // namespace letters

TEST(OracleRegression, ALetterLostFromTheMiddle) {
  const Found f = found(letters::model());
  EXPECT_EQ(f.states, 31u);
  EXPECT_EQ(f.deadlocks, 3u);
  EXPECT_EQ(f.depth, 11u);
  EXPECT_EQ(f.first.at("never A B C"), 11u);
}
TEST(OracleRegression, ALetterLostFromTheMiddleByTheProgram) {
  EXPECT_EQ(by_program(letters::model()), text(found(letters::model())));
}

// --- Termination detection on a ring (Dijkstra, Feijen, van Gasteren; Safra's version, EWD998).
namespace ring {

struct Work {
  bool any = false;
};
struct Token {
  int q = 0;
  bool black = false;
};
struct Node {
  bool active = true;
  bool black = false;
  int counter = 0;
  int budget = 0;
  bool probing = false, done = false;

  void send_work(Choice choose, Id<Node> self, To<Node, Work> out) {
    require(active && budget > 0);
    const Id<Node> to = choose.member<Node>();
    require(!(to == self));
    --budget;
    ++counter;
    out.send(to, {});
  }
  void receive_work(const Work&) {
    --counter;
    active = black = true;
  }
  void go_idle() {
    require(active);
    active = false;
  }
  void first_probe(const Run& run, Id<Node> self, To<Node, Token> out) {
    require(self == Model::id<Node>(0) && !probing);
    probing = true;
    black = false;
    out.send(Model::id<Node>(run.count<Node>() - 1), {});
  }
  void pass_token(const From<Token, Node>& token, const Run& run, Id<Node> self, To<Node, Token> out) {
    require(!(self == Model::id<Node>(0)) && !active);
    std::size_t at = 1;
    while (at < run.count<Node>() && !(self == Model::id<Node>(at))) ++at;
    out.send(Model::id<Node>(at - 1), {token->q + counter, token->black || black});
    black = false;
  }
  void judge(const From<Token, Node>& token, const Run& run, Id<Node> self, To<Node, Token> out) {
    require(self == Model::id<Node>(0) && !active && !done);
    if (!token->black && !black && token->q + counter == 0) {
      done = true;
    } else {
      black = false;
      out.send(Model::id<Node>(run.count<Node>() - 1), {});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Node::send_work, &Node::receive_work, &Node::go_idle,
                                                          &Node::first_probe, &Node::pass_token, &Node::judge>;
};

Model model(long budget) {
  Model m({.name = "ring", .summary = "", .build = [budget](Model& b) {
             b.add<Node>(2, [&](std::size_t) {
               Node n;
               n.budget = static_cast<int>(budget);
               return n;
             });
             b.always("safe", [](const View& v) {
               bool done = false, active = false;
               for (const Node& n : v.all<Node>()) done |= n.done, active |= n.active;
               return !done || (!active && v.in_flight<Work>().empty());
             });
             b.sometimes("detected", [](const View& v) { return v.all<Node>()[0].done; });
           }});
  m.network.order = Network::Order::Fifo;
  return m;
}

}  // namespace ring

TEST(OracleRegression, TerminationDetectionOnARing) {
  Model lossy = ring::model(2), twice = ring::model(2), more = ring::model(3);
  lossy.network.losses = more.network.losses = 1;
  twice.network.duplications = 1;
  EXPECT_EQ(found(lossy).states, 1912u);
  EXPECT_EQ(found(twice).states, 4334u);
  EXPECT_EQ(found(more).states, 7887u);
  EXPECT_EQ(by_program(ring::model(2)), text(found(ring::model(2))));
}
TEST(OracleRegression, TerminationDetectionOnARingByTheProgram) {
  Model lossy = ring::model(2), twice = ring::model(2);
  lossy.network.losses = 1;
  twice.network.duplications = 1;
  EXPECT_EQ(by_program(lossy), text(found(lossy)));
  EXPECT_EQ(by_program(twice), text(found(twice)));
}

}  // namespace
}  // namespace heddle::oracle
