// Plain structs without registration: encoding to bytes, decoding, JSON, renaming of ids and enumeration of values, by aggregate
// reflection (Boost.PFR). A modeller never includes this header; its error messages are what they meet.
//
// Supported: bool, integers, enums, std::string, optional, vector, array, set, map, pair, variant, Id, IdSet, Per, Auxiliary,
// and aggregates of those. Equal values have equal bytes and the other way round, so bytes can be interned and compared.
#pragma once

#include <array>
#include <boost/pfr.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "heddle/auxiliary.h"
#include "heddle/id.h"

namespace heddle::detail {

// One address per role type; pointers to it identify the role.
struct RoleTag {
  std::string_view name;
};

template <class T>
constexpr std::string_view spelled_type_name() {
  // "... [with T = ns::Name; ...]" (g++) or "... [T = ns::Name]" (clang); keep what follows the last "::".
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("T = ") + 4;
  text = text.substr(begin, text.find_first_of(";]", begin) - begin);
  if (const auto angle = text.find('<'); angle != text.npos) text = text.substr(0, angle);
  if (const auto colon = text.rfind("::"); colon != text.npos) text = text.substr(colon + 2);
  return text;
}
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view name = spelled_type_name<T>();
  return name;
}

template <class Role>
inline const RoleTag role_tag{type_name<Role>()};

// --- Names of enumerators and fields, read out of the compiler's own spelling of a template argument.

template <auto V>
constexpr std::string_view value_spelling() {
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("V = ") + 4;
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

template <class E, std::size_t... I>
constexpr auto enumerators(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{value_spelling<static_cast<E>(I)>()...};
}
inline constexpr std::size_t named_enumerators = 24;

// "ns::Phase::idle" -> "idle"; the spelling of a value without a name, "(Phase)7", -> "".
constexpr std::string_view unqualified(std::string_view spelling) {
  spelling = spelling.substr(spelling.find_last_of(":)") + 1);
  return spelling.empty() || spelling[0] == '-' || (spelling[0] >= '0' && spelling[0] <= '9') ? "" : spelling;
}

// The enumerator's name without qualification, or its number where it has none.
template <class E>
std::string enum_name(E value) {
  static constexpr auto names = enumerators<E>(std::make_index_sequence<named_enumerators>{});
  const auto number = static_cast<long long>(value);
  if (number >= 0 && number < static_cast<long long>(named_enumerators)) {
    const std::string_view name = unqualified(names[static_cast<std::size_t>(number)]);
    if (!name.empty()) return std::string(name);
  }
  return std::to_string(number);
}
template <class E>
constexpr bool is_enumerator(std::size_t number) {
  constexpr auto names = enumerators<E>(std::make_index_sequence<named_enumerators>{});
  return number < named_enumerators && !unqualified(names[number]).empty();
}

template <class T>
struct Holder {
  T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class T>
extern const Holder<T> never_defined;

template <auto* P>
constexpr std::string_view field_spelling() {
  // "... P = (& never_defined<A>.Holder<A>::value.A::name)..." (g++) or "... P = &never_defined.value.name]" (clang).
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("P = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  while (!text.empty() && text.back() == ')') text.remove_suffix(1);
  return text.substr(text.find_last_of(":.>") + 1);
}
template <class T, std::size_t I>
constexpr std::string_view field_name() {
  constexpr std::string_view name = field_spelling<&boost::pfr::get<I>(never_defined<T>.value)>();
  return name;  // cut out at compile time
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

// --- The kinds of types.

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

template <class T, class F>
constexpr void each_field(T&& value, F&& f) {
  boost::pfr::for_each_field(std::forward<T>(value), std::forward<F>(f));
}

// --- Which types hold auxiliary data. A type may hold itself, in a vector say: those it was reached through are not asked again.

template <class T, class... Within>
consteval bool holds_auxiliary();

template <class... Parts>
struct PartList {
  template <class... Within>
  static consteval bool any_holds_auxiliary() {
    return (holds_auxiliary<Parts, Within...>() || ...);
  }
  template <class... Within>
  static consteval bool all_plain() {
    return (plain_value<Parts, Within...>() && ...);
  }
  static constexpr bool none = sizeof...(Parts) == 0;
};
template <class T>
struct PartsOf {
  static consteval auto list() {
    if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return PartList<std::remove_cvref_t<boost::pfr::tuple_element_t<I, T>>...>{};
      }(std::make_index_sequence<boost::pfr::tuple_size_v<T>>{});
    } else {
      return PartList<>{};
    }
  }
};
template <class... A>
struct PartsOf<std::variant<A...>> {
  static consteval auto list() { return PartList<A...>{}; }
};
template <class A, class B>
struct PartsOf<std::pair<A, B>> {
  static consteval auto list() { return PartList<A, B>{}; }
};
template <class K, class V, class... Rest>
struct PartsOf<std::map<K, V, Rest...>> {
  static consteval auto list() { return PartList<K, V>{}; }
};
template <template <class...> class C, class V, class... Rest>
  requires is_a<C<V, Rest...>, std::optional> || is_a<C<V, Rest...>, std::vector> || is_a<C<V, Rest...>, std::set>
struct PartsOf<C<V, Rest...>> {
  static consteval auto list() { return PartList<V>{}; }
};
template <class Role, class V>
struct PartsOf<Per<Role, V>> {
  static consteval auto list() { return PartList<V>{}; }
};
template <class V, std::size_t N>
struct PartsOf<std::array<V, N>> {
  static consteval auto list() { return PartList<V>{}; }
};
template <class V>
struct PartsOf<Auxiliary<V>> {
  static consteval auto list() { return PartList<V>{}; }
};

template <class T, class... Within>
consteval bool holds_auxiliary() {
  if constexpr (is_a<T, Auxiliary>) {
    return true;
  } else if constexpr ((std::is_same_v<T, Within> || ...)) {
    return false;
  } else {
    return decltype(PartsOf<T>::list())::template any_holds_auxiliary<T, Within...>();
  }
}

template <class T, class... Within>
consteval bool plain_value() {
  using Parts = decltype(PartsOf<T>::list());
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || is_a<T, Id> ||
                is_a<T, IdSet> || (std::is_same_v<T, Within> || ...)) {
    return true;
  } else if constexpr (std::is_array_v<T>) {
    return plain_value<std::remove_all_extents_t<T>, Within...>();
  } else if constexpr (Parts::none) {
    return std::is_empty_v<T>;
  } else {
    return Parts::template all_plain<T, Within...>();
  }
}

// Whether there is nothing else in it.
template <class T>
consteval bool only_auxiliary() {
  if constexpr (is_a<T, Auxiliary>) {
    return true;
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !is_std_array<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (only_auxiliary<std::remove_cvref_t<boost::pfr::tuple_element_t<I, T>>>() && ...);
    }(std::make_index_sequence<boost::pfr::tuple_size_v<T>>{});
  } else {
    return false;
  }
}

// --- Bytes.

using Bytes = std::string;

inline void put_varint(Bytes& out, std::uint64_t v) {
  while (v >= 0x80) {
    out.push_back(static_cast<char>(v | 0x80));
    v >>= 7;
  }
  out.push_back(static_cast<char>(v));
}
inline std::uint64_t get_varint(std::string_view& in) {
  std::uint64_t v = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    v |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return v;
  }
}

template <class T>
void encode(const T& value, Bytes& out) {
  if constexpr (std::is_same_v<T, bool>) {
    out.push_back(value ? 1 : 0);
  } else if constexpr (std::is_integral_v<T>) {
    const auto wide = static_cast<std::int64_t>(value);
    put_varint(out, (static_cast<std::uint64_t>(wide) << 1) ^ static_cast<std::uint64_t>(wide >> 63));
  } else if constexpr (std::is_enum_v<T>) {
    encode(static_cast<std::underlying_type_t<T>>(value), out);
  } else if constexpr (is_a<T, Id>) {
    put_varint(out, static_cast<std::uint16_t>(IdAccess::index(value) + 1));
  } else if constexpr (is_a<T, IdSet>) {
    put_varint(out, IdAccess::raw(value));
  } else if constexpr (is_a<T, Per>) {
    // Members that still have the default value at the end do not tell two collections apart.
    const auto& raw = IdAccess::raw(value);
    std::size_t size = raw.size();
    using Member = typename std::decay_t<decltype(raw)>::value_type;
    static_assert(!holds_auxiliary<Member>(),
                  "heddle: how far a Per was written must not depend on auxiliary data: use Auxiliary<Per<Role, T>>");
    while (size > 0 && raw[size - 1] == Member{}) --size;
    put_varint(out, size);
    for (std::size_t i = 0; i < size; ++i) encode(raw[i], out);
  } else if constexpr (is_a<T, Auxiliary>) {
    encode(AuxiliaryAccess::raw(value), out);
  } else if constexpr (is_a<T, std::optional>) {
    out.push_back(value.has_value() ? 1 : 0);
    if (value) encode(*value, out);
  } else if constexpr (is_a<T, std::pair>) {
    encode(value.first, out);
    encode(value.second, out);
  } else if constexpr (is_a<T, std::variant>) {
    put_varint(out, value.index());
    std::visit([&](const auto& v) { encode(v, out); }, value);
  } else if constexpr (is_std_array<T>) {
    for (const auto& v : value) encode(v, out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    put_varint(out, value.size());
    out += value;
  } else if constexpr (is_a<T, std::vector> || is_a<T, std::set> || is_a<T, std::map>) {
    put_varint(out, value.size());
    for (const auto& v : value) encode(static_cast<const typename T::value_type&>(v), out);
  } else {
    check_supported<T>();
    each_field(value, [&](const auto& field) { encode(field, out); });
  }
}

template <class T>
T decode(std::string_view& in);

template <class T>
void decode_into(std::string_view& in, T& value) {
  value = decode<T>(in);
}

template <class T>
T decode(std::string_view& in) {
  if constexpr (std::is_same_v<T, bool>) {
    const bool value = in.front() != 0;
    in.remove_prefix(1);
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    const std::uint64_t z = get_varint(in);
    return static_cast<T>(static_cast<std::int64_t>((z >> 1) ^ (~(z & 1) + 1)));
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(decode<std::underlying_type_t<T>>(in));
  } else if constexpr (is_a<T, Id>) {
    T id;
    const auto index = static_cast<std::uint16_t>(get_varint(in) - 1);
    id = [&]<class R>(Id<R>) { return IdAccess::make<R>(index); }(id);
    return id;
  } else if constexpr (is_a<T, IdSet>) {
    T set;
    IdAccess::raw(set) = get_varint(in);
    return set;
  } else if constexpr (is_a<T, Per>) {
    T per;
    auto& raw = IdAccess::raw(per);
    raw.resize(get_varint(in));
    for (std::size_t i = 0; i < raw.size(); ++i) {
      raw[i] = decode<typename std::decay_t<decltype(raw)>::value_type>(in);
    }
    return per;
  } else if constexpr (is_a<T, Auxiliary>) {
    T auxiliary;
    decode_into(in, AuxiliaryAccess::raw(auxiliary));
    return auxiliary;
  } else if constexpr (is_a<T, std::optional>) {
    const bool present = decode<bool>(in);
    if (!present) return std::nullopt;
    return decode<typename T::value_type>(in);
  } else if constexpr (is_a<T, std::pair>) {
    auto first = decode<std::remove_const_t<typename T::first_type>>(in);
    return T(std::move(first), decode<typename T::second_type>(in));
  } else if constexpr (is_a<T, std::variant>) {
    const std::uint64_t which = get_varint(in);
    T value;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((which == I ? (value.template emplace<I>(decode<std::variant_alternative_t<I, T>>(in)), void()) : void()), ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
    return value;
  } else if constexpr (is_std_array<T>) {
    T value{};
    for (auto& v : value) decode_into(in, v);
    return value;
  } else if constexpr (std::is_same_v<T, std::string>) {
    const std::size_t size = get_varint(in);
    T value(in.substr(0, size));
    in.remove_prefix(size);
    return value;
  } else if constexpr (is_a<T, std::vector> || is_a<T, std::set> || is_a<T, std::map>) {
    T value;
    for (std::uint64_t n = get_varint(in); n > 0; --n) value.insert(value.end(), decode<typename T::value_type>(in));
    return value;
  } else {
    check_supported<T>();
    T value{};
    each_field(value, [&](auto& field) { decode_into(in, field); });
    return value;
  }
}

template <class T>
T decode_all(std::string_view bytes) {
  return decode<T>(bytes);
}

// --- Renaming ids: member i of role `tag` becomes renaming(tag, i).

using Renaming = std::function<std::uint16_t(const RoleTag*, std::uint16_t)>;

template <class T>
void rename_ids(T& value, const Renaming& renaming) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>) {
  } else if constexpr (is_a<T, Id>) {
    if (!value) return;
    value = [&]<class R>(Id<R> id) { return IdAccess::make<R>(renaming(&role_tag<R>, IdAccess::index(id))); }(value);
  } else if constexpr (is_a<T, IdSet>) {
    value = [&]<class R>(const IdSet<R>& set) {
      IdSet<R> renamed;
      for (std::uint16_t i = 0; i < 64; ++i) {
        if (set.contains(IdAccess::make<R>(i))) renamed.insert(IdAccess::make<R>(renaming(&role_tag<R>, i)));
      }
      return renamed;
    }(value);
  } else if constexpr (is_a<T, Per>) {
    value = [&]<class R, class V>(const Per<R, V>& per) {
      Per<R, V> renamed;
      const auto size = static_cast<std::uint16_t>(IdAccess::raw(per).size());
      for (std::uint16_t i = 0; i < size; ++i) {
        V v = per[IdAccess::make<R>(i)];
        rename_ids(v, renaming);
        renamed[IdAccess::make<R>(renaming(&role_tag<R>, i))] = std::move(v);
      }
      return renamed;
    }(value);
  } else if constexpr (is_a<T, Auxiliary>) {
    rename_ids(AuxiliaryAccess::raw(value), renaming);
  } else if constexpr (is_a<T, std::optional>) {
    if (value) rename_ids(*value, renaming);
  } else if constexpr (is_a<T, std::pair>) {
    rename_ids(value.first, renaming);
    rename_ids(value.second, renaming);
  } else if constexpr (is_a<T, std::variant>) {
    std::visit([&](auto& v) { rename_ids(v, renaming); }, value);
  } else if constexpr (is_std_array<T> || is_a<T, std::vector>) {
    for (auto&& v : value) {
      if constexpr (!std::is_same_v<T, std::vector<bool>>) rename_ids(v, renaming);
    }
  } else if constexpr (is_a<T, std::set>) {
    T renamed;
    for (auto v : value) {
      rename_ids(v, renaming);
      renamed.insert(std::move(v));
    }
    value = std::move(renamed);
  } else if constexpr (is_a<T, std::map>) {
    T renamed;
    for (const auto& [key, mapped] : value) {
      auto k = key;
      auto m = mapped;
      rename_ids(k, renaming);
      rename_ids(m, renaming);
      renamed.insert_or_assign(std::move(k), std::move(m));
    }
    value = std::move(renamed);
  } else {
    check_supported<T>();
    each_field(value, [&](auto& field) { rename_ids(field, renaming); });
  }
}

// --- Fingerprints that do not see names: an id counts as the colour the colouring gives it, and collections indexed by ids or
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

template <class T>
std::uint64_t fingerprint(const T& value, const Colouring& colour) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return scramble(static_cast<std::uint64_t>(value) + 1);
  } else if constexpr (std::is_same_v<T, std::string>) {
    std::uint64_t h = value.size();
    for (const char c : value) h = chain(h, static_cast<unsigned char>(c));
    return h;
  } else if constexpr (is_a<T, Id>) {
    if (!value) return 7;
    return [&]<class R>(Id<R> id) { return chain(1, colour(&role_tag<R>, IdAccess::index(id))); }(value);
  } else if constexpr (is_a<T, IdSet>) {
    return [&]<class R>(const IdSet<R>& set) {
      std::uint64_t sum = 0;
      for (std::uint16_t i = 0; i < 64; ++i) {
        if (set.contains(IdAccess::make<R>(i))) sum += chain(2, colour(&role_tag<R>, i));
      }
      return scramble(sum);
    }(value);
  } else if constexpr (is_a<T, Per>) {
    return [&]<class R, class V>(const Per<R, V>& per) {
      std::uint64_t sum = 0;
      for (std::uint16_t i = 0; i < IdAccess::raw(per).size(); ++i) {
        const V& v = per[IdAccess::make<R>(i)];
        if (!(v == V{})) sum += chain(chain(3, colour(&role_tag<R>, i)), fingerprint(v, colour));
      }
      return scramble(sum);
    }(value);
  } else if constexpr (is_a<T, Auxiliary>) {
    return fingerprint(AuxiliaryAccess::raw(value), colour);
  } else if constexpr (is_a<T, std::optional>) {
    return value ? chain(4, fingerprint(*value, colour)) : 11;
  } else if constexpr (is_a<T, std::pair>) {
    return chain(fingerprint(value.first, colour), fingerprint(value.second, colour));
  } else if constexpr (is_a<T, std::variant>) {
    return chain(value.index(), std::visit([&](const auto& v) { return fingerprint(v, colour); }, value));
  } else if constexpr (is_std_array<T> || is_a<T, std::vector>) {
    std::uint64_t h = value.size();
    for (const auto& v : value) h = chain(h, fingerprint(static_cast<const typename T::value_type&>(v), colour));
    return h;
  } else if constexpr (is_a<T, std::set> || is_a<T, std::map>) {
    std::uint64_t sum = value.size();
    for (const auto& v : value) sum += scramble(fingerprint(v, colour));
    return scramble(sum);
  } else {
    check_supported<T>();
    std::uint64_t h = 5;
    each_field(value, [&](const auto& field) { h = chain(h, fingerprint(field, colour)); });
    return h;
  }
}

// --- Forgetting auxiliary data.

template <class T>
void forget_auxiliary(T& value) {
  if constexpr (is_a<T, Auxiliary>) {
    AuxiliaryAccess::raw(value).reset();
  } else if constexpr (!holds_auxiliary<T>()) {
  } else if constexpr (is_a<T, std::optional>) {
    if (value) forget_auxiliary(*value);
  } else if constexpr (is_a<T, std::pair>) {
    forget_auxiliary(value.first);
    forget_auxiliary(value.second);
  } else if constexpr (is_a<T, std::variant>) {
    std::visit([](auto& v) { forget_auxiliary(v); }, value);
  } else if constexpr (is_std_array<T> || is_a<T, std::vector>) {
    for (auto& v : value) forget_auxiliary(v);
  } else if constexpr (is_a<T, std::map>) {
    static_assert(!holds_auxiliary<typename T::key_type>(), "heddle: the keys of a map cannot hold auxiliary data");
    for (auto& entry : value) forget_auxiliary(entry.second);
  } else if constexpr (is_a<T, std::set>) {
    static_assert(always_false<T>, "heddle: the elements of a set cannot hold auxiliary data");
  } else {
    each_field(value, [](auto& field) { forget_auxiliary(field); });
  }
}

// The bytes of a T without auxiliary data.
template <class T>
Bytes without_auxiliary(std::string_view bytes) {
  T value = decode_all<T>(bytes);
  forget_auxiliary(value);
  Bytes out;
  encode(value, out);
  return out;
}
using Forget = Bytes (*)(std::string_view bytes);
// Null where there is nothing to forget.
template <class T>
consteval Forget forget_function() {
  if constexpr (holds_auxiliary<T>()) {
    return &without_auxiliary<T>;
  } else {
    return nullptr;
  }
}

// The fields that are not auxiliary, and the bytes of a value with one of them reset: for finding out which could be.
struct PartsInfo {
  std::vector<std::pair<std::string_view, std::size_t>> fields;  // name, position
  Bytes (*without)(std::string_view bytes, std::size_t position) = nullptr;
};
template <class T>
PartsInfo parts_info() {
  PartsInfo info;
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    if constexpr (boost::pfr::tuple_size_v<T> > 0) {
      using Positions = std::make_index_sequence<boost::pfr::tuple_size_v<T>>;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((only_auxiliary<boost::pfr::tuple_element_t<I, T>>() ? void()
                                                              : void(info.fields.emplace_back(field_name<T, I>(), I))),
         ...);
      }(Positions{});
      info.without = [](std::string_view bytes, std::size_t position) {
        T value = decode_all<T>(bytes);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          ((I == position ? void(boost::pfr::get<I>(value) = boost::pfr::tuple_element_t<I, T>{}) : void()), ...);
        }(Positions{});
        Bytes out;
        encode(value, out);
        return out;
      };
    }
  }
  return info;
}

// --- JSON.

// How many bytes of `text` are one character of UTF-8; 0: none, it does not begin with one.
constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
  }
  const bool too_long = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_character =
      (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);  // surrogates; beyond
  return too_long || no_character ? 0 : length;
}

// What is not UTF-8 is shown as U+FFFD.
inline void put_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t length = utf8_length(text.substr(i));
      out += length == 0 ? std::string_view("\\ufffd") : text.substr(i, length);
      i += length == 0 ? 0 : length - 1;
    } else if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char hex[] = "0123456789abcdef";
      out += "\\u00";
      out.push_back(hex[(c >> 4) & 15]);
      out.push_back(hex[c & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

// Whether a value that a handler has chosen can be shown to people. It need not be a value that a role could hold.
template <class T>
consteval bool printable() {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || is_a<T, Id> ||
                is_a<T, IdSet>) {
    return true;
  } else if constexpr (is_a<T, std::optional> || is_a<T, std::vector> || is_a<T, std::set> || is_std_array<T>) {
    return printable<typename T::value_type>();
  } else if constexpr (is_a<T, std::pair>) {
    return printable<std::remove_const_t<typename T::first_type>>() && printable<typename T::second_type>();
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (printable<boost::pfr::tuple_element_t<I, T>>() && ...);
    }(std::make_index_sequence<boost::pfr::tuple_size_v<T>>{});
  } else {
    return false;
  }
}

template <class Role>
std::string id_text(std::uint16_t index) {
  if (index == nobody) return "nobody";
  std::string text(role_tag<Role>.name);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text + " " + std::to_string(index + 1);
}

template <class T>
void to_json(const T& value, std::string& out) {
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    put_json_string(out, enum_name(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    put_json_string(out, value);
  } else if constexpr (is_a<T, Id>) {
    [&]<class R>(Id<R> id) { put_json_string(out, id_text<R>(IdAccess::index(id))); }(value);
  } else if constexpr (is_a<T, IdSet>) {
    out.push_back('[');
    [&]<class R>(const IdSet<R>& set) {
      bool first = true;
      for (std::uint16_t i = 0; i < 64; ++i) {
        if (!set.contains(IdAccess::make<R>(i))) continue;
        if (!std::exchange(first, false)) out.push_back(',');
        put_json_string(out, id_text<R>(i));
      }
    }(value);
    out.push_back(']');
  } else if constexpr (is_a<T, Per>) {
    out.push_back('{');
    [&]<class R, class V>(const Per<R, V>& per) {
      const auto& raw = IdAccess::raw(per);
      const auto size = static_cast<std::uint16_t>(raw.size());
      for (std::uint16_t i = 0; i < size; ++i) {
        if (i > 0) out.push_back(',');
        put_json_string(out, id_text<R>(i));
        out.push_back(':');
        to_json(static_cast<const V&>(raw[i]), out);
      }
    }(value);
    out.push_back('}');
  } else if constexpr (is_a<T, Auxiliary>) {
    to_json(AuxiliaryAccess::raw(value), out);
  } else if constexpr (is_a<T, std::optional>) {
    if (value) {
      to_json(*value, out);
    } else {
      out += "null";
    }
  } else if constexpr (is_a<T, std::pair>) {
    out.push_back('[');
    to_json(value.first, out);
    out.push_back(',');
    to_json(value.second, out);
    out.push_back(']');
  } else if constexpr (is_a<T, std::variant>) {
    std::visit(
        [&]<class V>(const V& v) {
          out.push_back('{');
          put_json_string(out, type_name<V>());
          out.push_back(':');
          to_json(v, out);
          out.push_back('}');
        },
        value);
  } else if constexpr (is_std_array<T> || is_a<T, std::vector> || is_a<T, std::set> || is_a<T, std::map>) {
    out.push_back('[');
    bool first = true;
    for (const auto& v : value) {
      if (!std::exchange(first, false)) out.push_back(',');
      to_json(static_cast<const typename T::value_type&>(v), out);
    }
    out.push_back(']');
  } else if constexpr (boost::pfr::tuple_size_v<T> == 0) {
    out += "{}";
  } else {
    out.push_back('{');
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((I > 0 ? out.push_back(',') : void(), put_json_string(out, field_name<T, I>()), out.push_back(':'),
        to_json(boost::pfr::get<I>(value), out)),
       ...);
    }(std::make_index_sequence<boost::pfr::tuple_size_v<T>>{});
    out.push_back('}');
  }
}

}  // namespace heddle::detail
