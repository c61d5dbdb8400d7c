// What Model::annotate can say of a handler, for partial order reduction. None is needed; all are checked by `heddle audit`.
//
//   m.annotate<&Acceptor::accept>(reads<&Acceptor::promised>, writes<&Acceptor::accepted>);
#pragma once

#include "heddle/detail/model_info.h"

namespace heddle {

// Fields its guard depends on (with the messages it consumes, everything that decides whether the step exists: not the ghost
// variable either), and fields it may change.
template <auto... Fields>
struct Reads {};
template <auto... Fields>
inline constexpr Reads<Fields...> reads{};
template <auto... Fields>
struct Writes {};
template <auto... Fields>
inline constexpr Writes<Fields...> writes{};
// Fields it makes strictly larger whenever it happens, and fields whose growth can never enable it.
template <auto... Fields>
struct Raises {};
template <auto... Fields>
inline constexpr Raises<Fields...> raises{};
template <auto... Fields>
struct HinderedBy {};
template <auto... Fields>
inline constexpr HinderedBy<Fields...> hindered_by{};
// It never changes whether a property holds.
struct Invisible {};
inline constexpr Invisible invisible{};

namespace detail {

template <auto... Fields>
void note(Annotation& a, Reads<Fields...>) {
  a.set_reads({field_position(Fields)...});
}
template <auto... Fields>
void note(Annotation& a, Writes<Fields...>) {
  a.set_writes({field_position(Fields)...});
}
template <auto... Fields>
void note(Annotation& a, Raises<Fields...>) {
  a.set_raises({field_position(Fields)...});
}
template <auto... Fields>
void note(Annotation& a, HinderedBy<Fields...>) {
  a.set_hindered_by({field_position(Fields)...});
}
inline void note(Annotation& a, Invisible) { a.invisible = true; }

}  // namespace detail
}  // namespace heddle
