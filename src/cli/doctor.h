// heddle doctor: says what this Heddle can do on this machine, and what to do about the rest.
//
// Everybody who writes models needs a compiler, Heddle's headers and Boost's. Versions do not prove that they work,
// so an empty model is compiled and linked. Components are looked at but not built.
#pragma once

#include <string>
#include <vector>

#include "run/component.h"

namespace heddle::cli {

struct Diagnosis {
  std::string compiler, compiler_version;  // of models
  std::string headers;                     // where heddle/heddle.h is
  std::string boost;                       // "1.81"
  std::string problem;                     // why models cannot be compiled; empty if they can
  std::string home;                        // the source tree, or the directory of an installed copy
  bool installed = false;
  std::vector<run::ComponentState> components;
  std::string components_problem;  // why nothing more is known of the components; empty if all is
};

// Takes some seconds, because it runs the compiler. Throws Interrupted on Ctrl-C.
Diagnosis diagnose(const run::ComponentTree& tree);

// Return the lines for people without the closing line, the closing line, and one JSON object.
std::string text(const Diagnosis& diagnosis);
std::string closing_line(const Diagnosis& diagnosis);
std::string to_json(const Diagnosis& diagnosis);

}  // namespace heddle::cli
