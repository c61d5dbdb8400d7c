#include "cli/switches.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <vector>

#include "cli/errors.h"
#include "cli/quantities.h"
#include "cli/suggestions.h"

namespace heddle::cli {
namespace {

template <class E>
struct Named {
  E value;
  std::string name;
};

const std::vector<Named<Network::Order>> orders = {
    {Network::Order::Multiset, "multiset"}, {Network::Order::Soup, "soup"}, {Network::Order::Fifo, "fifo"}};
const std::vector<Named<Network::Traffic>> traffics = {
    {Network::Traffic::M, "M"}, {Network::Traffic::GRM, "GRM"}, {Network::Traffic::RM, "RM"}};
const std::vector<Named<Network::WhenFull>> fulls = {{Network::WhenFull::Block, "block"},
                                                     {Network::WhenFull::Overwrite, "overwrite"}};

template <class E>
std::vector<std::string> names_of(const std::vector<Named<E>>& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.push_back(entry.name);
  return names;
}

template <class E>
E value_of(const std::vector<Named<E>>& table, const std::string& name, const std::string& option) {
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
  }
  throw UsageError(fmt::format("{}: '{}' is none of {}", option, name, listed(names_of(table))));
}

template <class E>
std::string name_of(const std::vector<Named<E>>& table, E value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

unsigned count(const std::string& text, const std::string& option) {
  return static_cast<unsigned>(parse_number(text, option, std::numeric_limits<std::uint16_t>::max()));
}

bool truth(const std::string& text, const std::string& option) {
  if (text == "true" || text == "false") return text == "true";
  throw UsageError(fmt::format("{}: '{}' is neither true nor false", option, text));
}

// "Acceptor=1,Proposer=2"
std::map<std::string, unsigned> parse_by_role(const std::string& text, const std::string& option) {
  std::map<std::string, unsigned> result;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == part.npos || equals == 0) {
      throw UsageError(fmt::format("{}: '{}' is not of the form ROLE=N, such as Acceptor=1", option, part));
    }
    result[part.substr(0, equals)] = count(part.substr(equals + 1), option);
  }
  return result;
}

std::string text_by_role(const std::map<std::string, unsigned>& numbers) {
  std::string text;
  for (const auto& [role, number] : numbers) text += fmt::format("{}{}={}", text.empty() ? "" : ",", role, number);
  return text;
}

// "2", or "Server=1,Client=2"
void parse_crashes(const std::string& text, Faults& faults) {
  faults.crashes = 0;
  faults.crashes_of.clear();
  if (text.find('=') == text.npos && text.find(',') == text.npos) {
    faults.crashes = count(text, "--crashes");
    return;
  }
  for (const std::string& part : CLI::detail::split(text, ',')) {
    if (part.find('=') != part.npos) continue;
    throw UsageError(
        fmt::format("--crashes: {} bounds the crashes of all processes; give either that, once, or ROLE=N", part));
  }
  faults.crashes_of = parse_by_role(text, "--crashes");
}

}  // namespace

void add_switches(CLI::App& app, Switches& switches) {
  const std::string group = "Network and faults (default: what the model says)";
  const auto option = [&](const std::string& name, const std::string& type, const std::string& help) {
    return app
        .add_option_function<std::string>(
            "--" + name, [&switches, name](const std::string& v) { switches[name] = v; }, help)
        ->type_name(type)
        ->group(group);
  };
  option("network", "KIND", "multiset (any order), soup (messages stay), fifo (per pair)");
  option("traffic", "MODEL", "M, GRM or RM: which sends and receives are steps of their own");
  option("capacity", "N", "Messages of one sender in transit to one receiver, at most; 0: no limit");
  option("when-full", "WHAT", "block or overwrite");
  option("loss", "N", "Messages that may get lost");
  option("duplicate", "N", "Messages that may be delivered once more");
  option("partitions", "N", "How often the network may split in two");
  const auto repeated = [&](const std::string& name, const std::string& type, const std::string& help) {
    app.add_option_function<std::vector<std::string>>(
           "--" + name,
           [&switches, name](const std::vector<std::string>& all) {
             std::string& text = switches[name];
             for (const std::string& one : all) text += (text.empty() ? "" : ",") + one;
           },
           help)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
  };
  repeated("crashes", "[ROLE=]N", "Processes, or members of a role, that may crash");
  repeated("byzantine", "ROLE=N", "The last N members of a role send any well-formed message");
  const auto flag = [&](const std::string& name, const std::string& help) {
    app.add_flag_callback(
           "--" + name, [&switches, name] { switches[name] = "true"; }, help)
        ->group(group);
  };
  flag("recovery", "Crashed processes may come back with their durable fields");
  flag("deadlock", "A state without steps is a violation, also if the model does not say so");

  const std::string refinement = "Refinement of an abstract object (docs/refinement.md)";
  option("refines", "OBJECT",
         "Check that the model refines it, such as qtree; none: do not, even for a bug that shows there")
      ->group(refinement);
  option("spec", "VARIANT", "strict, or literal: the specification as printed")->group(refinement);
  option("lp", "POINTS", "Linearization points: corrected, thesis (as printed), or search for them")->group(refinement);
}

void apply_switches(Model& model, const Switches& switches) {
  Network& network = model.network;
  Faults& faults = model.faults;
  for (const auto& [name, value] : switches) {
    const std::string option = "--" + name;
    if (name == "network") {
      network.order = value_of(orders, value, option);
    } else if (name == "traffic") {
      network.traffic = value_of(traffics, value, option);
    } else if (name == "capacity") {
      network.capacity = count(value, option);
    } else if (name == "when-full") {
      network.when_full = value_of(fulls, value, option);
    } else if (name == "loss") {
      network.losses = count(value, option);
    } else if (name == "duplicate") {
      network.duplications = count(value, option);
    } else if (name == "partitions") {
      network.partitions = count(value, option);
    } else if (name == "crashes") {
      parse_crashes(value, faults);
      if (!faults.crashing() && !switches.contains("recovery")) faults.recovery = false;
    } else if (name == "recovery") {
      faults.recovery = truth(value, option);
    } else if (name == "byzantine") {
      faults.byzantine = parse_by_role(value, option);
    } else if (name == "refines" && value == "none") {
    } else if (name == "refines") {
      const auto chosen = [&](const std::string& other, const std::string& fallback) {
        const auto it = switches.find(other);
        return it == switches.end() ? fallback : it->second;
      };
      model.refine(value, chosen("spec", "strict"), chosen("lp", "corrected"));
    } else if (name == "spec" || name == "lp") {
      if (!switches.contains("refines")) throw UsageError(option + " says how --refines is checked; give that, too");
    } else if (name == "deadlock") {
      bool stated = !truth(value, option);
      for (const auto& p : model.properties()) stated |= p.kind == detail::PropertyInfo::Kind::DeadlockFree;
      if (!stated) model.deadlock_free();
    } else {
      throw UsageError(
          fmt::format("there is no switch '{}' for network and faults; the trace is of another version", name));
    }
  }
  if (switches.contains("when-full") && network.capacity == 0) {
    throw UsageError("--when-full says what happens in a full channel, but none is ever full; give --capacity N, too");
  }
}

Switches effective_switches(const Model& model, const Switches& given) {
  const Network plain;
  const Network& network = model.network;
  const Faults& faults = model.faults;
  Switches result;
  const auto record = [&](const std::string& name, bool differs, const std::string& value) {
    if (differs || given.contains(name)) result[name] = value;
  };
  record("network", true, name_of(orders, network.order));  // also the default: it says what the verdict is about
  record("traffic", network.traffic != plain.traffic, name_of(traffics, network.traffic));
  record("capacity", network.capacity != 0, std::to_string(network.capacity));
  record("when-full", network.when_full != plain.when_full, name_of(fulls, network.when_full));
  record("loss", network.losses != 0, std::to_string(network.losses));
  record("duplicate", network.duplications != 0, std::to_string(network.duplications));
  record("partitions", network.partitions != 0, std::to_string(network.partitions));
  record("crashes", faults.crashes != 0 || !faults.crashes_of.empty(),
         faults.crashes_of.empty() ? std::to_string(faults.crashes) : text_by_role(faults.crashes_of));
  record("recovery", faults.recovery, faults.recovery ? "true" : "false");
  record("byzantine", !faults.byzantine.empty(), text_by_role(faults.byzantine));
  for (const char* name : {"deadlock", "refines", "spec", "lp"}) {
    if (given.contains(name)) result[name] = given.at(name);
  }
  return result;
}

}  // namespace heddle::cli
