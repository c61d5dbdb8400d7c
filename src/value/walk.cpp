// One switch over the kinds of shapes; sizes and positions come from it.
#include "value/walk.h"

#include <algorithm>

namespace heddle::detail {
namespace {

void skip(const Shape& shape, std::string_view& in) {
  switch (shape.kind) {
    case Kind::Bool:
      in.remove_prefix(1);
      break;
    case Kind::Integer:
    case Kind::Id:
    case Kind::IdSet:
      get_varint(in);
      break;
    case Kind::Enum:
      take_number(shape, in);
      break;
    case Kind::Text:
      take_text(in);
      break;
    default:
      each_part(shape, in, [&](const Shape& part, std::size_t, std::size_t) { skip(part, in); });
  }
}

// `within` are the types around this one. They need not be asked again.
bool holds(const Shape& shape, std::vector<const Shape*>& within) {
  if (shape.kind == Kind::Auxiliary) return true;
  if (!consists_of_parts(shape.kind)) return false;
  if (std::find(within.begin(), within.end(), &shape) != within.end()) return false;
  within.push_back(&shape);
  const bool found =
      std::any_of(shape.parts.begin(), shape.parts.end(), [&](ShapeFunction part) { return holds(part(), within); });
  within.pop_back();
  return found;
}

}  // namespace

std::string_view Shape::take(std::string_view& in) const {
  const std::string_view before = in;
  skip(*this, in);
  return before.substr(0, before.size() - in.size());
}

bool Shape::holds_auxiliary() const {
  std::vector<const Shape*> within;
  return holds(*this, within);
}

bool Shape::only_auxiliary() const {
  if (kind == Kind::Auxiliary) return true;
  return kind == Kind::Struct &&
         std::all_of(parts.begin(), parts.end(), [](ShapeFunction of_part) { return of_part().only_auxiliary(); });
}

}  // namespace heddle::detail
