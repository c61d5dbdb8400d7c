// Random models with random switches.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/case.h"

namespace heddle::oracle {

// Makes a model of Node and Hub; the caller may change afterwards what the seed does not decide here.
inline Case unkind_case(std::uint64_t seed, bool names) {
  unkind::Draw d(seed, 200, 0);
  const int nodes = 1 + d.below(3);
  const int hubs = 1 + d.below(nodes < 3 ? 2 : 1);
  return {&unkind::definition,
          {{"seed", std::to_string(seed)},
           {"nodes", std::to_string(nodes)},
           {"hubs", std::to_string(hubs)},
           {"sends", std::to_string(1 + d.below(nodes == 1 ? 3 : 2))},
           {"quorum", std::to_string(d.below(3))},
           {"names", names ? "1" : "0"},
           {"together", std::to_string(d.one_in(3) ? 1 + d.below(2) : 0)},
           {"exits", d.one_in(3) ? "1" : "0"},
           {"bound", d.one_in(8) ? "1" : "0"},
           {"begun", d.one_in(5) ? "1" : "0"}}};
}

// Makes a model of parents and children.
inline Case family_case(std::uint64_t seed, unkind::Draw& d, bool names) {
  return {&unkind::families,
          {{"seed", std::to_string(seed)},
           {"parents", std::to_string(1 + d.below(2))},
           {"children", std::to_string(d.below(3))},
           {"room", std::to_string(2 + d.below(3))},
           {"births", std::to_string(1 + d.below(3))},
           {"first", seed % 3 == 0 ? "1" : "0"},
           {"names", names ? "1" : "0"}}};
}

// Makes a model of clients and servers.
inline Case client_case(std::uint64_t seed, unkind::Draw& d, bool names) {
  const int order = unkind::Draw(seed, 206, 0).below(4);
  return {&unkind::clients,
          {{"seed", std::to_string(seed)},
           {"clients", std::to_string(1 + d.below(3))},
           {"servers", std::to_string(1 + d.below(2))},
           {"operations", std::to_string(1 + d.below(2))},
           {"names", names ? "1" : "0"},
           {"careful", std::to_string(d.below(2))},
           {"together", d.one_in(4) ? "1" : "0"},
           {"order", std::to_string(order < 3 ? order : 0)}}};
}

// Draws any network that has a meaning.
inline void anywhere(Case& c, unkind::Draw& d) {
  c.network.order = static_cast<Network::Order>(d.below(3));
  if (c.network.order == Network::Order::Multiset && d.one_in(4)) {
    c.network.traffic = d.one_in(2) ? Network::Traffic::GRM : Network::Traffic::RM;
  }
  if (c.network.order != Network::Order::Soup) {
    if (d.one_in(4)) c.network.capacity = 1 + static_cast<std::size_t>(d.below(2));
    if (d.one_in(5)) c.network.losses = 1 + static_cast<unsigned>(d.one_in(4));
    if (d.one_in(5)) c.network.duplications = 1;
  }
  if (c.network.order == Network::Order::Fifo && c.network.capacity > 0 && d.one_in(2)) {
    c.network.when_full = Network::WhenFull::Overwrite;
  }
  if (d.one_in(6)) c.network.partitions = 1 + static_cast<unsigned>(d.one_in(4));
}

// Draws crashes of anybody or of a role, with or without recovery, and Byzantine hubs and nodes.
inline void with_faults(Case& c, unkind::Draw& d) {
  if (d.one_in(3)) {
    if (d.one_in(3)) {
      c.faults.crashes_of[d.one_in(2) ? "Hub" : "Node"] = 1;
    } else {
      c.faults.crashes = 1 + static_cast<unsigned>(d.one_in(4));
    }
    c.faults.recovery = d.one_in(2);
  }
  if (d.one_in(8)) c.faults.byzantine[d.one_in(2) ? "Hub" : "Node"] = 1;
}

// Draws every switch at will, meaningful or not.
inline void whatever(Case& c, unkind::Draw& d) {
  Network& n = c.network;
  n.order = static_cast<Network::Order>(d.below(3));
  if (d.one_in(3)) n.traffic = static_cast<Network::Traffic>(d.below(3));
  if (d.one_in(3)) n.capacity = 1 + static_cast<std::size_t>(d.below(2));
  if (d.one_in(4)) n.when_full = Network::WhenFull::Overwrite;
  if (d.one_in(3)) n.losses = 1;
  if (d.one_in(3)) n.duplications = 1;
  if (d.one_in(4)) n.partitions = 1;
  if (d.one_in(4)) c.faults.crashes = d.one_in(10) ? 101 : 1;
  if (d.one_in(4)) c.faults.recovery = true;
  if (d.one_in(8)) c.faults.byzantine[d.one_in(4) ? "Nobody" : "Hub"] = d.one_in(4) ? 4 : 1;
}

}  // namespace heddle::oracle
