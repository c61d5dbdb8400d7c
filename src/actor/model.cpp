// Models, their parameters, and the library in which they are registered.
#include "heddle/model.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/transition_system.h"
#include "core/user_code.h"
#include "heddle/refinement.h"

namespace heddle {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

// Parameters and bugs are told apart by their names.
void check_names(const Definition& definition) {
  std::set<std::string> parameters, bugs;
  for (const Parameter& p : definition.parameters) {
    if (!parameters.insert(p.name).second) {
      throw ModelError(definition.name + " has two parameters named '" + p.name + "'; give one another name");
    }
  }
  for (const Bug& bug : definition.bugs) {
    if (!bugs.insert(bug.name).second) {
      throw ModelError(definition.name + " has two bugs named '" + bug.name + "'; give one another name");
    }
    for (const auto& [name, value] : bug.parameters) {
      if (parameters.contains(name)) continue;
      throw ModelError("bug " + bug.name + " of " + definition.name + " sets the parameter '" + name +
                       "', which the model does not have");
    }
  }
}

void check_value(const Definition& definition, const Parameter& parameter, const std::string& value) {
  const std::string where = definition.name + ": parameter " + parameter.name;
  if (!parameter.choices.empty()) {
    if (std::find(parameter.choices.begin(), parameter.choices.end(), value) == parameter.choices.end()) {
      throw ModelError(where + " is '" + value + "'; choose one of " + list_of(parameter.choices));
    }
    return;
  }
  long number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) {
    throw ModelError(where + " is '" + value + "', not an integer");
  }
  if (number < parameter.least || number > parameter.most) {
    throw ModelError(where + " is " + value + "; it must be from " + std::to_string(parameter.least) + " to " +
                     std::to_string(parameter.most));
  }
}

std::vector<Definition>& mutable_library() {
  static std::vector<Definition> models;
  return models;
}

}  // namespace

long Run::operator[](std::string_view parameter) const {
  const std::string& value = text(parameter);
  long number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) {
    throw ModelError("parameter " + std::string(parameter) + " is '" + value +
                     "': read it with Run::text, it is no integer");
  }
  return number;
}

const std::string& Run::text(std::string_view parameter) const {
  const auto it = parameters_.find(parameter);
  if (it == parameters_.end()) {
    throw ModelError("the model asks for parameter '" + std::string(parameter) +
                     "', which its Definition does not declare; add it to .parameters");
  }
  return it->second;
}

bool Run::bug(std::string_view name) const {
  const auto it = bugs_.find(name);
  if (it == bugs_.end()) {
    throw ModelError("the model asks for bug '" + std::string(name) +
                     "', which its Definition does not declare; add it to .bugs");
  }
  return it->second;
}

Model::Model(const Definition& definition, const std::map<std::string, std::string>& parameters, const std::string& bug)
    : name_(definition.name) {
  std::vector<std::string> names;
  for (const Parameter& p : definition.parameters) {
    names.push_back(p.name);
    run_.parameters_[p.name] = p.fallback;
  }
  std::vector<std::string> bugs;
  for (const Bug& b : definition.bugs) {
    bugs.push_back(b.name);
    run_.bugs_[b.name] = b.name == bug;
    if (b.name != bug) continue;
    for (const auto& [name, value] : b.parameters) run_.parameters_[name] = value;
  }
  if (!bug.empty() && !run_.bugs_.contains(bug)) {
    throw ModelError(definition.name + " has no bug '" + bug + "'; it has: " + list_of(bugs));
  }
  for (const auto& [name, value] : parameters) {
    if (!run_.parameters_.contains(name)) {
      throw ModelError(definition.name + " has no parameter '" + name + "'; it has: " + list_of(names));
    }
    run_.parameters_[name] = value;
  }
  check_names(definition);
  for (const Parameter& p : definition.parameters) check_value(definition, p, run_.parameters_[p.name]);
  if (!definition.build) throw ModelError(definition.name + " has no .build, which says what processes it has");
  definition.build(*this);
  std::set<std::string> stated;
  const auto state = [&](const std::string& property) {
    if (property.empty()) throw ModelError(definition.name + " has a property without a name; verdicts go by names");
    for (std::string_view rest = property; !rest.empty();) {
      const std::size_t length = detail::utf8_length(rest);
      if (length == 0) throw ModelError(definition.name + " has a property whose name is not UTF-8");
      rest.remove_prefix(length);
    }
    if (stated.insert(property).second) return;
    throw ModelError(definition.name + " has two properties named '" + property +
                     "'; verdicts and bugs tell them apart by name, so give one another name");
  };
  for (const detail::PropertyInfo& p : properties_) state(p.name);
  for (const detail::SpecificationInfo& s : specifications_) state(s.name);
}

void Model::add_role(const detail::RoleInfo& info) { roles_.insert(&info); }
void Model::add_first_step(void (*step)(detail::HandlerCall&)) { first_steps_.push_back(step); }
void Model::add_annotation(const detail::Annotation& annotation) { annotations_.push_back(annotation); }
void Model::add_specification(const detail::SpecificationInfo& info) { specifications_.push_back(info); }
void Model::add_key(const detail::TypeInfo& type, KeyOf key) { keys_[&type] = std::move(key); }
void Model::add_exclusion(const detail::TypeInfo& type) { excluded_.insert(&type); }
void Model::set_ghost(const detail::TypeInfo& type, detail::Bytes initial) { ghost_ = {&type, std::move(initial)}; }

std::uint16_t Model::add_process(const detail::RoleInfo& info, detail::Bytes initial, bool present) {
  std::size_t& count = run_.counts_[info.tag];
  if (count >= (present ? 64 : detail::most_spawned_members)) {
    throw ModelError("role " + std::string(info.tag->name) + " has more members than an IdSet can hold (" +
                     std::to_string(count) + ")");
  }
  const auto index = static_cast<std::uint16_t>(count++);
  processes_.push_back({&info, index, std::move(initial), present, false, processes_.size()});
  return index;
}

detail::RefinementInfo& Model::add_refinement(std::string name) {
  for (const auto& r : refinements_) {
    if (r->name == name) throw ModelError(name_ + " refines '" + name + "' twice; give the second another name");
  }
  refinements_.push_back(std::make_shared<detail::RefinementInfo>());
  refinements_.back()->name = std::move(name);
  return *refinements_.back();
}

void Model::refine(const std::string& name, const std::string& specification, const std::string& points) {
  std::vector<std::string> names;
  for (const auto& r : refinements_) names.push_back(r->name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw ModelError("--refines: " + name_ + " says nothing of '" + name + "'; it refines: " + list_of(names) +
                     ". Model::refines in .build annotates a model");
  }
  if (points != "corrected" && points != "thesis" && points != "search") {
    throw ModelError("--lp: '" + points + "' is none of corrected, thesis, search");
  }
  // The chosen variant belongs to this run only, so the refinement is copied.
  refined_.info =
      std::make_shared<detail::RefinementInfo>(*refinements_[static_cast<std::size_t>(found - names.begin())]);
  refined_.specification = specification;
  refined_.points = points;
  bool known = false;
  run_or_throw<ModelError>({"choose() of the object", refined_.info->name},
                           [&] { known = refined_.info->object->choose(refined_.info->initial, specification); });
  if (!known) {
    throw ModelError("--spec: " + name + " has no variant '" + specification + "'");
  }
  for (const std::string& implied : refined_.info->implied.value_or(std::vector<std::string>{})) {
    const auto is_it = [&](const detail::PropertyInfo& p) {
      return p.name == implied && p.kind == detail::PropertyInfo::Kind::Always;
    };
    if (std::none_of(properties_.begin(), properties_.end(), is_it)) {
      throw ModelError(name_ + " refines " + name + ", which is said to imply '" + implied +
                       "'; it has no `always` property of that name. Mend the list given to Refinement::implies");
    }
  }
}

void Model::colocate(const detail::RoleTag* a, std::uint16_t i, const detail::RoleTag* b, std::uint16_t j) {
  const auto find = [&](const detail::RoleTag* role, std::uint16_t index) -> detail::ProcessInfo& {
    for (detail::ProcessInfo& p : processes_) {
      if (p.info->tag == role && p.index == index) return p;
    }
    throw ModelError("colocate: there is no " + std::string(role->name) + " " + std::to_string(index + 1) +
                     "; add the processes first");
  };
  const std::size_t from = find(b, j).group;
  const std::size_t to = find(a, i).group;
  for (detail::ProcessInfo& p : processes_) {
    if (p.group == std::max(from, to)) p.group = std::min(from, to);
  }
}

void Model::always(std::string name, Predicate predicate) {
  properties_.push_back({std::move(name), detail::PropertyInfo::Kind::Always, std::move(predicate)});
}
void Model::sometimes(std::string name, Predicate predicate) {
  properties_.push_back({std::move(name), detail::PropertyInfo::Kind::Sometimes, std::move(predicate)});
}
void Model::finally(std::string name, Predicate predicate) {
  properties_.push_back({std::move(name), detail::PropertyInfo::Kind::Finally, std::move(predicate)});
}
void Model::deadlock_free(Predicate may_stop) {
  properties_.push_back({"deadlock freedom", detail::PropertyInfo::Kind::DeadlockFree, std::move(may_stop)});
}
void Model::bound(std::string name, Predicate predicate) {
  properties_.push_back({std::move(name), detail::PropertyInfo::Kind::Bound, std::move(predicate)});
}

Register::Register(Definition definition) {
  auto& models = mutable_library();
  const auto place = std::lower_bound(models.begin(), models.end(), definition.name,
                                      [](const Definition& d, const std::string& name) { return d.name < name; });
  models.insert(place, std::move(definition));
}

const std::vector<Definition>& library() { return mutable_library(); }

const Definition* find_model(std::string_view name) {
  for (const Definition& d : library()) {
    if (d.name == name) return &d;
  }
  return nullptr;
}

}  // namespace heddle

// Members that would otherwise be compiled again in every file of a model.
namespace heddle {

Settings::Settings() = default;
Settings::Settings(std::initializer_list<value_type> values) : map(values) {}
Settings::Settings(const std::map<std::string, std::string>& values) : map(values) {}
Settings::Settings(const Settings&) = default;
Settings& Settings::operator=(const Settings&) = default;
Settings::~Settings() = default;

Parameter::Parameter(std::string n, long value, long low, long high, std::string text)
    : name(std::move(n)), fallback(std::to_string(value)), least(low), most(high), help(std::move(text)) {}
Parameter::Parameter(std::string n, std::vector<std::string> options, std::string text)
    : name(std::move(n)), fallback(options.front()), choices(std::move(options)), help(std::move(text)) {}
Parameter::Parameter(const Parameter&) = default;
Parameter& Parameter::operator=(const Parameter&) = default;
Parameter::~Parameter() = default;

namespace detail {

Annotation::Annotation() = default;
Annotation::Annotation(const Annotation&) = default;
Annotation& Annotation::operator=(const Annotation&) = default;
Annotation::~Annotation() = default;
void Annotation::set_reads(std::initializer_list<std::size_t> fields) { reads = fields; }
void Annotation::set_writes(std::initializer_list<std::size_t> fields) { writes = fields; }
void Annotation::set_raises(std::initializer_list<std::size_t> fields) { raises = fields; }
void Annotation::set_hindered_by(std::initializer_list<std::size_t> fields) { hindered_by = fields; }

}  // namespace detail
}  // namespace heddle

template class std::vector<heddle::Bug>;
template class std::vector<heddle::Expected>;
