// Shows a global state to properties and annotations (heddle::View), and notes what they look at.
//
// Not thread-safe: made for one evaluation.
#pragma once

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "actor/system.h"

namespace heddle::actor {

class StateView : public View {
 public:
  // What is read of slot s is noted as a read of slot s + offset.
  StateView(const System& system, std::span<const Slot> state, std::vector<Read>& reads, std::uint32_t offset = 0)
      : View(system.model_.run()), system_(system), state_(state), reads_(reads), offset_(offset) {}
  virtual ~StateView() = default;

 private:
  // Returns the value of this part of a slot; 0 where the process does not exist.
  virtual std::uint32_t value(Read read) const {
    const Slot slot = state_[read.slot];
    if (read.part == Read::Part::Present) return slot != 0 ? 1 : 0;
    if (read.part == Read::Part::Whole || slot == 0) return slot;
    if (read.part == Read::Part::Up) return (system_.local_of(read.slot, slot) & crashed) == 0 ? 1 : 0;
    return read.part == Read::Part::Local ? system_.local_of(read.slot, slot) : system_.inbox_of(read.slot, slot);
  }
  std::uint32_t look(Read read) const {
    const Read noted{read.slot + offset_, read.part};
    if (std::find(reads_.begin(), reads_.end(), noted) == reads_.end()) reads_.push_back(noted);
    return value(read);
  }
  std::vector<std::size_t> members(const RoleInfo* info) const override {
    std::vector<std::size_t> out;
    for (std::uint32_t p = 0; p < system_.processes_.size(); ++p) {
      if (system_.processes_[p].info->info != info || system_.processes_[p].byzantine) continue;
      if (!system_.may_be_absent_ || look({p, Read::Part::Present}) != 0) out.push_back(p);
    }
    return out;
  }
  std::size_t process(const detail::RoleTag* role, std::uint16_t index) const override {
    return system_.process_named(role, index);
  }
  std::uint16_t index(std::size_t process) const override { return system_.processes_[process].info->index; }
  std::string_view local(std::size_t process) const override {
    const auto p = static_cast<std::uint32_t>(process);
    const std::uint32_t local = look({p, Read::Part::Local});
    if (local == 0) throw ModelError("a property reads " + system_.lane_name(p) + ", which does not exist then");
    return system_.processes_[p].kind->locals.content(local & ~crashed);
  }
  bool running(std::size_t process) const override {
    return look({static_cast<std::uint32_t>(process), Read::Part::Up}) != 0;
  }
  std::vector<detail::Bytes> messages(const detail::TypeInfo* type) const override {
    // Each body comes with sender and receiver: messages are equal only if all three are.
    std::vector<std::tuple<detail::Bytes, std::uint32_t, std::uint32_t>> found;
    system_.stop_dropping();  // properties that look at messages would miss the dead ones
    for (std::uint32_t p = 0; p < system_.processes_.size(); ++p) {
      const InboxNumber inbox = look({p, Read::Part::Inbox});
      if (inbox == 0) continue;
      for (const std::uint32_t entry : system_.inboxes_[inbox]) {
        const Messages::Record& m = system_.messages_[entry & ~Inboxes::delivered];
        if (m.type != type) continue;
        found.emplace_back(type->forget == nullptr ? detail::Bytes(m.bytes()) : type->forget(m.bytes()), m.sender, p);
      }
    }
    // A predicate must not depend on the numbers of messages, which are accidental. Nor must it depend on
    // auxiliary data: messages of a soup that differ in nothing else count once.
    std::sort(found.begin(), found.end());
    if (type->forget != nullptr && system_.model_.network.order == Network::Order::Soup) {
      found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    std::vector<detail::Bytes> out;
    for (auto& message : found) out.push_back(std::move(std::get<0>(message)));
    return out;
  }
  std::string_view ghost_bytes() const override {
    if (system_.ghost_slot_ == 0) throw ModelError("it reads the ghost variable, but the model has none");
    return system_.ghosts_.content(look({system_.ghost_slot_, Read::Part::Whole}));
  }

  const System& system_;
  std::span<const Slot> state_;
  std::vector<Read>& reads_;
  const std::uint32_t offset_;
};

}  // namespace heddle::actor
