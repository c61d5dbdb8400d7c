// Faults of processes against the oracle: crashes, recovery, Byzantine senders, on every network.
#include <gtest/gtest.h>

#include "oracle/case.h"

namespace heddle::oracle {
namespace {

using unkind::Draw;

Case somewhere(std::uint64_t seed, Draw& d) {
  Case c = unkind_case(seed, d.one_in(2));
  c.network.order = static_cast<Network::Order>(d.below(3));
  if (c.network.order == Network::Order::Multiset && d.one_in(3)) {
    c.network.traffic = d.one_in(2) ? Network::Traffic::GRM : Network::Traffic::RM;
  }
  if (c.network.order != Network::Order::Soup) {
    if (d.one_in(4)) c.network.capacity = static_cast<std::size_t>(1 + d.below(2));
    if (d.one_in(6)) c.network.losses = 1;
    if (d.one_in(6)) c.network.duplications = 1;
  }
  if (c.network.order == Network::Order::Fifo && c.network.capacity > 0 && d.one_in(2)) {
    c.network.when_full = Network::WhenFull::Overwrite;
  }
  return c;
}

TEST(OracleFaults, Crashes) {
  compare_many(100, 20'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.faults.crashes = 1 + static_cast<unsigned>(d.below(2));
    return c;
  });
}

TEST(OracleFaults, Recovery) {
  compare_many(100, 21'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.faults.crashes = 1;
    c.faults.recovery = true;
    return c;
  });
}

TEST(OracleFaults, CrashesAndPartitions) {
  compare_many(40, 22'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.faults.crashes = 1;
    c.faults.recovery = d.one_in(2);
    c.network.partitions = 1;
    return c;
  });
}

TEST(OracleFaults, Byzantine) {
  compare_many(60, 23'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.parameters["sends"] = "1";
    c.faults.byzantine[d.one_in(2) ? "Node" : "Hub"] = 1;
    if (d.one_in(4)) c.faults.crashes = 1;
    if (d.one_in(6)) c.network.partitions = 1;
    return c;
  });
}

}  // namespace
}  // namespace heddle::oracle
