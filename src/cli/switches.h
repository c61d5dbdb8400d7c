// The switches of a run: network, faults, and whether deadlocks count. On the command line, in a trace and in the JSON they
// are the same pairs of name and text, so a trace replays under the switches it was found with.
//
//   {"network": "fifo", "loss": "1", "byzantine": "Acceptor=1"}
#pragma once

#include <map>
#include <string>

#include "heddle/model.h"

namespace CLI {
class App;
}

namespace heddle::cli {

using Switches = std::map<std::string, std::string>;

void add_switches(CLI::App& app, Switches& switches);

// Overrides the model's own defaults. Throws UsageError for a name or value that does not exist.
void apply_switches(Model& model, const Switches& switches);

// What a run's trace and its JSON record: the network, every switch that differs from a plain network without faults, and those
// that were given, whatever their value, since the model's own default may be another one.
Switches effective_switches(const Model& model, const Switches& given);

}  // namespace heddle::cli
