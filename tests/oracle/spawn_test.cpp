// Spawn and Exit, and histories of clients, against the oracle.
#include <gtest/gtest.h>

#include "oracle/case.h"
#include "oracle/unkind_families.h"

namespace heddle::oracle {
namespace {

using unkind::Draw;

void on_any_network(Case& c, Draw& d) {
  c.network.order = static_cast<Network::Order>(d.below(3));
  if (c.network.order == Network::Order::Multiset && d.one_in(4)) c.network.traffic = Network::Traffic::GRM;
  if (c.network.order != Network::Order::Soup) {
    if (d.one_in(5)) c.network.losses = 1;
    if (d.one_in(5)) c.network.duplications = 1;
    if (d.one_in(5)) c.network.capacity = 1;
  }
  if (d.one_in(6)) c.network.partitions = 1;
}

Case family(std::uint64_t seed, Draw& d) {
  return {&unkind::families,
          {{"seed", std::to_string(seed)},
           {"parents", std::to_string(1 + d.below(2))},
           {"children", std::to_string(d.below(3))},
           {"room", std::to_string(2 + d.below(3))},
           {"births", std::to_string(1 + d.below(3))}}};
}

TEST(OracleSpawn, DISABLED_Multiset) { compare_many(120, 30'000, family); }
TEST(OracleSpawn, DISABLED_AnyNetwork) {
  compare_many(120, 31'000, [](std::uint64_t seed, Draw& d) {
    Case c = family(seed, d);
    on_any_network(c, d);
    return c;
  });
}

Case clients(std::uint64_t seed, Draw& d) {
  return {&unkind::clients,
          {{"seed", std::to_string(seed)},
           {"clients", std::to_string(1 + d.below(3))},
           {"servers", std::to_string(1 + d.below(2))},
           {"operations", std::to_string(1 + d.below(2))},
           {"careful", std::to_string(d.below(2))},
           {"together", d.one_in(4) ? "1" : "0"}}};
}

TEST(OracleClients, Multiset) { compare_many(80, 40'000, clients); }
TEST(OracleClients, DISABLED_AnyNetwork) {
  compare_many(80, 41'000, [](std::uint64_t seed, Draw& d) {
    Case c = clients(seed, d);
    on_any_network(c, d);
    return c;
  });
}
TEST(OracleClients, DISABLED_CrashesAndRecovery) {
  compare_many(80, 42'000, [](std::uint64_t seed, Draw& d) {
    Case c = clients(seed, d);
    if (d.one_in(2)) on_any_network(c, d);
    c.faults.crashes = 1;
    c.faults.recovery = !d.one_in(3);
    return c;
  });
}

}  // namespace
}  // namespace heddle::oracle
