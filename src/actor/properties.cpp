// Properties of global states: predicates through a recording view, and linearizability of the history slot.
#include "actor/state_view.h"
#include "actor/system.h"

namespace heddle::actor {

bool System::run_predicate(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads) const {
  const detail::PropertyInfo& property = model_.properties()[i];
  try {
    return property.predicate(StateView(*this, state, reads));
  } catch (const ModelError&) {
    throw;
  } catch (const std::exception& e) {
    throw ModelError("property '" + property.name + "' threw: " + e.what());
  }
}

// A predicate's value can change only if something it read has changed. What any predicate has read so far is a superset of
// what was read in `from`.
bool System::may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const {
  // Steps with calls depend on each other (relations.cpp), so what a call does to the object here it does after any steps that a
  // reduction may put before it: a call that is accepted is not visible.
  const auto seen = [&](const Change& c) {
    return (c.slot == history_slot_ && history_slot_ != 0) ||
           (c.slot == monitor_slot_ && monitor_slot_ != 0 && monitor_->rejected(c.value));
  };
  return std::any_of(changes.begin(), changes.end(), seen) || may_change_briefly(from, changes);
}

// Linearizability is closed under prefixes: a history that is not linearizable has no continuation that is. Nor does an object that
// has rejected a call take it back.
bool System::may_change_briefly(std::span<const Slot> from, std::span<const Change> changes) const {
  return std::any_of(changes.begin(), changes.end(),
                     [&](const Change& c) { return predicates_->reads_differ(c.slot, from[c.slot], c.value); });
}

std::uint64_t System::evaluate(std::span<const Slot> state, std::uint64_t which) const {
  std::uint64_t truth = 0;
  const std::size_t predicates = model_.properties().size();
  for (std::size_t i = 0; i < predicates; ++i) {
    if ((which >> i & 1) != 0) truth |= static_cast<std::uint64_t>(predicates_->holds(i, state)) << i;
  }
  for (std::size_t s = 0; s < model_.specifications().size(); ++s) {
    if ((which >> (predicates + s) & 1) == 0) continue;
    const bool holds =
        history_slot_ == 0 || histories_.linearizable(state[history_slot_], s, model_.specifications()[s]);
    truth |= static_cast<std::uint64_t>(holds) << (predicates + s);
  }
  if (monitor_slot_ != 0) {
    truth |= static_cast<std::uint64_t>(!monitor_->rejected(state[monitor_slot_])) << (properties_.size() - 1);
  }
  return truth;
}

}  // namespace heddle::actor
