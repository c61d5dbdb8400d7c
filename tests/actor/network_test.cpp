// One tiny protocol for each discipline of the network, small enough to count its outcomes by hand.
#include <gtest/gtest.h>

#include "heddle/heddle.h"
#include "support/explored.h"

namespace heddle {
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

// The digest's regression (section 2): with sets instead of multisets, the second of two equal messages in flight vanishes and
// the receiver may end with one; with multisets it always gets both.
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

TEST(Network, MeaninglessSwitchesAreErrors) {
  Model soup = pair(1);
  soup.network.order = Network::Order::Soup;
  soup.network.losses = 1;
  EXPECT_THROW(make_actor_system(std::move(soup)), ModelError);
  Model fifo = pair(1);
  fifo.network.order = Network::Order::Fifo;
  fifo.network.traffic = Network::Traffic::RM;
  EXPECT_THROW(make_actor_system(std::move(fifo)), ModelError);
}

}  // namespace
}  // namespace heddle
