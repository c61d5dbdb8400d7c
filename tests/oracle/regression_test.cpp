// Small models whose figures are known by hand, by brute force, or from the literature. The oracle and the
// program both have to give them.
#include <gtest/gtest.h>

#include "oracle/compare.h"

namespace heddle::oracle::regression_test {
namespace {

Found found(const Model& model) { return explore(Oracle(model), 100'000); }
void agree_on(const Model& model) {
  const Found f = found(model);
  EXPECT_EQ(by_program(model, f.depth + 5), text(f));
}

// --- A B A C through a FIFO channel with room for three and one loss. The receiver sleeps until C is sent.
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
  agree_on(letters::model());
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
  for (const Model& m : {ring::model(2), lossy, twice, more}) agree_on(m);
}

// --- 2 1 3 into a channel with room for two: the newest, 1, makes room.
namespace numbers {

struct Reader;
struct Number {
  int value = 0;
};
struct Writer {
  int next = 0;
  void write(To<Reader, Number> out) {
    constexpr int all[] = {2, 1, 3};
    require(next < 3);
    out.send({all[next++]});
  }
  static constexpr auto transitions = heddle::transitions<&Writer::write>;
};
struct Reader {
  std::vector<int> read;
  void take(const Number& n) { read.push_back(n.value); }
  static constexpr auto transitions = heddle::transitions<&Reader::take>;
};

Model model(Network::Order order) {
  Model m({.name = "numbers", .summary = "", .build = [](Model& b) {
             b.add<Writer>();
             b.add<Reader>();
             b.sometimes("2 3", [](const View& v) { return v.all<Reader>()[0].read == std::vector{2, 3}; });
             b.sometimes("1 3", [](const View& v) { return v.all<Reader>()[0].read == std::vector{1, 3}; });
           }});
  m.network.order = order;
  m.network.capacity = 2;
  m.network.when_full = Network::WhenFull::Overwrite;
  return m;
}

}  // namespace numbers

TEST(OracleRegression, TheNewestMakesRoom) {
  const Model fifo = numbers::model(Network::Order::Fifo);
  agree_on(fifo);
  EXPECT_TRUE(found(fifo).first.at("2 3"));
  EXPECT_FALSE(found(fifo).first.at("1 3"));
  EXPECT_NE(Oracle(numbers::model(Network::Order::Multiset)).refused(), "");
  EXPECT_THROW(make_actor_system(numbers::model(Network::Order::Multiset)), ModelError);
}

// --- A message to an id that was never set.
namespace nobody {

struct Server;
struct Request {
  int number = 1;
};
struct Client {
  bool asked = false;
  Id<Server> leader;
  void ask(To<Server, Request> out, const Run& run) {
    require(!asked);
    asked = true;
    if (run["named"] != 0) {
      out.send(leader, {});
    } else {
      out.send({});
    }
  }
  static constexpr auto transitions = heddle::transitions<&Client::ask>;
};
struct Server {
  int got = 0;
  void take(const Request& r) { got = r.number; }
  static constexpr auto transitions = heddle::transitions<&Server::take>;
};

Model model(int named, std::size_t servers) {
  return Model(
      {.name = "nobody", .summary = "", .parameters = {{"named", named, 0, 1, ""}}, .build = [servers](Model& b) {
         b.add<Client>();
         b.add<Server>(servers);
       }});
}

}  // namespace nobody

TEST(OracleRegression, AMessageToNobodyIsAMistake) {
  for (const std::size_t servers : {1u, 2u}) {
    for (const int named : {0, 1}) {
      const Model m = nobody::model(named, servers);
      EXPECT_EQ(found(m).mistake.empty(), named == 0 && servers == 1);
      EXPECT_EQ(by_program(m, 100).substr(0, 5) == "error", !found(m).mistake.empty())
          << named << servers << by_program(m, 100);
    }
  }
}

// --- Members told apart by position, in a property and in a quorum.
namespace votes {

struct Hub;
struct Vote {
  int value = 0;
};
struct Two {
  static std::size_t size(std::size_t) { return 2; }
};
struct Voter {
  int value = -1;
  void vote(Choice choose, To<Hub, Vote> out) {
    require(value < 0);
    value = static_cast<int>(choose(2));
    out.send({value});
  }
  static constexpr auto transitions = heddle::transitions<&Voter::vote>;
};
struct Hub {
  int decided = -1;
  void decide(const Quorum<Vote, Voter, Two>& votes) {
    require(decided < 0);
    decided = 0;
    for (const auto& v : votes) decided = 2 * decided + v->value;
  }
  void look(const Quorum<Vote, Voter, Two>& votes) {
    require(decided == 1);
    decided = 4 + votes.front()->value;
  }
  static constexpr auto transitions = heddle::transitions<&Hub::decide, &Hub::look>;
};

Model model(int property) {
  return Model({.name = "votes", .summary = "", .build = [property](Model& b) {
                  b.add<Voter>(4);
                  b.add<Hub>();
                  if (property == 0) b.always("not 1 0", [](const View& v) { return v.all<Hub>()[0].decided != 2; });
                  if (property == 1)
                    b.always("not the first", [](const View& v) { return v.all<Voter>()[0].value < 1; });
                  if (property == 2) {
                    b.sometimes("the last only", [](const View& v) {
                      const auto all = v.all<Voter>();
                      return all[3].value == 1 && all[0].value + all[1].value + all[2].value == -3;
                    });
                  }
                  if (property == 3) b.sometimes("looked", [](const View& v) { return v.all<Hub>()[0].decided == 5; });
                }});
}

}  // namespace votes

TEST(OracleRegression, MembersToldApartByPosition) {
  for (int property = 0; property < 4; ++property) {
    const Model m = votes::model(property);
    agree_on(m);
    EXPECT_EQ(reduced(m, everything()), verdicts(found(m))) << property;
  }
}

// --- The same, one thing at a time, since what is noticed of one hides that another was not; and rarely, since a
// search looks at a sample of states at once. Of three climbers one can fly, or one must not be alone on top.
namespace climbers {

constexpr int top = 9;
constexpr std::size_t members = 3;
struct Climber {
  int height = 0;
  void climb() {
    require(height < top);
    ++height;
  }
  void fly(Id<Climber> self, const Run& run) {
    const auto who = static_cast<std::size_t>(run["flies"]);
    require(height == top && who < members && self == Model::id<Climber>(who));
    height = top + 1;
  }
  static constexpr auto transitions = heddle::transitions<&Climber::climb, &Climber::fly>;
};

bool alone(const View& v, std::size_t who, int height) {
  for (std::size_t i = 0; i < members; ++i) {
    if (v.all<Climber>()[i].height != (i == who ? height : 0)) return false;
  }
  return true;
}

// If nobody flies, the property names a climber by position; otherwise the handler does, and the property does not.
Model model(std::size_t flies, std::size_t named) {
  return Model({.name = "climbers",
                .summary = "",
                .parameters = {{"flies", static_cast<long>(flies), 0, members, ""}},
                .build = [=](Model& b) {
                  b.add<Climber>(members);
                  if (flies == members) {
                    b.always("not this one", [named](const View& v) { return !alone(v, named, top); });
                    return;
                  }
                  b.sometimes("somebody flies alone", [](const View& v) {
                    bool found = false;
                    for (std::size_t i = 0; i < members; ++i) found |= alone(v, i, top + 1);
                    return found;
                  });
                }});
}

}  // namespace climbers

TEST(OracleRegression, AMemberIsToldApartInOneOfManyStates) {
  for (std::size_t i = 0; i < climbers::members; ++i) {
    for (const Model& m : {climbers::model(i, 0), climbers::model(climbers::members, i)}) {
      agree_on(m);
      EXPECT_EQ(reduced(m, everything()), verdicts(found(m))) << i;
    }
  }
}

// --- A quorum of different votes counts if the first of them is a 1. A 0 is never first where it counts, and counts.
namespace first {

struct Box;
struct Vote {
  int value = 0;
};
struct Voter {
  bool voted = false;
  void vote(Choice choose, To<Box, Vote> out) {
    require(!voted);
    voted = true;
    out.send({static_cast<int>(choose(2))});
  }
  static constexpr auto transitions = heddle::transitions<&Voter::vote>;
};
struct Box {
  int sum = -1;
  void count(const Quorum<Vote, Voter>& votes) {
    require(sum < 0 && votes.front()->value == 1);
    sum = 0;
    for (const auto& v : votes) sum += v->value;
  }
  static constexpr auto transitions = heddle::transitions<&Box::count>;
};

}  // namespace first

TEST(OracleRegression, TheFirstMessageOfAQuorumAlone) {
  const Model m({.name = "first", .summary = "", .build = [](Model& b) {
                   b.add<first::Voter>(3);
                   b.add<first::Box>();
                   b.always("not 1", [](const View& v) { return v.all<first::Box>()[0].sum != 1; });
                 }});
  EXPECT_EQ(found(m).first.at("not 1"), 3u);
  agree_on(m);
  EXPECT_EQ(reduced(m, everything()), verdicts(found(m)));
}

// --- A partition leaves co-located roles together.
namespace together {

struct B;
struct Ping {
  bool again = false;
};
struct A {
  bool sent = false;
  void ping(To<B, Ping> out) {
    require(!sent);
    sent = true;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&A::ping>;
};
struct B {
  bool got = false;
  void take(const Ping&) { got = true; }
  static constexpr auto transitions = heddle::transitions<&B::take>;
};

}  // namespace together

TEST(OracleRegression, APartitionLeavesARoleWithTheOtherOnItsMachine) {
  Model m({.name = "together", .summary = "", .build = [](Model& b) {
             const auto a = b.add<together::A>();
             const auto c = b.add<together::B>();
             b.colocate(a[0], c[0]);
           }});
  m.network.partitions = 1;
  EXPECT_EQ(found(m).states, 3u);  // one machine cannot be split
  agree_on(m);
}

// --- Every outcome of a choice in the steps that a run begins after.
namespace begun {

struct Number {
  int value = 0;
};
struct Adder {
  int own = 0, others = 0;
  void start(Choice choose, ToAll<Adder, Number> out) {
    require(own == 0);
    own = 1 + static_cast<int>(choose(3));
    out.send({own});
  }
  void add(const Number& n) { others += n.value; }
  static constexpr auto transitions = heddle::transitions<&Adder::start, &Adder::add>;
};
// Forgets by which way it came to its number.
struct Walker {
  int place = 0;
  Auxiliary<int> way;
  void start(Choice choose) {
    require(place == 0);
    const int chosen = static_cast<int>(choose(6));
    way.update([](int& w, int c) { w = c; }, chosen);
    place = 1 + chosen % 3;
  }
  void go_on() {
    require(place > 0 && place < 6);
    place += 2;
  }
  static constexpr auto transitions = heddle::transitions<&Walker::start, &Walker::go_on>;
};

}  // namespace begun

TEST(OracleRegression, ARunBeginsWithEveryOutcomeOfAChoice) {
  Model m({.name = "begun", .summary = "", .build = [](Model& b) {
             b.add<begun::Adder>(3);
             b.start_after<&begun::Adder::start>();
             b.always("less than 5", [](const View& v) {
               for (const begun::Adder& a : v.all<begun::Adder>()) {
                 if (a.others == 5) return false;
               }
               return true;
             });
           }});
  Model walk({.name = "walk", .summary = "", .build = [](Model& b) {
                b.add<begun::Walker>(2);
                b.start_after<&begun::Walker::start>();
                for (int place = 1; place < 8; ++place) {
                  b.always("not at " + std::to_string(place), [place](const View& v) {
                    const auto all = v.all<begun::Walker>();
                    return all[0].place != place || all[1].place != 3;
                  });
                }
              }});
  EXPECT_EQ(make_actor_system(walk)->initial_states().size(), 36u);
  agree_on(walk);
  EXPECT_EQ(reduced(walk, everything()), verdicts(found(walk)));
  // Three numbers from 1 to 3, and for each adder which of the two others it has added: equal numbers are two messages
  // of different senders, but the same sum.
  EXPECT_EQ(make_actor_system(m)->initial_states().size(), 27u);
  agree_on(m);
  EXPECT_EQ(reduced(m, everything()), verdicts(found(m)));
}

}  // namespace
}  // namespace heddle::oracle::regression_test
