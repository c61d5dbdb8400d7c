// --reduce and what belongs to it.
#pragma once

#include <string>

#include "actor/actor_system.h"
#include "reduce/reduced_search.h"

namespace CLI {
class App;
}

namespace heddle::cli {

struct ReductionArguments {
  std::string reduce = "auto";
  std::string split = "combined";
  std::string start = "smallest";
  bool no_net = false;
  bool selective_push = false;
  bool verify = false;
};

void add_reduction_options(CLI::App& app, ReductionArguments& arguments);

// Throws UsageError.
ReductionPlan plan_of(const ReductionArguments& arguments);
// How the model has to be built for the plan.
ActorOptions::DropDead drop_dead(const ReductionPlan& plan);
void prepare(const ReductionArguments& arguments, const ReductionPlan& plan, ActorOptions& actor);

}  // namespace heddle::cli
