// The table of components, looked for beside the program, and scripts/component.sh where one has to be built.
#include "run/component.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "heddle_components.h"
#include "heddle_paths.h"
#include "run/errors.h"
#include "run/subprocess.h"
#include "run/words.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;
using State = ComponentState::State;

// Joins a text into one line, as errors are.
std::string one_line(const std::string& text) { return fmt::format("{}", fmt::join(words_of(text), " ")); }

ComponentTree running_program() {
  ComponentTree tree;
  for (const auto& [name, product, purpose, packages] : paths::components) {
    tree.table.push_back({std::string(name), std::string(product), std::string(purpose), words_of(packages)});
  }
  std::error_code error;
  tree.prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  const fs::path sources(paths::source_dir), build(paths::binary_dir);
  // A program that was copied out of its build tree does not belong to the tree any more.
  if (fs::equivalent(tree.prefix, build, error) && fs::exists(sources / "scripts" / "component.sh", error)) {
    tree.sources = sources;
    if (fs::equivalent(build.parent_path(), sources / "build", error)) tree.preset = build.filename().string();
  }
  return tree;
}

const Component& row(std::string_view name, const ComponentTree& tree) {
  const auto found = std::ranges::find(tree.table, name, &Component::name);
  if (found != tree.table.end()) return *found;
  throw ComponentError(fmt::format("this Heddle knows no component '{}'; `heddle doctor` lists them", name));
}

std::string script(const ComponentTree& tree) { return (tree.sources / "scripts" / "component.sh").string(); }

std::vector<std::string> script_command(const ComponentTree& tree) {
  return {"bash", script(tree), "--preset", tree.preset};
}

// Returns what a user types to get the component.
std::string remedy(const Component& component, const ComponentTree& tree) {
  if (tree.sources.empty()) {
    return fmt::format("scripts/component.sh {} && cmake --install build/release --prefix {}", component.name,
                       tree.prefix.string());
  }
  if (tree.preset.empty()) {
    return fmt::format("cmake --build {} --target heddle-{}", tree.prefix.string(), component.name);
  }
  const std::string preset = tree.preset == "release" ? "" : fmt::format(" --preset {}", tree.preset);
  return fmt::format("{}{} {}", script(tree), preset, component.name);
}

// Only a source tree that was configured by a preset can build components.
bool can_build(const ComponentTree& tree) { return !tree.sources.empty() && !tree.preset.empty(); }

[[noreturn]] void not_there(const Component& component, const ComponentTree& tree) {
  const std::string packages =
      component.packages.empty() ? "" : fmt::format("; it needs the packages {}", fmt::join(component.packages, ", "));
  const std::string where = tree.sources.empty() ? fmt::format(" in the source tree of Heddle {}", paths::version) : "";
  throw ComponentError(fmt::format("this needs the component {} ({}), and {} is not there; get it{} with `{}`{}",
                                   component.name, component.purpose, (tree.prefix / component.product).string(), where,
                                   remedy(component, tree), packages));
}

Finished run_it(const Subprocess& wanted) {
  try {
    return run_subprocess(wanted);
  } catch (const UsageError& error) {
    throw ComponentError(error.what());
  }
}

// Returns the path of the component, after building it where that is possible; none if the time ran out. The script's
// standard output is the path, or what went wrong.
std::optional<fs::path> get(const Component& component, const ComponentTree& tree, double seconds) {
  fs::path product = tree.prefix / component.product;
  std::error_code error;
  if (!can_build(tree)) {
    if (!fs::exists(product, error)) not_there(component, tree);
    return product;
  }
  std::vector<std::string> command = script_command(tree);
  command.push_back(component.name);
  const Finished finished =
      run_it({.command = command, .seconds = seconds, .interactive = true, .remedy = "is bash installed?"});
  if (finished.stopped == Finished::Stopped::Interrupt) throw Interrupted();
  if (finished.stopped == Finished::Stopped::Time) return std::nullopt;
  if (finished.exit_code == 0) return product;
  std::string said = one_line(finished.output);
  if (said.empty()) said = fmt::format("`{}` failed with exit code {}", remedy(component, tree), finished.exit_code);
  throw ComponentError(fmt::format("the component {} ({}) is not there: {}", component.name, component.purpose, said));
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", std::max(seconds, 0.001)); }

State state_called(const std::string& word) {
  static const std::map<std::string, State> states = {
      {"ready", State::Ready}, {"stale", State::Stale}, {"missing", State::PackagesMissing}};
  const auto found = states.find(word);
  return found == states.end() ? State::NotBuilt : found->second;
}

}  // namespace

const ComponentTree& own_components() {
  static const ComponentTree tree = running_program();
  return tree;
}

fs::path find_component(std::string_view name, const ComponentTree& tree) {
  return get(row(name, tree), tree, Limits{}.seconds).value();
}

boost::json::value Called::json() const {
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(output, error);
  if (!error) return value;
  constexpr std::size_t shown = 200;
  throw ComponentError(fmt::format("the component {} did not answer in JSON but with '{}'; this is a mistake in Heddle",
                                   component, one_line(output).substr(0, shown)));
}

Called call_component(std::string_view name, const std::vector<std::string>& arguments, const std::string& input,
                      const Limits& limits, const ComponentTree& tree) {
  const Budget clock;
  const Component& component = row(name, tree);
  constexpr int unknown = 2, most = 3;  // exit codes
  const std::optional<fs::path> program = get(component, tree, limits.seconds);
  if (!program) {
    const std::string reason = fmt::format("{}, while the component {} was built; build it first, with `{}`",
                                           time_limit_text(limits), name, remedy(component, tree));
    return {std::string(name), unknown, "", reason};
  }
  std::vector<std::string> command = {program->string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const double left = limits.seconds - clock.seconds();
  if (std::isfinite(left)) command.insert(command.end(), {"--time", seconds_text(left)});
  if (limits.bytes < Limits{}.bytes) command.insert(command.end(), {"--memory", std::to_string(limits.bytes)});

  // A component ends by itself when its time is over, and says what it has found out. One that does not is stopped.
  constexpr double patience = 0.3;
  const Finished finished = run_it({.command = command,
                                    .input = input,
                                    .seconds = std::max(left, 0.0) + patience,
                                    .kind = "component",
                                    .remedy = "build or install it again"});
  Called called{std::string(name), finished.exit_code, finished.output, {}};
  if (finished.stopped != Finished::Stopped::No) {
    called.stopped_by = finished.stopped == Finished::Stopped::Time ? time_limit_text(limits) : "interrupted";
    called.exit_code = unknown;
    return called;
  }
  if (called.exit_code >= 0 && called.exit_code <= most) return called;
  constexpr int signals = 128;
  const std::string how = called.exit_code > signals
                              ? fmt::format("was ended by signal {} ({})", called.exit_code - signals,
                                            ::strsignal(called.exit_code - signals))
                              : fmt::format("ended with exit code {}", called.exit_code);
  throw ComponentError(fmt::format("the component {} ({}) {}; `heddle doctor` says whether all it needs is there", name,
                                   command[0], how));
}

std::string_view text(State state) {
  switch (state) {
    case State::Ready:
      return "ready";
    case State::Stale:
      return "stale";
    case State::NotBuilt:
      return "not built";
    case State::PackagesMissing:
      return "packages missing";
    case State::NotInstalled:
      break;
  }
  return "not installed";
}

std::vector<ComponentState> component_states(const ComponentTree& tree) {
  std::vector<ComponentState> states;
  if (tree.table.empty()) return states;
  std::error_code error;
  for (const Component& component : tree.table) {
    const bool there = fs::exists(tree.prefix / component.product, error);
    const State absent = tree.sources.empty() ? State::NotInstalled : State::NotBuilt;
    states.push_back({component, there ? State::Ready : absent, {}, remedy(component, tree)});
  }
  if (can_build(tree)) {
    std::vector<std::string> command = script_command(tree);
    command.emplace_back("--state");
    for (const Component& component : tree.table) command.push_back(component.name);
    const Finished finished = run_it({.command = command, .remedy = "is bash installed?"});
    if (finished.stopped == Finished::Stopped::Interrupt) throw Interrupted();
    if (finished.exit_code != 0) throw ComponentError(one_line(finished.output));
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> said = words_of(line);  // NAME STATE, then the missing packages
      if (said.size() < 2) continue;
      for (ComponentState& one : states) {
        if (one.component.name != said[0]) continue;
        one.state = state_called(said[1]);
        one.missing.assign(said.begin() + 2, said.end());
      }
    }
  }
  for (ComponentState& one : states) {
    if (one.state == State::Ready) one.remedy.clear();
  }
  return states;
}

}  // namespace heddle::run
