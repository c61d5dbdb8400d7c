// The switches of a run: network, faults, whether deadlocks count, and refinement. They are the same pairs of name and
// text on the command line, in a trace and in the JSON, so a trace replays under the switches that it was found with.
//
//   {"network": "fifo", "loss": "1", "byzantine": "Acceptor=1"}
//
// A switch is one row of the table: its name, what --help says of it, what it does to a model, and how to read its
// value off a model. The option table of the program takes its rows from here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "heddle/model.h"

namespace heddle::run {

using Switches = std::map<std::string, std::string>;

struct Switch {
  enum class Kind : std::uint8_t { Text, Texts, Flag };

  std::string name = {};   // "network": the option is --network
  std::string value = {};  // what --help calls the value; empty for flags
  std::string help = {};
  std::string manual = {};               // for the manual; empty: `help`
  std::vector<std::string> values = {};  // what the manual shows as its value; empty: `value`
  Kind kind = Kind::Text;
  std::string group = "network";  // a door says which groups it takes (doors.h)

  // Overrides the model's own default. `all` are the switches of the run. Throws UsageError for a value that does not
  // exist.
  std::function<void(Model& model, const std::string& value, const Switches& all)> apply = {};
  // Returns the value that is in force in a model; none: the value that was given is.
  std::function<std::string(const Model&)> in_force = {};
  // The value in a plain network without faults; a run records it only if it was given.
  std::string plain = {};
};

const std::vector<Switch>& switch_table();

// Overrides the model's own defaults. Throws UsageError for a name or value that does not exist.
void apply_switches(Model& model, const Switches& switches, const std::vector<Switch>& table = switch_table());

// Returns what a run's trace and its JSON record: the network, every switch that differs from a plain network without
// faults, and every switch that was given. The latter counts with any value, since the model's default may differ.
Switches effective_switches(const Model& model, const Switches& given,
                            const std::vector<Switch>& table = switch_table());

}  // namespace heddle::run
