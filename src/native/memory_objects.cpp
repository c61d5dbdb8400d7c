// The life of objects: a thread makes and frees them, their scopes begin and end, and they are published when somebody
// else may come to name them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "native/memory.h"
#include "native/mentions.h"

namespace heddle::native {
namespace {

// What a new object contains: undefined bits are 0 (shadow.h).
void make_indeterminate(Object& object, std::size_t size) {
  object.bytes.assign(size, '\0');
  object.undefined.assign(size, '\xFF');
}

void end_object(Object& object) {
  object.freed = true;
  object.bytes.clear();
  object.undefined.clear();
}

std::string_view maker(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::Malloc:
      return "malloc";
    case ObjectKind::New:
      return "new";
    case ObjectKind::NewArray:
      return "new[]";
    default:
      return "";
  }
}

std::string_view remover(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::New:
      return "delete";
    case ObjectKind::NewArray:
      return "delete[]";
    default:
      return "free";
  }
}

}  // namespace

std::uint32_t Memory::free_index(bool heap) {
  std::uint32_t& next = next_index_[heap ? 0 : 1];
  const auto used = [&](std::uint32_t index) {
    return (index < by_index_.size() && by_index_[index] != nullptr) || is_published(index);
  };
  const auto search = [&] {
    while (next < Label::max_index && used(next)) next += 2;
    return next < Label::max_index;
  };
  if (search()) return next;
  collect();
  next = heap ? 0 : 1;
  if (search()) return next;
  throw Fault{Failure::Unsupported, fmt::format("a thread has more than {} objects on the {}", Label::max_index / 2,
                                                heap ? "heap" : "stack")};
}

// Forgets freed private objects that nothing mentions, in the middle of a run: all registers count as live. A function
// of the thread's state, like everything that decides on names.
void Memory::collect() {
  std::vector<bool> mentioned(by_index_.size());
  std::vector<std::uint32_t> work;
  const auto mention = [&](Label label) {
    if (private_object(label) == nullptr || mentioned[label.index]) return;
    mentioned[label.index] = true;
    work.push_back(label.index);
  };
  for (const Frame& frame : thread_.frames) {
    const auto* const bytes = reinterpret_cast<const char*>(frame.registers.data());
    for_each_mention({bytes, frame.registers.size() * sizeof(Word)}, mention);
  }
  for (const auto& [index, object] : thread_.objects) {
    if (!object.freed) mention({thread_.self, index});
  }
  while (!work.empty()) {
    const std::uint32_t index = work.back();
    work.pop_back();
    for_each_mention(by_index_[index]->bytes, mention);
  }
  std::erase_if(thread_.objects, [&](const auto& entry) {
    if (mentioned[entry.first]) return false;
    by_index_[entry.first] = nullptr;
    return true;
  });
  for (Frame& frame : thread_.frames) {
    std::erase_if(frame.stack_objects,
                  [&](std::uint32_t index) { return by_index_[index] == nullptr && !is_published(index); });
  }
}

Site Memory::site_of_allocation(ObjectKind kind) const {
  if (kind == ObjectKind::ThreadLocal) return {};  // thread_local_copy() says which
  if (kind == ObjectKind::Stack || !image_.functions[function].library) return {function, at};
  const auto user = std::find_if(thread_.frames.rbegin(), thread_.frames.rend(),
                                 [&](const Frame& frame) { return !image_.functions[frame.function].library; });
  return user == thread_.frames.rend() ? Site{function, at} : Site{user->function, user->at};
}

// Where it says `new T`, which may be in a library.
std::uint32_t Memory::type_of_allocation(ObjectKind kind) const {
  if (kind == ObjectKind::ThreadLocal) return none;
  if (kind == ObjectKind::Stack) return image_.functions[function].made_type(at);
  for (auto frame = thread_.frames.rbegin(); frame != thread_.frames.rend(); ++frame) {
    const std::uint32_t type = image_.functions[frame->function].made_type(frame->at);
    if (type != none || !image_.functions[frame->function].library) return type;
  }
  return none;
}

Word Memory::allocate(ObjectKind kind, std::uint64_t size) {
  if (size > Label::max_size) {
    throw Fault{Failure::Unsupported,
                fmt::format("an object of {} bytes; at most {} are supported", size, Label::max_size)};
  }
  const std::uint32_t index = free_index(kind != ObjectKind::Stack && kind != ObjectKind::ThreadLocal);
  Object& object = thread_.objects[index];
  object = {kind, false, {}, {}, site_of_allocation(kind), type_of_allocation(kind)};
  make_indeterminate(object, size);
  if (index >= by_index_.size()) by_index_.resize(index + 1);
  by_index_[index] = &object;
  return Label{thread_.self, index}.pointer();
}

Memory::Target Memory::start_of(Word pointer, std::string_view what) {
  if (!Label::is_pointer(pointer) || pointer >> 48 != 0) no_pointer(pointer, what);
  Target target;
  target.label = Label::of(pointer);
  target.where = where(pointer);
  target.object = find(target.label, target.where);
  if (target.object == nullptr) no_object(pointer, what);
  const Object& object = *target.object;
  if (maker(object.kind).empty()) {
    throw Fault{Failure::Memory, fmt::format("{} of {}", what, describe(target.label, object))};
  }
  if (object.freed) {
    target.size = 1;
    record(target, false, Use::Write);
    throw Fault{Failure::Memory, fmt::format("{} of a heap object that was already freed", what), target.label};
  }
  if (Label::offset(pointer) != 0) {
    throw Fault{Failure::Memory,
                fmt::format("{} of a pointer to offset {} of a heap object", what, Label::offset(pointer))};
  }
  target.size = static_cast<std::uint32_t>(object.bytes.size());
  return target;
}

void Memory::free(Word pointer, ObjectKind kind) {
  if (pointer == 0) return;
  const Target target = start_of(pointer, remover(kind));
  if (target.object->kind != kind) {
    throw Fault{Failure::Memory,
                fmt::format("{} of an object that was made by {}", remover(kind), maker(target.object->kind))};
  }
  Object& object = to_change(target);
  end_object(object);
  if (target.where == Where::Shared) {
    world_.access({target.label, 0, target.size, SharedAccess::Kind::Free, function, at});
  }
}

std::uint32_t Memory::size_of(Word pointer) { return start_of(pointer, "realloc").size; }

Word Memory::thread_local_copy(std::uint32_t global) {
  if (const auto found = thread_.locals.find(global); found != thread_.locals.end()) {
    return Label{thread_.self, found->second}.pointer();
  }
  const Global& original = image_.globals[global];
  need_definition(global);
  const Word pointer = allocate(ObjectKind::ThreadLocal, original.size);
  const std::uint32_t index = Label::of(pointer).index;
  by_index_[index]->undefined.clear();
  by_index_[index]->type = original.type;
  by_index_[index]->made.at = global;
  std::copy(original.bytes.begin(), original.bytes.end(), by_index_[index]->bytes.begin());
  thread_.locals.emplace(global, index);
  return pointer;
}

std::optional<Memory::Target> Memory::stack_object(Word pointer) {
  if (!Label::is_pointer(pointer)) return std::nullopt;
  const Label label = Label::of(pointer);
  const Where place = where(pointer);
  const Object* const object = find(label, place);
  if (object == nullptr || object->kind != ObjectKind::Stack || place == Where::Constant) return std::nullopt;
  return Target{place, label, 0, static_cast<std::uint32_t>(object->bytes.size()), object};
}

void Memory::begin_lifetime(Word pointer) {
  const std::optional<Target> target = stack_object(pointer);
  if (!target) return;
  Object& changed = to_change(*target);
  changed.freed = false;
  make_indeterminate(changed, target->size);
  record(*target, false, Use::Write);
}

void Memory::end_lifetime(Word pointer) {
  const std::optional<Target> target = stack_object(pointer);
  if (!target) return;
  Object& changed = to_change(*target);
  end_object(changed);
  changed.bytes.assign(target->size, '\0');
  if (target->where == Where::Shared) {
    world_.access({target->label, 0, target->size, SharedAccess::Kind::Free, function, at});
  }
}

void Memory::drop(std::uint32_t index) {
  const Label label{thread_.self, index};
  Object* object = private_object(label);
  if (object == nullptr) {
    const Object* const shared = world_.object(label);
    if (shared == nullptr) return;
    const auto size = static_cast<std::uint32_t>(shared->bytes.size());
    object = &world_.change(label);
    end_object(*object);
    world_.access({label, 0, size, SharedAccess::Kind::Free, function, at});
    return;
  }
  end_object(*object);
}

void Memory::publish(Word word) {
  if (Label::is_pointer(word)) publish(std::vector<Label>{Label::of(word)});
}

void Memory::publish(std::vector<Label> found) {
  while (!found.empty()) {
    const Label label = found.back();
    found.pop_back();
    if (private_object(label) == nullptr) continue;
    for_each_mention(by_index_[label.index]->bytes, [&](Label inner) { found.push_back(inner); });
    by_index_[label.index] = nullptr;
    if (label.index >= published_.size()) published_.resize(label.index + 1);
    published_[label.index] = true;
    thread_.published.insert(std::ranges::lower_bound(thread_.published, label.index), label.index);
    auto node = thread_.objects.extract(label.index);
    world_.publish(label, std::move(node.mapped()));
  }
}

// Every window that overlaps what was written: a pointer may have been completed by its last byte.
void Memory::publish_written(const Target& target) {
  const Object* const object = world_.object(target.label);
  const std::size_t first = target.offset < 7 ? 0 : target.offset - 7;
  const std::size_t last = std::min<std::size_t>(object->bytes.size(), std::size_t{target.offset} + target.size + 7);
  std::vector<Label> found;
  for_each_mention(std::string_view(object->bytes).substr(first, last - first), [&](Label label) {
    if (private_object(label) != nullptr) found.push_back(label);
  });
  publish(std::move(found));
}

}  // namespace heddle::native
