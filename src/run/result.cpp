// Copies results into the report of a run.
#include "run/result.h"

#include "report/coverage_text.h"
#include "report/program_report.h"

namespace heddle::run {

void describe(const Judgement& judgement, report::RunReport& report) {
  report.verdict = judgement.verdict;
  report.properties = judgement.properties;
  report.property = judgement.property;
  report.stopped_by = judgement.stopped_by;
  report.note = judgement.note;
  report.sections.set(judgement.failure);
  report.error = judgement.error;
}

void describe(const CheckResult& result, report::RunReport& report) {
  describe(static_cast<const Judgement&>(result), report);
  report.complete = result.complete;
  report.counters = result.counters;
  report.reductions = result.reductions;
  report.chosen = result.chosen;
  report.counts_vary = result.counts_vary;
  report.not_reduced = result.not_reduced;
  report.warnings = result.warnings;
  report.growth = result.growth;
  if (result.coverage) {
    report.sections.at<report::CoverageReport>().coverage = *result.coverage;
  } else {
    report.sections.set<report::CoverageReport>({});
  }
  report.sections.set(result.refinement);
  if (!result.violations.empty() && !result.violations.front().reduced_from.empty()) {
    report.sections.at<report::ProgramReport>().reduced_from = result.violations.front().reduced_from;
  }
  report.start_bytes = result.start_bytes;
  report.peak_bytes = result.peak_bytes;
}

}  // namespace heddle::run
