// Properties of global states: predicates through a recording view, and linearizability of the history slot.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {

// Shows a predicate one state and notes what it looks at.
class StateView final : public View {
 public:
  StateView(const System& system, std::span<const Slot> state, std::vector<Read>& reads)
      : View(system.model_.run()), system_(system), state_(state), reads_(reads) {}

 private:
  void note(Read read) const {
    if (std::find(reads_.begin(), reads_.end(), read) == reads_.end()) reads_.push_back(read);
  }
  std::vector<std::size_t> members(const RoleInfo* info) const override {
    std::vector<std::size_t> out;
    for (std::uint32_t p = 0; p < system_.processes_.size(); ++p) {
      if (system_.processes_[p].info->info != info || system_.processes_[p].byzantine) continue;
      if (system_.may_be_absent_) note({p, Read::Part::Present});
      if (state_[p] != 0) out.push_back(p);
    }
    return out;
  }
  std::size_t process(const detail::RoleTag* role, std::uint16_t index) const override {
    return system_.process_named(role, index);
  }
  std::uint16_t index(std::size_t process) const override { return system_.processes_[process].info->index; }
  std::string_view local(std::size_t process) const override {
    const auto p = static_cast<std::uint32_t>(process);
    note({p, Read::Part::Local});
    if (state_[p] == 0) throw ModelError("a property reads " + system_.lane_name(p) + ", which does not exist then");
    return system_.local_bytes(p, state_[p]);
  }
  std::vector<detail::Bytes> messages(const detail::TypeInfo* type) const override {
    std::vector<detail::Bytes> out;
    for (std::uint32_t p = 0; p < system_.processes_.size(); ++p) {
      note({p, Read::Part::Inbox});
      if (state_[p] == 0) continue;
      for (const std::uint32_t entry : system_.inboxes_[system_.inbox_of(p, state_[p])]) {
        const Messages::Record& m = system_.messages_[entry & ~Inboxes::delivered];
        if (m.type == type) out.push_back(type->forget == nullptr ? detail::Bytes(m.bytes()) : type->forget(m.bytes()));
      }
    }
    // Which number a message got is an accident; a predicate must not depend on it. Nor on auxiliary data: of messages in a soup
    // that differ in nothing else there is one.
    std::sort(out.begin(), out.end());
    if (type->forget != nullptr && system_.model_.network.order == Network::Order::Soup) {
      out.erase(std::unique(out.begin(), out.end()), out.end());
    }
    return out;
  }
  std::string_view ghost_bytes() const override {
    if (system_.ghost_slot_ == 0) throw ModelError("a property reads the ghost variable, but the model has none");
    note({system_.ghost_slot_, Read::Part::Whole});
    return system_.ghosts_.content(state_[system_.ghost_slot_]);
  }

  const System& system_;
  std::span<const Slot> state_;
  std::vector<Read>& reads_;
};

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
  const auto history = [&](const Change& c) { return c.slot == history_slot_ && history_slot_ != 0; };
  return std::any_of(changes.begin(), changes.end(), history) || may_change_briefly(from, changes);
}

// Linearizability is closed under prefixes: a history that is not linearizable has no continuation that is.
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
  return truth;
}

}  // namespace heddle::actor
