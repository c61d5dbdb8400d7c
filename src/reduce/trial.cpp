// Counts states below a few states of random runs with each candidate, and weighs them by what a state costs.
#include "reduce/trial.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/facets/assumptions.h"
#include "core/facets/symmetries.h"
#include "explore/continued.h"
#include "reduce/lazy_source_sets.h"
#include "reduce/safe_sets.h"
#include "reduce/symmetry.h"
#include "reduce/thread_futures.h"

namespace heddle {
namespace {

constexpr std::uint64_t untried_states = 6'000;  // so many are searched before anything is tried
constexpr std::uint64_t below_states = 800;      // below one state, at most
constexpr std::size_t first_step_back = 16;
constexpr int votes_needed = 2;
constexpr std::size_t longest_run = 2'000;

enum Candidate : std::uint8_t { Safe, Futures, Lazy };
// What a state costs, next to one of safe sets: more is asked of it, and thread futures begin again now and then.
// Measured by bench_thread_sets --auto.
constexpr std::uint64_t lazy_cost = 2, futures_cost = 3;
// Where source sets need so many times fewer states, the gap between them and thread futures grows with the system, and
// what a state costs no longer decides.
constexpr std::uint64_t by_far = 8;

// Counts states and stops the search that finds too many.
class StateLimit {
 public:
  StateLimit(SearchOptions& options, std::uint64_t most) : most_(most) {
    options.limits.stop = &stop_;
    options.on_state = [this](std::span<const Slot>) {
      ++all_;
      if (++states_ > most_) stop_.store(true, std::memory_order_relaxed);
    };
  }
  StateLimit(const StateLimit&) = delete;
  StateLimit& operator=(const StateLimit&) = delete;
  bool reached() const { return states_ > most_; }
  void begin_again() { states_ = 0; }
  std::uint64_t all() const { return all_; }  // of searches that began again, too

 private:
  std::uint64_t most_, states_ = 0, all_ = 0;
  std::atomic<bool> stop_{false};
};

class Trial {
 public:
  // `symmetry`: how many times fewer states symmetry may give, which only safe sets go together with.
  Trial(const TransitionSystem& system, const Limits& limits, bool lazy_too, std::uint64_t symmetry)
      : system_(system), limits_(limits), lazy_too_(lazy_too), symmetry_(symmetry) {}

  // Each sampled run has a vote; who has two first wins. Throws Mistaken if the system was.
  Candidate winner() {
    std::array<int, 3> votes{};
    std::mt19937_64 random(1);
    for (std::size_t runs = 0; runs <= votes.size(); ++runs) {
      const Candidate candidate = vote(random_run(random));
      if (++votes[candidate] == votes_needed) return candidate;
    }
    return Safe;
  }
  std::uint64_t states() const { return states_; }

 private:
  std::vector<SlotVector> random_run(std::mt19937_64& random) const {
    const std::vector<SlotVector> initial = system_.initial_states();
    std::vector<SlotVector> run{initial[random() % initial.size()]};
    StepBuffer steps;
    while (run.size() < longest_run) {
      steps.clear();
      system_.expand(run.back(), steps);
      if (steps.size() == 0) break;
      run.push_back(apply_changes(run.back(), steps.changes(random() % steps.size())));
    }
    return run;
  }

  // Who is best below a state near the end of the run.
  Candidate vote(const std::vector<SlotVector>& run) {
    const std::size_t end = run.size() - 1;
    std::size_t root = end;
    std::uint64_t safe = 0;
    const auto reaches = [&](std::size_t back) {
      const std::size_t here = end - std::min(back, end);
      const std::uint64_t found = below(run[here], Safe, below_states);
      if (found == 0) return false;
      root = here;
      safe = found;
      return true;
    };
    std::size_t back = first_step_back;
    while (!reaches(back) && back > 1) back /= 2;
    // Farther back, unless that was too far already.
    while (back >= first_step_back && root != 0 && reaches(back += back / 2)) {
    }
    return safe == 0 ? Safe : best(run[root], safe);
  }
  Candidate best(const SlotVector& state, std::uint64_t safe) {
    Candidate out = Safe;
    std::uint64_t cost = safe;
    const auto try_it = [&](Candidate candidate, std::uint64_t of_a_state) {
      const std::uint64_t found = below(state, candidate, cost / (of_a_state * symmetry_));
      if (found == 0) return;
      out = candidate;
      cost = found * of_a_state * symmetry_;
    };
    if (lazy_too_) try_it(Lazy, lazy_cost);
    try_it(Futures, out == Lazy && cost * by_far < safe * lazy_cost ? lazy_cost : futures_cost);
    return out;
  }

  // Returns how many states a reduction finds in what lies below a state; 0 if there are more than `most`.
  std::uint64_t below(const SlotVector& state, Candidate candidate, std::uint64_t most) {
    const Continued system(system_, state, 0, system_.properties().size());
    SearchOptions options;
    options.stop_at_violation = false;
    options.limits = limits_;
    StateLimit limit(options, most);
    SearchResult result;
    if (candidate == Lazy) {
      result = lazy_source_sets(system, options);
    } else if (candidate == Safe) {
      options.selector = safe_sets(system);
      result = search(system, options);
    } else {
      ThreadFutures futures(system);
      options.selector = futures.selector();
      futures.look_at(sample_states(system, limits_));
      for (;; futures.reconsider(), limit.begin_again()) {
        result = {};
        try {
          result = search(system, options);
        } catch (const Mistaken&) {
          if (is_mistaken(system_)) throw;
        }
        if (limit.reached() || !futures.mistaken()) break;
      }
    }
    states_ += limit.all();
    if (is_mistaken(system_)) throw Mistaken{};
    return result.complete && !limit.reached() ? result.counters.states : 0;
  }

  const TransitionSystem& system_;
  const Limits limits_;
  const bool lazy_too_;
  const std::uint64_t symmetry_;
  std::uint64_t states_ = 0;
};

// Source sets search depth first, so their runs are long. Where shortest runs were asked for, looks for them breadth
// first among as many states as a search that finds a violation may take anyway.
void shorten(TransitionSystem& system, SearchOptions options, const ReductionPlan& plan, SearchResult& result) {
  constexpr std::uint64_t least = 50'000;
  StateLimit limit(options, std::max(least, 2 * result.counters.states));
  ReductionReport report;
  SearchResult found = reduced_search(system, options, plan, report);
  if (options.stop_at_violation && !found.violations.empty()) {
    result.violations = std::move(found.violations);
    return;
  }
  for (Finding& shorter : found.violations) {
    const auto known = std::ranges::find(result.violations, shorter.property, &Finding::property);
    if (known != result.violations.end()) known->path = std::move(shorter.path);
  }
}

std::string counted_states(std::uint64_t states) {
  std::string digits = std::to_string(states);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + (states == 1 ? " state" : " states");
}

}  // namespace

bool wants_trial(const TransitionSystem& system, const SearchOptions& options, const ReductionPlan& plan) {
  const bool open = plan.partial_order && !plan.safe && !plan.spor && !plan.futures && !plan.lazy && !plan.eager;
  if (!open || system.threads() == nullptr || system.dependence() != nullptr || plan.stubborn.relations != nullptr) {
    return false;
  }
  const bool bounded =
      options.limits.depth != Limits{}.depth || options.limits.stop != nullptr ||
      std::ranges::any_of(system.properties(), [](const Property& p) { return p.kind == Property::Kind::Bound; });
  return !bounded && options.store == SearchOptions::Store::Exact && !options.selector && !options.canonicalizer &&
         remembers_states(options.order);
}

SearchResult tried_search(TransitionSystem& system, const SearchOptions& options, const ReductionPlan& plan,
                          ReductionReport& report) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  SearchOptions rest = options;
  if (!rest.limits.asked_seconds) rest.limits.asked_seconds = rest.limits.seconds;
  const auto left = [&] {
    Limits limits = rest.limits;
    limits.seconds = std::max(0.0, options.limits.seconds - seconds());
    return limits;
  };
  const bool symmetric = plan.symmetry && system.symmetries() != nullptr;
  const double factor = symmetric ? symmetry_gain(system.symmetries()->symmetry_classes(), 1, 1).factor : 1;
  const bool lazy_too = options.threads == 1 && options.tree_compression;

  // The trial takes place in the middle of the search with safe sets, which goes on if they win.
  std::uint64_t states = 0, tried = 0;
  std::optional<Candidate> winner;
  std::atomic<bool> stop{false};
  SearchOptions first = rest;
  first.threads = 1;
  first.limits.stop = &stop;
  first.on_state = [&](std::span<const Slot> state) {
    if (++states > untried_states && !winner) {
      Trial trial(system, left(), lazy_too, static_cast<std::uint64_t>(std::min(factor, 1e6)));
      winner = trial.winner();
      tried = trial.states();
      if (winner != Safe || options.threads > 1) stop = true;
    }
    if (options.on_state) options.on_state(state);
  };
  ReductionPlan chosen = plan;
  chosen.partial_order = false;
  chosen.safe = true;
  ReductionReport told;
  SearchResult result = reduced_search(system, first, chosen, told);
  const bool decided = result.complete || (options.stop_at_violation && !result.violations.empty());
  if (winner && stop && !decided) {
    chosen.safe = winner == Safe;
    chosen.futures = winner == Futures;
    chosen.lazy = winner == Lazy;
    rest.limits = left();
    const std::vector<std::string> forsaken = std::move(told.forsaken);
    told = {};
    result = reduced_search(system, rest, chosen, told);
    if (chosen.lazy && options.order == SearchOptions::Order::BreadthFirst && !result.violations.empty()) {
      chosen.lazy = false;
      chosen.safe = true;
      rest.limits = left();
      shorten(system, rest, chosen, result);
    }
    told.forsaken.insert(told.forsaken.begin(), forsaken.begin(), forsaken.end());
  }
  if (winner) told.chosen = "chosen by a trial of " + counted_states(tried);
  report = std::move(told);
  result.seconds = seconds();
  return result;
}

}  // namespace heddle
