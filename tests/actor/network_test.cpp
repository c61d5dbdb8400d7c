// One tiny protocol for each discipline of the network, small enough to count its outcomes by hand.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "support/explored.h"

namespace heddle::network_test {
namespace {

struct Receiver;
struct Number {
  int value = 0;
};

// Sends 1, then 2, ...
struct Sender {
  int sent = 0;
  void send(To<Receiver, Number> out, const Run& run) {
    require(sent < run["count"]);
    ++sent;
    out.send({run.text("same") == "yes" ? 7 : sent});
  }
  static constexpr auto transitions = heddle::transitions<&Sender::send>;
};
struct Receiver {
  std::vector<int> got;
  void receive(const Number& n) {
    require(got.size() < 4);
    got.push_back(n.value);
  }
  static constexpr auto transitions = heddle::transitions<&Receiver::receive>;
};

Model pair(long count, bool same = false, long senders = 1) {
  const Definition definition{
      .name = "pair",
      .summary = "",
      .parameters = {{"count", 2, 0, 9, ""}, {"same", {"no", "yes"}, ""}, {"senders", 1, 1, 3, ""}},
      .build = [](Model& m) {
        m.add<Sender>(static_cast<std::size_t>(m.run()["senders"]));
        m.add<Receiver>();
      }};
  return Model(definition,
               {{"count", std::to_string(count)}, {"same", same ? "yes" : "no"}, {"senders", std::to_string(senders)}});
}

TEST(Network, MultisetDeliversInAnyOrder) {
  const Explored e = explore(pair(2));
  EXPECT_EQ(e.finals.size(), 2u);
  EXPECT_EQ(count_with(e.finals, "got=[1,2]"), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[2,1]"), 1u);
}

// Bokor's thesis has sets instead of multisets as channels. Then the second of two equal messages in flight
// vanishes and the receiver may end with one; with multisets it always gets both.
TEST(Network, EqualMessagesInFlightDoNotCollapse) {
  const Explored e = explore(pair(2, true));
  EXPECT_EQ(e.finals.size(), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[7,7]"), 1u);
}

TEST(Network, FifoKeepsTheOrderOfASender) {
  Model m = pair(3);
  m.network.order = Network::Order::Fifo;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(e.finals.size(), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[1,2,3]"), 1u);
}

TEST(Network, FifoOfTwoSendersInterleaves) {
  Model m = pair(1, false, 2);
  m.network.order = Network::Order::Fifo;
  EXPECT_EQ(count_with(explore(std::move(m)).finals, "got=[1,1]"), 1u);
}

TEST(Network, SoupKeepsMessages) {
  Model m = pair(1);
  m.network.order = Network::Order::Soup;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(e.finals.size(), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[1,1,1,1]"), 1u);
}

TEST(Network, LossIsBounded) {
  Model m = pair(2);
  m.network.losses = 1;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(count_with(e.finals, "got=[1]"), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[2]"), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[]"), 0u);
}

TEST(Network, DuplicationIsBounded) {
  Model m = pair(1);
  m.network.duplications = 2;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(count_with(e.locals, "got=[1,1,1]"), 1u);
  EXPECT_EQ(count_with(e.locals, "got=[1,1,1,1]"), 0u);
}

TEST(Network, FullChannelBlocksTheSender) {
  Model m = pair(3);
  m.network.order = Network::Order::Fifo;
  m.network.capacity = 1;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(count_with(e.finals, "got=[1,2,3]"), 1u);
  // The sender is never two messages ahead.
  for (const std::string& s : e.locals) {
    EXPECT_FALSE(s.find("sent=3") != s.npos && s.find("got=[1]") != s.npos) << s;
  }
}

TEST(Network, FullChannelOverwritesTheNewest) {
  Model m = pair(3);
  m.network.order = Network::Order::Fifo;
  m.network.capacity = 1;
  m.network.when_full = Network::WhenFull::Overwrite;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(count_with(e.finals, "got=[3]"), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[1,2,3]"), 1u);
  EXPECT_EQ(count_with(e.finals, "got=[2,1"), 0u);
}

TEST(Network, PartitionDelaysButDoesNotLose) {
  Model m = pair(1);
  m.network.partitions = 1;
  const Explored e = explore(std::move(m));
  // In every final state the message has arrived: the network heals.
  EXPECT_EQ(count_with(e.finals, "got=[1]"), e.finals.size());
  EXPECT_GT(e.result.counters.states, explore(pair(1)).result.counters.states);
}

TEST(Network, TrafficModelsHaveTheSameLocalStates) {
  const Explored m = explore(pair(2));
  for (const Network::Traffic traffic : {Network::Traffic::GRM, Network::Traffic::RM}) {
    Model model = pair(2);
    model.network.traffic = traffic;
    const Explored other = explore(std::move(model));
    EXPECT_EQ(other.locals, m.locals);
    EXPECT_GT(other.result.counters.states, m.result.counters.states);
  }
}

// Capacity bounds what is in transit: a delivered message makes room, and there is no room for a copy in a full
// channel.
TEST(Network, CapacityCountsWhatIsInTransit) {
  Model m = pair(2);
  m.network.capacity = 1;
  EXPECT_EQ(count_with(explore(std::move(m)).locals, "sent=2 receiver.got=[] "), 0u);
  Model delivered = pair(2);
  delivered.network.capacity = 1;
  delivered.network.traffic = Network::Traffic::GRM;
  EXPECT_EQ(count_with(explore(std::move(delivered)).locals, "sent=2 receiver.got=[] "), 1u);
  Model full = pair(1);
  full.network.capacity = 1;
  full.network.duplications = 1;
  EXPECT_EQ(count_with(explore(std::move(full)).locals, "got=[1,1]"), 0u);
}

// One message is sent or not, lost, delivered, consumed. What has been delivered is neither lost nor duplicated.
TEST(Network, OnlyMessagesInTransitGetLostOrDuplicated) {
  Model losing = pair(1);
  losing.network.traffic = Network::Traffic::GRM;
  losing.network.losses = 1;
  EXPECT_EQ(explore(std::move(losing)).result.counters.states, 5u);
  // (in transit, delivered, consumed) before the copy: start, 100, 010, 001; with it: 200, 110, 101, 020, 011, 002.
  Model doubling = pair(1);
  doubling.network.traffic = Network::Traffic::GRM;
  doubling.network.duplications = 1;
  EXPECT_EQ(explore(std::move(doubling)).result.counters.states, 10u);
}

TEST(Network, MeaninglessSwitchesAreErrors) {
  using Change = std::function<void(Model&)>;
  const std::vector<std::pair<std::string, Change>> refused = {
      {"soup", [](Model& m) { m.network = {.order = Network::Order::Soup, .losses = 1}; }},
      {"soup", [](Model& m) { m.network = {.order = Network::Order::Soup, .duplications = 1}; }},
      {"soup", [](Model& m) { m.network = {.order = Network::Order::Soup, .capacity = 1}; }},
      {"--traffic", [](Model& m) { m.network = {.order = Network::Order::Fifo, .traffic = Network::Traffic::RM}; }},
      {"--network fifo", [](Model& m) { m.network = {.capacity = 1, .when_full = Network::WhenFull::Overwrite}; }},
      {"--capacity",
       [](Model& m) { m.network = {.order = Network::Order::Fifo, .when_full = Network::WhenFull::Overwrite}; }},
      {"--crashes", [](Model& m) { m.faults.recovery = true; }},
      {"100", [](Model& m) { m.network.losses = 101; }},
      {"100", [](Model& m) { m.faults.crashes_of["Sender"] = 101; }},
      {"ROLE=N",
       [](Model& m) {
         m.faults.crashes = 1;
         m.faults.crashes_of["Sender"] = 1;
       }},
      {"Receiver, Sender", [](Model& m) { m.faults.crashes_of["Server"] = 1; }},
      {"only 1", [](Model& m) { m.faults.byzantine["Receiver"] = 2; }},
  };
  for (const auto& [remedy, change] : refused) {
    Model m = pair(1);
    change(m);
    try {
      make_actor_system(std::move(m));
      ADD_FAILURE() << "accepted: " << remedy;
    } catch (const ModelError& e) {
      EXPECT_NE(std::string(e.what()).find(remedy), std::string::npos) << e.what();
    }
  }
}

// --- Queues with equal messages.

struct Sleeper;
enum class Letter : std::uint8_t { A, B, C };
struct Mail {
  Letter letter = Letter::A;
};

// Sends the letters of "ABAC"; the receiver sleeps until all are sent.
struct Writer {
  std::size_t sent = 0;
  void send(To<Sleeper, Mail> out, Ghost<bool>& all_out) {
    static constexpr Letter letters[] = {Letter::A, Letter::B, Letter::A, Letter::C};
    require(sent < 4);
    out.send({letters[sent]});
    *all_out = ++sent == 4;
  }
  static constexpr auto transitions = heddle::transitions<&Writer::send>;
};
struct Sleeper {
  std::vector<Letter> got;
  void wake(const Mail& mail, Ghost<bool>& all_out) {
    require(*all_out);
    got.push_back(mail.letter);
  }
  static constexpr auto transitions = heddle::transitions<&Sleeper::wake>;
};

Model letters() {
  const Definition definition{.name = "letters", .summary = "", .build = [](Model& m) {
                                m.add<Writer>();
                                m.add<Sleeper>();
                                m.ghost<bool>();
                              }};
  Model m(definition);
  m.network.order = Network::Order::Fifo;
  return m;
}

// The same with strings: enumerates all states (sent, queue, got, faults) and all transitions.
struct Enumerated {
  std::set<std::tuple<std::size_t, std::string, std::string, unsigned>> states;
  std::size_t transitions = 0;
};

Enumerated enumerate(std::size_t capacity, unsigned losses, unsigned duplications) {
  Enumerated all;
  std::vector<std::tuple<std::size_t, std::string, std::string, unsigned>> todo{{0, "", "", 0}};
  all.states.insert(todo.front());
  while (!todo.empty()) {
    const auto [sent, queue, got, faults] = todo.back();
    todo.pop_back();
    std::set<std::tuple<std::size_t, std::string, std::string, unsigned>> next;
    if (sent < 4 && queue.size() < capacity) next.emplace(sent + 1, queue + "ABAC"[sent], got, faults);
    if (sent == 4 && !queue.empty()) next.emplace(sent, queue.substr(1), got + queue[0], faults);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      std::string less = queue, more = queue;
      less.erase(i, 1);
      more.insert(i, 1, queue[i]);
      if (faults < losses) next.emplace(sent, less, got, faults + 1);
      if (faults < duplications && queue.size() < capacity) next.emplace(sent, more, got, faults + 1);
    }
    all.transitions += next.size();
    for (const auto& n : next) {
      if (all.states.insert(n).second) todo.push_back(n);
    }
  }
  return all;
}

TEST(Queues, AnyOfSeveralEqualMessagesMayBeLost) {
  Model m = letters();
  m.network.losses = 1;
  m.network.capacity = 3;
  const Explored e = explore(std::move(m));
  EXPECT_EQ(count_with(e.finals, R"(got=["A","B","C"])"), 1u);
  const Enumerated all = enumerate(3, 1, 0);
  EXPECT_EQ(e.result.counters.states, all.states.size());
  EXPECT_EQ(e.result.counters.transitions, all.transitions);
}

TEST(Queues, AnyOfSeveralEqualMessagesMayBeDuplicated) {
  for (const std::size_t capacity : {4u, 5u, 9u}) {
    Model m = letters();
    m.network.duplications = 2;
    m.network.capacity = capacity;
    const Explored e = explore(std::move(m));
    const Enumerated all = enumerate(capacity, 0, 2);
    EXPECT_EQ(e.result.counters.states, all.states.size()) << capacity;
    EXPECT_EQ(e.result.counters.transitions, all.transitions) << capacity;
  }
}

// Steps that lose different copies have different descriptions, and replaying finds the recorded one again.
TEST(Queues, ALossSaysWhichCopyItTakes) {
  Model m = letters();
  m.network.losses = 1;
  const auto system = make_actor_system(std::move(m));
  SlotVector state = system->initial_states()[0];
  StepBuffer steps;
  for (int sent = 0; sent < 3; ++sent) {
    steps.clear();
    system->expand(state, steps);
    state = apply_changes(state, steps.changes(0));
  }
  steps.clear();
  system->expand(state, steps);
  std::set<std::string> choices;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const trace::Step step =
        system->describer().describe_step(state, steps.step(i), apply_changes(state, steps.changes(i)));
    if (step.kind == "lose") choices.insert(step.received[0].body + step.choice);
  }
  EXPECT_EQ(choices, (std::set<std::string>{R"({"letter":"A"}["place 1 of 3"])", R"({"letter":"A"}["place 3 of 3"])",
                                            R"({"letter":"B"})"}));
}

// --- Partitions of machines.

TEST(Partitions, CoLocatedRolesStayTogether) {
  Model m = pair(1, false, 2);
  m.colocate(Model::id<Sender>(0), Model::id<Receiver>(0));
  m.network.partitions = 1;
  const auto system = make_actor_system(std::move(m));
  const SlotVector state = system->initial_states()[0];
  StepBuffer steps;
  system->expand(state, steps);
  std::vector<std::string> sides;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const trace::Step step =
        system->describer().describe_step(state, steps.step(i), apply_changes(state, steps.changes(i)));
    if (step.kind == "partition") sides.push_back(step.choice);
  }
  EXPECT_EQ(sides, std::vector<std::string>{R"(["sender 1, receiver","sender 2"])"});
}

// States are (whole or split, in transit or delivered or consumed): only delivery needs the network.
TEST(Partitions, WhatHasBeenDeliveredCanBeConsumed) {
  Model m = pair(1);
  m.network.traffic = Network::Traffic::GRM;
  m.network.partitions = 1;
  const Explored e = explore(std::move(m));
  // There are four situations (not sent, in transit, delivered, consumed), each whole before, split, whole after.
  EXPECT_EQ(e.result.counters.states, 12u);
  // There are 4 splits, 4 heals; send, deliver, consume: 3 whole before, 3 whole after, and while split all but
  // delivery.
  EXPECT_EQ(e.result.counters.transitions, 16u);
}

}  // namespace
}  // namespace heddle::network_test
