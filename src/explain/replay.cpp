// A depth-first search over guesses, which fit a recorded step to one of the enabled ones.
#include "explain/replay.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/facets/describer.h"
#include "explain/goal.h"
#include "explain/step_match.h"

namespace heddle::explain {
namespace {

constexpr std::size_t most_alternatives = 5;
// The guesses that are taken back: as many for each step, and so many more. Choices whose outcomes are kept make every
// guess another state, and then there are exponentially many.
constexpr std::size_t guesses_a_step = 100, further_guesses = 10'000;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

void check_lanes(const std::vector<trace::Lane>& now, const trace::Trace& trace) {
  std::vector<std::string> names;
  for (const trace::Lane& lane : now) names.push_back(lane.name);
  std::set<std::uint32_t> used;
  for (const trace::Step& step : trace.steps) {
    used.insert(step.lane);
    for (const trace::Message& m : step.received) used.insert({m.from, m.to});
  }
  for (const std::uint32_t lane : used) {
    if (std::ranges::find(names, trace.lanes[lane].name) != names.end()) continue;
    throw ModelError("the trace has a lane '" + trace.lanes[lane].name +
                     "', which the model does not have; its lanes are: " + listed(names) +
                     ". Replay it on the model and the parameters it was recorded with");
  }
}

std::optional<std::size_t> named_property(const TransitionSystem& system, const trace::Trace& trace) {
  if (trace.property.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (property.name == trace.property && property.kind != Property::Kind::Bound) return i;
    names.push_back(property.name);
  }
  throw ModelError("the trace is about the property '" + trace.property +
                   "', which the model does not have; it has: " + listed(names));
}

// Searches depth-first over the guesses, the likeliest first, and not forever. A (position, state) from which the rest
// did not fit is not tried again. It is not recursive, since a trace may be longer than the stack is deep.
class Replayer {
 public:
  Replayer(const TransitionSystem& system, const trace::Trace& trace)
      : system_(system), trace_(trace), lanes_(system.describer().lanes()), match_(trace.lanes, lanes_) {
    check_lanes(lanes_, trace);
    result_.property = named_property(system, trace);
    if (result_.property) goal_.emplace(system, *result_.property);
  }

  ReplayResult run() {
    const auto initial = system_.initial_states();
    bool any_agrees = false;
    for (std::size_t i = 0; i < initial.size(); ++i) {
      const std::string difference = match_.difference(trace_.initial, system_.describer().describe_state(initial[i]));
      if (!difference.empty()) {
        if (!any_agrees && first_difference_.empty()) first_difference_ = "at the start, " + difference;
        continue;
      }
      if (!std::exchange(any_agrees, true)) first_difference_.clear();
      path_.initial = i;
      if (search_from(initial[i]) || result_.gave_up) break;
    }
    if (result_.fits) {
      finish();
    } else if (!first_difference_.empty()) {
      result_.difference = std::move(first_difference_);
    } else {
      explain_failure();
    }
    return std::move(result_);
  }

 private:
  struct Guess {
    Step step;
    SlotVector target;
    int likeness;
    bool sends;  // what the trace says
  };
  enum class Arrival { GoOn, DeadEnd, Done };

  // Returns true once the search is over.
  bool search_from(const SlotVector& initial) {
    std::vector<std::vector<Guess>> open;  // open[i]: what step i can still be
    path_.steps.clear();
    unsent_.clear();
    const auto visit = [&](const SlotVector& state) {
      const Arrival arrival = arrive(state);
      if (arrival == Arrival::GoOn) open.push_back(guesses(state));
      return arrival == Arrival::Done;
    };
    if (visit(initial)) return true;
    while (!open.empty()) {
      result_.gave_up = failed_.size() > guesses_a_step * trace_.steps.size() + further_guesses;
      if (result_.gave_up) return false;
      path_.steps.resize(open.size() - 1);
      while (!unsent_.empty() && unsent_.back() >= path_.steps.size()) unsent_.pop_back();
      if (open.back().empty()) {
        open.pop_back();
        continue;
      }
      const Guess guess = std::move(open.back().back());
      open.back().pop_back();
      if (!guess.sends) unsent_.push_back(path_.steps.size());
      path_.steps.push_back(guess.step);
      if (visit(guess.target)) return true;
    }
    return false;
  }

  // A run that fits but does not show what the trace claims is kept, in case no other run does.
  Arrival arrive(const SlotVector& state) {
    const std::size_t position = path_.steps.size();
    if (position == trace_.steps.size()) {
      if (!unsent_.empty()) {
        if (first_difference_.empty()) first_difference_ = unsent_text(unsent_.front());
        return Arrival::DeadEnd;
      }
      const bool shown = goal_ && goal_->look(state).reached;
      if (!result_.fits || shown) {
        result_.fits = true;
        result_.path = path_;
        result_.shown = shown;
        last_ = state;
      }
      return shown || !goal_ ? Arrival::Done : Arrival::DeadEnd;
    }
    if (!failed_.emplace(position, !unsent_.empty(), state).second) return Arrival::DeadEnd;
    if (!furthest_state_ || position > furthest_.steps.size()) {
      furthest_ = path_;
      furthest_state_ = state;
    }
    return Arrival::GoOn;
  }

  // Returns what the next step can be, the likeliest last.
  std::vector<Guess> guesses(const SlotVector& state) const {
    const trace::Step& recorded = trace_.steps[path_.steps.size()];
    StepBuffer steps;
    system_.expand(state, steps);
    std::vector<Guess> result;
    for (std::size_t k = steps.size(); k-- > 0;) {
      SlotVector target = apply_changes(state, steps.changes(k));
      const trace::Step now = system_.describer().describe_step(state, steps.step(k), target);
      if (!match_.fits(recorded, now)) continue;
      const int likeness = match_.likeness(recorded, now);
      result.push_back({steps.step(k), std::move(target), likeness, match_.sends(recorded, now)});
    }
    std::ranges::stable_sort(result, {}, &Guess::likeness);
    return result;
  }

  std::string unsent_text(std::size_t step) const {
    const trace::Step& recorded = trace_.steps[step];
    return "step " + std::to_string(step + 1) + ", " + step_phrase(recorded, trace_.lanes) +
           ", does not send what the trace says that it sent";
  }

  // A trace that names no property still shows one if it ends in a violation.
  void finish() {
    if (result_.property) return;
    for (std::size_t i = 0; i < system_.properties().size(); ++i) {
      const Property& property = system_.properties()[i];
      if (property.kind != Property::Kind::Always && !property.of_final_states()) continue;
      if (!Goal(system_, i).look(last_).reached) continue;
      result_.property = i;
      result_.shown = true;
      return;
    }
  }

  void explain_failure() {
    result_.path = furthest_;
    result_.step = furthest_.steps.size();
    const trace::Step& recorded = trace_.steps[result_.step];
    result_.expected = step_phrase(recorded, trace_.lanes);
    StepBuffer steps;
    system_.expand(*furthest_state_, steps);
    std::vector<std::pair<int, std::string>> alternatives;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const SlotVector target = apply_changes(*furthest_state_, steps.changes(k));
      const trace::Step now = system_.describer().describe_step(*furthest_state_, steps.step(k), target);
      alternatives.emplace_back(match_.likeness(recorded, now), step_phrase(now, lanes_));
    }
    std::ranges::stable_sort(alternatives, std::ranges::greater{}, &std::pair<int, std::string>::first);
    for (const auto& [likeness, phrase] : alternatives) {
      if (result_.enabled.size() == most_alternatives) break;
      if (std::ranges::find(result_.enabled, phrase) == result_.enabled.end()) result_.enabled.push_back(phrase);
    }
  }

  const TransitionSystem& system_;
  const trace::Trace& trace_;
  std::vector<trace::Lane> lanes_;
  StepMatch match_;
  std::optional<Goal> goal_;
  std::set<std::tuple<std::size_t, bool, SlotVector>> failed_;  // position, whether a step sent something else, state
  std::vector<std::size_t> unsent_;                             // the steps of path_ that sent something else
  std::string first_difference_;
  Path path_, furthest_;
  std::optional<SlotVector> furthest_state_;
  SlotVector last_;
  ReplayResult result_;
};

}  // namespace

ReplayResult replay(const TransitionSystem& system, const trace::Trace& trace) { return Replayer(system, trace).run(); }

}  // namespace heddle::explain
