// The loop that the algorithms fill in: push an event, look at races, take it back.
#include "stateless/stateless_search.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <stdexcept>

#include "core/facets/dependence.h"
#include "core/facets/threads.h"
#include "core/failure_properties.h"
#include "explore/searches.h"

namespace heddle {
namespace {

std::size_t bytes_of(const Execution::Visit& visit) {
  return visit.state.capacity() * sizeof(Slot) + visit.enabled.capacity() * sizeof(Event);
}

}  // namespace

StatelessSearch::StatelessSearch(const TransitionSystem& system, const StatelessOptions& options)
    : system_(system), visibility_(visibility_of(system)), options_(options), budget_(options.limits) {
  if (options_.limits.depth == Limits{}.depth) options_.limits.depth = StatelessOptions::default_depth;
  const auto properties = system.properties();
  for (std::size_t i = 0; options.properties && i < properties.size(); ++i) {
    if (properties[i].of_final_states()) continue;
    watched_ |= std::uint64_t{1} << i;
    // A failure lasts to the end of every run, so it need not be looked for on the way.
    in_passing_ |= about_failures(properties[i]) == AboutFailures::No;
  }
}

StatelessResult StatelessSearch::run() {
  const std::vector<SlotVector> initial = system_.initial_states();
  if (initial.empty()) throw ModelError("the model has no initial state");
  // Visibility is known only once properties have looked at everything they ever look at.
  for (std::size_t observed = ~std::size_t{0}; !stopped_ && observed != visibility_.observed();) {
    observed = visibility_.observed();
    result_ = {};
    finals_.emplace();
    result_.executed.resize(system_.transition_count());
    board_.emplace(system_);
    try {
      for (std::size_t i = 0; i < initial.size() && !stopped_; ++i) {
        execution_ = {};
        visit_bytes_ = 0;
        execution_.initial = i;
        if (enter(initial[i])) explore();
      }
    } catch (const TableFull&) {
      give_up_for_memory();
    } catch (const std::bad_alloc&) {
      give_up_for_memory();
    }
  }
  for (const auto& [property, path] : board_->found()) {
    (board_->is_sometimes(property) ? result_.witnesses : result_.violations).push_back({property, path});
  }
  if (options_.stop_at_violation && !result_.violations.empty()) result_.stopped_by = "violation found";
  result_.counters.store_bytes = finals_->bytes();
  result_.counters.door_bytes = system_.bytes();
  conclude(system_, budget_, result_);
  assert(result_.counters.cut_off == 0 || result_.verdict != Verdict::Holds);  // 3
  // A reduced search that was bounded says nothing about the states within the bound that it has left out.
  result_.exhausted = result_.complete;
  if (!options_.properties && result_.verdict == Verdict::Violated && result_.violations.empty()) {
    result_.verdict = Verdict::Holds;  // `sometimes` was not asked for
  }
  return std::move(result_);
}

void StatelessSearch::give_up_for_memory() {
  budget_.stop(Budget::Stop::Memory);
  stopped_ = true;
}

bool StatelessSearch::enter(SlotVector state) {
  const std::size_t depth = execution_.events.size();
  assert(execution_.visits.size() == depth && execution_.pasts.size() == depth);  // 1
  Counters& c = result_.counters;
  c.nodes = ++result_.nodes;
  c.depth = std::max<std::uint64_t>(c.depth, depth);
  if (depth > 0) {
    ++c.transitions;
    ++result_.executed[execution_.events.back().step.transition];
  }
  tick(1 + depth / 256);
  if (stopped_) return false;
  const auto path = [&] { return execution_.path(); };
  const std::uint64_t truth = watched_ != 0 ? system_.evaluate(state, watched_) : 0;
  if (watched_ != 0) board_->state(truth, path);
  if (options_.stop_at_violation && board_->violated()) {
    stopped_ = true;
    return false;
  }
  if ((board_->bound() & watched_ & ~truth) != 0) {
    ++c.cut_off;
    return false;
  }
  std::vector<Event> enabled;
  list_events(state, Effects::nobody, enabled);
  waiting_.clear();
  if (enabled.empty()) {
    // Where an event has ended the run nobody waits any more, but before it somebody may have.
    const bool ended = depth > 0 && execution_.events.back().effects.ends;
    note_waiting(ended ? execution_.visits.back().state : state);
    ++result_.executions;
    c.deadlocks += finals_->intern_new(std::span<const std::uint32_t>(state)).is_new ? 1u : 0u;
    if (board_->deadlock_free() != 0) {
      board_->deadlock(system_.evaluate(state), path);
      stopped_ |= options_.stop_at_violation && board_->violated();
    }
    if (options_.on_deadlock) options_.on_deadlock(state);
    if (options_.on_execution) options_.on_execution(execution_.path());
    if (result_.executions >= options_.most_executions) {
      result_.stopped_by = "limit of " + std::to_string(options_.most_executions) + " executions";
      stopped_ = true;
    }
    return false;
  }
  if (depth >= options_.limits.depth) {
    ++c.cut_off;  // 3
    if (options_.cut_off_long_runs) return false;
    result_.stopped_by = "a run of " + std::to_string(depth) +
                         " steps: the system may have cycles, and a stateless search would not end";
    stopped_ = true;
    return false;
  }
  execution_.visits.push_back({std::move(state), std::move(enabled)});
  visit_bytes_ += bytes_of(execution_.visits.back());
  return true;
}

bool StatelessSearch::proceed() {
  if (!budget_.check(system_.bytes() + finals_->bytes() + visit_bytes_)) {
    stopped_ = true;
    return false;
  }
  if (options_.progress && budget_.seconds() > last_report_ + 0.5) {
    last_report_ = budget_.seconds();
    options_.progress(result_.counters, last_report_);
  }
  return true;
}

void StatelessSearch::list_steps(std::span<const Slot> state, std::uint32_t process) {
  steps_.clear();
  const Events* const events = system_.events();
  const bool alone = process != Effects::nobody && events != nullptr && events->steps_of(state, process, steps_);
  if (!alone) system_.expand(state, steps_);
}

void StatelessSearch::list_events(std::span<const Slot> state, std::uint32_t process, std::vector<Event>& out) {
  list_steps(state, process);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Event& e = out.emplace_back();
    e.step = steps_.step(i);
    e.commuting = options_.commuting;
    effects_of(system_, state, e.step, e.effects);
    if (process != Effects::nobody && e.effects.process != process) {
      out.pop_back();
      continue;
    }
    e.visible = (in_passing_ && visibility_.may_change_in_passing(state, steps_.changes(i))) ||
                (options_.visible && options_.visible(e.step.transition));
  }
}

void StatelessSearch::leave() {
  assert(execution_.visits.size() == execution_.events.size() + 1);  // 1
  visit_bytes_ -= bytes_of(execution_.visits.back());
  execution_.visits.pop_back();
  if (!execution_.events.empty()) take_back();
}

void StatelessSearch::take_back() {
  assert(execution_.visits.size() == execution_.events.size());
  execution_.events.pop_back();
  execution_.pasts.pop_back();
}

std::size_t StatelessSearch::first_choice() const {
  const std::vector<Event>& enabled = execution_.visits.back().enabled;
  const Dependence* const dependence = system_.dependence();
  const Relations* const relations = dependence != nullptr ? &dependence->relations() : nullptr;
  const auto priority = [&](const Event& e) {
    if (options_.priority) return options_.priority(e.step.transition);
    return relations != nullptr ? relations->priority[e.step.transition] : 0;
  };
  std::size_t best = 0;
  for (std::size_t k = 1; k < enabled.size(); ++k) {
    if (priority(enabled[k]) > priority(enabled[best])) best = k;
  }
  return best;
}

SlotVector StatelessSearch::after(std::size_t k) {
  const Execution::Visit& visit = execution_.visits.back();
  SlotVector next;
  [[maybe_unused]] const bool possible = system_.execute(visit.state, visit.enabled[k].step, next);
  assert(possible);  // 1
  return next;
}

std::optional<Event> StatelessSearch::reversed(std::size_t i, std::size_t j, std::span<const std::size_t> rest) {
  tick(1 + rest.size() / 16);
  if (!execution_.is_race(i, j)) return std::nullopt;
  const Event& event = execution_.events[j];
  if (!conflict(execution_.events[i], event)) return event;
  // i may have enabled j by what it has written.
  SlotVector state = execution_.visits[i].state;
  for (const std::size_t k : rest) {
    assert(k != j && !execution_.pasts[k].contains(i));
    if (!move(state, execution_.events[k])) return std::nullopt;
  }
  std::vector<Event> enabled;
  list_events(state, event.process(), enabled);
  const std::size_t k = position(enabled, event);
  if (k == enabled.size()) return std::nullopt;
  return std::move(enabled[k]);
}

void StatelessSearch::note_waiting(std::span<const Slot> state) {
  const Threads* const threads = system_.threads();
  waiting_.clear();
  PendingAction action;
  for (std::uint32_t t = 0; threads != nullptr && t < threads->thread_count(state); ++t) {
    if (!threads->pending(state, t, action) || !action.blocked) continue;
    Event& event = waiting_.emplace_back();
    event.effects.process = threads->process_of(t);
    event.effects.label = ~std::uint64_t{0};  // of no event that happens
    event.effects.accesses = action.accesses;
  }
}

// Whether event i may have blocked the thread of event j: they conflict, and nothing that the thread has done before
// depends on i.
bool StatelessSearch::blocks(std::size_t i, std::size_t j) const {
  const Execution& x = execution_;
  if (x.events[i].of_process(x.events[j].process()) || !conflict(x.events[i], x.events[j])) return false;
  for (std::size_t k = j; k-- > i + 1;) {
    if (x.events[k].of_process(x.events[j].process())) return !x.pasts[k].contains(i);
  }
  return true;
}

// What the thread of event j can do in the execution without event i.
std::vector<Event> StatelessSearch::events_instead(std::size_t i, std::size_t j, std::span<const std::size_t> rest) {
  tick(1 + rest.size() / 16);
  SlotVector state = execution_.visits[i].state;
  for (const std::size_t k : rest) {
    if (!move(state, execution_.events[k])) return {};
  }
  std::vector<Event> out;
  list_events(state, execution_.events[j].process(), out);
  return out;
}

std::vector<StatelessSearch::Alternative> StatelessSearch::alternatives(std::size_t i,
                                                                        std::span<const std::size_t> rest) {
  std::vector<Alternative> out;
  const std::uint32_t p = execution_.events[i].effects.process;
  if (p == Effects::nobody) return out;
  std::vector<std::size_t> own;
  for (const std::size_t j : rest) {
    if (execution_.events[j].of_process(p)) own.push_back(j);
  }
  // Tries every subset of the process's own events that is closed under dependence.
  const auto choose = [&](auto&& self, std::size_t next, const Positions& dropped) -> void {
    if (stopped_) return;
    while (next < own.size() && (dropped.contains(own[next]) || dropped.intersects(execution_.pasts[own[next]])))
      ++next;
    if (next == own.size()) {
      std::vector<std::size_t> kept;
      for (const std::size_t j : rest) {
        if (!dropped.contains(j) && !dropped.intersects(execution_.pasts[j])) kept.push_back(j);
      }
      return alternatives_after(i, std::move(kept), out);
    }
    self(self, next + 1, dropped);
    Positions without = dropped;
    without.add(own[next]);
    self(self, next + 1, without);
  };
  choose(choose, 0, {});
  return out;
}

void StatelessSearch::alternatives_after(std::size_t i, std::vector<std::size_t> rest, std::vector<Alternative>& out) {
  tick(1 + rest.size() / 16);
  const Event& event = execution_.events[i];
  for (Event& e : events_of_process_after(i, rest)) {
    if (dependent(e, event) && !e.same(event)) out.push_back({rest, std::move(e)});
  }
}

std::vector<Event> StatelessSearch::events_of_process_after(std::size_t i, std::span<const std::size_t> rest) {
  const std::uint32_t p = execution_.events[i].effects.process;
  // The events of `rest` that affect the process, and those they depend on, are an execution from the state before i.
  // They are executed as a whole, because a state that is composed of slots of several executions may be unreachable.
  Positions needed;
  for (std::size_t n = rest.size(); n-- > 0;) {
    const std::size_t j = rest[n];
    const Event& event = execution_.events[j];
    if (!needed.contains(j) && !event.of_process(p) && !event.sends_to(p)) continue;
    needed.add(j);
    needed.add(execution_.pasts[j]);
  }
  std::vector<Event> out;
  SlotVector state = execution_.visits[i].state;
  bool moved = false;
  for (const std::size_t j : rest) {
    if (!needed.contains(j)) continue;
    moved = true;
    if (!move(state, execution_.events[j])) {  // 2
      throw std::logic_error("DPOR: an event is not possible that depends on nothing that was left out");
    }
  }
  if (moved) {
    list_events(state, p, out);
  } else {
    for (const Event& e : execution_.visits[i].enabled) {
      if (e.effects.process == p) out.push_back(e);
    }
  }
  return out;
}

bool StatelessSearch::move(SlotVector& state, const Event& event) {
  tick();
  list_steps(state, event.process());
  Effects effects;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    // A transition keeps its number, but the number of an outcome depends on which other messages wait.
    if (steps_.step(k).transition != event.step.transition) continue;
    effects_of(system_, state, steps_.step(k), effects);
    if (effects.label != event.effects.label || effects.process != event.effects.process) continue;
    state = apply_changes(state, steps_.changes(k));
    return true;
  }
  return false;
}

}  // namespace heddle
