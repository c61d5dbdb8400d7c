// The arguments of --reduce and its companions, and the plan of the search that follows from them.
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
  std::string order = {};  // of threads
  bool portfolio = false;
};

// The names that a list after --reduce may have.
const Values<bool ReductionPlan::*>& reductions();

// Throws UsageError for an empty list, a name that is not a reduction, and `auto` or `none` among others.
ReductionPlan plan_of(const ReductionArguments& arguments);

// Reads "2,1,3", "reverse" and "random:7". Throws UsageError for anything else.
ThreadOrder parse_thread_order(const std::string& text);

}  // namespace heddle::cli
