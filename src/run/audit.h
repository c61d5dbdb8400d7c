// Checks on every reachable state what reductions take for granted of a model: the call behind `heddle audit`.
//
// The parts, in this order: relations between transitions, symmetry, auxiliary data and, on request, which fields could
// be declared auxiliary.
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
  BuildOptions build = {{.split = Split::Combined}};
  Limits limits = {};  // for all parts together
  bool infer = false;  // try which fields could be declared Auxiliary
};

struct AuditResult {
  Verdict verdict = Verdict::Unknown;
  bool complete = false;
  std::string broken = {};      // the first assumption that does not hold; empty if none
  std::string stopped_by = {};  // why the audit is incomplete, a phrase
  RelationAudit relations = {};
  std::optional<SymmetryAudit> symmetry = {};  // none, here and below: there was nothing to audit
  std::optional<AuxiliaryAudit> auxiliary = {};
  std::optional<AuxiliaryInference> inferred = {};
};

// Hears of each part when it has ended, in this order. The result holds what is known by then.
class AuditListener {
 public:
  virtual ~AuditListener() = default;
  virtual void begins(const Instance& instance, const std::vector<std::string>& warnings) = 0;
  virtual void relations(const TransitionSystem& system, const AuditResult& result) = 0;
  virtual void symmetry(const AuditResult& result) = 0;
  virtual void auxiliary(const AuditResult& result) = 0;
  virtual void inferred(const AuditResult& result) = 0;
};

// Throws UsageError if the system does not know how its steps depend on each other, and ModelError as Instance::build.
AuditResult audit(const Instance& instance, const AuditRequest& request, AuditListener& listener);

}  // namespace heddle::run
