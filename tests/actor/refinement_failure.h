// Systems with an abstract object beside them, and what refinement says of a search's findings.
#pragma once

#include <memory>
#include <string>

#include "actor/actor_system.h"
#include "check/refinement/refinements.h"
#include "explore/search.h"

namespace heddle::refinement_failure {

inline std::unique_ptr<TransitionSystem> make(const Definition& definition, const std::string& bug = "",
                                              const std::string& refines = "cell",
                                              const std::string& points = "corrected",
                                              const ActorOptions& options = {}) {
  Model model(definition, {}, bug);
  if (!refines.empty()) model.refine(refines, "strict", points);
  return make_actor_system(std::move(model), options);
}

inline RefinementFailure failure_of(const TransitionSystem& system, const SearchResult& result) {
  for (const Finding& f : result.violations) {
    if (f.property == refinement_of(system)->property)
      return system.refinements()->refinement_failure(follow(system, f.path)->back());
  }
  return {};
}

}  // namespace heddle::refinement_failure
