// A door for tests: rules that take tokens from places and put tokens into others, in lanes of their own. A place may
// be a message on its way, so that rules receive and send.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/facets/describer.h"
#include "core/transition_system.h"

namespace heddle::explain {

struct ToyPlace {
  std::string name;
  std::uint32_t tokens = 0;
  bool message = false;
  std::uint32_t from = 0, to = 0;  // lanes of a message
  std::string body = "{}";
};

struct ToyRule {
  std::uint32_t lane = 0;
  std::string name;
  std::vector<std::uint32_t> takes, gives;  // places, each at most once
  std::string kind = "step";
  std::string choice = {};
};

class ToySystem : public TransitionSystem, public Describer {
 public:
  using Marking = std::vector<std::uint32_t>;
  using Predicate = std::function<bool(const Marking&)>;

  ToySystem(std::size_t lane_count, std::vector<ToyPlace> places, std::vector<ToyRule> rules)
      : places_(std::move(places)), rules_(std::move(rules)) {
    for (std::size_t i = 1; i <= lane_count; ++i) {
      const std::string name = "process " + std::to_string(i);
      lanes_.push_back({name, "Process", name});
    }
  }

  void property(std::string name, Property::Kind kind, Predicate predicate) {
    properties_.push_back({std::move(name), kind});
    predicates_.push_back(std::move(predicate));
  }

  std::vector<SlotVector> initial_states() const override {
    SlotVector state;
    for (const ToyPlace& place : places_) state.push_back(place.tokens + 1);
    return {state};
  }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      SlotVector next(state.begin(), state.end());
      bool enabled = true;
      for (const std::uint32_t p : rules_[r].takes) enabled &= --next[p] >= 1;
      if (!enabled) continue;
      for (const std::uint32_t p : rules_[r].gives) ++next[p];
      out.begin({r, 0});
      for (std::uint32_t p = 0; p < next.size(); ++p) {
        if (next[p] != state[p]) out.change(p, next[p]);
      }
    }
  }
  std::uint32_t transition_count() const override { return static_cast<std::uint32_t>(rules_.size()); }
  std::string transition_name(std::uint32_t transition) const override { return rules_[transition].name; }
  void footprint(std::span<const Slot>, Step step, std::vector<Access>& out) const override {
    for (const std::uint32_t p : rules_[step.transition].takes) out.push_back({p, Access::Kind::Write});
    for (const std::uint32_t p : rules_[step.transition].gives) out.push_back({p, Access::Kind::Append});
  }
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t) const override {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < predicates_.size(); ++i) bits |= std::uint64_t{predicates_[i](marking(state))} << i;
    return bits;
  }
  const Describer& describer() const override { return *this; }
  std::vector<trace::Lane> lanes() const override { return lanes_; }
  Coverage coverage(std::span<const std::uint64_t> executed, bool) const override {
    return coverage_by_transition(*this, executed);
  }
  trace::Step describe_step(std::span<const Slot>, Step step, std::span<const Slot>) const override {
    const ToyRule& rule = rules_[step.transition];
    trace::Step result;
    result.lane = rule.lane;
    result.name = rule.name;
    result.kind = rule.kind;
    result.choice = rule.choice;
    const auto message = [&](std::uint32_t p) {
      return trace::Message{places_[p].name, places_[p].from, places_[p].to, places_[p].body};
    };
    for (const std::uint32_t p : rule.takes) {
      if (places_[p].message) result.received.push_back(message(p));
    }
    for (const std::uint32_t p : rule.gives) {
      if (places_[p].message) result.sent.push_back(message(p));
    }
    return result;
  }
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override {
    std::vector<trace::Field> fields;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      fields.push_back({places_[p].to, places_[p].name, std::to_string(state[p] - 1)});
    }
    return fields;
  }
  std::vector<trace::Field> describe_property(std::size_t, std::span<const Slot> state) const override {
    return describe_state(state);
  }
  std::size_t bytes() const override { return 0; }

 private:
  static Marking marking(std::span<const Slot> state) {
    Marking result;
    for (const Slot slot : state) result.push_back(slot - 1);
    return result;
  }

  std::vector<ToyPlace> places_;
  std::vector<ToyRule> rules_;
  std::vector<trace::Lane> lanes_;
  std::vector<Property> properties_;
  std::vector<Predicate> predicates_;
};

}  // namespace heddle::explain
