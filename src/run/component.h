// Finds, builds and calls components. What needs a large library is a separate program beside `heddle`, so that
// `heddle` stays quick to build and to start. docs/components.md says what a component is and how to add one.
//
//   const Called answer = call_component("symbolic", {"check", "--json"}, text, limits);
//   if (answer.stopped_by.empty()) use(answer.json());
//
// The build writes the table from the folders under components/ (cmake/heddle_components.cmake). In a source tree,
// scripts/component.sh installs the packages and builds the component when it is first needed, and builds it again when
// its sources have changed. Only that script knows how. An installed copy uses what lies beside it.
//
// Invariants
//   1. Whoever asks for a component gets a program that exists, or a ComponentError that says what to do.
//   2. Nothing here waits longer than the time limit, or than a second after SIGINT or SIGTERM.
//   3. A component's exit code is one of the four verdicts; everything else is a ComponentError.
// REQUIRES: Budget::install_interrupt_handler() was called; otherwise a signal ends this program but not its children.
// Thread-safe: the functions only read the table. Two calls that build wait for each other, as two programs do.
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
  std::string product;                // what the build makes, below the prefix: "bin/heddle-symbolic"
  std::string purpose;                // what it is for, a phrase
  std::vector<std::string> packages;  // of Debian, from scripts/packages-NAME.txt

  // "heddle-symbolic"
  std::string program() const { return std::filesystem::path(product).filename().string(); }
};

// Where components are.
struct ComponentTree {
  std::vector<Component> table;
  std::filesystem::path prefix;        // products lie below it
  std::filesystem::path sources = {};  // empty: this is an installed copy
  std::string preset = {};             // of the build; empty: configured by hand, not below sources/build
};

// Returns the components of the running program.
const ComponentTree& own_components();

// Returns the path of the component's program or file, after building it where that is possible. Throws ComponentError,
// and Interrupted on Ctrl-C.
std::filesystem::path find_component(std::string_view name, const ComponentTree& tree = own_components());

struct Called {
  std::string component;
  int exit_code = 0;   // 0 to 3, a verdict
  std::string output;  // what it wrote to stdout
  // "time limit of 60 s" or "interrupted" if the component was stopped; the verdict is then unknown.
  std::string stopped_by;

  // Returns the output as JSON. Throws ComponentError if the output is not JSON.
  boost::json::value json() const;
};

// Finds the component, runs it and returns its answer. Limits are handed on as --time SECONDS and --memory BYTES; the
// time of building counts. The component's stderr is that of this program. Throws ComponentError, and Interrupted on
// Ctrl-C while the component is built.
Called call_component(std::string_view name, const std::vector<std::string>& arguments, const std::string& input = {},
                      const Limits& limits = {}, const ComponentTree& tree = own_components());

// For `heddle doctor`.
struct ComponentState {
  enum class State { Ready, Stale, NotBuilt, PackagesMissing, NotInstalled };

  Component component;
  State state = State::Ready;
  std::vector<std::string> missing;  // packages
  std::string remedy;                // the command that gets the component; empty if it is ready
};
std::string_view text(ComponentState::State state);

std::vector<ComponentState> component_states(const ComponentTree& tree = own_components());

}  // namespace heddle::run
