// What a run found out about an abstract object (--refines, heddle refine), as a section of its report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "report/section.h"

namespace heddle::report {

struct RefinementReport final : SectionOf<RefinementReport> {
  std::string object, specification, points;
  Verdict verdict = Verdict::Unknown;
  std::string call, clause, property, witness;  // of the rejected call; empty if none was
  std::string classification;                   // CONFIRMED, LATENT, ANNOTATION-SUSPECT; empty: not asked for
  std::string advice;                           // a sentence that goes with it
  std::vector<std::string> notes;               // sentences about further runs that violate something
  std::vector<std::string> quorums;             // what the sizes of quorums promise, a sentence each
  std::map<std::string, std::uint64_t> counts;  // different (object, call) pairs, by kind of call

  Place place() const override { return Place::Refinement; }
  std::vector<JsonField> fields(const RunReport& run) const override;
  // The class, further runs, and how much was called. Which call was rejected and why stands below the picture of the
  // run (refinement_text.h). Empty for a log of calls (points: "recorded"), which has no class.
  std::string text(const RunReport& run) const override;
};

}  // namespace heddle::report
