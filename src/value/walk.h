// Walks through the bytes of a value by its shape (heddle/detail/shape.h). All files of this folder share this walk.
//
// Nothing is checked. REQUIRES: KindOf<T>::encode of the same type made the bytes. Thread-safe: only reads.
#pragma once

#include <string_view>

#include "heddle/detail/shape.h"

namespace heddle::detail {

// REQUIRES: the kind is Bool, Integer or Enum.
inline std::int64_t take_number(const Shape& shape, std::string_view& in) {
  const Kind kind = shape.kind == Kind::Enum ? shape.part().kind : shape.kind;
  if (kind == Kind::Integer) return get_integer(in);
  const bool value = in.front() != 0;
  in.remove_prefix(1);
  return value ? 1 : 0;
}

inline std::string_view take_text(std::string_view& in) {
  const auto size = static_cast<std::size_t>(get_varint(in));
  const std::string_view text = in.substr(0, size);
  in.remove_prefix(size);
  return text;
}

// Returns whether an Optional or Auxiliary holds something.
inline bool take_presence(std::string_view& in) {
  const bool present = in.front() != 0;
  in.remove_prefix(1);
  return present;
}

inline std::uint16_t take_id(std::string_view& in) { return static_cast<std::uint16_t>(get_varint(in) - 1); }

inline bool consists_of_parts(Kind kind) { return kind >= Kind::Per; }

// Calls visit(part, how many there are, which one it is) for every value that this one holds, after it has read
// the bytes before them. `visit` reads the part's bytes off `in`. REQUIRES: consists_of_parts(shape.kind).
template <class Visit>
void each_part(const Shape& shape, std::string_view& in, Visit&& visit) {
  switch (shape.kind) {
    case Kind::Struct:
    case Kind::Pair:
      for (std::size_t i = 0; i < shape.parts.size(); ++i) visit(shape.part(i), shape.parts.size(), i);
      break;
    case Kind::Variant:
      visit(shape.part(get_varint(in)), std::size_t{1}, std::size_t{0});
      break;
    case Kind::Optional:
    case Kind::Auxiliary:
      if (take_presence(in)) visit(shape.part(), std::size_t{1}, std::size_t{0});
      break;
    default: {
      const std::size_t size = shape.kind == Kind::Array ? shape.length : get_varint(in);
      if (size == 0) break;
      const Shape& part = shape.part();
      for (std::size_t i = 0; i < size; ++i) visit(part, size, i);
    }
  }
}

}  // namespace heddle::detail
