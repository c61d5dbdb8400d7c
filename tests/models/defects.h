// The seeded bugs of all library models, as parameters of tests.
#pragma once

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

#include "heddle/model.h"

namespace heddle {

struct Defect {
  const Definition* definition;
  Bug bug;
};
inline void PrintTo(const Defect& d, std::ostream* out) { *out << d.definition->name << " " << d.bug.name; }

inline std::vector<Defect> all_defects() {
  std::vector<Defect> defects;
  for (const Definition& d : library()) {
    for (const Bug& b : d.bugs) defects.push_back({&d, b});
  }
  return defects;
}

// A name for a test.
inline std::string identifier(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

}  // namespace heddle
