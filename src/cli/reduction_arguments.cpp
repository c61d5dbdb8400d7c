#include "cli/reduction_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/errors.h"
#include "cli/suggestions.h"

namespace heddle::cli {
namespace {

constexpr const char* group = "Reductions (docs/reductions.md says what each preserves)";

}  // namespace

void add_reduction_options(CLI::App& app, ReductionArguments& a) {
  app.add_option("--reduce", a.reduce, "auto, none, or a list of por, symmetry, dead, auxiliary")
      ->type_name("LIST")
      ->group(group);
  app.add_option("--split", a.split, "How transitions are refined for por: none, quorum, reply or combined")
      ->check(CLI::IsMember({"none", "quorum", "reply", "combined"}).description(""))
      ->type_name("KIND")
      ->group(group);
  app.add_option("--por-start", a.start, "Where stubborn sets begin: best, first or smallest")
      ->check(CLI::IsMember({"best", "first", "smallest"}).description(""))
      ->type_name("POLICY")
      ->group(group);
  app.add_flag("--no-net", a.no_net, "Without necessary enabling transitions, for comparison")->group(group);
  app.add_flag("--spos", a.selective_push, "Depth first: no stack frame for states with one step only")->group(group);
  app.add_flag("--verify-reduction", a.verify, "Search without reductions too and compare")->group(group);
}

ReductionPlan plan_of(const ReductionArguments& a) {
  ReductionPlan plan;
  using Start = StubbornOptions::Start;
  plan.stubborn.start = a.start == "best" ? Start::Best : a.start == "first" ? Start::First : Start::Smallest;
  plan.stubborn.lpor.net = !a.no_net;
  if (a.reduce == "none") return plan;
  if (a.reduce == "auto") {
    plan.partial_order = plan.symmetry = plan.auxiliary = plan.dead = true;
    return plan;
  }
  if (a.reduce.empty()) throw UsageError("--reduce: nothing is given; use auto, none, or a list of reductions");
  plan.insist = true;
  std::istringstream list(a.reduce);
  for (std::string one; std::getline(list, one, ',');) {
    if (one == "por") {
      plan.partial_order = true;
    } else if (one == "symmetry") {
      plan.symmetry = true;
    } else if (one == "auxiliary") {
      plan.auxiliary = true;
    } else if (one == "dead") {
      plan.dead = true;
    } else if (one == "none" || one == "auto") {
      throw UsageError(
          fmt::format("--reduce: '{}' stands alone; use it, or a list of por, symmetry, dead, auxiliary", one));
    } else {
      const std::string hint = did_you_mean(one, {"por", "symmetry", "dead", "auxiliary", "auto", "none"});
      throw UsageError(fmt::format(
          "--reduce: there is no reduction '{}'{} Use auto, none, or a list of por, symmetry, dead, auxiliary", one,
          hint.empty() ? "." : hint));
    }
  }
  return plan;
}

ActorOptions::DropDead drop_dead(const ReductionPlan& plan) {
  using DropDead = ActorOptions::DropDead;
  return !plan.dead ? DropDead::No : plan.symmetry ? DropDead::UpToRenaming : DropDead::Yes;
}

void prepare(const ReductionArguments& a, const ReductionPlan& plan, ActorOptions& actor) {
  if (!plan.partial_order) return;
  actor.split = a.split == "none"     ? Split::None
                : a.split == "quorum" ? Split::Quorum
                : a.split == "reply"  ? Split::Reply
                                      : Split::Combined;
}

}  // namespace heddle::cli
