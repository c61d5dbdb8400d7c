// heddle models: lists the library, or shows one model in detail.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/model_json.h"
#include "cli/output.h"
#include "report/numbers.h"
#include "report/utf8.h"
#include "run/actor_door.h"

namespace heddle::cli {
namespace {

constexpr int widest_list = 80;  // longer lines are hard to read, however wide the terminal

std::string defaults(const Definition& definition) {
  std::string text;
  for (const Parameter& p : definition.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", p.name, p.fallback);
  return text;
}

int list_library(const Output& output) {
  if (output.options().json) {
    std::string json = "[";
    for (const Definition& definition : library()) json += (json.size() > 1 ? ",\n" : "\n") + model_json(definition);
    return output.finish("", json + "\n]");
  }
  // Each model has its name, its summary beside the name and its parameters below the summary.
  const int width = std::min(output.text_options().width, widest_list);
  int column = 0;
  for (const Definition& one : library()) column = std::max(column, static_cast<int>(one.name.size()) + 2);
  column = std::min(column, width / 3);
  for (const Definition& definition : library()) {
    std::string left = definition.name;
    if (static_cast<int>(left.size()) >= column) output.say(std::exchange(left, ""));
    for (const std::string& text : {definition.summary, defaults(definition)}) {
      if (text.empty()) continue;
      for (const std::string& line : report::wrap(text, width - column, 0)) {
        output.say(fmt::format("{:{}}{}", std::exchange(left, ""), column, line));
      }
    }
  }
  return output.finish(
      fmt::format("{}; `heddle models NAME` tells more of one", report::counted(library().size(), "model")), "");
}

std::string assignment(const std::map<std::string, std::string>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "default parameters" : text;
}

// Shows one model. `given` is the name or file by which `heddle check` finds it.
int show(const Definition& definition, const std::string& given, const Output& output) {
  run::check_bugs(definition, Model(definition));
  if (output.options().json) return output.finish("", model_json(definition));
  output.say(fmt::format("{}: {}", definition.name, definition.summary));
  const auto section = [&](std::string_view title, bool empty) {
    if (!empty) output.say(fmt::format("\n{}", title));
  };
  section("parameters", definition.parameters.empty());
  for (const Parameter& p : definition.parameters) {
    const std::string range =
        p.choices.empty() ? fmt::format("{} to {}", p.least, p.most) : fmt::format("{}", fmt::join(p.choices, " | "));
    output.say(fmt::format("  {} = {}   ({}) {}", p.name, p.fallback, range, p.help));
  }
  const std::vector<NamedProperty> properties = properties_of(definition);
  section("properties", properties.empty());
  for (const NamedProperty& p : properties) output.say(fmt::format("  {} {}", p.kind, p.name));
  section("bugs", definition.bugs.empty());
  for (const Bug& bug : definition.bugs) {
    output.say(fmt::format("  --bug {}: {}; breaks {} with {}", bug.name, bug.help, bug.property,
                           assignment(run::all_parameters(definition, bug.parameters))));
  }
  section("expected", definition.expected.empty());
  for (const Expected& e : definition.expected) {
    std::string text = fmt::format("  {}: {}", assignment(run::all_parameters(definition, e.parameters)),
                                   report::counted(e.states, "state"));
    if (e.transitions > 0) text += ", " + report::counted(e.transitions, "transition");
    if (e.transitions > 0 || e.deadlocks > 0) text += ", " + report::counted(e.deadlocks, "final state");
    output.say(e.source.empty() ? text : fmt::format("{} ({})", text, e.source));
  }
  output.say("");
  return output.finish(
      fmt::format("{}({}); check it with `heddle check {}`", definition.name, defaults(definition), given), "");
}

int run_models(const ModelsOptions& a, const Output& output) {
  if (a.given.empty()) return list_library(output);
  const run::Source source = run::open(a.given, a.model);
  if (!source.definition)
    throw ModelError(a.given + " is a net; nets have no parameters and bugs, read the file itself");
  std::string named = a.given;
  if (!a.model.empty() && !source.file.empty()) named += " --model " + a.model;
  return show(*source.definition, named, output);
}

}  // namespace

int command_models(const Arguments& given) {
  return run_plainly(Output(given.of<OutputOptions>()), "models",
                     [&](const Output& output) { return run_models(given.of<ModelsOptions>(), output); });
}

}  // namespace heddle::cli
