// A model with the switches of a run, as a text that can be printed and read again.
#pragma once

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "heddle/heddle.h"
#include "oracle/unkind_families.h"
#include "oracle/unkind_model.h"

namespace heddle::oracle {

struct Case {
  Definition (*definition)();
  std::map<std::string, std::string> parameters;
  Network network = {};
  Faults faults = {};

  Model model() const {
    Model m(definition(), parameters);
    m.network = network;
    m.faults = faults;
    return m;
  }
  std::string text() const {
    std::string out = definition().name;
    for (const auto& [name, value] : parameters) out += " -p " + name + "=" + value;
    constexpr const char* orders[] = {"multiset", "soup", "fifo"};
    constexpr const char* traffic[] = {"M", "GRM", "RM"};
    out += std::string(" --network ") + orders[static_cast<int>(network.order)];
    out += std::string(" --traffic ") + traffic[static_cast<int>(network.traffic)];
    const auto add = [&](const char* name, std::size_t n) {
      if (n > 0) out += std::string(" --") + name + " " + std::to_string(n);
    };
    add("capacity", network.capacity);
    if (network.when_full == Network::WhenFull::Overwrite) out += " --when-full overwrite";
    add("loss", network.losses);
    add("duplicate", network.duplications);
    add("partitions", network.partitions);
    add("crashes", faults.crashes);
    for (const auto& [role, n] : faults.crashes_of) out += " --crashes " + role + "=" + std::to_string(n);
    if (faults.recovery) out += " --recovery";
    for (const auto& [role, n] : faults.byzantine) out += " --byzantine " + role + "=" + std::to_string(n);
    return out;
  }
};

// The inverse of Case::text.
inline Case read_case(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  in >> word;
  Case c{word == "unkind" ? &unkind::definition : word == "families" ? &unkind::families : &unkind::clients, {}};
  for (std::string name, value; in >> name;) {
    if (name == "--recovery") {
      c.faults.recovery = true;
      continue;
    }
    in >> value;
    const std::size_t equals = value.find('=');
    const std::string left = value.substr(0, equals), right = equals == value.npos ? value : value.substr(equals + 1);
    const auto number = [&] { return static_cast<unsigned>(std::stoul(right)); };
    if (name == "-p") {
      c.parameters[left] = right;
    } else if (name == "--network") {
      c.network.order = value == "soup"   ? Network::Order::Soup
                        : value == "fifo" ? Network::Order::Fifo
                                          : Network::Order::Multiset;
    } else if (name == "--traffic") {
      c.network.traffic = value == "GRM"  ? Network::Traffic::GRM
                          : value == "RM" ? Network::Traffic::RM
                                          : Network::Traffic::M;
    } else if (name == "--when-full") {
      c.network.when_full = Network::WhenFull::Overwrite;
    } else if (name == "--capacity") {
      c.network.capacity = number();
    } else if (name == "--loss") {
      c.network.losses = number();
    } else if (name == "--duplicate") {
      c.network.duplications = number();
    } else if (name == "--partitions") {
      c.network.partitions = number();
    } else if (name == "--crashes" && equals != value.npos) {
      c.faults.crashes_of[left] = number();
    } else if (name == "--crashes") {
      c.faults.crashes = number();
    } else if (name == "--byzantine") {
      c.faults.byzantine[left] = number();
    } else if (name != "--search" && name != "--threads") {
      throw std::invalid_argument(name);
    }
  }
  return c;
}

}  // namespace heddle::oracle
