// Walks the types of debug information beside the bytes, and names what it comes to.
#include "native/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "heddle/detail/shape.h"

namespace heddle::native {
namespace {

constexpr std::size_t most_leaves = 64;        // of a value
constexpr std::size_t most_plain_bytes = 128;  // of a value of unknown type

std::string json_text(std::string_view text) {
  std::string out;
  heddle::detail::put_json_string(out, text);
  return out;
}

// The functions that can come to call themselves, by direct calls.
std::vector<bool> recursive_functions(const Image& image) {
  const std::size_t n = image.functions.size();
  std::vector<std::vector<std::uint32_t>> callees(n);
  for (std::size_t f = 0; f < n; ++f) {
    for (const Operation& x : image.functions[f].operations) {
      if (x.code == Code::Call) callees[f].push_back(static_cast<std::uint32_t>(x.immediate));
    }
  }
  std::vector<bool> out(n);
  for (std::size_t f = 0; f < n; ++f) {
    if (image.functions[f].library) continue;
    std::vector<bool> seen(n);
    std::vector<std::uint32_t> work = callees[f];
    while (!work.empty() && !out[f]) {
      const std::uint32_t next = work.back();
      work.pop_back();
      if (next == f) out[f] = true;
      if (seen[next]) continue;
      seen[next] = true;
      work.insert(work.end(), callees[next].begin(), callees[next].end());
    }
  }
  return out;
}

Word word_of(std::string_view bytes) {
  Word out = 0;
  std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof out));
  return out;
}

bool is_undefined(std::string_view shadow, std::size_t at, std::size_t size) {
  return at < shadow.size() && shadow.substr(at, size).find_first_not_of('\0') != shadow.npos;
}

std::string_view part_of(std::string_view shadow, std::size_t at, std::size_t size) {
  return at < shadow.size() ? shadow.substr(at, size) : std::string_view();
}

}  // namespace

Variables::Variables(const Image& image) : recursive_(recursive_functions(image)) {
  for (std::uint32_t g = 0; g < image.globals.size(); ++g) globals_[image.globals[g].name].push_back(g);
  for (const Function& function : image.functions) {
    if (function.library) continue;
    for (const Operation& x : function.operations) {
      if (x.code == Code::StackObject && x.flags != 0) ++locals_[x.flags - 1];
    }
  }
}

bool Variables::is_single(const Image& image, Site made) const {
  if (made.function == none || image.functions[made.function].library || recursive_[made.function]) return false;
  const Operation& x = image.functions[made.function].operations[made.at];
  return x.code == Code::StackObject && x.flags != 0 && locals_.at(x.flags - 1) == 1 && !globals_.contains(x.flags - 1);
}

const Names::Known& Names::known(Label label) {
  const auto [at, is_new] = known_.try_emplace(label);
  Known& out = at->second;
  if (!is_new) return out;
  if (label.owner == Label::global_owner) {
    if (label.index >= image_.globals.size()) return out;
    const Global& global = image_.globals[label.index];
    return out = {global.type, global.size, {}, ObjectKind::Global};
  }
  if (label.owner == Label::function_owner) return out;
  if (const std::optional<Object> object = find_(label)) {
    out = {object->type, static_cast<std::uint32_t>(object->bytes.size()), object->made, object->kind};
    // realloc, and memory that is not used as an array of what was said.
    if (out.type != none && out.size % image_.types[out.type].size != 0) out.type = none;
    if (out.type != none && out.size == 0) out.size = image_.types[out.type].size;  // it has been freed
  }
  return out;
}

bool Names::stands_alone(Label label, const Known& object) const {
  if (label.owner == Label::global_owner) return true;
  if (label == subject_) return object.type != none;
  return label.owner == 0 && object.kind == ObjectKind::Stack && variables_.is_single(image_, object.made);
}

std::string Names::object(Label label) {
  if (label.owner == Label::global_owner && label.index < image_.globals.size()) {
    const Global& global = image_.globals[label.index];
    const std::string& name = image_.texts[global.name];
    const std::vector<std::uint32_t>& alike = variables_.globals_called(global.name);
    if (alike.size() == 1) return name;
    const auto line = [&](std::uint32_t g) {
      const std::uint32_t place = image_.globals[g].place;
      return place == none ? 0 : image_.places[place].line;
    };
    const auto same_line = std::ranges::count(alike, line(label.index), line);
    if (same_line > 1)
      return fmt::format("{} (number {})", name, std::ranges::find(alike, label.index) - alike.begin() + 1);
    return fmt::format("{} (line {})", name, line(label.index));
  }
  if (label.owner == Label::function_owner && label.index < image_.functions.size()) {
    const std::uint32_t name = image_.functions[label.index].name;
    return name == none ? fmt::format("function {}", label.index) : image_.texts[name];
  }
  const Known& object = known(label);
  std::uint32_t name = none;
  if (object.kind == ObjectKind::Stack && object.made.function != none) {
    const Operation& x = image_.functions[object.made.function].operations[object.made.at];
    if (x.code == Code::StackObject && x.flags != 0) name = x.flags - 1;
  }
  if (object.kind == ObjectKind::ThreadLocal && object.made.at < image_.globals.size()) {
    name = image_.globals[object.made.at].name;
  }
  if (name == none && object.type != none) name = image_.types[object.type].name;
  if (name != none && stands_alone(label, object)) return image_.texts[name];
  return fmt::format("{} {}.{}", name == none ? "object" : image_.texts[name], label.owner, label.index);
}

// Goes one level down. False: there is none, or the access is about more than one part.
bool Names::step_into(Part& part, std::uint32_t size, bool arrow) const {
  const Type& type = image_.types[part.type];
  if (type.kind == Type::Kind::Array) {
    const std::uint32_t each = image_.types[type.element].size;
    if (part.offset % each + std::uint64_t{size} > each) return false;
    part.path += fmt::format("[{}]", part.offset / each);
    part.offset %= each;
    part.type = type.element;
    return true;
  }
  for (const TypeMember& member : type.members) {
    if (member.bits != 0) continue;
    const std::uint32_t end = member.offset + image_.types[member.type].size;
    if (part.offset < member.offset || part.offset >= end) continue;
    if (part.offset + std::uint64_t{size} > end) return false;
    const std::string& name = image_.texts[member.name];
    if (!name.empty()) part.path += (arrow && part.path.empty() ? "->" : ".") + name;
    part.offset -= member.offset;
    part.type = member.type;
    return true;
  }
  return false;
}

// Bit-fields are read and written together with those beside them.
void Names::find_fields(Part& part, std::uint32_t size, bool arrow) const {
  const Type& type = image_.types[part.type];
  std::string path;
  for (const TypeMember& member : type.members) {
    const std::uint32_t bytes = member.bits == 0 ? image_.types[member.type].size : (member.bit + member.bits + 7) / 8;
    if (member.offset >= part.offset + std::uint64_t{size} || member.offset + bytes <= part.offset) continue;
    const bool inside = member.offset >= part.offset && member.offset + bytes <= part.offset + std::uint64_t{size};
    if (member.bits == 0 || !inside) return part.fields.clear();
    part.fields.push_back(&member);
    path += (path.empty() ? arrow && part.path.empty() ? "->" : "." : "|") + image_.texts[member.name];
  }
  part.path += path;
}

Names::Part Names::find_part(Label label, std::uint32_t offset, std::uint32_t size) {
  const Known object = known(label);
  Part part{{}, object.type, offset};
  const auto ends_here = [&] {
    return part.type == none || (size == 0 && part.offset == 0) ||
           (image_.types[part.type].kind != Type::Kind::Struct && image_.types[part.type].kind != Type::Kind::Array);
  };
  if (offset >= object.size) part.type = none;
  if (part.type != none && object.size > image_.types[part.type].size && (size != 0 || offset != 0)) {
    const std::uint32_t each = image_.types[part.type].size;
    if (offset % each + std::uint64_t{size} > each) return {{}, none, offset};
    part.path = fmt::format("[{}]", offset / each);
    part.offset %= each;
  }
  const bool arrow = !stands_alone(label, object);
  while (!ends_here() && step_into(part, size, arrow)) {
  }
  const bool whole = part.offset == 0 && (part.type == none || size == image_.types[part.type].size);
  if (part.type != none && size != 0 && !whole && image_.types[part.type].kind == Type::Kind::Struct) {
    find_fields(part, size, arrow);
  }
  return part;
}

std::string Names::part(Label label, std::uint32_t offset, std::uint32_t size) {
  const Part part = find_part(label, offset, size);
  if (!part.fields.empty()) return part.path;
  const std::uint32_t whole = part.type == none ? size_of(label) : image_.types[part.type].size;
  // Of what has no parts with names, the beginning needs no number, unless it is an object of unknown type.
  const bool begins = part.offset == 0 && (size == whole || part.type != none || size == 0);
  return begins ? part.path : fmt::format("{}+{}", part.path, part.offset);
}

std::string Names::thing_at(Label label, std::uint32_t offset) {
  const Part part = find_part(label, offset, 1);
  return part.type != none || offset == 0 ? part.path : fmt::format("+{}", offset);
}

std::string Names::word(Word word) {
  if (!Label::is_pointer(word)) return std::to_string(static_cast<std::int64_t>(word));
  const Label label = Label::of(word);
  return json_text(fmt::format("&{}{}", object(label), part(label, Label::offset(word), 0)));
}

std::string Names::scalar(const Type& type, Word bits) {
  const auto shift = static_cast<unsigned>(64 - 8 * type.size);
  const auto number = static_cast<std::int64_t>(bits << shift) >> shift;
  const auto named =
      std::ranges::find(type.enumerators, type.kind == Type::Kind::Signed ? Word(number) : bits, &Enumerator::value);
  if (named != type.enumerators.end()) return json_text(image_.texts[named->name]);
  switch (type.kind) {
    case Type::Kind::Boolean:
      if (bits <= 1) return bits == 1 ? "true" : "false";
      break;
    case Type::Kind::Floating: {
      const double value =
          type.size == 8 ? std::bit_cast<double>(bits) : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
      const std::string text = fmt::format("{}", value);
      return std::isfinite(value) ? text : json_text(text);
    }
    case Type::Kind::Pointer:
      if (bits == 0) return "null";
      break;
    case Type::Kind::Unsigned:
      if (!Label::is_pointer(bits)) return std::to_string(bits);
      break;
    default:
      break;
  }
  return type.size == 8 ? word(bits) : std::to_string(number);
}

// `bytes` begin at the byte `from` of the struct.
std::string Names::field(const TypeMember& member, std::uint32_t from, std::string_view bytes,
                         std::string_view undefined) {
  const std::size_t at = member.offset - from, size = (member.bit + member.bits + 7) / 8;
  if (is_undefined(undefined, at, size)) return json_text("uninitialised");
  const Type& type = image_.types[member.type];
  Word value = word_of(bytes.substr(at, size)) >> member.bit;
  const unsigned above = 64 - member.bits;
  value = type.kind == Type::Kind::Signed ? static_cast<Word>(static_cast<std::int64_t>(value << above) >> above)
                                          : value << above >> above;
  return scalar(type, value);
}

// Small contents are numbers, larger ones lists of words of eight or four bytes, or of bytes where words are defined in
// part.
std::string Names::untyped(std::string_view bytes, std::string_view undefined) {
  const auto number = [&](std::size_t at, std::size_t size) {
    if (is_undefined(undefined, at, size)) return json_text("uninitialised");
    const Word value = word_of(bytes.substr(at, size));
    if (size == 8) return word(value);
    const auto shift = static_cast<unsigned>(64 - 8 * size);
    return std::to_string(static_cast<std::int64_t>(value << shift) >> shift);
  };
  const std::size_t size = std::min(bytes.size(), most_plain_bytes);
  const auto in_part = [&](std::size_t part) {
    for (std::size_t at = 0; at + part <= size; at += part) {
      const std::string_view shadow = part_of(undefined, at, part);
      if (shadow.find_first_not_of('\0') != shadow.npos && shadow.find('\0') != shadow.npos) return true;
    }
    return false;
  };
  if (size == bytes.size() && (size == 1 || size == 2 || size == 4 || size == 8) && !in_part(size)) {
    return number(0, size);
  }
  const std::size_t part = size % 8 == 0 && !in_part(8) ? 8 : size % 4 == 0 && !in_part(4) ? 4 : 1;
  std::string out = "[";
  for (std::size_t at = 0; at + part <= size; at += part) out += (at == 0 ? "" : ", ") + number(at, part);
  return out + (size < bytes.size() ? ", \"...\"]" : "]");
}

std::string Names::elements(std::uint32_t type, std::string_view bytes, std::string_view undefined,
                            std::size_t& leaves) {
  const std::size_t each = image_.types[type].size;
  std::string out = "[";
  for (std::size_t at = 0; at < bytes.size(); at += each) {
    if (at != 0) out += ", ";
    if (leaves >= most_leaves) return out + "\"...\"]";
    out += typed(type, bytes.substr(at, each), part_of(undefined, at, each), leaves);
  }
  return out + "]";
}

// REQUIRES: as many bytes as the type has.
std::string Names::typed(std::uint32_t index, std::string_view bytes, std::string_view undefined, std::size_t& leaves) {
  const Type& type = image_.types[index];
  switch (type.kind) {
    case Type::Kind::Array:
      return elements(type.element, bytes, undefined, leaves);
    case Type::Kind::Struct: {
      std::string out = "{";
      for (const TypeMember& member : type.members) {
        if (out.size() > 1) out += ", ";
        if (leaves >= most_leaves) return out + "\"...\": \"...\"}";
        out += json_text(image_.texts[member.name]) + ": ";
        if (member.bits != 0) {
          ++leaves;
          out += field(member, 0, bytes, undefined);
          continue;
        }
        const std::size_t size = image_.types[member.type].size;
        out += typed(member.type, bytes.substr(member.offset, size), part_of(undefined, member.offset, size), leaves);
      }
      return out + "}";
    }
    case Type::Kind::Opaque:
      leaves += (bytes.size() + 7) / 8;
      return untyped(bytes, undefined);
    default:
      ++leaves;
      return is_undefined(undefined, 0, bytes.size()) ? json_text("uninitialised") : scalar(type, word_of(bytes));
  }
}

std::string Names::value(Label label, std::string_view bytes, std::string_view undefined) {
  const std::uint32_t type = known(label).type;
  const std::size_t each = type == none ? 0 : image_.types[type].size;
  if (each == 0 || bytes.empty() || bytes.size() % each != 0) return untyped(bytes, undefined);
  std::size_t leaves = 0;
  return bytes.size() == each ? typed(type, bytes, undefined, leaves) : elements(type, bytes, undefined, leaves);
}

std::string Names::value(Label label, std::uint32_t offset, std::string_view bytes, std::string_view undefined) {
  const Part part = find_part(label, offset, static_cast<std::uint32_t>(bytes.size()));
  if (part.fields.size() == 1) return field(*part.fields.front(), part.offset, bytes, undefined);
  if (!part.fields.empty()) {
    std::string out = "{";
    for (const TypeMember* member : part.fields) {
      out += (out.size() > 1 ? ", " : "") + json_text(image_.texts[member->name]) + ": ";
      out += field(*member, part.offset, bytes, undefined);
    }
    return out + "}";
  }
  if (part.type == none || part.offset != 0 || image_.types[part.type].size != bytes.size()) {
    return untyped(bytes, undefined);
  }
  std::size_t leaves = 0;
  return typed(part.type, bytes, undefined, leaves);
}

}  // namespace heddle::native
