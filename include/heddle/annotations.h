// What Model::annotate can say of a handler, for partial order reduction. No annotation is needed. `heddle
// audit` checks them all.
//
//   m.annotate<&Acceptor::accept>(reads<&Acceptor::promised>, writes<&Acceptor::accepted>);
#pragma once

#include "heddle/detail/model_info.h"

namespace heddle {

// reads: the fields that the guard depends on. Together with the consumed messages they decide whether the step
// exists; so the guard must not depend on the ghost variable. writes: the fields that the handler may change.
template <auto... Fields>
struct Reads {};
template <auto... Fields>
inline constexpr Reads<Fields...> reads{};
template <auto... Fields>
struct Writes {};
template <auto... Fields>
inline constexpr Writes<Fields...> writes{};
// raises: the fields that the handler makes strictly larger whenever it happens. hindered_by: fields whose
// growth can never enable it.
template <auto... Fields>
struct Raises {};
template <auto... Fields>
inline constexpr Raises<Fields...> raises{};
template <auto... Fields>
struct HinderedBy {};
template <auto... Fields>
inline constexpr HinderedBy<Fields...> hindered_by{};
// The handler never changes whether a property holds.
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
