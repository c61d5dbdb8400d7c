// Checks parameters and bugs against the definition, runs `.build` once, and builds systems from the model.
#include "run/actor_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>

#include "core/user_code.h"
#include "heddle/refinement.h"
#include "run/compile_model.h"
#include "run/errors.h"
#include "run/suggestions.h"

namespace heddle::run {
namespace {

std::vector<std::string> names_of(const std::vector<Definition>& models) {
  std::vector<std::string> names;
  for (const Definition& definition : models) names.push_back(definition.name);
  return names;
}

Definition choose(const std::vector<Definition>& models, const std::string& model, bool preferred,
                  const std::string& file) {
  if ((model.empty() || preferred) && models.size() == 1) return models.front();
  if (model.empty()) {
    throw UsageError(fmt::format("{} has several models: {}; choose one with --model", file, listed(names_of(models))));
  }
  for (const Definition& definition : models) {
    if (definition.name == model) return definition;
  }
  throw UsageError(fmt::format("{} has no model '{}'; it has: {}", file, model, listed(names_of(models))));
}

void check_parameters(const Definition& definition, const std::map<std::string, std::string>& given) {
  std::vector<std::string> names;
  for (const Parameter& p : definition.parameters) names.push_back(p.name);
  for (const auto& [name, value] : given) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw UsageError(fmt::format("{} has no parameter '{}'{} Its parameters: {}", definition.name, name,
                                 did_you_mean(name, names).empty() ? "." : did_you_mean(name, names),
                                 parameters_text(definition)));
  }
}

void check_bug(const Definition& definition, const std::string& name) {
  if (name.empty() || find_bug(definition, name) != nullptr) return;
  std::vector<std::string> names;
  for (const Bug& bug : definition.bugs) names.push_back(bug.name);
  const std::string hint = did_you_mean(name, names);
  throw UsageError(fmt::format("{} has no bug '{}'{} Its bugs: {}", definition.name, name, hint.empty() ? "." : hint,
                               listed(names)));
}

std::vector<std::string> names_of_properties(const Model& model) {
  std::vector<std::string> names;
  for (const auto& p : model.properties()) names.push_back(p.name);
  for (const auto& s : model.specifications()) names.push_back(s.name);
  for (const auto& r : model.refinements()) names.push_back("refines " + r->name);
  return names;
}

Instance settle(const Definition& definition, const RunSettings& settings) {
  check_parameters(definition, settings.parameters);
  check_bug(definition, settings.bug);
  std::map<std::string, std::string> given = settings.parameters;
  Switches switches = settings.switches;
  const Bug* const bug = find_bug(definition, settings.bug);
  if (bug != nullptr) {
    given.insert(bug->parameters.begin(), bug->parameters.end());
    constexpr std::string_view refines = "refines ";
    if (bug->property.starts_with(refines)) switches.try_emplace("refines", bug->property.substr(refines.size()));
  }

  std::optional<Model> built;
  std::optional<UserFailure> failure;
  try {
    failure = run_user_code({"build of", definition.name}, [&] { built.emplace(definition, given, settings.bug); });
  } catch (const ModelError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    failure = UserFailure{.what = "threw: " + one_line(error.what())};
  } catch (...) {
    failure = UserFailure{.what = "threw something that is no std::exception"};
  }
  if (failure) throw ModelError(fmt::format("the .build of {}: {}", definition.name, failure->what));
  check_bugs(definition, *built);
  apply_switches(*built, switches);
  std::map<std::string, std::string> options = effective_switches(*built, switches);
  Instance instance = instance_of(std::move(*built));
  instance.parameters = all_parameters(definition, given);
  instance.bug = settings.bug;
  if (bug != nullptr) instance.broken_by_bug = bug->property;
  instance.options = std::move(options);
  return instance;
}

}  // namespace

bool is_source_file(const std::string& given) {
  const std::filesystem::path extension = std::filesystem::path(given).extension();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx";
}

Instance instance_of(Model model) {
  Instance instance;
  instance.model = model.name();
  instance.build = [model = std::make_shared<const Model>(std::move(model))](const BuildOptions& options) {
    return make_actor_system(*model, options);
  };
  return instance;
}

Source open_definition(const Definition& definition) {
  return {.file = "", .definition = definition, .settle = [definition](const RunSettings& settings) {
            return settle(definition, settings);
          }};
}

void check_wish(const Given& given) {
  if (!given.preferred && !given.model.empty() && given.model != given.text)
    throw UsageError("--model chooses among the models of a .cpp file");
}

Source open_library(const Given& given) {
  check_wish(given);
  return open_definition(*find_model(given.text));
}

Source open_source_file(const Given& given) {
  Source source = open_definition(choose(load_models(given.text), given.model, given.preferred, given.text));
  source.file = given.text;
  return source;
}

// A model may state other properties under other parameters. So a property that `model` lacks is looked for in the
// model with the bug and the bug's parameters.
void check_bugs(const Definition& definition, const Model& model) {
  const std::vector<std::string> here = names_of_properties(model);
  for (const Bug& bug : definition.bugs) {
    if (std::ranges::find(here, bug.property) != here.end()) continue;
    const std::vector<std::string> there = names_of_properties(Model(definition, bug.parameters, bug.name));
    if (std::ranges::find(there, bug.property) != there.end()) continue;
    throw ModelError(fmt::format("bug '{}' of {} is said to break '{}', but there is no such property{} Properties: {}",
                                 bug.name, definition.name, bug.property,
                                 did_you_mean(bug.property, there).empty() ? "." : did_you_mean(bug.property, there),
                                 listed(there)));
  }
}

std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0) {
      throw UsageError(fmt::format("--param: '{}' is not of the form name=value", text));
    }
    const auto [known, added] = result.emplace(text.substr(0, equals), text.substr(equals + 1));
    if (!added) throw UsageError(fmt::format("--param: {} is given twice; give each parameter once", known->first));
  }
  return result;
}

std::map<std::string, std::string> all_parameters(const Definition& definition,
                                                  const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> result = given;
  for (const Parameter& p : definition.parameters) result.try_emplace(p.name, p.fallback);
  return result;
}

const Bug* find_bug(const Definition& definition, const std::string& name) {
  for (const Bug& bug : definition.bugs) {
    if (bug.name == name) return &bug;
  }
  return nullptr;
}

std::string parameters_text(const Definition& definition) {
  std::string text;
  for (const Parameter& p : definition.parameters) {
    if (!text.empty()) text += ", ";
    if (p.choices.empty()) {
      text += fmt::format("{} ({}, from {} to {})", p.name, p.fallback, p.least, p.most);
    } else {
      text += fmt::format("{} ({})", p.name, fmt::join(p.choices, " or "));
    }
  }
  return text.empty() ? "none" : text;
}

std::vector<std::string> library_names() { return names_of(library()); }

}  // namespace heddle::run
