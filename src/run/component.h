// Components: what needs a large library is a program of its own beside `heddle`, so that `heddle` stays quick to
// build and to start. docs/components.md says what a component is and how to add one.
//
//   const Called answer = call_component("symbolic", {"check", "--json"}, text, limits);
//   if (answer.stopped_by.empty()) use(answer.json());
//
// The table comes from the folders under components/: the build writes it (cmake/heddle_components.cmake). In a
// source tree a component is installed and built when it is first asked for, and again when its sources have changed,
// by scripts/component.sh; that script is the only place that knows how. An installed copy uses what lies beside it.
//
// Invariants
//   1. Whoever asks for a component gets a program that exists, or a ComponentError that says what to do.
//   2. Nothing here waits longer than the time limit, or than a second after SIGINT or SIGTERM.
//   3. A component's exit code is one of the four verdicts; everything else is a ComponentError.
// REQUIRES: Budget::install_interrupt_handler() was called, or a signal ends this program and not what it has started.
// Thread-safe: the functions read the table only; two that build wait for each other, as two programs do.
#pragma once

#include <boost/json/value.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.h"

namespace heddle::run {

struct Component {
  std::string name;                   // "symbolic"
  std::string product;                // what the build makes, under the prefix: "bin/heddle-symbolic"
  std::string purpose;                // one phrase: what it is for
  std::vector<std::string> packages;  // Debian's, of scripts/packages-NAME.txt

  // "heddle-symbolic"
  std::string program() const { return std::filesystem::path(product).filename().string(); }
};

// Where components are.
struct ComponentTree {
  std::vector<Component> table;
  std::filesystem::path prefix;        // products lie below it
  std::filesystem::path sources = {};  // empty: this is an installed copy
  std::string preset = {};             // the build's; empty: configured by hand, not below sources/build
};

// Those of the program that is running.
const ComponentTree& own_components();

// The path of the component's program or file; builds it first where it can be built. Throws ComponentError, and
// Interrupted on Ctrl-C.
std::filesystem::path find_component(std::string_view name, const ComponentTree& tree = own_components());

struct Called {
  std::string component;
  int exit_code = 0;   // 0 to 3, a verdict
  std::string output;  // what it wrote to stdout
  std::string
      stopped_by;  // "time limit of 60 s" or "interrupted" if it was ended from outside; the verdict is unknown then

  // The output as JSON. Throws ComponentError if it is something else.
  boost::json::value json() const;
};

// Finds the component, runs it and listens. The limits are handed on as --time SECONDS and --memory BYTES, where
// there are any; building counts. What it says on stderr is for the user and goes there. Throws ComponentError, and
// Interrupted on Ctrl-C while it is built.
Called call_component(std::string_view name, const std::vector<std::string>& arguments, const std::string& input = {},
                      const Limits& limits = {}, const ComponentTree& tree = own_components());

// For `heddle doctor`.
struct ComponentState {
  enum class State { Ready, Stale, NotBuilt, PackagesMissing, NotInstalled };

  Component component;
  State state = State::Ready;
  std::vector<std::string> missing;  // packages
  std::string remedy;                // the command that gets it; empty if it is ready
};
std::string_view text(ComponentState::State state);

std::vector<ComponentState> component_states(const ComponentTree& tree = own_components());

}  // namespace heddle::run
