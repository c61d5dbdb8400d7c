// Opens a file as a net, and adds the property of --deadlock.
#include "run/net_door.h"

#include <algorithm>
#include <memory>

#include "net/load_net.h"
#include "net/net_system.h"

namespace heddle::run {
namespace {

// Implements --deadlock: a marking without an enabled transition is a violation.
void add_deadlock_property(net::Net& net) {
  const auto stated = [](const auto& p) { return p.kind == Property::Kind::DeadlockFree; };
  if (std::ranges::any_of(net.properties, stated)) return;
  net.properties.push_back(
      {"deadlock_free", Property::Kind::DeadlockFree, net::Formula::combine(net::Formula::Kind::Or, {})});
}

}  // namespace

Source open_net(const Given& given) {
  const auto settle = [file = given.text](const RunSettings& settings) {
    net::Net net = net::read_net(file);
    Instance instance;
    instance.model = file;
    if (settings.switches.contains("deadlock")) {
      instance.options["deadlock"] = "true";
      add_deadlock_property(net);
    }
    instance.build = [net = std::make_shared<const net::Net>(std::move(net))](const BuildOptions&) {
      return std::make_unique<net::NetSystem>(*net);
    };
    return instance;
  };
  return {.file = given.text, .definition = {}, .settle = settle};
}

}  // namespace heddle::run
