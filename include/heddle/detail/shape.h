// What the bytes of a value mean, as data: the shape of its type.
//
// Models are compiled often and by everybody, so a type costs them three things only: writing a value as bytes, reading it back
// (kinds.h), and its shape. Whatever else is done with values, such as JSON, renaming ids or fingerprints, is ordinary code of
// the program over a shape and bytes (src/value/), compiled once.
//
// A shape is constant data. It refers to those of its parts by functions, so that a type may hold itself, in a vector say.
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
  Per,        // how many members, each of them; members at the end that have the default value are left out
  Auxiliary,  // as an Optional; nothing: forgotten
  Optional,   // one byte, then the value if that is 1
  Pair,       // both parts
  Variant,    // which, then that part
  Array,      // so many elements
  Vector,     // length, elements
  Set,        // likewise, in ascending order
  Map,        // likewise; the elements are pairs
  Struct,     // all fields
};

// A list that somebody else keeps.
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
  Bytes (*fresh)() = nullptr;                   // of a Struct: a value as it is made by {}
  Bytes (*sorted)(std::string_view) = nullptr;  // of Set and Map: elements in any order put into theirs
  void (*domain)(const Run&,
                 std::vector<Bytes>&) = nullptr;  // of a Struct with a function of that name: what it returns
  long long (*size)(std::string_view) = nullptr;  // likewise

  const Shape& part(std::size_t i = 0) const { return parts[i](); }
  // Its bytes in front of `in`, which is left behind them.
  std::string_view take(std::string_view& in) const;
  bool holds_auxiliary() const;
  bool only_auxiliary() const;  // there is nothing else in it
};

template <class T>
const Shape& shape_of();

// Renaming ids: member i of role `tag` becomes renaming(tag, i).
using Renaming = std::function<std::uint16_t(const RoleTag*, std::uint16_t)>;

// For fingerprints that do not see names: an id counts as the colour the colouring gives it, and collections indexed by ids or
// ordered by values that may hold ids count without their order. So a fingerprint stays the same if ids are renamed and the
// colouring with them.
using Colouring = std::function<std::uint64_t(const RoleTag*, std::uint16_t)>;

constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 29)) * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 32);
}
constexpr std::uint64_t chain(std::uint64_t before, std::uint64_t next) {
  return scramble(before * 0xA0761D6478BD642Fu + next + 0xE7037ED1A0B428DBu);
}

// --- What the program does with values. `bytes` are those of one value of the shape, neither more nor less.

// How many bytes of `text` are one character of UTF-8; 0: none, it does not begin with one.
std::size_t utf8_length(std::string_view text);
// What is not UTF-8 is shown as U+FFFD.
void put_json_string(std::string& out, std::string_view text);
void put_json(const Shape& shape, std::string_view bytes, std::string& out);
Bytes renamed(const Shape& shape, std::string_view bytes, const Renaming& renaming);
std::uint64_t fingerprint(const Shape& shape, std::string_view bytes, const Colouring& colour);
Bytes without_auxiliary(const Shape& shape, std::string_view bytes);
Bytes default_bytes(const Shape& shape);
// All well-formed values, for Byzantine senders; false if some field has no finite domain.
bool all_values(const Shape& shape, const Run& run, std::vector<Bytes>& out);

struct FieldSize {
  std::string name;
  long long size;  // a number's value, a container's length
};
// One JSON text for each field, with its name; how large each is.
void put_fields(const Shape& shape, std::string_view bytes, std::vector<std::pair<std::string_view, std::string>>& out);
void put_sizes(const Shape& shape, std::string_view bytes, std::vector<FieldSize>& out);
// After a crash: durable fields of `now`, all others of `initial`.
Bytes recovered(const Shape& shape, std::string_view now, std::string_view initial);

// A function that may be none, for what holds no auxiliary data.
class Forget {
 public:
  Forget(std::nullptr_t = nullptr) {}  // NOLINT: written as nullptr
  explicit Forget(const Shape& shape) : shape_(shape.holds_auxiliary() ? &shape : nullptr) {}
  bool operator==(std::nullptr_t) const { return shape_ == nullptr; }
  Bytes operator()(std::string_view bytes) const { return without_auxiliary(*shape_, bytes); }

 private:
  const Shape* shape_ = nullptr;
};

// The fields of a struct that are not auxiliary, and the bytes of a value with one of them reset: for finding out which could be.
struct PartsInfo {
  explicit PartsInfo(const Shape& shape);
  Bytes without(std::string_view bytes, std::size_t position) const;
  std::vector<std::pair<std::string_view, std::size_t>> fields;  // name, position
  const Shape* shape;
};

}  // namespace heddle::detail
