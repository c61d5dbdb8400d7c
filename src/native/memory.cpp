// Finds the object of a pointer, checks bounds, life and shadow, and asks World for what is shared.
#include "native/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "native/places.h"

namespace heddle::native {
namespace {

constexpr Word first_address = 4096;  // smaller ones are null with an offset

void set_shadow(Object& object, std::uint32_t offset, std::uint32_t size, const void* undefined) {
  if (undefined != nullptr) {
    object.undefined.resize(object.bytes.size());
    std::memcpy(object.undefined.data() + offset, undefined, size);
  } else if (!object.undefined.empty()) {
    std::memset(object.undefined.data() + offset, 0, size);
  }
}

bool is_defined(std::string_view shadow) { return shadow.find_first_not_of('\0') == shadow.npos; }

std::string_view shadow_part(const Object& object, std::uint32_t offset, std::size_t size) {
  return object.undefined.empty() ? std::string_view() : std::string_view(object.undefined).substr(offset, size);
}

std::string bytes_text(std::size_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

std::string access_text(Memory::Use use, std::uint64_t size) {
  return fmt::format("{} of {}", use == Memory::Use::Read ? "read" : "write", bytes_text(size));
}

}  // namespace

Memory::Memory(const Image& image, const std::vector<Object>& constants, ThreadState& thread, World& world)
    : image_(image), constants_(constants), thread_(thread), world_(world) {
  if (!thread.objects.empty()) by_index_.resize(thread.objects.rbegin()->first + 1);
  for (auto& [index, object] : thread.objects) by_index_[index] = &object;
  if (!thread.published.empty()) published_.resize(thread.published.back() + 1);
  for (const std::uint32_t index : thread.published) published_[index] = true;
}

Memory::Where Memory::where(Word pointer) const {
  if (!Label::is_pointer(pointer)) return Where::Constant;
  const Label label = Label::of(pointer);
  if (private_object(label) != nullptr) return Where::Private;
  if (label.owner == Label::function_owner) return Where::Constant;
  if (label.owner == Label::global_owner) {
    if (label.index >= image_.globals.size() || image_.globals[label.index].constant) return Where::Constant;
  }
  return Where::Shared;
}

void Memory::compare(Word a, Word b) {
  if (!Label::is_pointer(a) || !Label::is_pointer(b) || Label::of(a) == Label::of(b)) return;
  for (const Label label : {Label::of(a), Label::of(b)}) {
    if (label.owner >= Label::max_threads || label.index == Label::max_index) continue;
    const Object* const object = private_object(label);
    if (object == nullptr) {
      world_.compares(label);
    } else if (object->freed) {
      world_.compares(std::nullopt);
    }
  }
}

const Object* Memory::find(Label label, Where where) {
  if (where == Where::Private) return private_object(label);
  if (where == Where::Shared) return world_.object(label);
  return label.owner == Label::global_owner && label.index < constants_.size() ? &constants_[label.index] : nullptr;
}

std::string Memory::describe(Label label, ObjectKind kind, Site made) const {
  switch (kind) {
    case ObjectKind::Stack:
      if (made.function != none) {
        const std::uint32_t name = image_.functions[made.function].operations[made.at].flags;
        if (name != 0) return fmt::format("the local variable {}", image_.texts[name - 1]);
      }
      return "a local variable";
    case ObjectKind::Global:
    case ObjectKind::ThreadLocal:
      if (label.owner == Label::global_owner && label.index < image_.globals.size()) {
        return fmt::format("the global {}", image_.texts[image_.globals[label.index].name]);
      }
      return "a thread-local variable";
    default:
      return "a heap object";
  }
}

UndefinedPart Memory::undefined_part(const Target& target) {
  const Object& object = *target.object;
  const std::string_view shadow = shadow_part(object, target.offset, target.size);
  const auto first = static_cast<std::uint32_t>(shadow.find_first_not_of('\0'));
  const auto defined = static_cast<std::size_t>(std::count(shadow.begin(), shadow.end(), '\0'));
  return {target.label,
          object.kind,
          object.made,
          target.offset + first,
          static_cast<std::uint32_t>(shadow.size() - defined),
          static_cast<std::uint32_t>(object.bytes.size())};
}

std::string Memory::text(const UndefinedPart& part) const {
  std::string out = "uninitialised memory: ";
  if (part.bytes != part.size) out += fmt::format("{} at offset {} of ", bytes_text(part.bytes), part.offset);
  out += fmt::format("{} of {}", describe(part.label, part.kind, part.made), bytes_text(part.size));
  if (part.made.function == none) return out;
  return out + fmt::format(", {} at {}", part.kind == ObjectKind::Stack ? "declared" : "made",
                           short_text(user_line(lines_of(image_, part.made.function, part.made.at))));
}

void Memory::expect_defined(const Target& target, std::string_view use) const {
  if (is_defined(shadow_part(*target.object, target.offset, target.size))) return;
  throw Fault{Failure::Uninitialised, fmt::format("{} depends on {}", use, text(undefined_part(target))), target.label};
}

void Memory::no_pointer(Word pointer, std::string_view access) {
  if (pointer == 0) throw Fault{Failure::Memory, fmt::format("{} through a null pointer", access)};
  if (pointer < first_address) {
    throw Fault{Failure::Memory, fmt::format("{} through a null pointer, at offset {}", access, pointer)};
  }
  if (Label::is_pointer(pointer)) {
    throw Fault{Failure::Memory,
                fmt::format("{} through a pointer whose upper 16 bits are not zero: {:#x}", access, pointer)};
  }
  if (Label::is_pointer((pointer | Label::max_size) + 1)) no_object(pointer, access);
  throw Fault{Failure::Memory, fmt::format("{} through {:#x}, which is not a pointer", access, pointer)};
}

// A pointer that was moved to before its object mentions the object with the index before, near the end of what an
// object can have.
void Memory::no_object(Word pointer, std::string_view access) {
  const Word next = (pointer | Label::max_size) + 1;
  const Label label = Label::of(next);
  const auto before = static_cast<std::uint32_t>(next - pointer);
  if (Label::is_pointer(next) && before <= Label::max_size / 2 && label.owner != Label::function_owner) {
    if (const Object* const object = find(label, where(next)); object != nullptr && !object->freed) {
      throw Fault{Failure::Memory, fmt::format("{} at offset -{} of {} of {} bytes", access, before,
                                               describe(label, *object), object->bytes.size())};
    }
  }
  if (Label::of(pointer).owner == Label::function_owner) {
    throw Fault{Failure::Memory, fmt::format("{} of a function as if it were data", access)};
  }
  throw Fault{Failure::Memory, fmt::format("{} through {:#x}, where there is no object", access, pointer)};
}

// A variable that no file defines has no bytes, and belongs to some library.
void Memory::need_definition(std::uint32_t global) const {
  const Global& one = image_.globals[global];
  if (one.size != 0 || !one.library) return;
  throw Fault{Failure::Unsupported, fmt::format("uses the variable {}, which no file defines; name the file that does",
                                                image_.texts[one.name])};
}

Memory::Target Memory::check(Word pointer, std::uint64_t size, Use use) {
  if (!Label::is_pointer(pointer) || pointer >> 48 != 0) no_pointer(pointer, access_text(use, size));
  Target target;
  target.label = Label::of(pointer);
  target.offset = Label::offset(pointer);
  target.where = where(pointer);
  target.object = find(target.label, target.where);
  if (target.object == nullptr) no_object(pointer, access_text(use, size));
  const Object& object = *target.object;
  if (object.freed) {
    // Also an access that fails may be one half of a race: with whoever freed the object.
    target.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, Label::max_size));
    record(target, false, use);
    const std::string_view when = object.kind != ObjectKind::Stack ? "after it was freed"
                                  : object.bytes.empty()           ? "after its function has returned"
                                                                   : "outside its scope";
    throw Fault{Failure::Memory,
                fmt::format("{} of {} {}", use == Use::Read ? "read" : "write", describe(target.label, object),
                            object.kind == ObjectKind::ThreadLocal ? "after its thread has ended" : when),
                target.label};
  }
  if (size > object.bytes.size() || target.offset > object.bytes.size() - size) {
    if (target.label.owner == Label::global_owner) need_definition(target.label.index);
    if (target.offset > Label::max_size / 2 && target.offset > object.bytes.size()) {
      no_object(pointer, access_text(use, size));
    }
    throw Fault{Failure::Memory,
                fmt::format("{} at offset {} of {} of {} byte{}", access_text(use, size), target.offset,
                            describe(target.label, object), object.bytes.size(), object.bytes.size() == 1 ? "" : "s")};
  }
  if (use == Use::Write && target.where == Where::Constant) {
    throw Fault{Failure::Memory, fmt::format("write of {}, which is constant", describe(target.label, object))};
  }
  target.size = static_cast<std::uint32_t>(size);
  return target;
}

void Memory::read(const Target& target, Word* words) {
  if (target.size == 0) return;
  words[(target.size - 1) / 8] = 0;
  std::memcpy(words, target.object->bytes.data() + target.offset, target.size);
}

bool Memory::read_shadow(const Target& target, Word* words) {
  const std::string_view shadow = shadow_part(*target.object, target.offset, target.size);
  if (is_defined(shadow)) return false;
  words[(target.size - 1) / 8] = 0;
  std::memcpy(words, shadow.data(), shadow.size());
  return true;
}

Object& Memory::to_change(const Target& target) {
  return target.where == Where::Private ? *private_object(target.label) : world_.change(target.label);
}

void Memory::write(const Target& target, const Word* words, const Word* undefined) {
  Object& object = to_change(target);
  std::memcpy(object.bytes.data() + target.offset, words, target.size);
  set_shadow(object, target.offset, target.size, undefined);
  if (target.where == Where::Shared) publish_written(target);
}

void Memory::write_bytes(const Target& target, std::string_view bytes, std::string_view undefined) {
  if (bytes.empty()) return;
  Object& object = to_change(target);
  std::memcpy(object.bytes.data() + target.offset, bytes.data(), bytes.size());
  set_shadow(object, target.offset, static_cast<std::uint32_t>(bytes.size()),
             undefined.empty() ? nullptr : undefined.data());
  if (target.where == Where::Shared) publish_written(target);
}

void Memory::record(const Target& target, bool atomic, Use use) {
  if (target.where != Where::Shared) return;
  using Kind = SharedAccess::Kind;
  const bool is_atomic = atomic || inside_atomic;
  const Kind kind = use == Use::Read ? (is_atomic ? Kind::AtomicRead : Kind::PlainRead)
                                     : (is_atomic ? Kind::AtomicWrite : Kind::PlainWrite);
  if (!is_atomic) ++plain_accesses;
  world_.access(
      {target.label, target.offset, target.size, kind, function, at, inside_section, inside_section && !atomic});
}

std::string Memory::read_bytes(Word pointer, std::uint64_t size, std::string_view use) {
  if (size == 0) return {};
  const Target target = check(pointer, size, Use::Read);
  expect_defined(target, use);
  std::string bytes = target.object->bytes.substr(target.offset, size);
  record(target, false, Use::Read);
  return bytes;
}

void Memory::write_bytes(Word pointer, std::string_view bytes) {
  if (bytes.empty()) return;
  const Target target = check(pointer, bytes.size(), Use::Write);
  write_bytes(target, bytes);
  record(target, false, Use::Write);
}

void Memory::copy(Word to, Word from, std::uint64_t size) {
  if (size == 0) return;
  const Target source = check(from, size, Use::Read);
  const std::string bytes = source.object->bytes.substr(source.offset, size);
  const std::string undefined(shadow_part(*source.object, source.offset, size));
  record(source, false, Use::Read);
  const Target target = check(to, size, Use::Write);
  write_bytes(target, bytes, is_defined(undefined) ? std::string_view() : undefined);
  record(target, false, Use::Write);
}

std::string Memory::read_text(Word pointer, std::uint64_t limit, std::string_view use) {
  if (limit == 0) return {};
  Target target = check(pointer, 1, Use::Read);
  const std::string_view rest = std::string_view(target.object->bytes).substr(target.offset);
  const std::size_t end = rest.substr(0, limit).find('\0');
  if (end == std::string_view::npos && rest.size() < limit) check(pointer, rest.size() + 1, Use::Read);  // fails
  std::string text(rest.substr(0, end == std::string_view::npos ? limit : end));
  target.size = static_cast<std::uint32_t>(end == std::string_view::npos ? limit : end + 1);
  expect_defined(target, use);
  record(target, false, Use::Read);
  return text;
}

}  // namespace heddle::native
