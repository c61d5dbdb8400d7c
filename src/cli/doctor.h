// heddle doctor: what this Heddle can do on this machine, and what to do about the rest.
//
// The basics are what every user of own models needs: a compiler, Heddle's headers and Boost's. That they work is not
// read off versions but tried: a model without anything in it is compiled and linked. Components are only looked at,
// not built.
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
  std::string components_problem;  // why nothing more is known of them
};

// Takes some seconds, for the compiler. Throws Interrupted on Ctrl-C.
Diagnosis diagnose(const run::ComponentTree& tree);

// Lines for people without the closing one, the closing one, and one JSON object.
std::string text(const Diagnosis& diagnosis);
std::string closing_line(const Diagnosis& diagnosis);
std::string to_json(const Diagnosis& diagnosis);

}  // namespace heddle::cli
