#include "cli/reduction_arguments.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/errors.h"
#include "run/check.h"
#include "run/suggestions.h"

namespace heddle::cli {

const Values<bool ReductionPlan::*>& reductions() {
  static const Values<bool ReductionPlan::*> values = {
      {"por", &ReductionPlan::partial_order}, {"safe", &ReductionPlan::safe}, {"spor", &ReductionPlan::spor},
      {"futures", &ReductionPlan::futures},   {"lazy", &ReductionPlan::lazy}, {"eager", &ReductionPlan::eager},
      {"symmetry", &ReductionPlan::symmetry}, {"dead", &ReductionPlan::dead}, {"auxiliary", &ReductionPlan::auxiliary}};
  return values;
}

ReductionPlan plan_of(const ReductionArguments& a) {
  ReductionPlan plan;
  plan.stubborn.start = a.start;
  plan.stubborn.lpor.net = !a.no_net;
  if (a.reduce == "none") return plan;
  if (a.reduce == "auto") {
    ReductionPlan all = run::every_reduction();
    all.stubborn = plan.stubborn;
    return all;
  }
  if (a.reduce.empty()) throw UsageError("--reduce: nothing is given; use auto, none, or a list of reductions");
  plan.insist = true;
  for (const std::string& one : split(a.reduce, ',')) {
    const auto reduction = reductions().find(one);
    if (one == "none" || one == "auto") {
      throw UsageError(
          fmt::format("--reduce: '{}' stands alone; use it, or a list of {}", one, run::listed(reductions().names())));
    }
    if (!reduction) {
      std::vector<std::string> known = reductions().names();
      known.insert(known.end(), {"auto", "none"});
      const std::string hint = run::did_you_mean(one, known);
      throw UsageError(fmt::format("--reduce: there is no reduction '{}'{} Use auto, none, or a list of {}", one,
                                   hint.empty() ? "." : hint, run::listed(reductions().names())));
    }
    plan.*(*reduction) = true;
  }
  return plan;
}

}  // namespace heddle::cli
