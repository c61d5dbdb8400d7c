// Fingerprints that do not depend on names (Colouring in heddle/detail/shape.h).
#include "value/walk.h"

namespace heddle::detail {
namespace {

std::uint64_t look(const Shape& shape, std::string_view& in, const Colouring& colour) {
  const auto parts_from = [&](std::uint64_t h) {
    each_part(shape, in, [&](const Shape& part, std::size_t, std::size_t) { h = chain(h, look(part, in, colour)); });
    return h;
  };
  switch (shape.kind) {
    case Kind::Bool:
    case Kind::Integer:
    case Kind::Enum:
      return scramble(static_cast<std::uint64_t>(take_number(shape, in)) + 1);
    case Kind::Text: {
      const std::string_view text = take_text(in);
      std::uint64_t h = text.size();
      for (const char c : text) h = chain(h, static_cast<unsigned char>(c));
      return h;
    }
    case Kind::Id: {
      const std::uint64_t number = get_varint(in);
      return number == 0 ? 7 : chain(1, colour(shape.role, static_cast<std::uint16_t>(number - 1)));
    }
    case Kind::IdSet: {
      const std::uint64_t members = get_varint(in);
      std::uint64_t sum = 0;
      for (std::uint16_t i = 0; i < 64; ++i) {
        if ((members >> i & 1) != 0) sum += chain(2, colour(shape.role, i));
      }
      return scramble(sum);
    }
    case Kind::Per: {
      // A member with the default value counts as absent.
      Bytes fallback;
      std::uint64_t sum = 0;
      each_part(shape, in, [&](const Shape& part, std::size_t, std::size_t i) {
        if (i == 0) fallback = default_bytes(part);
        std::string_view member = part.take(in);
        if (member == fallback) return;
        const std::uint64_t owner = colour(shape.role, static_cast<std::uint16_t>(i));
        sum += chain(chain(3, owner), look(part, member, colour));
      });
      return scramble(sum);
    }
    case Kind::Auxiliary:
    case Kind::Optional:
      return take_presence(in) ? chain(4, look(shape.part(), in, colour)) : 11;
    case Kind::Pair: {
      const std::uint64_t first = look(shape.part(0), in, colour);
      return chain(first, look(shape.part(1), in, colour));
    }
    case Kind::Variant: {
      const std::uint64_t which = get_varint(in);
      return chain(which, look(shape.part(which), in, colour));
    }
    case Kind::Array:
      return parts_from(shape.length);
    case Kind::Vector: {
      std::string_view ahead = in;
      return parts_from(get_varint(ahead));
    }
    case Kind::Set:
    case Kind::Map: {
      std::string_view ahead = in;
      std::uint64_t sum = get_varint(ahead);
      each_part(shape, in,
                [&](const Shape& part, std::size_t, std::size_t) { sum += scramble(look(part, in, colour)); });
      return scramble(sum);
    }
    case Kind::Struct:
      return parts_from(5);
  }
  return 0;
}

}  // namespace

std::uint64_t fingerprint(const Shape& shape, std::string_view bytes, const Colouring& colour) {
  return look(shape, bytes, colour);
}

}  // namespace heddle::detail
