// A sequential object for `heddle lin HISTORY --spec my_object.cpp`: plain data, and one member function for
// each operation of the history, called by the operation's name.
//
//   #include <heddle/specification.h>
//
//   struct Bank {
//     std::map<std::string, long> balance;
//     long read(const std::string& account) { return balance[account]; }
//     bool transfer(const std::string& from, const std::string& to, long amount) {
//       if (balance[from] < amount) return false;
//       balance[from] -= amount;
//       balance[to] += amount;
//       return true;
//     }
//     static constexpr auto operations = heddle::operations<&Bank::read, &Bank::transfer>;
//   };
//   const heddle::RegisterSpecification<Bank> bank("bank", Bank{{{"alice", 10}}});    // the object at the start
//
// parameters   the operation's value: one parameter takes it as it is, several take the members of a list,
//              none ignores it. If the history has keys, the key comes first, unless `static constexpr bool
//              per_key = true` says that every key has a separate object.
// result       what the system must have answered; void: any answer will do.
// types        bool, integers, std::string, std::optional<T> (nil or a T), std::vector<T> (a list), heddle::Any
// require(c)   if c is false, the operation cannot happen at all
// REQUIRES: the functions are pure: they see only the object and their parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/detail/kinds.h"
#include "heddle/handler.h"

namespace heddle {

// A value of a history.
struct Any {
  enum class Kind : std::uint8_t { Nil, Boolean, Integer, Text, List };
  Kind kind = Kind::Nil;
  std::int64_t number = 0;  // of an integer; of a boolean 0 or 1
  std::string text;
  std::vector<Any> members;
  friend bool operator==(const Any&, const Any&) = default;
};

template <auto... Functions>
struct Operations {};
template <auto... Functions>
inline constexpr Operations<Functions...> operations{};

namespace detail {

// A history's value does not fit a parameter. `expected` says what would.
struct DoesNotFit {
  std::string expected;
};

template <class T>
T from_any(const Any& any) {
  if constexpr (std::is_same_v<T, Any>) {
    return any;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (any.kind != Any::Kind::Boolean) throw DoesNotFit{"true or false"};
    return any.number != 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (any.kind != Any::Kind::Integer || !std::in_range<T>(any.number)) throw DoesNotFit{"an integer"};
    return static_cast<T>(any.number);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (any.kind != Any::Kind::Text) throw DoesNotFit{"a string"};
    return any.text;
  } else if constexpr (is_a<T, std::optional>) {
    if (any.kind == Any::Kind::Nil) return std::nullopt;
    return from_any<typename T::value_type>(any);
  } else if constexpr (is_a<T, std::vector>) {
    if (any.kind != Any::Kind::List) throw DoesNotFit{"a list"};
    T out;
    for (const Any& member : any.members) out.push_back(from_any<typename T::value_type>(member));
    return out;
  } else {
    static_assert(
        always_false<T>,
        "heddle: parameters of an operation are bool, integers, std::string, optional, vector or heddle::Any");
  }
}

template <class T>
Any to_any(const T& value) {
  if constexpr (std::is_same_v<T, Any>) {
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    return {Any::Kind::Boolean, value ? 1 : 0, {}, {}};
  } else if constexpr (std::is_integral_v<T>) {
    return {Any::Kind::Integer, static_cast<std::int64_t>(value), {}, {}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {Any::Kind::Text, 0, value, {}};
  } else if constexpr (is_a<T, std::optional>) {
    return value ? to_any(*value) : Any{};
  } else if constexpr (is_a<T, std::vector>) {
    Any out{Any::Kind::List, 0, {}, {}};
    for (const auto& member : value) out.members.push_back(to_any(member));
    return out;
  } else {
    static_assert(
        always_false<T>,
        "heddle: an operation returns bool, an integer, std::string, optional, vector, heddle::Any or nothing");
  }
}

struct OperationInfo {
  std::string name;
  std::size_t parameters = 0;
  bool answers = false;
  // Applies the operation to the encoded object and returns its answer. Throws Rejected or DoesNotFit.
  Any (*apply)(Bytes& object, std::span<const Any> arguments) = nullptr;
};

struct UserSpecificationInfo {
  std::string name;
  bool per_key = false;
  Bytes initial;
  std::vector<OperationInfo> operations;
  const Shape* shape = nullptr;
};

template <auto Function, class Object, class R, class... P>
OperationInfo make_operation() {
  OperationInfo info{std::string(unqualified(value_spelling<Function>())), sizeof...(P), !std::is_void_v<R>, nullptr};
  info.apply = [](Bytes& bytes, std::span<const Any> arguments) {
    auto object = decode_all<Object>(bytes);
    const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (object.*Function)(from_any<std::decay_t<P>>(arguments[I])...);
    };
    Any answer;
    if constexpr (std::is_void_v<R>) {
      call(std::index_sequence_for<P...>{});
    } else {
      answer = to_any<std::decay_t<R>>(call(std::index_sequence_for<P...>{}));
    }
    bytes.clear();
    encode(object, bytes);
    return answer;
  };
  return info;
}
template <auto Function, class Object, class R, class... P>
OperationInfo operation_info(R (Object::*)(P...)) {
  return make_operation<Function, Object, R, P...>();
}
template <auto Function, class Object, class R, class... P>
OperationInfo operation_info(R (Object::*)(P...) const) {
  return make_operation<Function, Object, R, P...>();
}

template <class Object, auto... Functions>
UserSpecificationInfo make_specification(std::string name, const Object& initial, Operations<Functions...>) {
  UserSpecificationInfo info;
  info.name = std::move(name);
  if constexpr (requires { Object::per_key; }) info.per_key = Object::per_key;
  encode(initial, info.initial);
  (info.operations.push_back(operation_info<Functions>(Functions)), ...);
  info.shape = &shape_of<Object>();
  return info;
}

// The program that loads the file keeps it.
void register_specification(UserSpecificationInfo info);

}  // namespace detail

template <class Object>
class RegisterSpecification {
 public:
  explicit RegisterSpecification(std::string name, const Object& initial = {}) {
    detail::register_specification(detail::make_specification<Object>(std::move(name), initial, Object::operations));
  }
};

}  // namespace heddle
