// One audit of reduce/ after the other, on the time that is left.
#include "run/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/facets/symmetries.h"
#include "core/model_error.h"
#include "run/errors.h"

namespace heddle::run {

AuditResult audit(const Instance& instance, const AuditRequest& request, AuditListener& listener) {
  const Budget clock;
  Limits limits = request.limits;
  const auto left = [&] {
    limits.seconds = std::max(0.0, request.limits.seconds - clock.seconds());
    return limits;
  };
  BuildOptions build = request.build;
  build.exchanges = true;
  const auto owned = instance.build(build);
  const TransitionSystem& system = *owned;
  listener.begins(instance, system.describer().warnings());
  const Symmetries* const symmetries = system.symmetries();
  const bool alike = symmetries != nullptr && !symmetries->symmetry_classes().empty();
  // What threads conflict in is not declared: it is what they access.
  const bool relations = system.dependence() != nullptr;
  if (!relations && system.threads() != nullptr && !alike) {
    throw UsageError(
        fmt::format("there is nothing to audit: {}; `heddle check --verify-reduction` compares with a "
                    "search without reductions",
                    symmetries != nullptr ? symmetries->why_not_alike() : "no two threads are alike"));
  }
  if (!relations && system.threads() == nullptr) {
    throw UsageError(
        "nothing is known of how the steps of so many processes depend on each other; audit a smaller instance");
  }
  AuditResult result;
  const auto break_by = [&](const std::string& what) {
    if (result.broken.empty()) result.broken = what;
    result.verdict = Verdict::Violated;
  };
  bool complete = true;
  if (relations) {
    result.relations = audit_relations(system, limits);
    complete = result.relations.complete;
    if (!result.relations.faults.empty()) break_by(result.relations.faults[0].relation);
    listener.relations(system, result);
  }
  if (alike) {
    try {
      result.symmetry = until_not_mistaken(*owned, [&] { return audit_symmetry(system, left()); });
    } catch (const NotSymmetric& error) {
      result.symmetry = SymmetryAudit{};
      result.symmetry->witness = error.what();
      result.symmetry->complete = true;
    }
    if (!result.symmetry->witness.empty()) break_by("symmetry");
    complete &= result.symmetry->complete;
    listener.symmetry(result);
  }
  SlotVector initial = system.initial_states()[0];
  if (system.forgetting() != nullptr && system.forgetting()->forget_auxiliary(initial)) {
    result.auxiliary = audit_auxiliary(system, AuxiliaryAudit::Kind::Full, left());
    if (result.auxiliary->mismatch) break_by("auxiliary data");
    complete &= result.auxiliary->complete;
    listener.auxiliary(result);
  }
  if (request.infer) {
    result.inferred = infer_auxiliary(system, left());
    complete &= result.inferred->complete;
    listener.inferred(result);
  }
  result.complete = complete;
  if (result.broken.empty() && complete) result.verdict = Verdict::Holds;
  if (!complete) {
    result.stopped_by = Budget::interrupted() ? "interrupted" : "the budget ran out; audit a smaller instance";
  }
  return result;
}

}  // namespace heddle::run
