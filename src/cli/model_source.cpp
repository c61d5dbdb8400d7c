#include "cli/model_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "check/refinements.h"
#include "cli/compile_model.h"
#include "cli/errors.h"
#include "cli/suggestions.h"
#include "core/user_code.h"
#include "heddle/refinement.h"
#include "net/load_net.h"
#include "net/net_system.h"

namespace heddle::cli {
namespace {

bool is_source_file(const std::filesystem::path& path) {
  const std::filesystem::path extension = path.extension();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx";
}

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

[[noreturn]] void fail_unknown(const std::string& given) {
  std::error_code ignored;
  if (std::filesystem::exists(given, ignored)) {
    throw UsageError(fmt::format("{}: Heddle reads models in .cpp files and nets in .net and .pnml files", given));
  }
  if (std::filesystem::exists(given + ".cpp", ignored)) {
    throw UsageError(fmt::format("there is no model '{}' in the library; did you mean {}.cpp?", given, given));
  }
  std::string hint = did_you_mean(given, library_names());
  if (hint.empty()) hint = "; `heddle models` lists them";
  throw UsageError(fmt::format("there is no model '{}' in the library{}", given, hint));
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

Instance net_instance(const ModelSource& source, const RunSettings& settings) {
  if (!settings.parameters.empty()) throw UsageError(source.file + ": a net has no parameters; drop --param");
  if (!settings.bug.empty()) throw UsageError(source.file + ": a net has no bugs to switch on; drop --bug");
  for (const auto& [name, value] : settings.switches) {
    if (name != "deadlock")
      throw UsageError(fmt::format("{}: a net has no messages and processes; drop --{}", source.file, name));
  }
  Instance instance;
  instance.model = source.file;
  instance.system = net::load_net(source.file);
  if (settings.switches.contains("deadlock")) {
    instance.options["deadlock"] = "true";
    const auto stated = [](const Property& p) { return p.kind == Property::Kind::DeadlockFree; };
    if (std::ranges::none_of(instance.system->properties(), stated)) {
      net::Net net = dynamic_cast<const net::NetSystem&>(*instance.system).net();
      net.properties.push_back(
          {"deadlock_free", Property::Kind::DeadlockFree, net::Formula::combine(net::Formula::Kind::Or, {})});
      instance.system = std::make_unique<net::NetSystem>(std::move(net));
    }
  }
  return instance;
}

}  // namespace

ModelSource find_source(const std::string& given, const std::string& model, bool preferred) {
  if (net::is_net_file(given)) return {given, std::nullopt};
  if (is_source_file(given)) return {given, choose(load_models(given), model, preferred, given)};
  if (!preferred && !model.empty() && model != given)
    throw UsageError("--model chooses among the models of a .cpp file");
  const Definition* definition = find_model(given);
  if (definition == nullptr) fail_unknown(given);
  return {"", *definition};
}

Instance make_instance(const ModelSource& source, const RunSettings& settings) {
  Instance instance;
  if (!source.definition) {
    instance = net_instance(source, settings);
  } else {
    const Definition& definition = *source.definition;
    check_parameters(definition, settings.parameters);
    check_bug(definition, settings.bug);
    std::map<std::string, std::string> given = settings.parameters;
    Switches switches = settings.switches;
    if (const Bug* bug = find_bug(definition, settings.bug)) {
      given.insert(bug->parameters.begin(), bug->parameters.end());
      constexpr std::string_view refines = "refines ";
      if (bug->property.starts_with(refines)) switches.try_emplace("refines", bug->property.substr(refines.size()));
    }

    std::optional<Model> built;
    const auto failure =
        run_user_code({"build of", definition.name}, [&] { built.emplace(definition, given, settings.bug); });
    if (failure) throw ModelError(fmt::format("the .build of {}: {}", definition.name, failure->what));
    Model model = std::move(*built);
    check_bugs(definition, model);
    apply_switches(model, switches);
    instance.model = definition.name;
    instance.parameters = all_parameters(definition, given);
    instance.bug = settings.bug;
    if (const Bug* bug = find_bug(definition, settings.bug)) instance.broken_by_bug = bug->property;
    instance.options = effective_switches(model, switches);
    instance.system = make_actor_system(std::move(model), settings.actor);
  }
  if (!source.file.empty()) instance.options["file"] = source.file;
  return instance;
}

// A model may state other properties with other parameters, so that one that is missing here is looked for in the bug's own.
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

std::string Instance::title() const {
  const auto pairs = [](const std::map<std::string, std::string>& settings) {
    std::string text;
    for (const auto& [name, value] : settings) {
      if (name != "file") text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    }
    return text;
  };
  std::string text = model;
  if (!parameters.empty()) text += fmt::format(" ({})", pairs(parameters));
  if (!bug.empty()) text += ", bug " + bug;
  if (const std::string all = pairs(options); !all.empty()) text += "; " + all;
  return text;
}

std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0) {
      throw UsageError(fmt::format("--param: '{}' is not of the form name=value", text));
    }
    result[text.substr(0, equals)] = text.substr(equals + 1);
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

}  // namespace heddle::cli
