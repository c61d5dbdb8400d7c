// Copies sections by their own clone, and keeps them in the order of their places.
#include "report/section.h"

#include <algorithm>

#include "report/run_json.h"

namespace heddle::report {

Sections::Sections(const Sections& other) {
  for (const auto& one : other.all_) all_.push_back(one->clone());
}

Sections& Sections::operator=(const Sections& other) {
  *this = Sections(other);
  return *this;
}

Section& Sections::add(std::unique_ptr<Section> section) {
  const auto place = [](const std::unique_ptr<Section>& one) { return one->place(); };
  const auto at = std::ranges::upper_bound(all_, section->place(), {}, place);
  return **all_.insert(at, std::move(section));
}

std::vector<std::string> texts(const RunReport& run) {
  std::vector<std::string> out;
  for (const auto& one : run.sections) {
    if (std::string text = one->text(run); !text.empty()) out.push_back(std::move(text));
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace heddle::report
