// Properties of global states: evaluates predicates through a view that records reads, and whether the history slot is
// linearizable, sequentially consistent or serializable.
#include "actor/state_view.h"
#include "actor/system.h"

namespace heddle::actor {

namespace {

// The values of run_predicate.
enum Verdict : std::uint32_t { False, True, Asserted };

// A predicate that crashed did so in a child process. Nobody knows what it had read, so its verdict cannot be kept.
struct PredicateCrashed {};

}  // namespace

std::optional<UserFailure> System::try_predicate(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads,
                                                 bool& holds) const {
  const detail::PropertyInfo& property = model_.properties()[i];
  try {
    return run_user_code({"property", property.name},
                         [&] { holds = property.predicate(StateView(*this, state, reads)); });
  } catch (const NotSymmetric&) {
    throw;
  } catch (const UserCodeFailed&) {
    throw;
  } catch (const ModelError& e) {  // what a property asks for is not there
    throw ModelError("property '" + property.name + "': " + e.what());
  } catch (const std::exception& e) {
    return UserFailure{.what = "threw: " + one_line(e.what())};
  } catch (...) {
    return UserFailure{.what = "threw something that is no std::exception"};
  }
}

// A failed assertion makes a property false that must hold always or in final states.
bool System::false_by_assertion(std::size_t property) const {
  return properties_[property].kind == Property::Kind::Always || properties_[property].of_final_states();
}

// A failure is a failure of the model, unless it is an assertion that makes the property false.
std::uint32_t System::run_predicate(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads) const {
  bool holds = false;
  const std::optional<UserFailure> failure = try_predicate(i, state, reads, holds);
  if (!failure) {
    if (predicates_sample_.wants(i)) audit_predicate(i, state, holds);
    return holds ? True : False;
  }
  const detail::PropertyInfo& property = model_.properties()[i];
  const bool assertion = failure->kind == UserFailure::Kind::Assertion;
  if (assertion && false_by_assertion(i)) return False;
  const std::string what = "property '" + property.name + "' " + (assertion ? "failed: " : "") + failure->what;
  // Bounds and properties of final states are evaluated where a failure could not be reported as a violation.
  if (properties_[i].kind == Property::Kind::Bound || properties_[i].of_final_states()) throw ModelError(what);
  if (failure_slot_ == 0) throw UserCodeFailed(what);
  if (!assertion) throw PredicateCrashed{};
  return Asserted;
}

// The value of a predicate can change only if something it read has changed. What any predicate has read so far
// is a superset of what was read in `from`.
bool System::may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const {
  // Steps with calls depend on each other (relations.cpp). So a call does to the object here what it does after
  // any steps that a reduction may put before it, and a call that is accepted is not visible.
  const auto seen = [&](const Change& c) {
    return (c.slot == history_slot_ && history_slot_ != 0) ||
           (c.slot == object_slot_ && object_slot_ != 0 && object_->rejected(c.value));
  };
  if ((history_slot_ | object_slot_) != 0 && std::any_of(changes.begin(), changes.end(), seen)) return true;
  return may_change_in_passing(from, changes);
}

// A change of the history need not be seen in passing if real time counts. Linearizability is closed under prefixes: if a
// history is not linearizable, no continuation of it is. Without real time, a later operation can explain an earlier
// answer. Nor does an object take back the rejection of a call.
bool System::may_change_in_passing(std::span<const Slot> from, std::span<const Change> changes) const {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& c) {
    return predicates_->reads_differ(c.slot, from[c.slot], c.value) ||
           (failure_slot_ != 0 && c.slot == failure_slot_) || (passing_history_ && c.slot == history_slot_);
  });
}

std::uint64_t System::evaluate(std::span<const Slot> state, std::uint64_t which) const {
  if (failed(state)) [[unlikely]]
    return truth_after_failure(state[failure_slot_]);
  std::uint64_t truth = 0, failures = 0;
  const std::size_t predicates = model_.properties().size();
  for (std::size_t i = 0; i < predicates; ++i) {
    if ((which >> i & 1) == 0) continue;
    // A property whose code fails here counts neither as violated nor as reached.
    const auto failed_in = [&](UserFailure::Kind kind) {
      failures |= failure_bit(kind);
      truth |= std::uint64_t{properties_[i].kind != Property::Kind::Sometimes} << i;
    };
    try {
      const std::uint32_t value = predicates_->value_of(i, state);
      if (value <= True) {
        truth |= static_cast<std::uint64_t>(value) << i;
      } else {
        failed_in(UserFailure::Kind::Assertion);
      }
    } catch (const PredicateCrashed&) {
      failed_in(UserFailure::Kind::Crash);
    }
  }
  for (std::size_t s = 0; s < model_.specifications().size(); ++s) {
    if ((which >> (predicates + s) & 1) == 0) continue;
    const bool holds = history_slot_ == 0 || histories_.admitted(state[history_slot_], s, model_.specifications()[s]);
    truth |= static_cast<std::uint64_t>(holds) << (predicates + s);
  }
  if (object_slot_ != 0) {
    truth |= static_cast<std::uint64_t>(!object_->rejected(state[object_slot_])) << refinement_property();
  }
  if (failure_slot_ != 0) {
    truth |= failure_bit(UserFailure::Kind::Assertion) | failure_bit(UserFailure::Kind::Crash);
  }
  return truth & ~failures;
}

}  // namespace heddle::actor
