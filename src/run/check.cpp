// The way that check.h describes, as one object with a function for each stage.
#include "run/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "check/refinement/refinements.h"
#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/memory.h"
#include "core/remaining.h"
#include "reduce/auxiliary.h"
#include "reduce/portfolio.h"
#include "report/numbers.h"
#include "run/errors.h"
#include "run/failures.h"
#include "run/findings.h"
#include "run/growth_watch.h"
#include "run/linearizable_object.h"
#include "run/memory_limit.h"
#include "run/refinement.h"

namespace heddle::run {
namespace {

using Order = SearchOptions::Order;
using Store = SearchOptions::Store;

bool keeps_auxiliary(const TransitionSystem& system) {
  SlotVector state = system.initial_states()[0];
  return system.forgetting() != nullptr && system.forgetting()->forget_auxiliary(state);
}

ActorOptions::DropDead drop_dead(const ReductionPlan& plan) {
  using DropDead = ActorOptions::DropDead;
  return !plan.dead ? DropDead::No : plan.symmetry ? DropDead::UpToRenaming : DropDead::Yes;
}

// Replaces every path by the same run with nothing left out of its states. Returns false if such a run does not exist.
bool recall(const TransitionSystem& full, const TransitionSystem& forgetful, SearchResult& result) {
  for (auto* findings : {&result.violations, &result.witnesses}) {
    for (Finding& f : *findings) {
      std::optional<Path> path = recall_finding(full, forgetful, f);
      if (!path) return false;
      f.path = std::move(*path);
    }
  }
  return true;
}

// Says that the bug did not break the property that it should break. Empty if it did, or if the search is incomplete.
std::string about_bug(const Instance& instance, const CheckResult& result) {
  if (instance.broken_by_bug.empty() || !result.complete) return {};
  const auto found = std::ranges::find(result.properties, instance.broken_by_bug, &report::PropertyReport::name);
  if (found == result.properties.end()) {
    return fmt::format("bug {} is to break {}, which this run does not check", instance.bug, instance.broken_by_bug);
  }
  if (found->result != Verdict::Holds) return {};
  return fmt::format("bug {} did not break {}", instance.bug, instance.broken_by_bug);
}

class Check {
 public:
  Check(const Instance& instance, const CheckRequest& request, Budget& budget, Listener& listener, CheckResult& result)
      : instance_(instance),
        request_(request),
        options_(request.search),
        plan_(request.search.order == Order::Dpor ? ReductionPlan{} : request.plan),
        budget_(budget),
        listener_(listener),
        result_(result) {}

  // `watch`: code that fails leads to a state. This is then a second run, and the model has been introduced.
  void run(bool watch) {
    build(watch);
    if (!watch) {
      result_.warnings = system_->describer().warnings();
      listener_.begins(instance_, result_);
    }
    if (!request_.linearizable.empty()) {
      check_linearizable(request_.linearizable, instance_, *system_,
                         [&](const std::string& sentence) { listener_.says(sentence); });
    }
    listener_.searching(result_);
    if (const std::string why = too_little_memory(); !why.empty()) {
      result_.stopped_by = why;
      return;
    }
    search_and_recall();
    if (request_.verify_reduction) verify();
    conclude();
  }

 private:
  TransitionSystem& searched() { return forgetful_ ? *forgetful_ : *system_; }

  void build(bool watch) {
    BuildOptions build = request_.build;
    build.watch_failures |= watch;
    if (plan_.partial_order) build.split = request_.split;
    build.exchanges = plan_.symmetry;
    system_ = instance_.build(build);
    result_.system = system_;
    listener_.built(instance_);
    if (request_.needs_refinement && !refinement_of(*system_)) {
      throw UsageError("--classify and --tree-dot are about --refines; give that, too");
    }
    // Only a system that can say what it leaves out is searched in another form than it is explained in.
    if (!remembers_states(options_.order) || system_->partial_states() == nullptr) return;
    build.forget_auxiliary = plan_.auxiliary && keeps_auxiliary(*system_);
    build.drop_dead = drop_dead(plan_);
    forgets_auxiliary_ = build.forget_auxiliary;
    if (build.forget_auxiliary || plan_.dead) forgetful_ = instance_.build(build);
  }

  SearchResult search(TransitionSystem& system, const ReductionPlan& plan) {
    options_.limits = remaining(budget_);
    options_.limits.bytes = std::min(options_.limits.bytes, request_.search.limits.bytes);
    options_.on_deadlock = nullptr;
    if (instance_.ends_in && !options_.stop_at_violation) {
      options_.threads = 1;
      options_.on_deadlock = [&](std::span<const Slot> state) { instance_.ends_in(system, state); };
    }
    SearchResult found = reduced_search(system, options_, plan, reduction_);
    lift_memory_limit();
    return found;
  }

  // The system that the result is about becomes the one that is explained.
  SearchResult search_side_by_side() {
    if (system_->threads() == nullptr) {
      throw UsageError("--portfolio is about the order of threads, and the model has none; drop it");
    }
    options_.limits = remaining(budget_);
    options_.limits.bytes = std::min(options_.limits.bytes, request_.search.limits.bytes);
    PortfolioOptions how{.wait_for_all = request_.verify_reduction, .on_deadlock = {}};
    if (!options_.stop_at_violation) how.on_deadlock = instance_.ends_in;
    const auto make = [&] { return instance_.build(request_.build); };
    PortfolioResult found = portfolio_search(make, options_, portfolio_members(plan_), how);
    lift_memory_limit();
    reduction_ = std::move(found.report);
    system_ = std::move(found.system);
    result_.system = system_;
    return std::move(found.search);
  }

  void search_and_recall() {
    std::optional<GrowthWatch> growth;
    if (request_.watch_growth && options_.threads == 1 && !request_.portfolio) {
      growth.emplace(searched(), [&](const auto& sentences, bool half) { listener_.grows(sentences, half); });
    }
    options_.progress = [&](const Counters& counters, double seconds) {
      listener_.progress(counters, seconds);
      if (growth) growth->look(seconds, resident_bytes());
    };
    result_.start_bytes = resident_bytes();
    result_.search = request_.portfolio ? search_side_by_side() : search(searched(), plan_);
    growth.reset();
    result_.peak_bytes = peak_resident_bytes();
    listener_.searched();
    if (forgetful_) recall_or_repeat();
    options_.progress = nullptr;
    result_.reductions = reduction_.applied;
    result_.chosen = reduction_.chosen;
    result_.counts_vary = reduction_.counts_vary;
    result_.not_reduced = reduction_.forsaken;
    result_.skipped = reduction_.skipped;
    for (const std::string& sentence : reduction_.forsaken) listener_.says("not reduced by " + sentence);
    if (!request_.tell_skipped) return;
    for (const std::string& sentence : reduction_.skipped) listener_.says("not reduced by " + sentence);
  }

  void recall_or_repeat() {
    std::vector<std::string> left_out;
    if (forgets_auxiliary_) left_out.emplace_back("auxiliary data");
    if (std::string dead = left_out_of(*forgetful_); !dead.empty()) left_out.push_back(std::move(dead));
    if (left_out.empty() || recall(*system_, *forgetful_, result_.search)) {
      reduction_.applied.insert(reduction_.applied.end(), left_out.begin(), left_out.end());
      return;
    }
    // The search found something that is not a run of the model. A search with nothing left out finds only runs.
    listener_.says(
        fmt::format("a run that was found without {} does not exist with it; searched again with nothing left out",
                    fmt::join(left_out, " and ")));
    forgetful_.reset();
    ReductionPlan rest = plan_;
    rest.auxiliary = rest.dead = false;
    reduction_ = {};
    const double spent = result_.search.seconds;
    set_memory_limit(request_.memory);
    result_.search = search(*system_, rest);
    result_.search.seconds += spent;
    listener_.searched();
  }

  // Throws ModelError if the two searches disagree: the model then breaks an assumption of a reduction.
  void verify() {
    if (!is_decided(result_.search, options_.stop_at_violation)) {
      return listener_.says(
          fmt::format("reduction not verified: the search with it did not end ({})", result_.search.stopped_by));
    }
    set_memory_limit(request_.memory);
    options_.limits = remaining(budget_);
    const bool orbits = std::ranges::any_of(reduction_.applied, [](const auto& one) { return !leaves_out_steps(one); });
    const Comparison c = compare_with_unreduced(*system_, options_, result_.search, orbits);
    lift_memory_limit();
    if (!c.complete) return leave_unverified(c.unreduced.stopped_by);
    if (!c.differences.empty()) {
      throw ModelError(
          fmt::format("the reductions are not sound for this model: {}. Run `heddle audit` on a small instance",
                      fmt::join(c.differences, "; ")));
    }
    listener_.says(fmt::format("reduction verified: without it the same verdicts and final states in {} and {:.2f} s",
                               report::counted(c.unreduced.counters.states, "state"), c.unreduced.seconds));
  }

  // What was to be verified is not claimed. A run that violates a property is one without reductions, too.
  void leave_unverified(const std::string& why) {
    listener_.says(fmt::format("reduction not verified: the search without it did not end ({})", why));
    verified_ = false;
    SearchResult& found = result_.search;
    if (!found.violations.empty()) {
      found.note += fmt::format("{}reduction not verified ({})", found.note.empty() ? "" : "; ", why);
      return;
    }
    found.complete = found.exhausted = false;
    found.verdict = Verdict::Unknown;
    found.stopped_by = why + " while the reduction was verified";
  }

  void conclude() {
    // This comes before explanations, which make handlers run again.
    if (!result_.search.executed.empty()) {
      result_.coverage = searched().describer().coverage(result_.search.executed, reduction_.symmetry_factor > 1);
    }
    judge(instance_, *system_, searched(),
          {.explain = request_.explain,
           .minimise = request_.minimise,
           .exhaustive = verified_ && options_.order != Order::RandomWalk && options_.store == Store::Exact,
           .ascii = request_.ascii,
           .budget = &budget_},
          listener_, result_);
    options_.limits = remaining(budget_);
    result_.refinement = judge_refinement(*system_, searched(), result_, options_, request_.classify);
    result_.about_bug = about_bug(instance_, result_);
  }

  const Instance& instance_;
  const CheckRequest& request_;
  SearchOptions options_;
  const ReductionPlan plan_;  // empty for DPOR, which is itself a reduction
  Budget& budget_;
  Listener& listener_;
  CheckResult& result_;
  std::shared_ptr<TransitionSystem> system_;     // nothing left out
  std::unique_ptr<TransitionSystem> forgetful_;  // without auxiliary data or dead messages; none: nothing is left out
  bool forgets_auxiliary_ = false;
  bool verified_ = true;  // false: this was to be verified, but the search without reductions did not end
  ReductionReport reduction_;
};

}  // namespace

ReductionPlan every_reduction() {
  ReductionPlan plan;
  plan.partial_order = plan.symmetry = plan.auxiliary = plan.dead = true;
  plan.stubborn.start = StubbornOptions::Start::Smallest;
  return plan;
}

CheckResult check(const Instance& instance, const CheckRequest& request, Listener& listener) {
  Limits limits = request.search.limits;
  limits.bytes = std::min(limits.bytes, set_memory_limit(request.memory));
  Budget own(limits);
  Budget& budget = request.budget != nullptr ? *request.budget : own;
  CheckResult result;
  try {
    watching_failures([&](bool watch) {
      // A second run starts afresh, but does not ask for warnings again.
      CheckResult again;
      again.warnings = std::move(result.warnings);
      result = std::move(again);
      Check(instance, request, budget, listener, result).run(watch);
    });
  } catch (...) {
    lift_memory_limit();
    listener.failed(result);
    throw;
  }
  return result;
}

CheckResult check(const Source& source, const CheckRequest& request, Listener& listener) {
  return check(source.instance(request.settings), request, listener);
}

}  // namespace heddle::run
