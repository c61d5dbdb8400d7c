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
};

inline Configuration random_configuration() {
  Configuration c{*rc::gen::inRange(0l, 1'000'000l),
                  *rc::gen::inRange(1, 4),
                  *rc::gen::inRange(1, 3),
                  *rc::gen::element<std::string>("both", "nodes", "hubs", "nothing"),
                  *rc::gen::inRange(0, 2),
                  0,
                  {},
                  {}};
  c.network.order =
      *rc::gen::element(Network::Order::Multiset, Network::Order::Multiset, Network::Order::Soup, Network::Order::Fifo);
  if (c.network.order == Network::Order::Multiset) {
    c.network.traffic =
        *rc::gen::element(Network::Traffic::M, Network::Traffic::M, Network::Traffic::GRM, Network::Traffic::RM);
  }
  if (c.network.order != Network::Order::Soup) {
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        c.network.losses = 1;
        break;
      case 1:
        c.network.duplications = 1;
        break;
      case 2:
        c.network.capacity = 1;
        c.network.when_full = *rc::gen::element(Network::WhenFull::Block, Network::WhenFull::Overwrite);
        break;
      default:
        break;
    }
  }
  switch (*rc::gen::inRange(0, 5)) {
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
    default:
      break;
  }
  return c;
}

inline std::unique_ptr<TransitionSystem> make(const Configuration& c, const ActorOptions& options = {}) {
  Model model = make(c.seed, c.nodes, c.hubs, c.watch, c.sinks, c.history);
  model.network = c.network;
  model.faults = c.faults;
  return make_actor_system(std::move(model), options);
}

}  // namespace heddle::random_model
