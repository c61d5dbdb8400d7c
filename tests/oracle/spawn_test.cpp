// Compares Spawn, Exit, and histories of clients with the oracle.
#include <gtest/gtest.h>

#include "oracle/agree.h"

namespace heddle::oracle::spawn_test {
namespace {

using unkind::Draw;

TEST(OracleSpawn, Multiset) {
  compare_many(100, 30'000, [](std::uint64_t seed, Draw& d) { return family_case(seed, d, d.one_in(2)); });
}
TEST(OracleSpawn, AnyNetwork) {
  compare_many(100, 31'000, [](std::uint64_t seed, Draw& d) {
    Case c = family_case(seed, d, d.one_in(2));
    anywhere(c, d);
    return c;
  });
}

// A new process may move from one side of a split to the other, and so may the machine by which sides are told apart,
// the first one.
TEST(OracleSpawn, Partitions) {
  compare_many(40, 32'000, [](std::uint64_t seed, Draw& d) {
    Case c = family_case(seed, d, d.one_in(2));
    c.parameters["first"] = "1";
    c.parameters["room"] = std::to_string(1 + d.below(2));
    c.network.partitions = 1;
    return c;
  });
}

TEST(OracleClients, Multiset) {
  compare_many(60, 40'000, [](std::uint64_t seed, Draw& d) { return client_case(seed, d, d.one_in(2)); });
}
TEST(OracleClients, AnyNetwork) {
  compare_many(60, 41'000, [](std::uint64_t seed, Draw& d) {
    Case c = client_case(seed, d, d.one_in(2));
    anywhere(c, d);
    return c;
  });
}
TEST(OracleClients, CrashesAndRecovery) {
  compare_many(60, 42'000, [](std::uint64_t seed, Draw& d) {
    Case c = client_case(seed, d, d.one_in(2));
    if (d.one_in(2)) anywhere(c, d);
    c.faults.crashes = 1;
    c.faults.recovery = !d.one_in(3);
    return c;
  });
}

}  // namespace
}  // namespace heddle::oracle::spawn_test
