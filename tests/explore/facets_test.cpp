// Facets through wrappers: what a system says is passed on whole, or dropped where everybody can see it.
#include <gtest/gtest.h>

#include "actor/actor_system.h"
#include "check/refinement/refinements.h"
#include "core/facets/assumptions.h"
#include "core/facets/dependence.h"
#include "core/facets/describer.h"
#include "core/facets/events.h"
#include "core/facets/histories.h"
#include "core/facets/symmetries.h"
#include "core/facets/visibility.h"
#include "core/forwarding_system.h"
#include "explore/continued.h"
#include "explore/search.h"
#include "net/load_net.h"
#include "reduce/reduced_search.h"

namespace heddle::facets_test {
namespace {

std::unique_ptr<TransitionSystem> model(const std::string& name) { return make_actor_system(Model(*find_model(name))); }

TEST(Facets, AWrapperHasWhatItWraps) {
  const auto system = model("abd_register");
  const ForwardingSystem wrapper(*system);
  EXPECT_EQ(&wrapper.describer(), &system->describer());
  EXPECT_EQ(wrapper.visibility(), system->visibility());
  EXPECT_EQ(wrapper.dependence(), system->dependence());
  EXPECT_EQ(wrapper.events(), system->events());
  EXPECT_EQ(wrapper.threads(), system->threads());
  EXPECT_EQ(wrapper.symmetries(), system->symmetries());
  EXPECT_EQ(wrapper.forgetting(), system->forgetting());
  EXPECT_EQ(wrapper.partial_states(), system->partial_states());
  EXPECT_EQ(wrapper.histories(), system->histories());
  EXPECT_EQ(wrapper.receipts(), system->receipts());
  EXPECT_EQ(wrapper.refinements(), system->refinements());
  const TransitionSystem& readable = *system;
  EXPECT_EQ(static_cast<const TransitionSystem&>(wrapper).assumptions(), readable.assumptions());
  EXPECT_NE(system->histories(), nullptr);
  EXPECT_EQ(search(wrapper).counters.states, search(*system).counters.states);
}

TEST(Facets, WhatIsBelowAStateHasNoFacetWhosePropertiesHaveOtherNumbers) {
  const auto system = model("abd_register");
  const Continued below(*system, system->initial_states()[0], 0, 1);
  EXPECT_EQ(below.histories(), nullptr);
  EXPECT_EQ(below.refinements(), nullptr);
  EXPECT_EQ(below.visibility(), system->visibility());
}

TEST(Facets, AFacetThatARunHasNoUseForIsNotThere) {
  EXPECT_EQ(model("paxos")->histories(), nullptr);
  EXPECT_EQ(model("paxos")->refinements(), nullptr);
  EXPECT_EQ(history_properties_of(*model("paxos")), 0u);
  EXPECT_FALSE(refinement_of(*model("paxos")).has_value());
}

TEST(Facets, AReductionSaysWhatItLacks) {
  const auto net = net::load_net(HEDDLE_SOURCE_DIR "/examples/nets/peterson.net");
  EXPECT_EQ(net->symmetries(), nullptr);
  EXPECT_EQ(net->assumptions(), nullptr);
  EXPECT_EQ(left_out_of(*net), "");
  EXPECT_FALSE(is_mistaken(*net));
  ReductionReport report;
  const SearchResult reduced = reduced_search(*net, {}, {.partial_order = true, .symmetry = true}, report);
  EXPECT_EQ(report.applied, std::vector<std::string>{"partial order"});
  EXPECT_EQ(report.skipped, std::vector<std::string>{"symmetry: nothing is known of processes that are alike"});
  EXPECT_EQ(reduced.verdict, search(*net).verdict);
}

// A door that has only the core: everything counts as visible, and nothing is reduced.
TEST(Facets, ADoorWithTheCoreAlone) {
  class Counter final : public ForwardingSystem {
   public:
    using ForwardingSystem::ForwardingSystem;
    const Visibility* visibility() const override { return nullptr; }
    const Dependence* dependence() const override { return nullptr; }
    const Events* events() const override { return nullptr; }
    const Symmetries* symmetries() const override { return nullptr; }
    const Assumptions* assumptions() const override { return nullptr; }
  };
  const auto system = make_actor_system(Model(*find_model("two_phase_commit"), {{"managers", "3"}}));
  Counter core(*system);
  ReductionReport report;
  const SearchResult result = reduced_search(core, {}, {.partial_order = true, .symmetry = true}, report);
  EXPECT_EQ(result.counters.states, 288u) << "Lamport's TwoPhase";
  EXPECT_TRUE(report.applied.empty());
  EXPECT_EQ(report.skipped.size(), 2u);
  Effects effects;
  StepBuffer steps;
  const SlotVector initial = core.initial_states()[0];
  core.expand(initial, steps);
  effects_of(core, initial, steps.step(0), effects);
  EXPECT_EQ(effects.process, Effects::nobody);
  EXPECT_TRUE(effects.disables_others);
}

}  // namespace
}  // namespace heddle::facets_test
