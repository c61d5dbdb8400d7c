// Looks in the library, and compiles a file otherwise.
#include "run/find_specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "run/compile_model.h"
#include "run/errors.h"
#include "run/suggestions.h"

namespace heddle::run {

namespace {

// Returns the specification of a file. Loaded files stay loaded, and so do their specifications, also while the program
// ends: if their code calls exit(), what is said about it names them.
const Specification& of_file(const std::string& file) {
  static auto& kept = *new std::vector<std::unique_ptr<Specification>>;
  auto found = load_specifications(file);
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const auto& one : found) names.emplace_back(one->name());
    throw UsageError(fmt::format("{} has several specifications: {}; put the one you mean in a file of its own", file,
                                 listed(names)));
  }
  return *kept.emplace_back(std::move(found.front()));
}

}  // namespace

const Specification& specification_named(const std::string& name) {
  if (name.ends_with(".cpp") || name.ends_with(".cc") || name.ends_with(".cxx")) return of_file(name);
  if (const Specification* found = find_specification(name)) return *found;
  std::vector<std::string> names;
  for (const Specification* one : specifications()) names.emplace_back(one->name());
  throw UsageError(fmt::format("--spec: there is no specification '{}'{} There are {}, or a .cpp file of your own",
                               name, did_you_mean(name, names).empty() ? "." : did_you_mean(name, names),
                               listed(names)));
}

std::string fitting_specifications(const RecordedHistory& history) {
  std::string out;
  for (const Specification* one : specifications()) {
    const bool fits = std::ranges::none_of(history.operations, [&](const RecordedOperation& operation) {
      return one->reject(history, operation).has_value();
    });
    if (fits) out += (out.empty() ? "" : " or ") + std::string(one->name());
  }
  return out;
}

}  // namespace heddle::run
