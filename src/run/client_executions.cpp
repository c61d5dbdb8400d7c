// Walks the runs of TraceRuns, turns each into an execution of statements, and keeps one for each hash.
#include "run/client_executions.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/facets/assumptions.h"
#include "explain/trace_hash.h"
#include "explain/trace_runs.h"
#include "explain/whole_statements.h"
#include "run/recorded_run.h"

namespace heddle::run {
namespace {

using explain::RunKind;

// Keeps at most so many of the executions it is given, each with the same probability.
class Sample {
 public:
  Sample(std::size_t most, std::mt19937_64& generator) : most_(most), generator_(&generator) {}

  void add(explain::RecordedExecution execution) {
    ++met_;
    if (list_.size() < most_) {
      list_.push_back(std::move(execution));
    } else if (const std::uint64_t place = (*generator_)() % met_; place < most_) {
      list_[place] = std::move(execution);
    }
  }
  std::uint64_t met() const { return met_; }
  std::vector<explain::RecordedExecution> take() { return std::move(list_); }

 private:
  std::size_t most_;
  std::mt19937_64* generator_;
  std::uint64_t met_ = 0;
  std::vector<explain::RecordedExecution> list_;
};

class Collector {
 public:
  Collector(const native::System& system, const explain::TraceRuns& runs, const ExecutionLimits& limits,
            Statements statements, Budget& budget)
      : system_(system),
        runs_(runs),
        limits_(limits),
        statements_(statements),
        budget_(budget),
        events_(system),
        tree_(statement_tree(system.image())) {}

  Executions collect(RunKind kind, std::size_t most) {
    std::mt19937_64 generator(limits_.seed);
    Sample sample(most, generator);
    std::set<explain::TraceHash> known;
    const auto add = [&](const Path& run) {
      explain::RecordedExecution execution = recorded_run(system_, tree_, run, events_);
      if (statements_ == Statements::Whole) {
        execution = explain::with_whole_statements(std::move(execution), tree_, real_time_of(system_));
      }
      const explain::ConflictGraph graph(execution, real_time_of(system_));
      if (known.insert(explain::trace_hash(graph)).second) sample.add(std::move(execution));
    };
    std::size_t looked_at = 0;
    const bool all = runs_.for_each(kind, [&](const Path& run) {
      add(run);
      ++looked_at;
      return looked_at < limits_.met && (looked_at % 16 != 0 || budget_.check(events_.bytes()));
    });
    if (!all && !runs_.has_cycles() && runs_.any(kind)) {
      // The first runs of an enumeration resemble each other. Random ones do less.
      known.clear();
      sample = Sample(most, generator);
      for (std::size_t i = 0; i < 10 * most && sample.met() < most && budget_.check(events_.bytes()); ++i) {
        add(runs_.random(kind, generator));
      }
    }
    Executions out;
    const std::uint64_t met = all ? sample.met() : std::max<std::uint64_t>(sample.met(), looked_at);
    out.list = sample.take();
    out.count = {out.list.size(), met, all};
    return out;
  }

 private:
  const native::System& system_;
  const explain::TraceRuns& runs_;
  const ExecutionLimits& limits_;
  const Statements statements_;
  Budget& budget_;
  CodeEventMemo events_;
  const explain::StatementTree tree_;
};

}  // namespace

ExecutionCount& ExecutionCount::operator+=(const ExecutionCount& other) {
  kept += other.kept;
  met += other.met;
  all_met &= other.all_met;
  return *this;
}

std::string ExecutionCount::text() const {
  if (all_met && met == kept) return std::to_string(kept);
  return fmt::format("{} of {}{}", kept, all_met ? "" : "more than ", met);
}

explain::RealTime real_time_of(const native::System& system) {
  return system.histories() != nullptr ? explain::RealTime::Respected : explain::RealTime::Ignored;
}

namespace {

ClientExecutions collect(const native::System& system, std::size_t client, const ExecutionLimits& limits,
                         Statements statements, Budget& budget) {
  const auto properties = system.properties();
  const auto linearizability = std::ranges::find(properties, "linearizability", &Property::name) - properties.begin();
  const auto kind_of = [&](std::span<const Slot> state) {
    const std::uint64_t bits = system.evaluate(state, ~std::uint64_t{0});
    if ((bits >> linearizability & 1) == 0) return RunKind::Bad;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if ((bits >> i & 1) == 0) return RunKind::Neither;
    }
    return RunKind::Good;
  };
  const explain::TraceRuns runs(system, client, kind_of, budget);
  ClientExecutions out;
  out.cycles = runs.has_cycles();
  if (!runs.complete()) return out;
  Collector collector(system, runs, limits, statements, budget);
  out.bad = collector.collect(RunKind::Bad, limits.bad);
  out.good = collector.collect(RunKind::Good, limits.good);
  out.complete = budget.stopped() == Budget::Stop::None;
  return out;
}

}  // namespace

ClientExecutions client_executions(native::System& system, std::size_t client, const ExecutionLimits& limits,
                                   Budget& budget, Statements statements) {
  return until_not_mistaken(system, [&] { return collect(system, client, limits, statements, budget); });
}

}  // namespace heddle::run
