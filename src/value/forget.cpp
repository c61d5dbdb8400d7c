// Forgets auxiliary data (heddle/auxiliary.h), and resets single fields to find out which others could be auxiliary.
#include "value/walk.h"

namespace heddle::detail {
namespace {

void forget(const Shape& shape, std::string_view& in, Bytes& out) {
  if (shape.kind == Kind::Auxiliary) {
    shape.take(in);
    out.push_back(0);
    return;
  }
  // Elements of a set and members of a Per hold none.
  if (!consists_of_parts(shape.kind) || shape.kind == Kind::Set || shape.kind == Kind::Per) {
    out += shape.take(in);
    return;
  }
  const std::string_view before = in;
  bool first = true;
  each_part(shape, in, [&](const Shape& part, std::size_t, std::size_t) {
    if (std::exchange(first, false)) out += before.substr(0, before.size() - in.size());
    forget(part, in, out);
  });
  if (first) out += before.substr(0, before.size() - in.size());
}

}  // namespace

Bytes without_auxiliary(const Shape& shape, std::string_view bytes) {
  Bytes out;
  forget(shape, bytes, out);
  return out;
}

PartsInfo::PartsInfo(const Shape& whole) : shape(&whole) {
  if (whole.kind != Kind::Struct) return;
  for (std::size_t i = 0; i < whole.parts.size(); ++i) {
    if (!whole.part(i).only_auxiliary()) fields.emplace_back(whole.names[i], i);
  }
}

Bytes PartsInfo::without(std::string_view bytes, std::size_t position) const {
  Bytes out;
  for (std::size_t i = 0; i < shape->parts.size(); ++i) {
    const Shape& part = shape->part(i);
    const std::string_view now = part.take(bytes);
    if (i == position) {
      out += default_bytes(part);
    } else {
      out += now;
    }
  }
  return out;
}

}  // namespace heddle::detail
