// A tree of events and a memo of judgements by history slot.
#include "stateless/history_log.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "core/facets/histories.h"

namespace heddle::schedule {

HistoryLog::HistoryLog(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options)
    : graph_(graph), options_(options), budget_(options.limits), counted_(1, false) {
  metrics_.scheduler = scheduler.name;
  metrics_.may_miss = scheduler.may_miss;
}

HistoryLog::Place HistoryLog::extend(Place place, std::span<const Receipt::Event> events) {
  for (const Receipt::Event& e : events) {
    const auto fresh = static_cast<std::uint32_t>(counted_.size());
    const auto [it, is_new] = next_.try_emplace(std::uint64_t{place.number} << 32 | e.number, fresh);
    if (is_new) counted_.push_back(false);
    place.number = it->second;
    place.open += e.is_return ? ~std::uint32_t{0} : 1;
  }
  return place;
}

bool HistoryLog::linearizable(Node node) {
  const auto [it, is_new] = verdicts_.try_emplace(graph_.history(node), true);
  if (is_new) {
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t which = history_properties_of(graph_.system());
    it->second = (graph_.system().evaluate(graph_.state(node), which) & which) == which;
    metrics_.checking_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++metrics_.classes;
    metrics_.violating_classes += it->second ? 0 : 1;
  }
  return it->second;
}

bool HistoryLog::end(Place place, Node last, std::span<const std::uint32_t> receives) {
  ++metrics_.schedules;
  lengths_ += receives.size();
  metrics_.longest = std::max<std::uint64_t>(metrics_.longest, receives.size());
  if (place.open > 0 || graph_.unheard(last)) ++metrics_.incomplete;
  if (options_.on_schedule) options_.on_schedule(graph_.state(last));
  const bool good = linearizable(last);
  if (!counted_[place.number]) {
    counted_[place.number] = true;
    if (!good && !violation_) {
      metrics_.histories_before_first = metrics_.histories;
      metrics_.seconds_to_first = budget_.seconds();
      violation_ = finding(last, receives);
    }
    ++metrics_.histories;
    metrics_.violations += good ? 0 : 1;
  }
  if (metrics_.schedules < options_.cutoff) return true;
  metrics_.stopped_by = "cut-off of " + std::to_string(options_.cutoff) + " schedules";
  return false;
}

void HistoryLog::too_long(std::size_t steps) {
  metrics_.stopped_by = "a run of " + std::to_string(steps) + " steps: the system may have cycles";
}

bool HistoryLog::within_budget() {
  if (budget_.check(graph_.bytes() + graph_.system().bytes() + next_.size() * 16)) return true;
  metrics_.stopped_by = budget_.reason();
  return false;
}

Finding HistoryLog::finding(Node last, std::span<const std::uint32_t> names) {
  Finding found;
  const std::uint64_t which = history_properties_of(graph_.system());
  const std::uint64_t truth = graph_.system().evaluate(graph_.state(last), which);
  found.property = static_cast<std::size_t>(std::countr_zero(which & ~truth));
  auto& steps = found.path.steps;
  steps.assign(graph_.initial_steps().begin(), graph_.initial_steps().end());
  Node node = graph_.initial();
  for (const std::uint32_t name : names) {
    const Receive* r = graph_.find(node, name);
    const auto more = graph_.steps(*r);
    steps.insert(steps.end(), more.begin(), more.end());
    node = r->target;
  }
  return found;
}

ScheduleResult HistoryLog::finish() {
  if (graph_.leaves_out() && !metrics_.may_miss) {
    metrics_.may_miss = true;
    metrics_.misses_because =
        "a client was sent an answer that it did not take at once, so that folding clients' steps into those of the "
        "system may have left out histories; --unfolded leaves out none";
  }
  metrics_.scheduling_seconds = budget_.seconds() - metrics_.checking_seconds;
  // A search without snapshots would execute every schedule from the start.
  const double executed = static_cast<double>(metrics_.steps);
  metrics_.stateless_seconds =
      executed == 0 ? 0 : metrics_.scheduling_seconds * static_cast<double>(lengths_) / executed;
  return {std::move(metrics_), std::move(violation_)};
}

}  // namespace heddle::schedule
