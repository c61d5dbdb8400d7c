// Checks a model by the call that the program uses (run/check.h), for tests and benches that ask for verdicts and
// figures.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heddle/model.h"
#include "run/actor_door.h"
#include "run/check.h"

namespace heddle {

// Collects the sentences that a check says on the way.
class Sentences final : public run::Listener {
 public:
  std::vector<std::string> all;
  void says(const std::string& sentence) override { all.push_back(sentence); }
};

// Findings are paths of result.system; there are no traces.
inline run::CheckResult checked(const run::Instance& instance, run::CheckRequest request = {}) {
  request.explain = false;
  Sentences sentences;
  return run::check(instance, request, sentences);
}
inline run::CheckResult checked(Model model, const run::CheckRequest& request = {}) {
  return checked(run::instance_of(std::move(model)), request);
}

inline run::CheckRequest with_plan(const ReductionPlan& plan, const SearchOptions& search = {}) {
  run::CheckRequest request;
  request.plan = plan;
  request.search = search;
  return request;
}

// Returns the path to a violation of the property of that name; none if it is not violated.
inline std::optional<Path> violation_of(const run::CheckResult& result, const std::string& property) {
  for (const Finding& f : result.search.violations) {
    if (result.system->properties()[f.property].name == property) return f.path;
  }
  return std::nullopt;
}

}  // namespace heddle
