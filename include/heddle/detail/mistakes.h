// Mistakes in the structs and handlers of a model, found before reflection meets them: Boost.PFR answers a
// type that it cannot take apart with pages about its own insides.
//
// StructOf, FieldOf, HandlerOf and ParameterOf exist for their names. When an assertion fails in one of them,
// the compiler prints the template arguments. They show which field of which struct, or which parameter of
// which handler, is meant. `heddle check` turns that into a sentence (src/cli/compiler_messages.h). Every
// text begins with "heddle: " and says what to write instead. A modeller never includes this header.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "heddle/detail/kinds.h"
#include "heddle/handler.h"
#include "heddle/role.h"

namespace heddle {

namespace detail {

// --- Structs.

// Converts to a base class of T and to nothing else. If that initialises the first element of T, T has a base class.
template <class T>
struct BaseOf {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};
template <class T>
inline constexpr bool has_base = requires { T{BaseOf<T>{}}; };

// A C array of n elements takes n initialisers, so PFR, which counts initialisers, takes it for n fields. But
// {} initialises one field whatever its type, so a struct with such an array does not take as many {}.
// Structs with more than 16 initialisers are not examined.
template <class T, std::size_t Initialisers>
inline constexpr bool has_c_array = false;
#define HEDDLE_BRACES(n, ...) \
  template <class T>          \
  inline constexpr bool has_c_array<T, n> = !requires { T{__VA_ARGS__}; };
HEDDLE_BRACES(2, {}, {})
HEDDLE_BRACES(3, {}, {}, {})
HEDDLE_BRACES(4, {}, {}, {}, {})
HEDDLE_BRACES(5, {}, {}, {}, {}, {})
HEDDLE_BRACES(6, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(7, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(8, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(9, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(10, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(11, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(12, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(13, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(14, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(15, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
HEDDLE_BRACES(16, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
#undef HEDDLE_BRACES

template <class T>
inline constexpr bool needs_values = std::is_aggregate_v<T> && !std::is_default_constructible_v<T>;

template <class T>
consteval bool holds_c_array() {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !has_base<T> && !needs_values<T>) {
    return has_c_array<T, Fields<T>::count>;
  } else {
    return false;
  }
}

// What the fields are declared with beside their types. Fields<T>::Types does not show it.
struct FindConstants {
  template <class... F>
  constexpr std::bool_constant<(std::is_const_v<F> || ...)> operator()(F&...) const {
    return {};
  }
};
struct FindVolatiles {
  template <class... F>
  constexpr std::bool_constant<(std::is_volatile_v<F> || ...)> operator()(F&...) const {
    return {};
  }
};
template <class T, class Find>
consteval bool holds_field() {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !has_base<T> && !needs_values<T>) {
    if constexpr (!holds_c_array<T>()) {
      return decltype(Bindings<Fields<T>::count>::visit(std::declval<T&>(), Find{}))::value;
    }
  }
  return false;
}

template <class T>
struct StructOf {
  static_assert(!std::is_class_v<T> || std::is_aggregate_v<T>,
                "heddle: this is no plain struct: it has a constructor, a virtual function, or a private or protected "
                "member; make every field public and give it a default value where it is declared");
  static_assert(!has_base<T>,
                "heddle: this struct has a base class; write the fields of the base into the struct, or make the base "
                "a field");
  static_assert(!needs_values<T>,
                "heddle: a field of this struct has no default value: a reference, a constant, or a type without one; "
                "hold a value instead, and write Id<Role> to name a process");
  static_assert(!holds_c_array<T>(), "heddle: this struct holds a C array; write std::array<T, N>");
  static_assert(!holds_field<T, FindConstants>(),
                "heddle: a field of this struct is const, but all fields are read from the state; drop the const, or "
                "write static constexpr");
  static_assert(!holds_field<T, FindVolatiles>(), "heddle: a field of this struct is volatile; drop that word");
  static constexpr bool plain = std::is_class_v<T> && std::is_aggregate_v<T> && !has_base<T> && !needs_values<T> &&
                                !holds_c_array<T>() && !holds_field<T, FindConstants>() &&
                                !holds_field<T, FindVolatiles>();
};

// --- Fields.

// A name as a template argument.
template <std::size_t N>
struct Text {
  char characters[N];
};
template <class T, std::size_t I>
consteval auto field_text() {
  constexpr std::string_view name = Fields<T>::template name<I>();
  Text<name.size() + 1> text{};
  for (std::size_t i = 0; i < name.size(); ++i) text.characters[i] = name[i];
  return text;
}

// std::unique_ptr, std::shared_ptr and others like them.
template <class T>
inline constexpr bool points = requires(const T& pointer) {
  typename T::element_type;
  pointer.get();
};

// Whether everything that T names as a role may be one. A role may be incomplete here.
template <class T>
inline constexpr bool names_roles = true;
template <class Role>
inline constexpr bool names_roles<Id<Role>> = std::is_class_v<Role>;
template <class Role>
inline constexpr bool names_roles<IdSet<Role>> = std::is_class_v<Role>;
template <class Role, class T>
inline constexpr bool names_roles<Per<Role, T>> = std::is_class_v<Role>;
template <class Role, class M>
inline constexpr bool names_roles<To<Role, M>> = std::is_class_v<Role>;
template <class Role, class M>
inline constexpr bool names_roles<ToAll<Role, M>> = std::is_class_v<Role>;
template <class M, class Role>
inline constexpr bool names_roles<From<M, Role>> = std::is_class_v<Role>;
template <class M, class Role, class Threshold>
inline constexpr bool names_roles<Quorum<M, Role, Threshold>> = std::is_class_v<Role>;

// Sets and maps of processes, in the order that they have by themselves: none.
template <class T>
inline constexpr bool orders_ids = false;
template <class Role>
inline constexpr bool orders_ids<std::set<Id<Role>>> = true;
template <class Role, class T>
inline constexpr bool orders_ids<std::map<Id<Role>, T>> = true;

template <class Owner, auto Name, class T>
struct FieldOf {
  static_assert(names_roles<T>,
                "heddle: Id, IdSet and Per are about processes; write Id<Role>, where Role is a struct");
  static_assert(!orders_ids<T>,
                "heddle: processes have no order; write IdSet<Role> for a set of them, and Per<Role, T> for a value of "
                "each");
  static constexpr bool pointer = std::is_pointer_v<T> || std::is_reference_v<T> || points<T>;
  static constexpr bool text_elsewhere = std::is_same_v<T, std::string_view>;
  static constexpr bool hashed = requires { typename T::hasher; };
  static constexpr bool function = is_a<T, std::function>;
  static_assert(!pointer,
                "heddle: roles and messages hold values, not pointers or references; write Id<Role> to name a process, "
                "std::optional or std::vector for data that may be absent");
  static_assert(!std::is_floating_point_v<T>,
                "heddle: floating point numbers make state spaces infinite; use integers");
  static_assert(!hashed, "heddle: an unordered container has no fixed order; write std::map or std::set");
  static_assert(!text_elsewhere, "heddle: a string_view refers to text that is elsewhere; write std::string");
  static_assert(!function, "heddle: a function is no data; write an enum, and switch on it in the handler");
  static_assert(!std::is_union_v<T>, "heddle: a union does not know what it holds; write std::variant");
  static_assert(!std::is_array_v<T>, "heddle: C arrays are not supported; write std::array<T, N>");
  static constexpr bool known = !names_roles<T> || orders_ids<T> || pointer || std::is_floating_point_v<T> || hashed ||
                                text_elsewhere || function || std::is_union_v<T>;
  static_assert(
      known || std::is_class_v<T> || std::is_array_v<T>,
      "heddle: unsupported field type: use integers, enums, optional, vector, array, set, map, pair, variant, Id, "
      "IdSet, Per, Auxiliary, or a plain struct (no constructors, no private members) of those");
  static_assert(
      known || !std::is_class_v<T> || std::is_aggregate_v<T>,
      "heddle: unsupported field type: it has a constructor or private members; use integers, enums, std::string, "
      "optional, vector, array, set, map, pair, variant, Id, IdSet, Per, Auxiliary, or a plain struct of those");
  static constexpr bool may_be_plain = !known && std::is_class_v<T> && std::is_aggregate_v<T>;
};

template <class T, class... Within>
consteval bool check_struct();

template <class Owner, auto Name, class T, class... Within>
consteval bool check_part();

template <class Owner, auto Name, class... Within>
struct CheckParts {
  template <class... Parts>
  static consteval bool all(TypeList<Parts...>) {
    return (check_part<Owner, Name, Parts, Within...>() && ...);
  }
};

template <class Owner, auto Name, class T, class... Within>
consteval bool check_part() {
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> || is_a<T, Id> ||
                is_a<T, IdSet>) {
    if constexpr (!names_roles<T>) return FieldOf<Owner, Name, T>::known;
    return true;
  } else if constexpr (orders_ids<T> || !names_roles<T>) {
    return FieldOf<Owner, Name, T>::known;
  } else if constexpr (is_a<T, Durable> || is_a<T, Auxiliary> || is_a<T, Per> || is_a<T, std::optional> ||
                       is_a<T, std::pair> || is_a<T, std::variant> || is_std_array<T> || is_a<T, std::vector> ||
                       is_a<T, std::set> || is_a<T, std::map>) {
    return CheckParts<Owner, Name, Within...>::all(KindOf<T>::parts());
  } else {
    if constexpr (FieldOf<Owner, Name, T>::may_be_plain) return check_struct<T, Within...>();
    return true;
  }
}

// A type may hold itself, in a vector say: the types around it are not looked at again.
template <class T, class... Within>
consteval bool check_struct() {
  if constexpr (!(std::is_same_v<T, Within> || ...) && StructOf<T>::plain) {
    return []<std::size_t... I, class... F>(std::index_sequence<I...>, TypeList<F...>) {
      return (check_part<T, field_text<T, I>(), F, T, Within...>() && ...);
    }(std::make_index_sequence<Fields<T>::count>{}, typename Fields<T>::Types{});
  }
  return true;
}

// For messages, operations, results and ghost variables. Always returns true: a mistake is a failed assertion.
template <class T>
consteval bool check_type() {
  return check_part<T, Text<1>{}, T>();
}

// --- Handlers.

template <class P>
inline constexpr bool taken_by_value =
    is_a<P, Reply> || is_a<P, To> || is_a<P, ToAll> || is_a<P, Invoke> || is_a<P, Return> || is_a<P, Spawn> ||
    is_a<P, Id> || std::is_same_v<P, Choice> || std::is_same_v<P, Exit> || std::is_same_v<P, Timeout>;
template <class P>
inline constexpr bool taken_by_const_reference = is_a<P, From> || is_a<P, Quorum> || std::is_same_v<P, Run>;

// A message is recognised by its type, so it needs a type that nothing else has.
template <class T>
inline constexpr bool has_type_of_its_own =
    std::is_class_v<T> && !std::is_same_v<T, std::string> && !std::is_same_v<T, std::string_view> &&
    !is_a<T, std::vector> && !is_a<T, std::set> && !is_a<T, std::map> && !is_a<T, std::optional> &&
    !is_a<T, std::pair> && !is_std_array<T>;

// Declared is not enough: a message is taken apart into its fields.
template <class T>
inline constexpr bool is_defined = requires { sizeof(T); };

// A role in the place of a message: the arguments of To, From and Quorum are easily swapped.
template <class T>
inline constexpr bool is_role = requires { T::transitions; };
template <class P>
inline constexpr bool swapped = false;
template <class Role, class M>
inline constexpr bool swapped<To<Role, M>> = is_role<M>;
template <class Role, class M>
inline constexpr bool swapped<ToAll<Role, M>> = is_role<M>;
template <class M, class Role>
inline constexpr bool swapped<From<M, Role>> = is_role<M>;
template <class M, class Role, class Threshold>
inline constexpr bool swapped<Quorum<M, Role, Threshold>> = is_role<M>;

// Function is the handler, P its parameter as written.
template <auto Function, class P>
struct ParameterOf {
  using T = std::remove_cvref_t<P>;
  static constexpr bool message = !taken_by_value<T> && !std::is_same_v<T, Run> && !is_a<T, Ghost>;
  static constexpr bool plain_message = message && !taken_by_const_reference<T>;
  static constexpr bool struct_of_its_own = has_type_of_its_own<T>;
  static constexpr bool const_reference = std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>;
  static constexpr bool as_message = struct_of_its_own && (!std::is_reference_v<P> || const_reference);
  static constexpr bool order_fits = !swapped<T> && names_roles<T>;
  static_assert(
      !swapped<T>,
      "heddle: a role stands where the message belongs; write To<Role, Message> and ToAll<Role, Message>, but "
      "From<Message, Role> and Quorum<Message, Role>");
  static_assert(names_roles<T>, "heddle: messages go to and come from processes; write a role, which is a struct");
  static_assert(!plain_message || struct_of_its_own,
                "heddle: this parameter is no message and nothing Heddle knows how to pass; a message is a struct, and "
                "is taken as `const Message& m` (what else a handler takes: heddle/handler.h)");
  static_assert(!plain_message || is_defined<T>,
                "heddle: this message is declared, but never defined; write its struct { ... }; above the model");
  static_assert(!taken_by_value<T> || std::is_same_v<P, T>,
                "heddle: take this parameter by value, without & and const");
  static_assert(!taken_by_const_reference<T> || const_reference, "heddle: take this parameter by const reference");
  static_assert(!is_a<T, Ghost> || std::is_same_v<P, T&>, "heddle: take the ghost variable by reference: Ghost<T>& g");
  static_assert(!plain_message || !struct_of_its_own || as_message,
                "heddle: messages are taken by const reference: write const Message& m");
  static constexpr bool fine =
      order_fits && (!plain_message || as_message) && (!taken_by_value<T> || std::is_same_v<P, T>) &&
      (!taken_by_const_reference<T> || const_reference) && (!is_a<T, Ghost> || std::is_same_v<P, T&>);
};

template <auto Function, class F>
struct HandlerOf {
  static_assert(
      always_false<F>,
      "heddle: a handler is a member function that returns void, is not static and not const: what it does is "
      "what it changes in its fields and what it sends");
  static constexpr bool fine = false;
};
template <auto Function, class Role, class... P>
struct HandlerOf<Function, void (Role::*)(P...)> {
  static_assert((std::size_t{0} + ... + (ParameterOf<Function, P>::message ? 1 : 0)) <= 1,
                "heddle: a transition consumes at most one kind of message; write a handler for each, and remember in "
                "a field what came first");
  static constexpr bool knows_itself = ((!is_a<P, Id> || std::is_same_v<P, Id<member_of<Role>>>) && ...);
  static_assert(
      knows_itself,
      "heddle: an Id among the parameters is the process itself; write Id of its own role, and take the ids of "
      "other processes from messages, fields or `const Run& run` (run.members<Role>())");
  static constexpr bool replies = ((ParameterOf<Function, P>::message || ...)) || !(is_a<P, Reply> || ...);
  static_assert(replies,
                "heddle: a Reply goes to the sender of a message, and this handler takes none; take const Message& m "
                "first, or send with To<Role, Message>");
  static constexpr bool fine = knows_itself && replies && (ParameterOf<Function, P>::fine && ...);
};
template <auto Function, class Role, class... P>
struct HandlerOf<Function, void (Role::*)(P...) noexcept> : HandlerOf<Function, void (Role::*)(P...)> {};

template <auto... Functions>
consteval bool check_handlers(Transitions<Functions...>) {
  return (HandlerOf<Functions, decltype(Functions)>::fine && ...);
}

template <class Role>
struct RoleOf {
  static_assert(
      requires { Role::transitions; } || !std::is_aggregate_v<Role>,
      "heddle: this role has no public list of its handlers; add `static constexpr auto transitions = "
      "heddle::transitions<&Role::handler, ...>;` as its last member");
  static consteval bool check() {
    if constexpr (requires { Role::transitions; }) check_handlers(Role::transitions);
    return check_struct<Role>();
  }
};

template <class Role>
consteval bool check_role() {
  return RoleOf<Role>::check();
}

}  // namespace detail
}  // namespace heddle
