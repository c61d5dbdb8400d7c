// --reduce and what belongs to it: what the options say, and the plan of the search that follows from it.
#pragma once

#include <string>

#include "actor/actor_system.h"
#include "cli/option.h"
#include "reduce/reduced_search.h"

namespace heddle::cli {

struct ReductionArguments {
  std::string reduce = "auto";
  Split split = Split::Combined;
  StubbornOptions::Start start = StubbornOptions::Start::Smallest;
  bool no_net = false;
  bool selective_push = false;
  bool verify = false;
};

// What a list after --reduce may name.
const Values<bool ReductionPlan::*>& reductions();

// Throws UsageError.
ReductionPlan plan_of(const ReductionArguments& arguments);

}  // namespace heddle::cli
