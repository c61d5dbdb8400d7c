// Fills in the parameters of a bug, and writes the title of a run.
#include "run/source.h"

#include <fmt/format.h>

namespace heddle::run {

Instance Source::instance(const RunSettings& settings) const {
  Instance instance = settle(settings);
  if (!file.empty()) instance.options["file"] = file;
  return instance;
}

std::string Instance::title() const {
  const auto pairs = [](const std::map<std::string, std::string>& settings) {
    std::string text;
    for (const auto& [name, value] : settings) {
      if (name != "file") text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    }
    return text;
  };
  std::string text = door.empty() ? model : fmt::format("{} {}", door, model);
  if (!parameters.empty()) text += fmt::format(" ({})", pairs(parameters));
  if (!bug.empty()) text += ", bug " + bug;
  if (const std::string all = pairs(options); !all.empty()) text += "; " + all;
  return text;
}

void Instance::describe(trace::Trace& trace) const {
  trace.model = model;
  trace.parameters = parameters;
  trace.bug = bug;
  trace.options = options;
}

void Instance::describe(report::RunReport& report) const {
  report.model = model;
  report.parameters = parameters;
  report.bug = bug;
  report.options = options;
  if (add_sections) add_sections(report);
}

}  // namespace heddle::run
