// Opens the model of a trace, has explain/ replay it, and judges the state that it ends in.
#include "run/replay.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/facets/assumptions.h"
#include "core/failure_properties.h"
#include "explain/make_trace.h"
#include "explain/replay.h"
#include "run/doors.h"
#include "run/errors.h"
#include "run/failures.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const explain::ReplayResult& result, const trace::Trace& trace, const std::string& name) {
  if (!result.difference.empty()) {
    throw DoesNotFit(fmt::format("{}: the trace does not fit the model: {}", name, result.difference));
  }
  std::string text = fmt::format("{}: step {} of {} does not fit the model, which cannot do: {}", name, result.step + 1,
                                 trace.steps.size(), result.expected);
  if (result.gave_up) text += " (the steps before it can be read in more ways than were tried)";
  if (result.enabled.empty()) text += "\nthere is no step at all in that state";
  for (std::size_t i = 0; i < result.enabled.size(); ++i) {
    text += (i == 0 ? "\nit can do there: " : "\n                 ") + result.enabled[i];
  }
  throw DoesNotFit(text);
}

void judge(const explain::ReplayResult& found, const TransitionSystem& system, Judgement& judgement) {
  if (!found.property) {
    judgement.verdict = Verdict::Holds;
    judgement.note = "the trace ends in no violation; this says nothing of other runs";
    return;
  }
  const Property& property = system.properties()[*found.property];
  const bool sometimes = property.kind == Property::Kind::Sometimes;
  if (found.shown) {
    judgement.verdict = sometimes ? Verdict::Holds : Verdict::Violated;
    judgement.property = sometimes ? "" : property.name;
  } else if (sometimes) {
    judgement.verdict = Verdict::Unknown;
    judgement.stopped_by = fmt::format("this trace no longer reaches {}", property.name);
    if (found.gave_up) judgement.stopped_by += ", as far as its steps were read in all ways";
  } else {
    judgement.verdict = Verdict::Holds;
    judgement.note = fmt::format("the trace no longer violates {}; this says nothing of other runs", property.name);
    if (found.gave_up) judgement.note += ", and its steps can be read in more ways than were tried";
  }
  judgement.properties = {{property.name, property.kind, judgement.verdict}};
}

}  // namespace

std::string recorded_file(const trace::Trace& recorded, const std::string& file, const std::string& remedy) {
  const fs::path here = recorded.options.at("file");
  const fs::path there = fs::path(file).parent_path() / here;
  std::error_code error;
  for (const fs::path& candidate : {here, there}) {
    if (fs::exists(candidate, error)) return candidate.string();
  }
  throw UsageError(
      fmt::format("{}: the trace is of a model in {}, which is not there; {}", file, here.string(), remedy));
}

Source open_recorded(const trace::Trace& recorded, const std::string& file, const std::string& model) {
  if (!model.empty()) return open({model, recorded.model, true});
  const auto place = recorded.options.find("file");
  if (place == recorded.options.end()) {
    if (find_model(recorded.model) != nullptr) return open(recorded.model);
    throw UsageError(
        fmt::format("{}: the trace is of the model '{}', which is not in the library; name the model or its "
                    "file with --model",
                    file, recorded.model));
  }
  return open({recorded_file(recorded, file, "name the file with --model"), recorded.model, true});
}

RunSettings settings_of(const trace::Trace& recorded) {
  RunSettings settings{recorded.parameters, recorded.bug, recorded.options};
  settings.switches.erase("file");
  return settings;
}

ReplayResult replay(const Instance& instance, const trace::Trace& recorded, const ReplayRequest& request) {
  ReplayResult result;
  watching_failures([&](bool watch) {
    result = {};
    BuildOptions build;
    build.watch_failures = watch || recorded.property == assertion_property || recorded.property == crash_property;
    const auto system = instance.build(build);
    explain::ReplayResult found = until_not_mistaken(*system, [&] { return explain::replay(*system, recorded); });
    if (!found.fits) fail(found, recorded, request.name);
    judge(found, *system, result);
    request.judged(result);
    result.trace = explain::make_trace(*system, found.path, found.property);
    instance.describe(result.trace);
    if (found.property && found.shown) judge_failure(system->properties()[*found.property], result.trace, result);
    result.path = std::move(found.path);
  });
  return result;
}

}  // namespace heddle::run
