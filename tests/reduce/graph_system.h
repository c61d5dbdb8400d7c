// A door for tests: an explicit graph whose states carry auxiliary data. A state is (node, auxiliary). An edge sets the
// auxiliary value, or adds to it. `only_if` lets a test break the rule that nothing depends on the auxiliary value.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/transition_system.h"

namespace heddle {

struct GraphEdge {
  std::uint32_t from, to;
  std::uint32_t auxiliary = 0;                // the value afterwards
  bool adds = false;                          // `auxiliary` is added modulo 4 instead
  std::optional<std::uint32_t> only_if = {};  // an unsound guard: the auxiliary value that enables it
};

class GraphSystem : public TransitionSystem, private Describer, private Forgetting {
 public:
  GraphSystem(std::vector<GraphEdge> edges, std::function<bool(std::uint32_t node)> good = {})
      : edges_(std::move(edges)), good_(std::move(good)) {
    if (good_) properties_.push_back({"good", Property::Kind::Always});
  }

  std::vector<SlotVector> initial_states() const override { return {{1, 1}}; }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      const GraphEdge& edge = edges_[e];
      if (edge.from + 1 != state[0]) continue;
      const std::uint32_t auxiliary = state[1] == forgotten ? 0 : state[1] - 1;
      if (edge.only_if && edge.only_if != auxiliary) continue;
      out.begin({e, 0});
      out.change(0, edge.to + 1);
      const std::uint32_t next = edge.adds ? (auxiliary + edge.auxiliary) % 4 : edge.auxiliary;
      if (state[1] != forgotten) out.change(1, next + 1);
    }
  }
  std::uint32_t transition_count() const override { return static_cast<std::uint32_t>(edges_.size()); }
  std::string transition_name(std::uint32_t t) const override {
    return std::to_string(edges_[t].from) + "->" + std::to_string(edges_[t].to);
  }
  void footprint(std::span<const Slot>, Step, std::vector<Access>& out) const override {
    out = {{0, Access::Kind::Write}, {1, Access::Kind::Write}};
  }
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t) const override {
    return !good_ || good_(state[0] - 1) ? 1 : 0;
  }
  std::size_t bytes() const override { return 0; }
  const Describer& describer() const override { return *this; }
  const Forgetting* forgetting() const override { return this; }

 private:
  bool forget_auxiliary(SlotVector& state) const override {
    if (state[1] == forgotten) return false;
    state[1] = forgotten;
    return true;
  }
  std::vector<trace::Lane> lanes() const override { return {{"graph", "Graph", "graph"}}; }
  trace::Step describe_step(std::span<const Slot>, Step step, std::span<const Slot>) const override {
    trace::Step out;
    out.name = transition_name(step.transition);
    return out;
  }
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override {
    return {{0, "node", std::to_string(state[0] - 1)},
            {0, "auxiliary", state[1] == forgotten ? "null" : std::to_string(state[1] - 1)}};
  }
  std::vector<trace::Field> describe_property(std::size_t, std::span<const Slot> state) const override {
    return describe_state(state);
  }
  Coverage coverage(std::span<const std::uint64_t> executed, bool) const override {
    return coverage_by_transition(*this, executed);
  }
  std::vector<std::string> parts() const override { return {}; }
  void forget_part(std::size_t, SlotVector&) const override {}

  static constexpr Slot forgotten = 1000;
  std::vector<GraphEdge> edges_;
  std::function<bool(std::uint32_t)> good_;
  std::vector<Property> properties_;
};

}  // namespace heddle
