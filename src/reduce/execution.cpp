#include "reduce/execution.h"

#include <algorithm>
#include <stdexcept>

#include "core/facets/dependence.h"
#include "core/facets/events.h"
#include "core/facets/visibility.h"
#include "explore/searches.h"

namespace heddle {

bool Event::sends_to(std::uint32_t p) const {
  return std::ranges::any_of(effects.sent, [&](const Effects::Sent& s) { return s.process == p; });
}

bool Event::consumes_from(const Event& sender) const {
  for (const Effects::Sent& s : sender.effects.sent) {
    if (s.process != effects.process) continue;
    for (const Effects::Consumed& c : effects.consumed) {
      if (c.message == s.message) return true;
    }
  }
  return false;
}

bool conflict(const Event& a, const Event& b) {
  for (const Access& x : a.effects.accesses) {
    for (const Access& y : b.effects.accesses) {
      if (x.slot != y.slot || (x.kind == y.kind && x.kind != Access::Kind::Write)) continue;
      // A message for the process that acts.
      if (x.kind == Access::Kind::Append && b.of_process(x.slot)) continue;
      if (y.kind == Access::Kind::Append && a.of_process(y.slot)) continue;
      return true;
    }
  }
  return false;
}

bool dependent(const Event& a, const Event& b) {
  if (a.same(b)) return true;
  if (a.of_process(b.effects.process)) {
    const bool commute = a.commuting != nullptr && !(a.visible && b.visible) &&
                         a.commuting->commute(a.effects.process, a.effects.label, b.effects.label);
    return !commute;
  }
  return (a.visible && b.visible) || a.consumes_from(b) || b.consumes_from(a) || conflict(a, b);
}

std::size_t position(const std::vector<Event>& events, const Event& event) {
  std::size_t k = 0;
  while (k < events.size() && !events[k].same(event)) ++k;
  return k;
}

Path Execution::path() const {
  Path p{initial, {}};
  for (const Event& e : events) p.steps.push_back(e.step);
  return p;
}

void Execution::push(const Event& event) {
  Past past;
  for (std::size_t i = events.size(); i-- > 0;) {
    if (past.contains(i) || !dependent(events[i], event)) continue;
    past.add(i);
    past.add(pasts[i]);
  }
  pasts.push_back(std::move(past));
  events.push_back(event);
}

std::vector<std::size_t> Execution::without(std::size_t i) const {
  std::vector<std::size_t> out;
  for (std::size_t j = i + 1; j < events.size(); ++j) {
    if (!pasts[j].contains(i)) out.push_back(j);
  }
  return out;
}

bool Execution::is_race(std::size_t i, std::size_t j) const {
  if (!pasts[j].contains(i)) return false;
  for (std::size_t k = i + 1; k < j; ++k) {
    if (pasts[k].contains(i) && pasts[j].contains(k)) return false;
  }
  // A message that j consumes and i has sent must be there in another copy. Copies that were sent after i depend on i, because
  // one message has one sender.
  for (const Effects::Consumed& c : events[j].effects.consumed) {
    std::size_t copies = 0;
    for (std::size_t k = i; k < j; ++k) {
      if (k != i && !pasts[k].contains(i)) continue;
      for (const Effects::Sent& s : events[k].effects.sent) {
        copies += s.process == events[j].effects.process && s.message == c.message ? 1u : 0u;
      }
    }
    if (copies >= c.copies) return false;
  }
  return true;
}

StatelessSearch::StatelessSearch(const TransitionSystem& system, const StatelessOptions& options)
    : system_(system), visibility_(visibility_of(system)), options_(options), budget_(options.limits) {
  if (options_.limits.depth == Limits{}.depth) options_.limits.depth = StatelessOptions::default_depth;
  const auto properties = system.properties();
  for (std::size_t i = 0; options.properties && i < properties.size(); ++i) {
    if (!properties[i].of_final_states()) watched_ |= std::uint64_t{1} << i;
  }
}

StatelessResult StatelessSearch::run() {
  const std::vector<SlotVector> initial = system_.initial_states();
  if (initial.empty()) throw ModelError("the model has no initial state");
  // What is visible is only known once properties have looked at all they ever look at.
  for (std::size_t observed = ~std::size_t{0}; !stopped_ && observed != visibility_.observed();) {
    observed = visibility_.observed();
    result_ = {};
    board_.emplace(system_);
    for (std::size_t i = 0; i < initial.size() && !stopped_; ++i) {
      execution_ = {};
      execution_.initial = i;
      bool complete = false;
      if (enter(initial[i], complete)) explore();
    }
  }
  for (const auto& [property, path] : board_->found()) {
    (board_->is_sometimes(property) ? result_.witnesses : result_.violations).push_back({property, path});
  }
  if (options_.stop_at_violation && !result_.violations.empty()) result_.stopped_by = "violation found";
  result_.counters.door_bytes = system_.bytes();
  conclude(system_, budget_, result_);
  if (!options_.properties && result_.verdict == Verdict::Violated && result_.violations.empty()) {
    result_.verdict = Verdict::Holds;  // `sometimes` was not asked for
  }
  return std::move(result_);
}

bool StatelessSearch::enter(SlotVector state, bool& complete) {
  complete = false;
  ++result_.nodes;
  Counters& c = result_.counters;
  const std::size_t depth = execution_.events.size();
  c.depth = std::max<std::uint64_t>(c.depth, depth);
  if (depth > 0) ++c.transitions;
  if (result_.nodes % 256 == 0 && !proceed()) return false;
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
  Execution::Visit& visit = execution_.visits.emplace_back();
  visit.state = std::move(state);
  list_events(visit.state, Effects::nobody, visit.enabled);
  if (visit.enabled.empty()) {
    ++c.deadlocks;
    ++result_.executions;
    complete = true;
    if (board_->deadlock_free() != 0) {
      board_->deadlock(system_.evaluate(visit.state), path);
      stopped_ |= options_.stop_at_violation && board_->violated();
    }
    if (options_.on_deadlock) options_.on_deadlock(visit.state);
    if (options_.on_execution) options_.on_execution(execution_.path());
    if (result_.executions >= options_.most_executions) {
      result_.stopped_by = "limit of " + std::to_string(options_.most_executions) + " executions";
      stopped_ = true;
    }
    return false;
  }
  if (depth >= options_.limits.depth) {
    ++c.cut_off;
    result_.stopped_by = "a run of " + std::to_string(depth) +
                         " steps: the system may have cycles, and a stateless search would not end";
    stopped_ = true;
    return false;
  }
  return true;
}

bool StatelessSearch::proceed() {
  std::size_t bytes = system_.bytes();
  for (const Execution::Visit& v : execution_.visits) {
    bytes += v.state.capacity() * sizeof(Slot) + v.enabled.capacity() * sizeof(Event);
  }
  if (!budget_.check(bytes)) {
    stopped_ = true;
    return false;
  }
  if (options_.progress && budget_.seconds() > last_report_ + 0.5) {
    last_report_ = budget_.seconds();
    options_.progress(result_.counters, last_report_);
  }
  return true;
}

// The events of one process, or of all.
void StatelessSearch::list_events(std::span<const Slot> state, std::uint32_t process, std::vector<Event>& out) {
  steps_.clear();
  system_.expand(state, steps_);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Event& e = out.emplace_back();
    e.step = steps_.step(i);
    e.commuting = options_.commuting;
    effects_of(system_, state, e.step, e.effects);
    if (process != Effects::nobody && e.effects.process != process) {
      out.pop_back();
      continue;
    }
    e.visible = (watched_ != 0 && visibility_.may_change_in_passing(state, steps_.changes(i))) ||
                (options_.visible && options_.visible(e.step.transition));
  }
}

void StatelessSearch::leave() {
  execution_.visits.pop_back();
  if (execution_.events.empty()) return;
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
  system_.execute(visit.state, visit.enabled[k].step, next);
  return next;
}

bool StatelessSearch::is_reversible_race(std::size_t i, std::size_t j, std::span<const std::size_t> rest) {
  if (!execution_.is_race(i, j)) return false;
  if (!conflict(execution_.events[i], execution_.events[j])) return true;
  // By what it has written, i may have enabled j.
  SlotVector state = execution_.visits[i].state;
  for (const std::size_t k : rest) {
    if (k != j && !move(state, execution_.events[k])) return false;
  }
  std::vector<Event> enabled;
  list_events(state, Effects::nobody, enabled);
  return position(enabled, execution_.events[j]) < enabled.size();
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
  // Every subset of its own events that what it depends on is in.
  const auto choose = [&](auto&& self, std::size_t next, const Past& dropped) -> void {
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
    Past without = dropped;
    without.add(own[next]);
    self(self, next + 1, without);
  };
  choose(choose, 0, {});
  return out;
}

void StatelessSearch::alternatives_after(std::size_t i, std::vector<std::size_t> rest, std::vector<Alternative>& out) {
  const Event& event = execution_.events[i];
  for (Event& e : events_of_process_after(i, rest)) {
    if (dependent(e, event) && !e.same(event)) out.push_back({rest, std::move(e)});
  }
}

std::vector<Event> StatelessSearch::events_of_process_after(std::size_t i, std::span<const std::size_t> rest) {
  const std::uint32_t p = execution_.events[i].effects.process;
  // What `rest` does to the process, and what that depends on: an execution of its own from the state before i. It is executed as a
  // whole, because a state put together from slots of several executions may be one that the system cannot be in.
  Past needed;
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
    if (!move(state, execution_.events[j])) {
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
  // Looking for races may take far longer than visiting a state.
  if (++moves_ % 1024 == 0) proceed();
  steps_.clear();
  system_.expand(state, steps_);
  Effects effects;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    // A transition keeps its number; which of its outcomes it is depends on what else waits.
    if (steps_.step(k).transition != event.step.transition) continue;
    effects_of(system_, state, steps_.step(k), effects);
    if (effects.label != event.effects.label || effects.process != event.effects.process) continue;
    state = apply_changes(state, steps_.changes(k));
    return true;
  }
  return false;
}

}  // namespace heddle
