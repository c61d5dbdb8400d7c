// A random protocol together with a random network and random faults.
#pragma once

#include <rapidcheck.h>

#include <memory>

#include "actor/actor_system.h"
#include "actor/random_model.h"

namespace heddle::random_model {

struct Configuration {
  long seed;
  int nodes, hubs;
  std::string watch = "both";
  int sinks = 0, history = 0;
  Network network = {};
  Faults faults = {};
  int own = 0, sends = 2, together = 0;
};

inline Configuration random_configuration() {
  Configuration c{*rc::gen::inRange(0l, 1'000'000l),
                  *rc::gen::inRange(1, 4),
                  *rc::gen::inRange(1, 3),
                  *rc::gen::element<std::string>("both", "nodes", "hubs", "up", "nothing"),
                  *rc::gen::inRange(0, 2),
                  0,
                  {},
                  {}};
  c.own = *rc::gen::inRange(0, 2);
  c.sends = *rc::gen::element(2, 2, 2, 3);
  c.network.order =
      *rc::gen::element(Network::Order::Multiset, Network::Order::Multiset, Network::Order::Soup, Network::Order::Fifo);
  if (c.network.order == Network::Order::Multiset) {
    c.network.traffic =
        *rc::gen::element(Network::Traffic::M, Network::Traffic::M, Network::Traffic::GRM, Network::Traffic::RM);
  }
  const bool fifo = c.network.order == Network::Order::Fifo;
  if (c.network.order != Network::Order::Soup) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        c.network.losses = 1;
        break;
      case 1:
        c.network.duplications = 1;
        break;
      case 2:
        c.network.capacity = 1;
        if (fifo) c.network.when_full = *rc::gen::element(Network::WhenFull::Block, Network::WhenFull::Overwrite);
        break;
      case 3:
        // Queues in which equal messages are not neighbours.
        c.sends = 3;
        c.network.capacity = *rc::gen::element(std::size_t{0}, std::size_t{2}, std::size_t{3});
        (*rc::gen::arbitrary<bool>() ? c.network.losses : c.network.duplications) = 1;
        if (fifo && c.network.capacity > 0) {
          c.network.when_full = *rc::gen::element(Network::WhenFull::Block, Network::WhenFull::Overwrite);
        }
        break;
      default:
        break;
    }
  }
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      c.faults.crashes = 1;
      break;
    case 1:
      c.faults.crashes = 1;
      c.faults.recovery = true;
      break;
    case 2:
      c.network.partitions = c.nodes + c.hubs <= 3 ? 1 : 0;
      break;
    case 3:
      c.faults.crashes_of = {{"Node", 1}};
      c.faults.recovery = *rc::gen::arbitrary<bool>();
      break;
    case 4:
      c.faults.crashes_of = {{"Hub", 1}, {"Node", 1}};
      break;
    default:
      break;
  }
  if (c.faults.crashing() || c.network.partitions > 0) c.together = *rc::gen::inRange(0, 3);
  return c;
}

inline std::unique_ptr<TransitionSystem> make(const Configuration& c, const ActorOptions& options = {}) {
  Model model(definition(), {{"seed", std::to_string(c.seed)},
                             {"nodes", std::to_string(c.nodes)},
                             {"hubs", std::to_string(c.hubs)},
                             {"watch", c.watch},
                             {"sinks", std::to_string(c.sinks)},
                             {"history", std::to_string(c.history)},
                             {"own", std::to_string(c.own)},
                             {"sends", std::to_string(c.sends)},
                             {"together", std::to_string(c.together)}});
  model.network = c.network;
  model.faults = c.faults;
  return make_actor_system(std::move(model), options);
}

}  // namespace heddle::random_model
