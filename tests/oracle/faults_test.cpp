// Compares faults of processes with the oracle: crashes, recovery, Byzantine senders, on every network.
#include <gtest/gtest.h>

#include "oracle/agree.h"

namespace heddle::oracle::faults_test {
namespace {

using unkind::Draw;

Case somewhere(std::uint64_t seed, Draw& d) {
  Case c = unkind_case(seed, d.one_in(2));
  anywhere(c, d);
  c.network.partitions = 0;
  return c;
}

TEST(OracleFaults, Crashes) {
  compare_many(60, 20'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.faults.crashes = 1 + static_cast<unsigned>(d.below(2));
    return c;
  });
}

TEST(OracleFaults, SlowRecovery) {
  compare_many(60, 21'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.faults.crashes = 1;
    c.faults.recovery = true;
    return c;
  });
}

TEST(OracleFaults, CrashesOfRoles) {
  compare_many(50, 24'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    const int which = d.below(4);
    if (which != 0) c.faults.crashes_of["Node"] = static_cast<unsigned>(d.below(3));
    if (which != 1) c.faults.crashes_of["Hub"] = 1 + static_cast<unsigned>(d.below(2));
    if (d.one_in(10)) c.faults.crashes_of["Nobody"] = 1;
    if (d.one_in(10)) c.faults.crashes = 1;
    c.faults.recovery = d.one_in(3);
    return c;
  });
}

TEST(OracleFaults, CrashesAndPartitions) {
  compare_many(30, 22'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.faults.crashes = 1;
    c.faults.recovery = d.one_in(2);
    c.network.partitions = 1;
    return c;
  });
}

TEST(OracleFaults, SlowByzantine) {
  compare_many(30, 23'000, [](std::uint64_t seed, Draw& d) {
    Case c = somewhere(seed, d);
    c.parameters["sends"] = "1";
    c.parameters["hubs"] = "1";
    c.faults.byzantine[d.one_in(2) ? "Node" : "Hub"] = 1 + static_cast<unsigned>(d.one_in(10));
    if (d.one_in(4)) c.faults.crashes = 1;
    if (d.one_in(6)) c.network.partitions = 1;
    return c;
  });
}

}  // namespace
}  // namespace heddle::oracle::faults_test
