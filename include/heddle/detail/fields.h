// The fields of a plain struct, by structured bindings.
//
//   Fields<T>::visit(value, [](auto&... field) { ... });     // all fields at once, in the order they are declared
//   Fields<T>::Types, Fields<T>::count, Fields<T>::names
//
// Boost.PFR counts the fields. It also hands them out for structs with more fields than there are bindings
// here. It is not used for all structs, because it goes through several templates for each field, and
// compiling a model spent most of its time there.
#pragma once

#include <array>
#include <boost/pfr/core.hpp>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "heddle/detail/names.h"

namespace heddle::detail {

template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
};

template <std::size_t Count>
struct Bindings {
  template <class T, class F>
  static constexpr decltype(auto) visit(T& value, F&& f) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
      return f(boost::pfr::get<I>(value)...);
    }(std::make_index_sequence<Count>{});
  }
};
template <>
struct Bindings<0> {
  template <class T, class F>
  static constexpr decltype(auto) visit(T&, F&& f) {
    return f();
  }
};
#define HEDDLE_BINDINGS(n, ...)                                    \
  template <>                                                      \
  struct Bindings<n> {                                             \
    template <class T, class F>                                    \
    static constexpr decltype(auto) visit(T& value, F&& visitor) { \
      auto& [__VA_ARGS__] = value;                                 \
      return visitor(__VA_ARGS__);                                 \
    }                                                              \
  };
HEDDLE_BINDINGS(1, a)
HEDDLE_BINDINGS(2, a, b)
HEDDLE_BINDINGS(3, a, b, c)
HEDDLE_BINDINGS(4, a, b, c, d)
HEDDLE_BINDINGS(5, a, b, c, d, e)
HEDDLE_BINDINGS(6, a, b, c, d, e, f)
HEDDLE_BINDINGS(7, a, b, c, d, e, f, g)
HEDDLE_BINDINGS(8, a, b, c, d, e, f, g, h)
HEDDLE_BINDINGS(9, a, b, c, d, e, f, g, h, i)
HEDDLE_BINDINGS(10, a, b, c, d, e, f, g, h, i, j)
HEDDLE_BINDINGS(11, a, b, c, d, e, f, g, h, i, j, k)
HEDDLE_BINDINGS(12, a, b, c, d, e, f, g, h, i, j, k, l)
HEDDLE_BINDINGS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
HEDDLE_BINDINGS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
HEDDLE_BINDINGS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
HEDDLE_BINDINGS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
HEDDLE_BINDINGS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
HEDDLE_BINDINGS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
HEDDLE_BINDINGS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
HEDDLE_BINDINGS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
HEDDLE_BINDINGS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
HEDDLE_BINDINGS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
HEDDLE_BINDINGS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
HEDDLE_BINDINGS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
#undef HEDDLE_BINDINGS

struct ListTypes {
  template <class... F>
  constexpr TypeList<F...> operator()(const F&...) const {
    return {};
  }
};

// --- Names come from the spelling of a pointer to a field of an object that does not exist.

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

// Returns the address of the field after `Before` others.
template <class Before>
struct Pick;
template <std::size_t... Before>
struct Pick<std::index_sequence<Before...>> {
  template <std::size_t>
  using Skipped = const volatile void*;
  template <class F>
  static constexpr F* from(Skipped<Before>..., F* field, auto*...) {
    return field;
  }
  constexpr auto operator()(auto&... field) const { return from(&field...); }
};

template <class T>
struct Fields {
  static constexpr std::size_t count = boost::pfr::tuple_size_v<T>;
  template <class U, class F>  // U is T or const T
  static constexpr decltype(auto) visit(U& value, F&& f) {
    return Bindings<count>::visit(value, f);
  }
  using Types = decltype(Bindings<count>::visit(std::declval<T&>(), ListTypes{}));

  template <std::size_t I>
  static constexpr std::string_view name() {
    constexpr std::string_view name =
        field_spelling<Bindings<count>::visit(never_defined<T>.value, Pick<std::make_index_sequence<I>>{})>();
    return name;  // computed at compile time
  }
  static constexpr auto names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{name<I>()...};
  }(std::make_index_sequence<count>{});
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace heddle::detail
