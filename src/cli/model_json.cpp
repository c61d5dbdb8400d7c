// Writes a definition's parameters, bugs, properties and expected counts as JSON.
#include "cli/model_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_text.h"
#include "run/actor_door.h"

namespace heddle::cli {
namespace {

// This is not called `quoted`, because for a std::string the compiler would find std::quoted as well.
std::string json_string(std::string_view text) { return report::quoted(text); }

// Returns a JSON array with one element a line.
std::string array(const std::vector<std::string>& elements) {
  if (elements.empty()) return "[]";
  return fmt::format("[\n    {}\n  ]", fmt::join(elements, ",\n    "));
}

std::string parameter_json(const Parameter& p) {
  if (p.choices.empty()) {
    return fmt::format("{{\"name\": {}, \"default\": {}, \"min\": {}, \"max\": {}, \"help\": {}}}", json_string(p.name),
                       p.fallback, p.least, p.most, json_string(p.help));
  }
  std::string choices;
  for (const std::string& choice : p.choices) choices += (choices.empty() ? "" : ", ") + json_string(choice);
  return fmt::format("{{\"name\": {}, \"default\": {}, \"choices\": [{}], \"help\": {}}}", json_string(p.name),
                     json_string(p.fallback), choices, json_string(p.help));
}

}  // namespace

// A model may state other properties under other parameters. The properties that its bugs break have to be in the list.
std::vector<NamedProperty> properties_of(const Definition& definition) {
  constexpr std::string_view kinds[] = {"always", "sometimes", "deadlock_free", "bound", "finally"};
  std::vector<NamedProperty> all;
  const auto add = [&](const std::string& name, std::string_view kind) {
    if (std::ranges::find(all, name, &NamedProperty::name) == all.end()) all.push_back({name, std::string(kind)});
  };
  const auto add_all = [&](const Model& model) {
    for (const auto& p : model.properties()) add(p.name, kinds[static_cast<int>(p.kind)]);
    for (const auto& s : model.specifications()) add(s.name, "always");  // as in a run: every history is compared
  };
  add_all(Model(definition));
  for (const Bug& bug : definition.bugs) add_all(Model(definition, bug.parameters, bug.name));
  return all;
}

std::string model_json(const Definition& definition) {
  std::vector<std::string> parameters, properties, bugs, expected;
  for (const Parameter& p : definition.parameters) parameters.push_back(parameter_json(p));
  for (const NamedProperty& p : properties_of(definition)) {
    properties.push_back(fmt::format("{{\"name\": {}, \"kind\": {}}}", json_string(p.name), json_string(p.kind)));
  }
  for (const Bug& bug : definition.bugs) {
    bugs.push_back(fmt::format("{{\"name\": {}, \"property\": {}, \"parameters\": {}, \"help\": {}}}",
                               json_string(bug.name), json_string(bug.property),
                               report::settings_text(run::all_parameters(definition, bug.parameters)),
                               json_string(bug.help)));
  }
  for (const Expected& e : definition.expected) {
    const std::string transitions = e.transitions == 0 ? "null" : std::to_string(e.transitions);
    expected.push_back(
        fmt::format("{{\"parameters\": {}, \"states\": {}, \"transitions\": {}, \"deadlocks\": {}, \"source\": {}}}",
                    report::settings_text(run::all_parameters(definition, e.parameters)), e.states, transitions,
                    e.deadlocks, json_string(e.source)));
  }
  return fmt::format(
      "{{\n  \"name\": {},\n  \"summary\": {},\n  \"parameters\": {},\n  \"properties\": {},\n  \"bugs\": {},\n"
      "  \"expected\": {}\n}}",
      json_string(definition.name), json_string(definition.summary), array(parameters), array(properties), array(bugs),
      array(expected));
}

}  // namespace heddle::cli
