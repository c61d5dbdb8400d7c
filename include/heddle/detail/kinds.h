// The kinds of types that a model may use. Each kind is in one place: how a value is written and read as
// bytes, and its shape.
//
// Supported: bool, integers, enums, std::string, optional, vector, array, set, map, pair, variant, Id, IdSet,
// Per, Auxiliary, and aggregates of those. Values are equal iff their bytes are equal, so bytes can be
// interned and compared.
//
//   KindOf<T>::encode(value, out)   appends
//   KindOf<T>::decode(in, value)    reads into a value, whatever it held before
//   KindOf<T>::shape()              for shape_of<T>()
//   KindOf<T>::parts()              the types it is made of, as a TypeList
//
// A new kind is a specialisation here, a line in shape.h, and a case in the functions of src/value/. A
// modeller never includes this header, but meets its error messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "heddle/auxiliary.h"
#include "heddle/detail/bytes.h"
#include "heddle/detail/fields.h"
#include "heddle/detail/names.h"
#include "heddle/detail/shape.h"
#include "heddle/id.h"

namespace heddle {
template <class T>
struct Durable;
}

namespace heddle::detail {

template <class T, template <class...> class C>
inline constexpr bool is_a = false;
template <template <class...> class C, class... A>
inline constexpr bool is_a<C<A...>, C> = true;
template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;

template <class T>
inline constexpr bool always_false = false;

template <class T>
struct KindOf;

template <class T>
const Shape& shape_of() {
  static constinit const Shape shape = KindOf<T>::shape();
  return shape;
}

template <class... T>
inline constexpr ShapeFunction shapes_of[] = {&shape_of<T>...};
template <class... T>
constexpr ListOf<ShapeFunction> parts_of() {
  if constexpr (sizeof...(T) == 0) {
    return {};
  } else {
    return {shapes_of<T...>, sizeof...(T)};
  }
}

// --- Which types hold auxiliary data. A type may hold itself, in a vector say: the types around it are not
// asked again.

template <class T, class... Within>
consteval bool holds_auxiliary() {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || (std::is_same_v<T, Within> || ...)) {
    return false;
  } else if constexpr (is_a<T, Auxiliary>) {
    return true;
  } else {
    return []<class... P>(TypeList<P...>) {
      return (holds_auxiliary<P, T, Within...>() || ...);
    }(decltype(KindOf<T>::parts()){});
  }
}

// --- Which types are plain values: nothing in them refers to something else (Auxiliary::update).

template <class T, class... Within>
consteval bool plain_value() {
  constexpr bool container = is_a<T, std::optional> || is_a<T, std::vector> || is_a<T, std::set> || is_a<T, std::map> ||
                             is_a<T, std::pair> || is_a<T, std::variant> || is_a<T, Per> || is_a<T, Auxiliary> ||
                             is_std_array<T>;
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || is_a<T, Id> ||
                is_a<T, IdSet> || (std::is_same_v<T, Within> || ...)) {
    return true;
  } else if constexpr (std::is_array_v<T>) {
    return plain_value<std::remove_all_extents_t<T>, Within...>();
  } else if constexpr (container || (std::is_aggregate_v<T> && std::is_class_v<T>)) {
    return []<class... P>(TypeList<P...>) {
      return (plain_value<P, T, Within...>() && ...);
    }(decltype(KindOf<T>::parts()){});
  } else {
    return std::is_empty_v<T>;
  }
}

// --- Numbers and text.

template <>
struct KindOf<bool> {
  static void encode(bool value, Bytes& out) { out.push_back(value ? 1 : 0); }
  static void decode(std::string_view& in, bool& value) {
    value = in.front() != 0;
    in.remove_prefix(1);
  }
  static constexpr TypeList<> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Bool, .name = "bool"}; }
};

template <class T>
  requires std::is_integral_v<T>
struct KindOf<T> {
  static void encode(T value, Bytes& out) { put_integer(out, static_cast<std::int64_t>(value)); }
  static void decode(std::string_view& in, T& value) { value = static_cast<T>(get_integer(in)); }
  static constexpr TypeList<> parts() { return {}; }
  static constexpr Shape shape() {
    return {.kind = Kind::Integer, .name = type_name<T>(), .large = std::is_unsigned_v<T> && sizeof(T) == 8};
  }
};

template <class T>
  requires std::is_enum_v<T>
struct KindOf<T> {
  using Number = std::underlying_type_t<T>;
  static void encode(T value, Bytes& out) { KindOf<Number>::encode(static_cast<Number>(value), out); }
  static void decode(std::string_view& in, T& value) {
    Number number{};
    KindOf<Number>::decode(in, number);
    value = static_cast<T>(number);
  }
  static constexpr TypeList<> parts() { return {}; }
  static constexpr Shape shape() {
    return {.kind = Kind::Enum,
            .name = type_name<T>(),
            .parts = parts_of<Number>(),
            .names = {enumerator_names<T>.data(), named_enumerators}};
  }
};

template <>
struct KindOf<std::string> {
  static void encode(const std::string& value, Bytes& out) {
    put_varint(out, value.size());
    out += value;
  }
  static void decode(std::string_view& in, std::string& value) {
    const std::size_t size = get_varint(in);
    value = in.substr(0, size);
    in.remove_prefix(size);
  }
  static constexpr TypeList<> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Text, .name = type_name<std::string>()}; }
};

// --- Processes.

template <class Role>
struct KindOf<Id<Role>> {
  static void encode(Id<Role> value, Bytes& out) {
    put_varint(out, static_cast<std::uint16_t>(IdAccess::index(value) + 1));
  }
  static void decode(std::string_view& in, Id<Role>& value) {
    value = IdAccess::make<Role>(static_cast<std::uint16_t>(get_varint(in) - 1));
  }
  static constexpr TypeList<> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Id, .name = "Id", .role = &role_tag<Role>}; }
};

template <class Role>
struct KindOf<IdSet<Role>> {
  static void encode(const IdSet<Role>& value, Bytes& out) { put_varint(out, IdAccess::raw(value)); }
  static void decode(std::string_view& in, IdSet<Role>& value) { IdAccess::raw(value) = get_varint(in); }
  static constexpr TypeList<> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::IdSet, .name = "IdSet", .role = &role_tag<Role>}; }
};

// --- Collections.

template <class V>
struct KindOf<std::vector<V>> {
  using T = std::vector<V>;
  static void encode(const T& value, Bytes& out) { encode_first(value, value.size(), out); }
  static void encode_first(const T& value, std::size_t size, Bytes& out) {
    put_varint(out, size);
    for (std::size_t i = 0; i < size; ++i) KindOf<V>::encode(value[i], out);
  }
  static void decode(std::string_view& in, T& value) {
    value.clear();
    const std::uint64_t size = get_varint(in);
    value.reserve(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      V element{};
      KindOf<V>::decode(in, element);
      value.push_back(std::move(element));
    }
  }
  static constexpr TypeList<V> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Vector, .name = type_name<T>(), .parts = parts_of<V>()}; }
};

template <class Role, class V>
struct KindOf<Per<Role, V>> {
  static void encode(const Per<Role, V>& value, Bytes& out) {
    static_assert(!holds_auxiliary<V>(),
                  "heddle: how far a Per was written must not depend on auxiliary data: use Auxiliary<Per<Role, T>>");
    // Members at the end that still have the default value do not tell two collections apart.
    const auto& raw = IdAccess::raw(value);
    std::size_t size = raw.size();
    while (size > 0 && has_default_value<V>(raw[size - 1])) --size;
    KindOf<std::vector<V>>::encode_first(raw, size, out);
  }
  static void decode(std::string_view& in, Per<Role, V>& value) {
    KindOf<std::vector<V>>::decode(in, IdAccess::raw(value));
  }
  static constexpr TypeList<V> parts() { return {}; }
  static constexpr Shape shape() {
    return {.kind = Kind::Per, .name = "Per", .parts = parts_of<V>(), .role = &role_tag<Role>};
  }
};

template <class V, std::size_t N>
struct KindOf<std::array<V, N>> {
  static void encode(const std::array<V, N>& value, Bytes& out) {
    for (const V& v : value) KindOf<V>::encode(v, out);
  }
  static void decode(std::string_view& in, std::array<V, N>& value) {
    for (V& v : value) KindOf<V>::decode(in, v);
  }
  static constexpr TypeList<V> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Array, .name = "array", .parts = parts_of<V>(), .length = N}; }
};

// The elements of a set and the keys of a map are in the order of a comparison that models may write themselves.
template <class Compare>
constexpr void check_order() {
  static_assert(std::is_empty_v<Compare>,
                "heddle: the order of a set or a map must not depend on data, which is no part of the state; write a "
                "struct with an operator(), or give the elements an operator<");
}
// To lose an element would be to lose a part of the state.
inline void check_all_read(std::size_t read, std::uint64_t written) {
  if (read == written) return;
  throw std::logic_error(
      "the order of a set or a map takes two different elements for equal after all: it is no strict weak order, or "
      "it depends on the names of processes");
}

// For sets and maps: puts elements that come in any order into the order of the type.
template <class T>
Bytes sorted(std::string_view bytes) {
  T value;
  KindOf<T>::decode(bytes, value);
  Bytes out;
  KindOf<T>::encode(value, out);
  return out;
}

template <class V, class... Rest>
struct KindOf<std::set<V, Rest...>> {
  using T = std::set<V, Rest...>;
  static void encode(const T& value, Bytes& out) {
    put_varint(out, value.size());
    for (const V& v : value) KindOf<V>::encode(v, out);
  }
  static void decode(std::string_view& in, T& value) {
    value.clear();
    const std::uint64_t size = get_varint(in);
    for (std::uint64_t n = size; n > 0; --n) {
      V element{};
      KindOf<V>::decode(in, element);
      value.insert(value.end(), std::move(element));
    }
    check_all_read(value.size(), size);
  }
  static constexpr TypeList<V> parts() { return {}; }
  static constexpr Shape shape() {
    check_order<typename T::key_compare>();
    static_assert(!holds_auxiliary<V>(), "heddle: the elements of a set cannot hold auxiliary data");
    return {.kind = Kind::Set, .name = "set", .parts = parts_of<V>(), .sorted = &sorted<T>};
  }
};

// The elements of a map have a constant key. They are written and read like other pairs.
template <class K, class V, class... Rest>
struct KindOf<std::map<K, V, Rest...>> {
  using T = std::map<K, V, Rest...>;
  static void encode(const T& value, Bytes& out) {
    put_varint(out, value.size());
    for (const auto& [key, mapped] : value) {
      KindOf<K>::encode(key, out);
      KindOf<V>::encode(mapped, out);
    }
  }
  static void decode(std::string_view& in, T& value) {
    value.clear();
    const std::uint64_t size = get_varint(in);
    for (std::uint64_t n = size; n > 0; --n) {
      K key{};
      KindOf<K>::decode(in, key);
      KindOf<V>::decode(in, value.emplace_hint(value.end(), std::move(key), V{})->second);
    }
    check_all_read(value.size(), size);
  }
  static constexpr TypeList<K, V> parts() { return {}; }
  static constexpr Shape shape() {
    check_order<typename T::key_compare>();
    static_assert(!holds_auxiliary<K>(), "heddle: the keys of a map cannot hold auxiliary data");
    return {.kind = Kind::Map, .name = "map", .parts = parts_of<std::pair<K, V>>(), .sorted = &sorted<T>};
  }
};

// --- Alternatives.

template <class V>
struct KindOf<std::optional<V>> {
  static void encode(const std::optional<V>& value, Bytes& out) {
    out.push_back(value.has_value() ? 1 : 0);
    if (value) KindOf<V>::encode(*value, out);
  }
  static void decode(std::string_view& in, std::optional<V>& value) {
    value.reset();
    const bool present = in.front() != 0;
    in.remove_prefix(1);
    if (present) KindOf<V>::decode(in, value.emplace(V{}));
  }
  static constexpr TypeList<V> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Optional, .name = "optional", .parts = parts_of<V>()}; }
};

template <class V>
struct KindOf<Auxiliary<V>> {
  static void encode(const Auxiliary<V>& value, Bytes& out) {
    KindOf<std::optional<V>>::encode(AuxiliaryAccess::raw(value), out);
  }
  static void decode(std::string_view& in, Auxiliary<V>& value) {
    KindOf<std::optional<V>>::decode(in, AuxiliaryAccess::raw(value));
  }
  static constexpr TypeList<V> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Auxiliary, .name = "Auxiliary", .parts = parts_of<V>()}; }
};

template <class... V>
struct KindOf<std::variant<V...>> {
  using T = std::variant<V...>;
  static void encode(const T& value, Bytes& out) {
    put_varint(out, value.index());
    std::visit([&]<class A>(const A& v) { KindOf<A>::encode(v, out); }, value);
  }
  static void decode(std::string_view& in, T& value) {
    const std::uint64_t which = get_varint(in);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((which == I ? KindOf<V>::decode(in, value.template emplace<I>(V{})) : void()), ...);
    }(std::index_sequence_for<V...>{});
  }
  static constexpr TypeList<V...> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Variant, .name = "variant", .parts = parts_of<V...>()}; }
};

// --- Several values together.

template <class A, class B>
struct KindOf<std::pair<A, B>> {
  static void encode(const std::pair<A, B>& value, Bytes& out) {
    KindOf<A>::encode(value.first, out);
    KindOf<B>::encode(value.second, out);
  }
  static void decode(std::string_view& in, std::pair<A, B>& value) {
    KindOf<A>::decode(in, value.first);
    KindOf<B>::decode(in, value.second);
  }
  static constexpr TypeList<A, B> parts() { return {}; }
  static constexpr Shape shape() { return {.kind = Kind::Pair, .name = "pair", .parts = parts_of<A, B>()}; }
};

template <class T>
constexpr void check_supported() {
  static_assert(!std::is_pointer_v<T> && !std::is_reference_v<T>,
                "heddle: roles and messages hold values, not pointers or references");
  static_assert(!std::is_floating_point_v<T>,
                "heddle: floating point numbers make state spaces infinite; use integers");
  static_assert(
      std::is_aggregate_v<T> && std::is_class_v<T>,
      "heddle: unsupported field type: use integers, enums, optional, vector, array, set, map, pair, variant, Id, "
      "IdSet, Per, Auxiliary, or a plain struct (no constructors, no private members) of those");
}

// A plain struct, or a type that is not supported.
template <class T>
struct KindOf {
  static void encode(const T& value, Bytes& out) {
    check_supported<T>();
    Fields<T>::visit(value, [&]<class... F>(const F&... field) { (KindOf<F>::encode(field, out), ...); });
  }
  static void decode(std::string_view& in, T& value) {
    check_supported<T>();
    Fields<T>::visit(value, [&]<class... F>(F&... field) { (KindOf<F>::decode(in, field), ...); });
  }
  static constexpr auto parts() {
    if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
      return typename Fields<T>::Types{};
    } else {
      return TypeList<>{};
    }
  }
  static constexpr Shape shape() {
    check_supported<T>();
    Shape shape{.kind = Kind::Struct, .name = type_name<T>(), .durable = is_a<T, Durable>};
    [&]<class... F>(TypeList<F...>) { shape.parts = parts_of<F...>(); }(parts());
    shape.names = {Fields<T>::names.data(), Fields<T>::count};
    shape.fresh = [] {
      Bytes out;
      encode(T{}, out);
      return out;
    };
    if constexpr (requires(const Run& run) { T::domain(run); }) {
      shape.domain = [](const Run& run, std::vector<Bytes>& out) {
        for (const T& value : T::domain(run)) encode(value, out.emplace_back());
      };
    }
    if constexpr (requires(const T& value) { static_cast<long long>(value.size()); }) {
      shape.size = [](std::string_view bytes) {
        T value{};
        decode(bytes, value);
        return static_cast<long long>(value.size());
      };
    }
    return shape;
  }
};

// --- Shorter names.

template <class T>
void encode(const T& value, Bytes& out) {
  KindOf<T>::encode(value, out);
}
template <class T>
Bytes encoded(const T& value) {
  Bytes out;
  KindOf<T>::encode(value, out);
  return out;
}
template <class T>
T decode(std::string_view& in) {
  T value{};
  KindOf<T>::decode(in, value);
  return value;
}
template <class T>
T decode_all(std::string_view bytes) {
  return decode<T>(bytes);
}
template <class T>
bool has_default_value(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return value == T{};
  } else {
    static const Bytes none = encoded(T{});
    return encoded(value) == none;
  }
}
template <class T>
void to_json(const T& value, std::string& out) {
  put_json(shape_of<T>(), encoded(value), out);
}

// Returns whether a value that a handler has chosen can be shown to people. A role need not be able to hold it.
template <class T>
consteval bool printable() {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || is_a<T, Id> ||
                is_a<T, IdSet>) {
    return true;
  } else if constexpr (!is_a<T, Per> && !is_a<T, Auxiliary> &&
                       (is_a<T, std::optional> || is_a<T, std::vector> || is_a<T, std::set> || is_std_array<T> ||
                        is_a<T, std::pair> || (std::is_class_v<T> && std::is_aggregate_v<T>))) {
    return []<class... P>(TypeList<P...>) { return (printable<P>() && ...); }(decltype(KindOf<T>::parts()){});
  } else {
    return false;
  }
}

}  // namespace heddle::detail
