// What the user gave, opened: a model that can be run with many settings, and with each of them be built several times.
//
//   const Source source = open("lock.cpp");                                // read, compiled and loaded once (doors.h)
//   const Instance instance = source.instance({.parameters = {{"clients", "3"}}});   // the model's .build runs once
//   const auto system = instance.build({});                                // cheap; so is a second system
//   const auto forgetful = instance.build({.forget_auxiliary = true});
//
// Thread-safe: no; loading a model changes the process.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "actor/actor_system.h"
#include "core/trace.h"
#include "core/transition_system.h"
#include "heddle/definition.h"
#include "report/run_json.h"
#include "run/switches.h"

namespace heddle::run {

// How a system is built for a search. A door ignores what it has nothing of.
using BuildOptions = ActorOptions;

// As on the command line.
struct RunSettings {
  std::map<std::string, std::string> parameters = {};
  std::string bug = {};
  Switches switches = {};
};

// A model with the settings that are in force, defaults included.
struct Instance {
  std::string model;
  std::map<std::string, std::string> parameters;
  std::string bug;
  std::string broken_by_bug;  // the property it breaks
  // As trace::Trace has them: switches, and "file" unless it is the library's.
  std::map<std::string, std::string> options;
  // A system of its own each time. Throws ModelError if the model or the combination of switches is not supported.
  std::function<std::unique_ptr<TransitionSystem>(const BuildOptions&)> build;

  // "paxos (acceptors=3, learners=1, proposers=2), bug accept_always; loss=1, network=fifo".
  std::string title() const;
  // What the engine does not know, for a trace and for a report.
  void describe(trace::Trace& trace) const;
  void describe(report::RunReport& report) const;
};

struct Source {
  std::string file;                                    // empty for a model of the library
  std::optional<Definition> definition;                // none where there are no parameters and bugs, as in a net
  std::function<Instance(const RunSettings&)> settle;  // by the door

  // Throws UsageError for settings the model does not have, and ModelError if it cannot be built with them. Where a bug is
  // switched on, parameters that were not given are those that show it.
  Instance instance(const RunSettings& settings) const;
};

}  // namespace heddle::run
