// For programs of C and C++ that `heddle check` runs (docs/native.md). Heddle compiles such a file with clang and runs
// it in its own machine; none of this is needed to check a program that has a `main`.
//
//   #include <heddle/native.h>
//   #include "queue.h"
//   HEDDLE_HARNESS(Queue<int>, enqueue, dequeue)
//
//   $ heddle check queue_harness.cpp --client 'enqueue(1); dequeue() | enqueue(2)'
//
// A harness names a class and the methods that clients call. The object is made by its default constructor. Clients are
// data that Heddle fills in, so one compilation serves all of them. Arguments are numbers or what can be made of a
// number; results are void, bool, numbers, enumerations, pointers (null or not), strings, and std::optional, std::pair
// and std::tuple of these.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
// One of 0, 1, ... alternatives - 1: every one is tried. REQUIRES: alternatives > 0.
unsigned __heddle_choose(unsigned alternatives);
#ifdef __cplusplus
}
#endif

#define HEDDLE_CHOOSE(alternatives) __heddle_choose(alternatives)

#ifdef __cplusplus

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

extern "C" {
// What the client wants. 0: how many threads; 1: how many calls of `thread`; 2: the method of one; 3 and more: its
// arguments.
int __heddle_client(std::uint32_t thread, std::uint32_t call, std::uint32_t what);
std::uint32_t __heddle_self(void);
std::uint32_t __heddle_spawn(void* (*function)(void*), void* argument);
void __heddle_atomic_begin(std::uint32_t pending);
void __heddle_atomic_end(void);
void __heddle_await(bool condition);
bool __heddle_ended(std::uint32_t thread);
void __heddle_joined(std::uint32_t thread);
// A client's operation begins and ends; its result, as text.
void __heddle_call_begin(std::uint32_t method, std::uint32_t call);
void __heddle_call_end(void);
void __heddle_result(const char* text, std::size_t size);
}

namespace heddle::native_program {

inline constexpr std::uint32_t most_threads = 8, most_arguments = 4;

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

inline void put_number(std::string& out, std::int64_t value) {
  char digits[24];
  std::size_t n = sizeof digits;
  std::uint64_t rest =
      value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  do digits[--n] = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0) digits[--n] = '-';
  out.append(digits + n, sizeof digits - n);
}

template <class T>
void put(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    put_number(out, static_cast<std::int64_t>(value));
  } else if constexpr (std::is_pointer_v<T>) {
    out += value == nullptr ? "null" : "pointer";
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    out += std::string_view(value);
  } else if constexpr (is_optional<T>::value) {
    if (value) {
      put(out, *value);
    } else {
      out += "none";
    }
  } else {
    out += '(';
    std::apply(
        [&](const auto&... member) {
          bool first = true;
          ((out += first ? "" : ", ", first = false, put(out, member)), ...);
        },
        value);
    out += ')';
  }
}

template <class T>
T argument(std::int64_t value) {
  if constexpr (std::is_constructible_v<T, std::string> && !std::is_arithmetic_v<T>) {
    std::string text;
    put_number(text, value);
    return T(text);
  } else {
    return static_cast<T>(value);
  }
}

// The arguments of a method, as a tuple.
template <class Method>
struct arguments_of;
template <class Result, class Owner, class... Arguments>
struct arguments_of<Result (Owner::*)(Arguments...)> : std::type_identity<std::tuple<Arguments...>> {};
template <class Result, class Owner, class... Arguments>
struct arguments_of<Result (Owner::*)(Arguments...) const> : std::type_identity<std::tuple<Arguments...>> {};
template <class Result, class Owner, class... Arguments>
struct arguments_of<Result (Owner::*)(Arguments...) noexcept> : std::type_identity<std::tuple<Arguments...>> {};
template <class Result, class Owner, class... Arguments>
struct arguments_of<Result (Owner::*)(Arguments...) const noexcept> : std::type_identity<std::tuple<Arguments...>> {};

template <class Method>
inline constexpr std::size_t arity = std::tuple_size_v<typename arguments_of<Method>::type>;

// Calls a method with numbers and hands over its result as text.
template <class Object, class Method>
void call(Object& object, Method method, const std::int64_t* given) {
  using Arguments = typename arguments_of<Method>::type;
  static_assert(arity<Method> <= most_arguments, "a method of a harness has at most four arguments");
  std::string text;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto run = [&]() -> decltype(auto) {
      return (object.*method)(argument<std::remove_cvref_t<std::tuple_element_t<I, Arguments>>>(given[I])...);
    };
    if constexpr (std::is_void_v<decltype(run())>) {
      run();
      text = "void";
    } else {
      put(text, std::remove_cvref_t<decltype(run())>(run()));
    }
  }(std::make_index_sequence<arity<Method>>());
  __heddle_result(text.data(), text.size());
}

template <class Object, auto... Methods>
struct Harness {
  static constexpr std::array<std::uint32_t, sizeof...(Methods)> arities = {arity<decltype(Methods)>...};

  static void dispatch(Object& object, std::uint32_t which, const std::int64_t* given) {
    std::uint32_t i = 0;
    ((i++ == which ? call(object, Methods, given) : void()), ...);
  }
  static void* thread(void* object) {
    const std::uint32_t t = __heddle_self() - 1;  // the threads of a client are 1, 2, ...
    const auto calls = static_cast<std::uint32_t>(__heddle_client(t, 0, 1));
    for (std::uint32_t c = 0; c < calls; ++c) {
      const auto method = static_cast<std::uint32_t>(__heddle_client(t, c, 2));
      __heddle_call_begin(method, c);
      std::int64_t arguments[most_arguments];
      for (std::uint32_t i = 0; i < most_arguments; ++i) arguments[i] = __heddle_client(t, c, 3 + i);
      dispatch(*static_cast<Object*>(object), method, arguments);
      __heddle_call_end();
    }
    return nullptr;
  }
  static int run() {
    Object* const object = new Object();
    std::uint32_t started[most_threads];
    const auto count = static_cast<std::uint32_t>(__heddle_client(0, 0, 0));
    __heddle_atomic_begin(6);  // all threads begin at once
    for (std::uint32_t t = 0; t < count; ++t) started[t] = __heddle_spawn(&thread, object);
    __heddle_atomic_end();
    __heddle_atomic_begin(4);
    for (std::uint32_t t = 0; t < count; ++t) {
      __heddle_await(__heddle_ended(started[t]));
      __heddle_joined(started[t]);
    }
    __heddle_atomic_end();
    return 0;
  }
};

}  // namespace heddle::native_program

#define HEDDLE_NATIVE_1_(t, a) &t::a
#define HEDDLE_NATIVE_2_(t, a, ...) &t::a, HEDDLE_NATIVE_1_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_3_(t, a, ...) &t::a, HEDDLE_NATIVE_2_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_4_(t, a, ...) &t::a, HEDDLE_NATIVE_3_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_5_(t, a, ...) &t::a, HEDDLE_NATIVE_4_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_6_(t, a, ...) &t::a, HEDDLE_NATIVE_5_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_7_(t, a, ...) &t::a, HEDDLE_NATIVE_6_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_8_(t, a, ...) &t::a, HEDDLE_NATIVE_7_(t, __VA_ARGS__)
#define HEDDLE_NATIVE_PICK_(_1, _2, _3, _4, _5, _6, _7, _8, name, ...) name
#define HEDDLE_NATIVE_METHODS_(t, ...)                                                                     \
  HEDDLE_NATIVE_PICK_(__VA_ARGS__, HEDDLE_NATIVE_8_, HEDDLE_NATIVE_7_, HEDDLE_NATIVE_6_, HEDDLE_NATIVE_5_, \
                      HEDDLE_NATIVE_4_, HEDDLE_NATIVE_3_, HEDDLE_NATIVE_2_, HEDDLE_NATIVE_1_)              \
  (t, __VA_ARGS__)

// A type with a comma in it needs an alias: using Map = HashMap<int, int>; HEDDLE_HARNESS(Map, put, get)
#define HEDDLE_HARNESS(type, ...)                                                                                  \
  using heddle_harness = heddle::native_program::Harness<type, HEDDLE_NATIVE_METHODS_(type, __VA_ARGS__)>;         \
  extern "C" {                                                                                                     \
  extern const char __heddle_methods[] __attribute__((used)) = #__VA_ARGS__;                                       \
  extern const decltype(heddle_harness::arities) __heddle_arities __attribute__((used)) = heddle_harness::arities; \
  }                                                                                                                \
  int main() { return heddle_harness::run(); }

#endif  // __cplusplus
