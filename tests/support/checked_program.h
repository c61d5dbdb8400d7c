// Checks a program of C or C++ by the call that the program uses (run/check.h), for tests and benches that ask for
// figures and for what its clients get.
//
//   const std::shared_ptr<const native::Image> image = run::lower_program({.sources = {file}});
//   const ProgramAnswer answer = checked_program(image, options, {.safe = true});
//   answer.check.search.counters.states, answer.outcomes
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "native/client.h"
#include "native/system.h"
#include "support/checked.h"

namespace heddle {

using FinalState = std::function<void(const native::System& system, std::span<const Slot> state)>;

// All violations are looked for. `ends_in` hears of every state without steps, also of those that the search comes to
// before it finds out that it was mistaken.
inline run::CheckResult checked_program(const std::shared_ptr<const native::Image>& image,
                                        const native::SystemOptions& options, const ReductionPlan& plan,
                                        const FinalState& ends_in, SearchOptions search = {}) {
  search.stop_at_violation = false;
  run::Instance instance;
  instance.door = "program";
  instance.build = [image, options](const run::BuildOptions& build) {
    native::SystemOptions with = options;
    with.symmetry = build.exchanges;
    return std::make_unique<native::System>(image, std::move(with));
  };
  instance.ends_in = [&](const TransitionSystem& system, std::span<const Slot> state) {
    ends_in(dynamic_cast<const native::System&>(system), state);
  };
  return checked(instance, with_plan(plan, search));
}

struct ProgramAnswer {
  run::CheckResult check;
  std::set<std::string> violated = {};
  std::set<std::string> outcomes = {};  // of all clients; with symmetry, those of the clients it stands for as well
};

inline ProgramAnswer checked_program(const std::shared_ptr<const native::Image>& image,
                                     const native::SystemOptions& options, const ReductionPlan& plan = {},
                                     const SearchOptions& search = {}) {
  std::set<std::string> outcomes;
  const auto note = [&](const native::System& system, std::span<const Slot> state) {
    const auto outcome = system.outcome(state);
    if (!outcome) return;
    if (plan.symmetry) {
      outcomes.merge(system.renamed_outcomes(system.client(state), *outcome));
    } else {
      outcomes.insert(*outcome);
    }
  };
  ProgramAnswer answer{checked_program(image, options, plan, note, search)};
  answer.outcomes = std::move(outcomes);
  for (const Finding& f : answer.check.search.violations) {
    answer.violated.insert(answer.check.system->properties()[f.property].name);
  }
  return answer;
}

inline native::SystemOptions options_of_client(const native::Image& image, const std::string& client) {
  native::SystemOptions options;
  options.clients = {native::parse_client(client, native::harness_of(image).value())};
  return options;
}

}  // namespace heddle
