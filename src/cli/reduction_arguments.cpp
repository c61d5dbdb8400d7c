// Turns the words of --reduce and --order into a ReductionPlan.
#include "cli/reduction_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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
  if (!a.order.empty()) plan.order = parse_thread_order(a.order);
  if (a.reduce == "none") return plan;
  if (a.reduce == "auto") {
    ReductionPlan all = run::every_reduction();
    all.stubborn = plan.stubborn;
    all.order = plan.order;
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

ThreadOrder parse_thread_order(const std::string& text) {
  ThreadOrder order;
  const auto read = [&](std::string_view digits, auto& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) return;
    throw UsageError(fmt::format(
        "--order {}: it is a list of threads such as 2,1,3, or reverse, or random:SEED with a number", text));
  };
  if (text == "reverse") {
    order.descending = true;
  } else if (text.starts_with("random:")) {
    read(std::string_view(text).substr(7), order.seed.emplace());
  } else {
    for (const std::string& one : split(text, ',')) read(one, order.first.emplace_back());
  }
  for (auto it = order.first.begin(); it != order.first.end(); ++it) {
    if (std::find(order.first.begin(), it, *it) != it)
      throw UsageError(fmt::format("--order {}: thread {} is named twice", text, *it));
  }
  return order;
}

}  // namespace heddle::cli
