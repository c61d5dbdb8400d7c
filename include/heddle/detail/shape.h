// The shape of a type says, as data, what the bytes of its values mean.
//
// Models are compiled often and by everybody. So a type costs them only three things: writing a value as bytes,
// reading it back (kinds.h), and its shape. Everything else that is done with values, such as JSON, renaming
// ids or fingerprints, is ordinary code over shapes and bytes (src/value/), compiled once with the program.
//
// A shape is constant data. It refers to the shapes of its parts by functions, so that a type may hold
// itself, in a vector say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/detail/bytes.h"
#include "heddle/detail/names.h"

namespace heddle {
class Run;
}

namespace heddle::detail {

// The kinds of types, and the bytes of their values.
enum class Kind : std::uint8_t {
  Bool,       // one byte
  Integer,    // put_integer
  Enum,       // as the underlying type, its only part
  Text,       // length, characters
  Id,         // position + 1; 0: nobody
  IdSet,      // 64 bits as a number
  Per,        // the number of members, then each; members at the end with the default value are left out
  Auxiliary,  // as an Optional; no value means forgotten
  Optional,   // one byte, then the value if the byte is 1
  Pair,       // both parts
  Variant,    // the number of a part, then that part
  Array,      // `length` elements
  Vector,     // length, elements
  Set,        // as a Vector, in ascending order
  Map,        // as a Vector of pairs, in ascending order
  Struct,     // all fields
};

// A list that is stored elsewhere.
template <class T>
struct ListOf {
  const T* first = nullptr;
  std::size_t count = 0;
  const T* begin() const { return first; }
  const T* end() const { return first + count; }
  std::size_t size() const { return count; }
  const T& operator[](std::size_t i) const { return first[i]; }
};

struct Shape;
using ShapeFunction = const Shape& (*)();

struct Shape {
  Kind kind = Kind::Struct;
  std::string_view name = {};                   // of the type, without namespaces and template arguments
  ListOf<ShapeFunction> parts = {};             // elements, alternatives, fields, the value within
  ListOf<std::string_view> names = {};          // of fields; of enumerators from 0 on, empty where there is none
  const RoleTag* role = nullptr;                // of Id, IdSet and Per
  std::size_t length = 0;                       // of an Array
  bool large = false;                           // an Integer without a sign, of 64 bits
  bool durable = false;                         // a Struct that is Durable<T>: it survives a crash
  Bytes (*fresh)() = nullptr;                   // of a Struct: the value made by {}
  Bytes (*sorted)(std::string_view) = nullptr;  // of Set and Map: puts elements into the order of the type
  // Of a Struct that has a function of that name: what the function returns.
  void (*domain)(const Run&, std::vector<Bytes>&) = nullptr;
  long long (*size)(std::string_view) = nullptr;

  const Shape& part(std::size_t i = 0) const { return parts[i](); }
  // Takes the bytes of one value from the front of `in` and returns them.
  std::string_view take(std::string_view& in) const;
  bool holds_auxiliary() const;
  bool only_auxiliary() const;  // it holds nothing else
};

template <class T>
const Shape& shape_of();

// Renaming ids: member i of role `tag` becomes renaming(tag, i).
using Renaming = std::function<std::uint16_t(const RoleTag*, std::uint16_t)>;

// For fingerprints that do not depend on names. An id counts as the colour that the colouring gives it.
// Collections that are indexed by ids, or ordered by values that may hold ids, count without their order. So
// a fingerprint stays the same if the ids and the colouring are renamed together.
using Colouring = std::function<std::uint64_t(const RoleTag*, std::uint16_t)>;

constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 29)) * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 32);
}
constexpr std::uint64_t chain(std::uint64_t before, std::uint64_t next) {
  return scramble(before * 0xA0761D6478BD642Fu + next + 0xE7037ED1A0B428DBu);
}

// --- What the program does with values. REQUIRES: `bytes` are those of one value of the shape, neither more
// nor less.

// Returns how many bytes at the beginning of `text` are one character of UTF-8; 0 if it does not begin with one.
std::size_t utf8_length(std::string_view text);
// What is not UTF-8 is shown as U+FFFD.
void put_json_string(std::string& out, std::string_view text);
void put_json(const Shape& shape, std::string_view bytes, std::string& out);
Bytes renamed(const Shape& shape, std::string_view bytes, const Renaming& renaming);
std::uint64_t fingerprint(const Shape& shape, std::string_view bytes, const Colouring& colour);
Bytes without_auxiliary(const Shape& shape, std::string_view bytes);
Bytes default_bytes(const Shape& shape);
// Appends all well-formed values, for Byzantine senders. Returns false if some field has no finite domain.
bool all_values(const Shape& shape, const Run& run, std::vector<Bytes>& out);

struct FieldSize {
  std::string name;
  long long size;  // a number's value, a container's length
};
// For each field its name, with its JSON text or its size.
void put_fields(const Shape& shape, std::string_view bytes, std::vector<std::pair<std::string_view, std::string>>& out);
void put_sizes(const Shape& shape, std::string_view bytes, std::vector<FieldSize>& out);
// Returns the fields after a crash: durable ones from `now`, all others from `initial`.
Bytes recovered(const Shape& shape, std::string_view now, std::string_view initial);

// A function that forgets auxiliary data, or null for a type that holds none.
class Forget {
 public:
  Forget(std::nullptr_t = nullptr) {}  // NOLINT: written as nullptr
  explicit Forget(const Shape& shape) : shape_(shape.holds_auxiliary() ? &shape : nullptr) {}
  bool operator==(std::nullptr_t) const { return shape_ == nullptr; }
  Bytes operator()(std::string_view bytes) const { return without_auxiliary(*shape_, bytes); }

 private:
  const Shape* shape_ = nullptr;
};

// The fields of a struct that are not auxiliary, and the bytes of a value with one of them reset. Used to
// find out which others could be auxiliary.
struct PartsInfo {
  explicit PartsInfo(const Shape& whole);
  Bytes without(std::string_view bytes, std::size_t position) const;
  std::vector<std::pair<std::string_view, std::size_t>> fields;  // name, position
  const Shape* shape;
};

}  // namespace heddle::detail
