// Fires transitions on slots that are markings plus one, and describes places as fields.
#include "net/net_system.h"

#include <algorithm>
#include <map>

#include "net/net_relations.h"

namespace heddle::net {
namespace {

constexpr std::size_t growth_lines = 5;

void raise_to(std::atomic<Slot>& peak, Slot value) {
  Slot seen = peak.load(std::memory_order_relaxed);
  while (seen < value && !peak.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

[[noreturn]] void throw_overflow(const std::string& place, const std::string& transition) {
  throw ModelError("place '" + place + "' would hold more than 4294967294 tokens after transition '" + transition +
                   "'; limit the search with 'bound " + place + " N'");
}

std::size_t bytes_of(const Formula& formula) {
  std::size_t total = sizeof(Formula) + (formula.left.terms.size() + formula.right.terms.size()) * sizeof(Sum::Term);
  for (const Formula& operand : formula.operands) total += bytes_of(operand);
  return total;
}

}  // namespace

NetSystem::NetSystem(Net net) : net_(std::move(net)), watched_(net_.places.size()), peaks_(net_.places.size()) {
  validate(net_);
  for (const NetProperty& property : net_.properties) {
    properties_.push_back({property.name, property.kind});
    for (const std::uint32_t place : places_of(property.formula)) watched_[place] = true;
  }
  for (const Transition& transition : net_.transitions) {
    std::map<std::uint32_t, Effect> by_place;
    for (const Arc& arc : transition.inputs) by_place[arc.place] = {arc.place, -std::int64_t{arc.weight}, true};
    for (const Arc& arc : transition.outputs) {
      by_place.try_emplace(arc.place, Effect{arc.place, 0, false}).first->second.tokens += arc.weight;
    }
    std::vector<Effect>& effects = effects_.emplace_back();
    for (const auto& [place, effect] : by_place) effects.push_back(effect);
  }
  for (std::size_t i = 0; i < peaks_.size(); ++i) peaks_[i].store(net_.places[i].tokens + 1, std::memory_order_relaxed);
}

std::vector<SlotVector> NetSystem::initial_states() const {
  SlotVector initial;
  for (const Place& place : net_.places) initial.push_back(place.tokens + 1);
  return {initial};
}

void NetSystem::expand(std::span<const Slot> state, StepBuffer& out) const {
  for (std::uint32_t t = 0; t < net_.transitions.size(); ++t) {
    const auto suffices = [&](const Arc& arc) { return state[arc.place] > arc.weight; };
    if (!std::ranges::all_of(net_.transitions[t].inputs, suffices)) continue;
    out.begin({t, 0});
    for (const Effect& effect : effects_[t]) {
      if (effect.tokens == 0) continue;
      const std::int64_t tokens = std::int64_t{state[effect.place]} - 1 + effect.tokens;
      if (tokens > max_tokens) throw_overflow(net_.places[effect.place].name, net_.transitions[t].name);
      const Slot value = static_cast<Slot>(tokens + 1);
      out.change(effect.place, value);
      raise_to(peaks_[effect.place], value);
    }
  }
}

void NetSystem::footprint(std::span<const Slot>, Step step, std::vector<Access>& out) const {
  using Kind = Access::Kind;
  for (const Effect& effect : effects_[step.transition]) {
    out.push_back({effect.place, !effect.is_input ? Kind::Append : effect.tokens == 0 ? Kind::Read : Kind::Write});
  }
}

std::uint64_t NetSystem::evaluate(std::span<const Slot> state, std::uint64_t which) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < net_.properties.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if ((which & bit) != 0 && holds(net_.properties[i].formula, state)) bits |= bit;
  }
  return bits;
}

bool NetSystem::may_change_truth(std::span<const Slot>, std::span<const Change> changes) const {
  return std::ranges::any_of(changes, [&](const Change& change) { return watched_[change.slot]; });
}

const Relations& NetSystem::relations() const {
  std::call_once(relations_made_, [&] {
    relations_ = std::make_unique<Relations>(relations_of(net_));
    only_filler_ = only_fillers(net_);
  });
  return *relations_;
}

void NetSystem::awaiting(std::span<const Slot> state, BitSet& pairs) const {
  pairs.clear();
  for (std::size_t k = 0; k < relations().net.size(); ++k) {
    const auto [t, u] = relations_->net[k];
    const bool lacks = std::ranges::any_of(net_.transitions[t].inputs, [&](const Arc& arc) {
      return state[arc.place] <= arc.weight && only_filler_[arc.place] == u;
    });
    if (lacks) pairs.set(k);
  }
}

trace::Field NetSystem::field(std::uint32_t place, std::span<const Slot> state) const {
  return {0, net_.places[place].name, std::to_string(state[place] - 1)};
}

trace::Step NetSystem::describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const {
  trace::Step result;
  result.name = transition_name(step.transition);
  for (const Effect& effect : effects_[step.transition]) {
    if (from[effect.place] == to[effect.place]) continue;
    trace::Field before = field(effect.place, from);
    result.diffs.push_back({0, std::move(before.name), std::move(before.value), field(effect.place, to).value});
  }
  return result;
}

std::vector<trace::Field> NetSystem::describe_state(std::span<const Slot> state) const {
  std::vector<trace::Field> fields;
  fields.reserve(net_.places.size());
  for (std::uint32_t place = 0; place < net_.places.size(); ++place) fields.push_back(field(place, state));
  return fields;
}

std::vector<trace::Field> NetSystem::describe_property(std::size_t index, std::span<const Slot> state) const {
  std::vector<trace::Field> fields;
  if (net_.properties[index].kind == Property::Kind::DeadlockFree) {
    for (std::uint32_t place = 0; place < net_.places.size(); ++place) {
      if (state[place] > 1) fields.push_back(field(place, state));
    }
  } else {
    for (const std::uint32_t place : places_of(net_.properties[index].formula)) fields.push_back(field(place, state));
  }
  return fields;
}

std::vector<MissingStep> NetSystem::missing_steps(std::span<const Slot> state) const {
  std::vector<MissingStep> missing;
  for (const Transition& transition : net_.transitions) {
    for (const Arc& arc : transition.inputs) {
      if (state[arc.place] > arc.weight) continue;
      missing.push_back({0, transition.name,
                         "place " + net_.places[arc.place].name + " has " + std::to_string(state[arc.place] - 1) +
                             " of " + std::to_string(arc.weight) + (arc.weight == 1 ? " token" : " tokens")});
      break;
    }
  }
  return missing;
}

std::vector<std::string> NetSystem::growth() const {
  struct Peak {
    std::uint32_t tokens;
    std::size_t place;
  };
  std::vector<Peak> grown;
  for (std::size_t i = 0; i < peaks_.size(); ++i) {
    const std::uint32_t tokens = peaks_[i].load(std::memory_order_relaxed) - 1;
    if (tokens > net_.places[i].tokens) grown.push_back({tokens, i});
  }
  std::ranges::sort(grown, [](const Peak& a, const Peak& b) {
    return a.tokens != b.tokens ? a.tokens > b.tokens : a.place < b.place;
  });
  if (grown.size() > growth_lines) grown.resize(growth_lines);
  std::vector<std::string> lines;
  for (const Peak& peak : grown) {
    const Place& place = net_.places[peak.place];
    lines.push_back("place '" + place.name + "' held up to " + std::to_string(peak.tokens) +
                    (peak.tokens == 1 ? " token" : " tokens") + ", at the start " + std::to_string(place.tokens));
  }
  return lines;
}

std::size_t NetSystem::bytes() const {
  std::size_t total = sizeof(*this) + peaks_.size() * (sizeof(Slot) + sizeof(Place)) + watched_.capacity() / 8;
  for (const Place& place : net_.places) total += place.name.capacity();
  for (const Transition& transition : net_.transitions) {
    total +=
        sizeof(Transition) + (transition.inputs.size() + transition.outputs.size()) * (sizeof(Arc) + sizeof(Effect));
  }
  for (const NetProperty& property : net_.properties) total += bytes_of(property.formula);
  return total;
}

}  // namespace heddle::net
