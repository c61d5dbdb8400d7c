// What reductions take for granted of a model, checked on every reachable state: the call behind `heddle audit`.
//
// Relations between transitions first, then symmetry, auxiliary data and, if asked for, which fields could be auxiliary.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/verdict.h"
#include "reduce/audit_auxiliary.h"
#include "reduce/audit_relations.h"
#include "reduce/audit_symmetry.h"
#include "run/source.h"

namespace heddle::run {

struct AuditRequest {
  BuildOptions build = {.split = Split::Combined};
  Limits limits = {};  // for all parts together
  bool infer = false;  // also try which fields could be declared Auxiliary
};

struct AuditResult {
  Verdict verdict = Verdict::Unknown;
  bool complete = false;
  std::string broken = {};      // the first assumption that does not hold; empty if none
  std::string stopped_by = {};  // why it is incomplete, a phrase
  RelationAudit relations = {};
  std::optional<SymmetryAudit> symmetry = {};  // none: there is nothing to audit, here and below
  std::optional<AuxiliaryAudit> auxiliary = {};
  std::optional<AuxiliaryInference> inferred = {};
};

// Called after each part, in this order. The result says what is known by then.
class AuditListener {
 public:
  virtual ~AuditListener() = default;
  virtual void begins(const Instance& instance, const std::vector<std::string>& warnings) = 0;
  virtual void relations(const TransitionSystem& system, const AuditResult& result) = 0;
  virtual void symmetry(const AuditResult& result) = 0;
  virtual void auxiliary(const AuditResult& result) = 0;
  virtual void inferred(const AuditResult& result) = 0;
};

// Throws UsageError if nothing is known of how steps depend on each other, and ModelError.
AuditResult audit(const Instance& instance, const AuditRequest& request, AuditListener& listener);

}  // namespace heddle::run
