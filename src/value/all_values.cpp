// The default value of a type, and all values of a finite type.
#include "heddle/run.h"
#include "value/walk.h"

namespace heddle::detail {

Bytes default_bytes(const Shape& shape) {
  switch (shape.kind) {
    case Kind::Struct:
      return shape.fresh();
    case Kind::Auxiliary:
      return '\1' + default_bytes(shape.part());
    case Kind::Pair:
      return default_bytes(shape.part(0)) + default_bytes(shape.part(1));
    case Kind::Variant:
      return '\0' + default_bytes(shape.part(0));
    case Kind::Array: {
      Bytes out;
      for (std::size_t i = 0; i < shape.length; ++i) out += default_bytes(shape.part());
      return out;
    }
    default:
      return Bytes(1, '\0');  // false, 0, nobody, nothing, empty
  }
}

// Users see the order: values come in the order of enumerators and ids. In a struct the first field varies slowest.
bool all_values(const Shape& shape, const Run& run, std::vector<Bytes>& out) {
  switch (shape.kind) {
    case Kind::Bool:
      out.insert(out.end(), {Bytes(1, '\0'), Bytes(1, '\1')});
      return true;
    case Kind::Enum: {
      const bool two = shape.part().kind == Kind::Bool;  // its only numbers are 0 and 1
      for (std::size_t i = 0; i < (two ? 2 : shape.names.size()); ++i) {
        if (shape.names[i].empty()) continue;
        Bytes& value = out.emplace_back();
        if (two) {
          value.push_back(static_cast<char>(i));
        } else {
          put_integer(value, static_cast<std::int64_t>(i));
        }
      }
      return true;
    }
    case Kind::Id:
      for (std::size_t i = 0; i < run.count(shape.role); ++i) put_varint(out.emplace_back(), i + 1);
      return true;
    case Kind::Auxiliary:  // the value it holds makes no difference
      out.push_back(default_bytes(shape));
      return true;
    case Kind::Optional: {
      out.emplace_back(1, '\0');
      std::vector<Bytes> values;
      const bool finite = all_values(shape.part(), run, values);
      for (const Bytes& value : values) out.push_back('\1' + value);
      return finite;
    }
    case Kind::Struct: {
      if (shape.domain != nullptr) {
        shape.domain(run, out);
        return true;
      }
      bool finite = true;
      std::vector<Bytes> begun = {Bytes()};
      for (std::size_t i = 0; i < shape.parts.size() && !begun.empty(); ++i) {
        std::vector<Bytes> values, longer;
        finite &= all_values(shape.part(i), run, values);
        for (const Bytes& first : begun) {
          for (const Bytes& value : values) longer.push_back(first + value);
        }
        begun = std::move(longer);
      }
      out.insert(out.end(), begun.begin(), begun.end());
      return finite;
    }
    default:
      return false;
  }
}

}  // namespace heddle::detail
