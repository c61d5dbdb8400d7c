// Forgetting auxiliary data (heddle/auxiliary.h). With ActorOptions::forget_auxiliary every content is stripped before it gets a
// number, so that a state never holds any and the hot loop knows nothing of it. Without, a state can be stripped afterwards.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {

std::uint32_t System::intern_local(Kind& kind, std::string_view bytes) const {
  if (options_.forget_auxiliary && kind.info->forget != nullptr) return kind.locals.intern(kind.info->forget(bytes));
  return kind.locals.intern(bytes);
}

std::uint32_t System::intern_ghost(std::string_view bytes) const {
  const detail::TypeInfo& type = *model_.ghost_info()->info;
  if (options_.forget_auxiliary && type.forget != nullptr) return ghosts_.intern(type.forget(bytes));
  return ghosts_.intern(bytes);
}

bool System::forget_auxiliary(SlotVector& state) const {
  if (options_.forget_auxiliary) return false;
  const SlotVector before = state;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (state[p] == 0) continue;
    Kind& kind = *processes_[p].kind;
    state[p] = kind.forgotten.get(state[p], 1, [&] {
      std::uint32_t local = local_of(p, state[p]);
      if (kind.info->forget != nullptr) {
        local = kind.locals.intern(kind.info->forget(kind.locals.content(local & ~crashed))) | (local & crashed);
      }
      const auto entries = inboxes_[inbox_of(p, state[p])];
      std::vector<std::uint32_t> stripped(entries.begin(), entries.end());
      for (std::uint32_t& entry : stripped) {
        const Messages::Record m = messages_[entry & ~Inboxes::delivered];
        if (m.type->forget == nullptr) continue;
        entry = messages_.intern(m.type, m.sender, m.type->forget(m.bytes())) | (entry & Inboxes::delivered);
      }
      return make_cell(p, local, inboxes_.intern(std::move(stripped)));
    });
  }
  if (ghost_slot_ != 0 && model_.ghost_info()->info->forget != nullptr) {
    state[ghost_slot_] = ghosts_.intern(model_.ghost_info()->info->forget(ghosts_.content(state[ghost_slot_])));
  }
  return state != before;
}

}  // namespace heddle::actor
