// Forgets auxiliary data (heddle/auxiliary.h). With ActorOptions::forget_auxiliary every content is stripped
// before it gets a number, so no state holds auxiliary data and the hot loop need not know of it. Without that
// option, a state can be stripped afterwards.
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

// Applies the functions to every content of a state. They take (kind, bytes), (message) and (bytes), and return bytes.
template <class Local, class Message, class GhostContent>
void System::rewrite(SlotVector& state, Local&& local, Message&& message, GhostContent&& ghost) const {
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (state[p] == 0) continue;
    Kind& kind = *processes_[p].kind;
    const std::uint32_t old = local_of(p, state[p]);
    const std::uint32_t fresh = kind.locals.intern(local(kind, kind.locals.content(old & ~crashed)));
    const auto entries = inboxes_[inbox_of(p, state[p])];
    std::vector<std::uint32_t> rewritten(entries.begin(), entries.end());
    for (std::uint32_t& entry : rewritten) {
      const Messages::Record m = messages_[entry & ~Inboxes::delivered];
      entry = messages_.intern(m.type, m.sender, message(m)) | (entry & Inboxes::delivered);
    }
    state[p] = make_cell(p, fresh | (old & crashed), inboxes_.intern(std::move(rewritten)));
  }
  if (ghost_slot_ != 0) state[ghost_slot_] = ghosts_.intern(ghost(ghosts_.content(state[ghost_slot_])));
}

bool System::forget_auxiliary(SlotVector& state) const {
  if (options_.forget_auxiliary) return false;
  const SlotVector before = state;
  const auto strip = [](detail::Forget forget, std::string_view bytes) {
    return forget == nullptr ? detail::Bytes(bytes) : forget(bytes);
  };
  rewrite(
      state, [&](const Kind& kind, std::string_view bytes) { return strip(kind.info->forget, bytes); },
      [&](const Messages::Record& m) { return strip(m.type->forget, m.bytes()); },
      [&](std::string_view bytes) { return strip(model_.ghost_info()->info->forget, bytes); });
  return state != before;
}

std::vector<System::Part> System::all_parts() const {
  std::vector<Part> out;
  std::vector<const detail::TypeInfo*> types;
  const auto add = [&](const Kind* kind, const detail::TypeInfo* type, std::string_view owner,
                       const detail::PartsInfo& parts) {
    for (const auto& [name, position] : parts.fields) {
      out.push_back({kind, type, position, std::string(owner) + "." + std::string(name)});
    }
  };
  const auto add_type = [&](const detail::TypeInfo* type, std::string_view owner) {
    if (type == nullptr || std::find(types.begin(), types.end(), type) != types.end()) return;
    types.push_back(type);
    add(nullptr, type, owner, type->parts);
  };
  for (const auto& kind : kinds_) add(kind.get(), nullptr, kind->info->name, kind->info->parts);
  if (model_.ghost_info()) add_type(model_.ghost_info()->info, "ghost");
  for (const auto& kind : kinds_) {
    for (const TransitionInfo& t : kind->info->transitions) {
      for (const detail::SendInfo& send : t.sends) add_type(send.type, send.type->name);
    }
  }
  return out;
}

std::vector<std::string> System::parts() const {
  std::vector<std::string> names;
  for (const Part& part : all_parts()) names.push_back(part.name);
  return names;
}

void System::forget_part(std::size_t part, SlotVector& state) const {
  const Part p = all_parts().at(part);
  const auto reset = [&](bool applies, const detail::PartsInfo& parts, std::string_view bytes) {
    return applies ? parts.without(bytes, p.position) : detail::Bytes(bytes);
  };
  rewrite(
      state, [&](const Kind& kind, std::string_view bytes) { return reset(&kind == p.kind, kind.info->parts, bytes); },
      [&](const Messages::Record& m) { return reset(m.type == p.type, m.type->parts, m.bytes()); },
      [&](std::string_view bytes) {
        const detail::TypeInfo* ghost = model_.ghost_info()->info;
        return reset(ghost == p.type, ghost->parts, bytes);
      });
}

}  // namespace heddle::actor
