// Runs a model with schedulers of receipts and judges the histories they find: the call behind `heddle schedules`.
//
//   const FiniteInstance finite = finite_instance(open("abd_register"), {});
//   const SchedulesResult result = schedules(finite.instance, {.schedulers = {find_scheduler("LV")}}, nobody);
//
// A sound scheduler that ended decides. Without one, only a violation does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/listener.h"
#include "run/result.h"
#include "run/source.h"
#include "stateless/exclusions.h"
#include "stateless/scheduler.h"

namespace heddle::run {

struct SchedulesResult : CheckResult {
  std::vector<ScheduleMetrics> schedulers = {};  // in the order in which they ran
};

struct SchedulesRequest {
  BuildOptions build = {};
  std::vector<const schedule::Scheduler*> schedulers = {};
  schedule::ScheduleOptions options = {};  // its limits are for all schedulers together
  bool fold_clients = true;                // clients' steps belong to the receipts that cause them
  bool minimise = true;                    // explain the smallest run that still shows the violation
  bool ascii = false;                      // explanations without Unicode
  Budget* budget = nullptr;                // one that began earlier, with the limits of `options`; none: it begins here
  // Called when one scheduler has ended, and when all have: what is known by then, explanations excepted.
  std::function<void(const SchedulesResult&)> scheduled = [](const SchedulesResult&) {};
  std::function<void(const SchedulesResult&)> compared = [](const SchedulesResult&) {};
};

// Returns the schedulers of a list: names with commas, "all", or "sound". Throws UsageError for a name that no
// scheduler has.
std::vector<const schedule::Scheduler*> schedulers_named(const std::string& list);

// A model whose runs end. In a soup messages stay forever, so no run ends. Where the settings do not ask for a soup,
// messages are received once instead, and `changed` is a sentence about that.
struct FiniteInstance {
  Instance instance;
  std::string changed = {};
};
// Throws UsageError if the settings ask for a soup.
FiniteInstance finite_instance(const Source& source, RunSettings settings);

// Throws ModelError if the model has no histories.
SchedulesResult schedules(const Instance& instance, const SchedulesRequest& request, Listener& listener);

// Whether the model's exclusions are safe (stateless/exclusions.h).
struct ExclusionsResult {
  schedule::ExclusionReport report;
  std::size_t states = 0;
  std::optional<trace::Trace> witness = {};
};
ExclusionsResult check_exclusions(const Instance& instance, const SchedulesRequest& request, Listener& listener);

}  // namespace heddle::run
