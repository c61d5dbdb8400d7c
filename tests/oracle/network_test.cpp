// Compares networks with the oracle on random models, one test for each kind of network, so that a failure names it.
#include <gtest/gtest.h>

#include "oracle/agree.h"

namespace heddle::oracle::network_test {
namespace {

using unkind::Draw;

Case plain(std::uint64_t seed, Draw& d) { return unkind_case(seed, d.one_in(2)); }

TEST(OracleNetwork, Multiset) { compare_many(60, 1'000, plain); }

TEST(OracleNetwork, Soup) {
  compare_many(60, 2'000, [](std::uint64_t seed, Draw& d) {
    Case c = plain(seed, d);
    c.network.order = Network::Order::Soup;
    return c;
  });
}

TEST(OracleNetwork, Fifo) {
  compare_many(60, 3'000, [](std::uint64_t seed, Draw& d) {
    Case c = plain(seed, d);
    c.network.order = Network::Order::Fifo;
    return c;
  });
}

TEST(OracleNetwork, Grm) {
  compare_many(60, 4'000, [](std::uint64_t seed, Draw& d) {
    Case c = plain(seed, d);
    c.network.traffic = Network::Traffic::GRM;
    return c;
  });
}

TEST(OracleNetwork, Rm) {
  compare_many(60, 5'000, [](std::uint64_t seed, Draw& d) {
    Case c = plain(seed, d);
    c.network.traffic = Network::Traffic::RM;
    return c;
  });
}

Case with_capacity(Network::Order order, std::uint64_t seed, Draw& d) {
  Case c = plain(seed, d);
  c.network.order = order;
  c.network.capacity = 1 + static_cast<std::size_t>(d.below(2));
  return c;
}
TEST(OracleNetwork, MultisetBlocks) {
  compare_many(40, 6'000, [](std::uint64_t seed, Draw& d) { return with_capacity(Network::Order::Multiset, seed, d); });
}
TEST(OracleNetwork, GrmBlocks) {
  compare_many(40, 6'500, [](std::uint64_t seed, Draw& d) {
    Case c = with_capacity(Network::Order::Multiset, seed, d);
    c.network.traffic = d.one_in(2) ? Network::Traffic::GRM : Network::Traffic::RM;
    return c;
  });
}
TEST(OracleNetwork, FifoBlocks) {
  compare_many(40, 7'000, [](std::uint64_t seed, Draw& d) { return with_capacity(Network::Order::Fifo, seed, d); });
}
TEST(OracleNetwork, FifoOverwrites) {
  compare_many(40, 8'000, [](std::uint64_t seed, Draw& d) {
    Case c = with_capacity(Network::Order::Fifo, seed, d);
    c.network.when_full = Network::WhenFull::Overwrite;
    return c;
  });
}

Case lossy(Network::Order order, std::uint64_t seed, Draw& d) {
  Case c = plain(seed, d);
  c.network.order = order;
  const int kind = d.below(3);
  if (kind != 1) c.network.losses = 1 + static_cast<unsigned>(d.below(2));
  if (kind != 0) c.network.duplications = 1;
  if (d.one_in(3)) c.network.capacity = 1 + static_cast<std::size_t>(d.below(2));
  if (order == Network::Order::Fifo && c.network.capacity > 0 && d.one_in(2)) {
    c.network.when_full = Network::WhenFull::Overwrite;
  }
  return c;
}
TEST(OracleNetwork, MultisetLosesAndDuplicates) {
  compare_many(50, 9'000, [](std::uint64_t seed, Draw& d) { return lossy(Network::Order::Multiset, seed, d); });
}
TEST(OracleNetwork, SlowGrmLosesAndDuplicates) {
  compare_many(50, 9'500, [](std::uint64_t seed, Draw& d) {
    Case c = lossy(Network::Order::Multiset, seed, d);
    c.network.traffic = d.one_in(2) ? Network::Traffic::GRM : Network::Traffic::RM;
    return c;
  });
}
TEST(OracleNetwork, FifoLosesAndDuplicates) {
  compare_many(80, 10'000, [](std::uint64_t seed, Draw& d) { return lossy(Network::Order::Fifo, seed, d); });
}

TEST(OracleNetwork, SlowPartitions) {
  compare_many(60, 11'000, [](std::uint64_t seed, Draw& d) {
    Case c = plain(seed, d);
    c.network.order = static_cast<Network::Order>(d.below(3));
    c.network.partitions = 1 + static_cast<unsigned>(d.below(2));
    if (c.network.order == Network::Order::Multiset) c.network.traffic = static_cast<Network::Traffic>(d.below(3));
    if (c.network.order != Network::Order::Soup && d.one_in(3)) c.network.losses = 1;
    return c;
  });
}

// Combines everything, including combinations that are refused.
TEST(OracleNetwork, Anything) {
  compare_many(80, 12'000, [](std::uint64_t seed, Draw& d) {
    Case c = plain(seed, d);
    whatever(c, d);
    return c;
  });
}

}  // namespace
}  // namespace heddle::oracle::network_test
