// The fields of a role, one by one: as text, in size, and after a crash.
#include "value/walk.h"

namespace heddle::detail {
namespace {

long long size_of(const Shape& shape, std::string_view in) {
  switch (shape.kind) {
    case Kind::Bool:
    case Kind::Integer:
      return take_number(shape, in);
    case Kind::Auxiliary:
      return take_presence(in) ? size_of(shape.part(), in) : 0;
    case Kind::Text:
    case Kind::Vector:
    case Kind::Set:
    case Kind::Map:
      return static_cast<long long>(get_varint(in));
    case Kind::IdSet:
      return __builtin_popcountll(get_varint(in));
    case Kind::Array:
      return static_cast<long long>(shape.length);
    case Kind::Struct:
      if (shape.durable) return size_of(shape.part(), in);
      return shape.size != nullptr ? shape.size(in) : 0;
    default:
      return 0;
  }
}

}  // namespace

void put_fields(const Shape& shape, std::string_view bytes,
                std::vector<std::pair<std::string_view, std::string>>& out) {
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    std::string text;
    put_json(shape.part(i), shape.part(i).take(bytes), text);
    out.emplace_back(shape.names[i], std::move(text));
  }
}

void put_sizes(const Shape& shape, std::string_view bytes, std::vector<FieldSize>& out) {
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    out.push_back({std::string(shape.names[i]), size_of(shape.part(i), shape.part(i).take(bytes))});
  }
}

Bytes recovered(const Shape& shape, std::string_view now, std::string_view initial) {
  Bytes out;
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const Shape& part = shape.part(i);
    const std::string_view kept = part.take(now), fresh = part.take(initial);
    out += part.durable ? kept : fresh;
  }
  return out;
}

}  // namespace heddle::detail
