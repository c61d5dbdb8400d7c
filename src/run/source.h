// A source is an opened model: it can be run with many settings, and built several times with each of them.
//
//   const Source source = open("lock.cpp");                                // read, compiled and loaded once (doors.h)
//   const Instance instance = source.instance({.parameters = {{"clients", "3"}}});   // the model's .build runs once
//   const auto system = instance.build({});                                // cheap; so is a second system
//   const auto forgetful = instance.build({.forget_auxiliary = true});
//
// Not thread-safe: loading a model changes the process.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "actor/actor_system.h"
#include "core/budget.h"
#include "core/path.h"
#include "core/trace.h"
#include "core/transition_system.h"
#include "heddle/definition.h"
#include "report/run_json.h"
#include "run/switches.h"

namespace heddle::run {

// How a system is built for a search. A door ignores the options that mean nothing to it.
struct BuildOptions : ActorOptions {
  // Processes will be exchanged. A door that finds out on the way whether they are alike does so.
  bool exchanges = false;
};

// The settings of a run, as on the command line.
struct RunSettings {
  std::map<std::string, std::string> parameters = {};
  std::string bug = {};
  Switches switches = {};
};

// A smaller instance that fails in the same way, and a run that shows it.
struct SmallerInstance {
  std::shared_ptr<const TransitionSystem> system;
  Finding finding;                             // of `system`
  std::map<std::string, std::string> options;  // Instance::options
  std::string from;                            // what was made smaller: "the client push(1); pop() | push(2)"
};

// A model with the settings that are in force, defaults included.
struct Instance {
  std::string door = {};  // "program" or "protocol", for files that could be either; empty: there is no doubt
  std::string model;
  std::map<std::string, std::string> parameters;
  std::string bug;
  std::string broken_by_bug;  // the property that the bug breaks
  // As in trace::Trace: the switches, and "file" unless the model is the library's.
  std::map<std::string, std::string> options;
  // Returns a new system each time. Throws ModelError if the model or the combination of switches is not supported.
  std::function<std::unique_ptr<TransitionSystem>(const BuildOptions&)> build;
  std::string explained_by = {};  // the command that explains what fails; empty: there is none
  // Adds what only the door knows to the report of a run; none: nothing.
  std::function<void(report::RunReport&)> add_sections = {};
  // Hears of every state without steps if all violations are asked for; none: nobody listens.
  std::function<void(const TransitionSystem& system, std::span<const Slot> state)> ends_in = {};
  // Looks within the limits for a smaller instance that violates the same property; none: there is no such thing.
  std::function<std::optional<SmallerInstance>(const TransitionSystem& system, const Finding&, const Limits&)> smaller =
      {};

  // "paxos (acceptors=3, learners=1, proposers=2), bug accept_always; loss=1, network=fifo", "program peterson.c".
  std::string title() const;
  // Fill in what the engine does not know.
  void describe(trace::Trace& trace) const;
  void describe(report::RunReport& report) const;
};

struct Source {
  std::string file;                                    // empty for a model of the library
  std::optional<Definition> definition;                // none for what has no parameters and bugs, such as a net
  std::function<Instance(const RunSettings&)> settle;  // the door's part of instance()

  // Returns the model with these settings. If a bug is switched on, parameters that were not given get the values that
  // show the bug. Throws UsageError for settings that the model does not have, and ModelError if the model cannot be
  // built with them.
  Instance instance(const RunSettings& settings) const;
};

}  // namespace heddle::run
