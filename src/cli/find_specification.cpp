#include "cli/find_specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/errors.h"
#include "cli/suggestions.h"

namespace heddle::cli {

const Specification& specification_named(const std::string& name) {
  if (const Specification* found = find_specification(name)) return *found;
  std::vector<std::string> names;
  for (const Specification* one : specifications()) names.emplace_back(one->name());
  throw UsageError(fmt::format("--spec: there is no specification '{}'{} There are {}", name,
                               did_you_mean(name, names).empty() ? "." : did_you_mean(name, names), listed(names)));
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

}  // namespace heddle::cli
