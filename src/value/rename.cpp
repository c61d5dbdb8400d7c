// Renames the ids within a value.
//
// Two cases are subtle. A container that is ordered by its elements is put in order again by the type itself
// (Shape::sorted), since only the model knows the order. And the length of a Per depends on which members
// have a value other than the default.
#include "value/walk.h"

namespace heddle::detail {
namespace {

class Renamer {
 public:
  Renamer(std::string_view bytes, const Renaming& renaming) : in_(bytes), renaming_(renaming) {}

  void rename(const Shape& shape, Bytes& out) {
    switch (shape.kind) {
      case Kind::Bool:
      case Kind::Integer:
      case Kind::Enum:
      case Kind::Text:
        out += shape.take(in_);
        break;
      case Kind::Id: {
        const std::uint64_t number = get_varint(in_);
        const auto index = static_cast<std::uint16_t>(number - 1);
        put_varint(out, number == 0 ? 0 : static_cast<std::uint16_t>(renaming_(shape.role, index) + 1));
        break;
      }
      case Kind::IdSet: {
        const std::uint64_t members = get_varint(in_);
        std::uint64_t renamed = 0;
        for (std::uint16_t i = 0; i < 64; ++i) {
          if ((members >> i & 1) != 0) renamed |= std::uint64_t{1} << (renaming_(shape.role, i) & 63);
        }
        put_varint(out, renamed);
        break;
      }
      case Kind::Per:
        rename_members(shape, out);
        break;
      case Kind::Set:
      case Kind::Map:
        rename_elements(shape, out);
        break;
      default: {
        // The bytes before the parts stay.
        const std::string_view before = in_;
        bool first = true;
        each_part(shape, in_, [&](const Shape& part, std::size_t, std::size_t) {
          if (std::exchange(first, false)) out += before.substr(0, before.size() - in_.size());
          rename(part, out);
        });
        if (first) out += before.substr(0, before.size() - in_.size());
      }
    }
  }

 private:
  void rename_members(const Shape& shape, Bytes& out) {
    const auto size = static_cast<std::uint16_t>(get_varint(in_));
    if (size == 0) return put_varint(out, 0);
    const Shape& member = shape.part();
    const Bytes fallback = default_bytes(member);
    std::vector<Bytes> members;
    for (std::uint16_t i = 0; i < size; ++i) {
      Bytes renamed;
      rename(member, renamed);
      const std::size_t to = renaming_(shape.role, i);
      if (members.size() <= to) members.resize(to + 1, fallback);
      members[to] = std::move(renamed);
    }
    while (!members.empty() && members.back() == fallback) members.pop_back();
    put_varint(out, members.size());
    for (const Bytes& one : members) out += one;
  }

  void rename_elements(const Shape& shape, Bytes& out) {
    const std::string_view before = in_;
    const std::uint64_t size = get_varint(in_);
    Bytes renamed;
    put_varint(renamed, size);
    for (std::uint64_t i = 0; i < size; ++i) rename(shape.part(), renamed);
    const bool same = renamed == before.substr(0, before.size() - in_.size());
    out += same || size < 2 ? renamed : shape.sorted(renamed);
  }

  std::string_view in_;
  const Renaming& renaming_;
};

}  // namespace

Bytes renamed(const Shape& shape, std::string_view bytes, const Renaming& renaming) {
  Bytes out;
  Renamer(bytes, renaming).rename(shape, out);
  return out;
}

}  // namespace heddle::detail
