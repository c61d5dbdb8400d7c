#include "reduce/dpor.h"

#include <gtest/gtest.h>

#include "actor/actor_system.h"
#include "heddle/model.h"

namespace heddle {
namespace {

using Parameters = std::map<std::string, std::string>;

std::unique_ptr<TransitionSystem> library_system(const std::string& name, const Parameters& parameters) {
  for (const Definition& d : library()) {
    if (d.name == name) return make_actor_system(Model(d, parameters));
  }
  throw std::runtime_error("no model " + name);
}

TEST(Dpor, Counts) {
  struct {
    const char* model;
    Parameters parameters;
  } cases[] = {{"paxos", {{"proposers", "1"}}},
               {"paxos", {{"acceptors", "2"}}},
               {"storage", {{"monitor", "no"}}},
               {"paxos", {}}};
  for (auto& c : cases) {
    const auto system = library_system(c.model, c.parameters);
    for (bool p : {false, true}) {
      StatelessOptions o;
      o.properties = p;
      const auto r = dpor(*system, o);
      std::printf("%s properties=%d nodes %zu executions %zu %.2fs\n", c.model, p, r.nodes, r.executions, r.seconds);
    }
  }
}

}  // namespace
}  // namespace heddle
