#include "exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/failure_properties.h"
#include "explain/goal.h"
#include "explain/make_trace.h"
#include "explain/replay.h"
#include "heddle_paths.h"
#include "report/json_text.h"
#include "report/numbers.h"
#include "report/page.h"
#include "report/page_sources.h"
#include "report/run_json.h"
#include "report/step_text.h"
#include "report/trace_json.h"

namespace heddle::explorer {
namespace {

constexpr std::size_t most_steps = 500, most_starts = 200, most_missing = 500;
constexpr unsigned does_not_fit = 409;

// A violation is worth more than a `sometimes` that is reached.
std::optional<std::size_t> shown_property(const TransitionSystem& system, std::span<const Slot> state) {
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (property.kind != Property::Kind::Always && !property.of_final_states()) continue;
    if (explain::Goal(system, i).look(state).reached) return i;
  }
  return std::nullopt;
}

// What a property says of one state.
std::string_view here(const Property& property, bool truth, bool final) {
  if (property.kind == Property::Kind::Sometimes) return truth ? "reached" : "not reached";
  if (property.kind == Property::Kind::Bound) return truth ? "within" : "beyond";
  if (property.of_final_states() && !final) return "not judged";
  return truth ? "holds" : "false";
}

std::string position_text(const Position& position) {
  return fmt::format("{{\"initial\": {}, \"path\": [{}]}}", position.initial, fmt::join(position.choices, ", "));
}

}  // namespace

Exploration::Exploration(run::Instance instance, run::BuildOptions build, std::string command)
    : instance_(std::move(instance)), command_(std::move(command)) {
  build.watch_failures = true;
  system_ = instance_.build(build);
}

Exploration::Walk Exploration::walk(const Position& position) const {
  Walk walk;
  auto initial = system_->initial_states();
  if (position.initial >= initial.size()) {
    throw Refusal(does_not_fit, fmt::format("The model has {}, so there is none with the number {}.",
                                            report::counted(initial.size(), "initial state"), position.initial + 1));
  }
  walk.path.initial = position.initial;
  walk.states.push_back(std::move(initial[position.initial]));
  StepBuffer steps;
  for (const std::size_t choice : position.choices) {
    steps.clear();
    system_->expand(walk.states.back(), steps);
    if (choice >= steps.size()) {
      throw Refusal(
          does_not_fit,
          fmt::format("The model cannot go this way: after {} there are {}, so none is number {}. The model may "
                      "have changed since; go back, or start over.",
                      report::counted(walk.path.steps.size(), "step"), report::counted(steps.size(), "choice"),
                      choice + 1));
    }
    walk.path.steps.push_back(steps.step(choice));
    walk.states.push_back(apply_changes(walk.states.back(), steps.changes(choice)));
  }
  return walk;
}

trace::Trace Exploration::trace_of(const Walk& walk) const {
  trace::Trace trace =
      explain::make_trace(*system_, walk.path, walk.states, shown_property(*system_, walk.states.back()));
  instance_.describe(trace);
  return trace;
}

trace::Trace Exploration::trace(const Position& position) {
  return until_not_mistaken(*system_, [&] { return trace_of(walk(position)); });
}

std::string Exploration::properties_at(std::span<const Slot> state, bool final) const {
  std::string out;
  for (std::size_t i = 0; i < system_->properties().size(); ++i) {
    const Property& property = system_->properties()[i];
    const bool truth = (system_->evaluate(state, std::uint64_t{1} << i) >> i & 1) != 0;
    if (about_failures(property) != AboutFailures::No && truth) continue;
    out += fmt::format("{}{{\"name\": {}, \"kind\": \"{}\", \"here\": \"{}\"}}", out.empty() ? "" : ", ",
                       report::quoted(property.name), report::kind_name(property.kind), here(property, truth, final));
  }
  return out;
}

// What tells initial states apart: the values that differ.
std::string Exploration::starts() const {
  const auto initial = system_->initial_states();
  if (initial.size() < 2) return "[]";
  std::vector<std::string> texts;
  const std::vector<trace::Lane> lanes = system_->describer().lanes();
  const auto first = system_->describer().describe_state(initial[0]),
             second = system_->describer().describe_state(initial[1]);
  const auto same = [](const trace::Field& a, const trace::Field& b) { return a.lane == b.lane && a.name == b.name; };
  const auto told = [&](const trace::Field& field) {  // it differs between the first two, or only one of them has it
    const auto value_in = [&](const std::vector<trace::Field>& fields) {
      const auto found = std::ranges::find_if(fields, [&](const trace::Field& one) { return same(one, field); });
      return found == fields.end() ? std::string() : found->value;
    };
    return value_in(first) != value_in(second);
  };
  for (std::size_t i = 0; i < initial.size() && i < most_starts; ++i) {
    std::string text;
    for (const trace::Field& field : system_->describer().describe_state(initial[i])) {
      if (!told(field)) continue;
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", lanes[field.lane].name, report::field_phrase(field, false));
    }
    texts.push_back(text.empty() ? fmt::format("initial state {}", i + 1) : std::move(text));
  }
  return report::quoted_list(texts);
}

std::string Exploration::look(const Position& position) {
  return until_not_mistaken(*system_, [&] {
    const Walk walked = walk(position);
    const trace::Trace run = trace_of(walked);
    const SlotVector& state = walked.states.back();
    StepBuffer steps;
    system_->expand(state, steps);
    trace::Trace enabled;
    enabled.lanes = run.lanes;
    enabled.initial = run.final;
    enabled.verdict = "unknown";
    for (std::size_t i = 0; i < steps.size() && i < most_steps; ++i) {
      const SlotVector to = apply_changes(state, steps.changes(i));
      enabled.steps.push_back(system_->describer().describe_step(state, steps.step(i), to));
    }
    std::string missing;
    std::size_t count = 0;
    for (const MissingStep& one : system_->describer().missing_steps(state)) {
      if (++count > most_missing) break;
      missing += fmt::format("{}{{\"lane\": {}, \"name\": {}, \"why\": {}}}", missing.empty() ? "" : ", ", one.lane,
                             report::quoted(one.name), report::quoted(one.why));
    }
    return fmt::format(
        "{{\"finding\": {},\n\"at\": {},\n\"starts\": {},\n\"enabled\": {},\n\"left_out\": {},\n\"missing\": [{}],\n"
        "\"properties\": [{}]}}\n",
        report::page_document({.trace = &run,
                               .command = command_,
                               .version = std::string(paths::version),
                               .sources = report::page_sources(&run, {})}),
        position_text(position), starts(), report::to_json(enabled), steps.size() - enabled.steps.size(), missing,
        properties_at(state, steps.size() == 0));
  });
}

Position Exploration::position_of(const trace::Trace& trace) {
  return until_not_mistaken(*system_, [&] {
    const explain::ReplayResult found = explain::replay(*system_, trace);
    if (!found.fits) {
      throw Refusal(does_not_fit, fmt::format("The run that was found does not fit the model: step {} ({}).",
                                              found.step + 1, found.expected));
    }
    Position position{.initial = found.path.initial, .choices = {}};
    SlotVector state = system_->initial_states()[position.initial];
    StepBuffer steps;
    for (const Step& step : found.path.steps) {
      steps.clear();
      system_->expand(state, steps);
      std::size_t choice = 0;
      while (choice < steps.size() && steps.step(choice) != step) ++choice;
      position.choices.push_back(choice);
      state = apply_changes(state, steps.changes(choice));
    }
    return position;
  });
}

}  // namespace heddle::explorer
