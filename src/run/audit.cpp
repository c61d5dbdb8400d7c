#include "run/audit.h"

#include <algorithm>

#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/facets/symmetries.h"
#include "run/errors.h"

namespace heddle::run {

AuditResult audit(const Instance& instance, const AuditRequest& request, AuditListener& listener) {
  const Budget clock;
  Limits limits = request.limits;
  const auto left = [&] {
    limits.seconds = std::max(0.0, request.limits.seconds - clock.seconds());
    return limits;
  };
  const auto owned = instance.build(request.build);
  const TransitionSystem& system = *owned;
  listener.begins(instance, system.describer().warnings());
  if (system.dependence() == nullptr) {
    throw UsageError(
        "nothing is known of how the steps of so many processes depend on each other; audit a smaller instance");
  }
  AuditResult result;
  const auto break_by = [&](const std::string& what) {
    if (result.broken.empty()) result.broken = what;
    result.verdict = Verdict::Violated;
  };
  result.relations = audit_relations(system, limits);
  bool complete = result.relations.complete;
  if (!result.relations.faults.empty()) break_by(result.relations.faults[0].relation);
  listener.relations(system, result);
  if (system.symmetries() != nullptr && !system.symmetries()->symmetry_classes().empty()) {
    result.symmetry = audit_symmetry(system, left());
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
