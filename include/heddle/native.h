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
// data that Heddle fills in, so one compilation serves all of them. Arguments are numbers, or what can be made of a
// number or of its digits: enumerations, texts. Results are void, bool, numbers, enumerations, pointers (null or not),
// texts, and containers, std::optional, std::pair, std::tuple and small structs of these. A parameter that is a
// reference to something not const is a result: `bool pop(int& value)` is called as pop(), and answers the value, or
// none.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
// One of 0, 1, ... alternatives - 1: every one is tried. REQUIRES: alternatives > 0.
unsigned __heddle_choose(unsigned alternatives);
// Says that some bytes are the word of a lock.
void __heddle_lock_word(const volatile void* word, unsigned long size);
#ifdef __cplusplus
}
#endif

#define HEDDLE_CHOOSE(alternatives) __heddle_choose(alternatives)

// A statement, best in the constructor of a lock written by hand: `word` belongs to the lock. `heddle explain` then
// takes the accesses to it as locking, as it does with std::mutex, and not as accesses to data that a repair could
// protect.
#define HEDDLE_LOCK(word) __heddle_lock_word(&(word), sizeof(word))

#ifdef __cplusplus

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#ifdef HEDDLE_STRESS
#include <heddle/native_stress.h>
#else
extern "C" {
// What the client wants. 0: how many threads; 2: the method of the call that this thread is at; 3 and more: its
// arguments.
int __heddle_client(std::uint32_t what);
std::uint32_t __heddle_spawn(void* (*function)(void*), void* argument);
void __heddle_atomic_begin(std::uint32_t pending);
void __heddle_atomic_end(void);
void __heddle_await(bool condition);
bool __heddle_ended(std::uint32_t thread);
void __heddle_joined(std::uint32_t thread);
// This thread's next call begins, if there is one: false otherwise. It ends; its result, as text.
bool __heddle_call_begin(void);
void __heddle_call_end(void);
void __heddle_result(const char* text, std::size_t size);
}
#endif

namespace heddle::native_program {

inline constexpr std::uint32_t most_threads = 8, most_arguments = 4;

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

// Converts to anything: for counting the members of a struct.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: on purpose
};

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;
template <class T>
concept Tuple = requires { std::tuple_size<T>::value; };
template <class T>
concept Range = requires(const T& value) { value.begin() != value.end(); };
template <class T>
concept SmartPointer = requires(const T& value) {
  *value;
  value == nullptr;
};
// A struct without constructors, of one to six members.
template <class T>
concept SmallStruct = std::is_aggregate_v<T> && std::is_class_v<T> && requires { T{Anything()}; } && !requires {
  T{Anything(), Anything(), Anything(), Anything(), Anything(), Anything(), Anything()};
};
template <class T>
inline constexpr bool is_result = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> || is_text<T> ||
                                  is_optional<T>::value || Tuple<T> || Range<T> || SmartPointer<T> || SmallStruct<T>;

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

// Between quotes, so that no text reads like another result.
inline void put_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

template <class T>
void put(std::string& out, const T& value);

template <class... Members>
void put_all(std::string& out, const Members&... members) {
  out += '(';
  bool first = true;
  ((out += first ? "" : ", ", first = false, put(out, members)), ...);
  out += ')';
}

template <SmallStruct T>
void put_members(std::string& out, const T& value) {
  using A = Anything;
  if constexpr (requires { T{A(), A(), A(), A(), A(), A()}; }) {
    const auto& [a, b, c, d, e, f] = value;
    put_all(out, a, b, c, d, e, f);
  } else if constexpr (requires { T{A(), A(), A(), A(), A()}; }) {
    const auto& [a, b, c, d, e] = value;
    put_all(out, a, b, c, d, e);
  } else if constexpr (requires { T{A(), A(), A(), A()}; }) {
    const auto& [a, b, c, d] = value;
    put_all(out, a, b, c, d);
  } else if constexpr (requires { T{A(), A(), A()}; }) {
    const auto& [a, b, c] = value;
    put_all(out, a, b, c);
  } else if constexpr (requires { T{A(), A()}; }) {
    const auto& [a, b] = value;
    put_all(out, a, b);
  } else {
    const auto& [a] = value;
    put_all(out, a);
  }
}

template <class T>
void put(std::string& out, const T& value) {
  static_assert(is_result<T>,
                "HEDDLE_HARNESS: a method returns a type that Heddle cannot compare. Results are void, bool, numbers, "
                "enumerations, pointers, texts, containers, std::optional, std::pair, std::tuple, and structs of at "
                "most six such members. Wrap the class, and return one of these.");
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    char digits[40];
    const int size = std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(value));
    out.append(digits, static_cast<std::size_t>(size));
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    put_number(out, static_cast<std::int64_t>(value));
  } else if constexpr (is_text<T>) {
    put_text(out, std::string_view(value));
  } else if constexpr (std::is_pointer_v<T>) {
    out += value == nullptr ? "null" : "pointer";
  } else if constexpr (is_optional<T>::value) {
    if (value) {
      put(out, *value);
    } else {
      out += "none";
    }
  } else if constexpr (Tuple<T>) {
    std::apply([&](const auto&... members) { put_all(out, members...); }, value);
  } else if constexpr (Range<T>) {
    out += '[';
    bool first = true;
    for (const auto& member : value) {
      if (!first) out += ", ";
      first = false;
      put(out, member);
    }
    out += ']';
  } else if constexpr (SmartPointer<T>) {
    out += value == nullptr ? "null" : "pointer";
  } else if constexpr (SmallStruct<T>) {
    put_members(out, value);
  }
}

// An argument that a client gives as a number. It lives as long as the call.
template <class T>
class Argument {
 public:
  static constexpr bool is_output = std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;
  using Value = std::remove_cvref_t<T>;
  static constexpr bool of_text =
      !std::is_arithmetic_v<Value> && !std::is_enum_v<Value> &&
      (std::is_constructible_v<Value, const std::string&> || std::is_same_v<Value, const char*>);
  static constexpr bool of_number =
      std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::is_constructible_v<Value, int>;
  static_assert(is_output || of_text || (of_number && !std::is_pointer_v<Value>),
                "HEDDLE_HARNESS: a method has a parameter that cannot be made of a number. Parameters are numbers, "
                "enumerations, texts, what can be made of an int or a std::string, and references that the method "
                "writes its results to. Wrap the class, and take one of these.");
  static_assert(!is_output || std::is_default_constructible_v<Value>,
                "HEDDLE_HARNESS: what a method writes to a reference must have a default constructor.");

  explicit Argument(std::int64_t number) : value_(make(number, text_)) {}
  Argument(const Argument&) = delete;  // its value may point into its text
  Argument& operator=(const Argument&) = delete;
  operator T() { return static_cast<T>(value_); }  // NOLINT: on purpose
  const Value& value() const { return value_; }

 private:
  static Value make(std::int64_t number, std::string& text) {
    if constexpr (is_output) {
      return Value();
    } else if constexpr (of_text) {
      put_number(text, number);
      if constexpr (std::is_same_v<Value, const char*>) {
        return text.c_str();
      } else {
        return Value(text);
      }
    } else {
      return static_cast<Value>(number);
    }
  }

  std::string text_;
  Value value_;
};

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

// How many numbers a client gives: one for each parameter that the method does not write to.
template <class Arguments>
inline constexpr std::size_t inputs = 0;
template <class... Arguments>
inline constexpr std::size_t inputs<std::tuple<Arguments...>> =
    (std::size_t{0} + ... + (Argument<Arguments>::is_output ? 0 : 1));
template <class Method>
inline constexpr std::size_t arity = inputs<typename arguments_of<Method>::type>;

// The number that goes with parameter `index`: those that are written to take none.
template <class... Arguments>
constexpr std::size_t given_for(std::size_t index, std::tuple<Arguments...>*) {
  constexpr bool outputs[] = {Argument<Arguments>::is_output..., false};
  std::size_t n = 0;
  for (std::size_t i = 0; i < index; ++i) n += outputs[i] ? 0 : 1;
  return n;
}

template <class... Arguments>
void put_outputs(std::string& out, const Argument<Arguments>&... arguments) {
  constexpr std::size_t outputs = (std::size_t{0} + ... + (Argument<Arguments>::is_output ? 1 : 0));
  bool first = true;
  const auto one = [&](const auto& argument) {
    if constexpr (std::remove_cvref_t<decltype(argument)>::is_output) {
      if (!first) out += ", ";
      first = false;
      put(out, argument.value());
    }
  };
  if (outputs > 1) out += '(';
  (one(arguments), ...);
  if (outputs > 1) out += ')';
}

// Calls a method with numbers and hands over its result as text. `bool pop(int& value)` has no argument, and its result
// is the value, or none.
template <class Object, class Method>
void call(Object& object, Method method, const std::int64_t* given) {
  using Arguments = typename arguments_of<Method>::type;
  static_assert(arity<Method> <= most_arguments, "HEDDLE_HARNESS: a method has at most four arguments");
  std::string text;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr bool writes = arity<Method> < sizeof...(I);
    std::tuple<Argument<std::tuple_element_t<I, Arguments>>...> arguments{
        given[given_for(I, static_cast<Arguments*>(nullptr))]...};
    const auto run = [&]() -> decltype(auto) { return (object.*method)(std::get<I>(arguments)...); };
    using Result = decltype(run());
    if constexpr (std::is_void_v<Result>) {
      run();
      if constexpr (writes) {
        put_outputs(text, std::get<I>(arguments)...);
      } else {
        text = "void";
      }
    } else if constexpr (writes && std::is_same_v<std::remove_cvref_t<Result>, bool>) {
      if (run()) {
        put_outputs(text, std::get<I>(arguments)...);
      } else {
        text = "none";
      }
    } else {
      put(text, std::remove_cvref_t<Result>(run()));
      if constexpr (writes) {
        text += ", ";
        put_outputs(text, std::get<I>(arguments)...);
        text = '(' + text + ')';
      }
    }
  }(std::make_index_sequence<std::tuple_size_v<Arguments>>());
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
    while (__heddle_call_begin()) {
      std::int64_t arguments[most_arguments];
      for (std::uint32_t i = 0; i < most_arguments; ++i) arguments[i] = __heddle_client(3 + i);
      dispatch(*static_cast<Object*>(object), static_cast<std::uint32_t>(__heddle_client(2)), arguments);
      __heddle_call_end();
    }
    return nullptr;
  }
  static int run() {
    Object* const object = new Object();
    std::uint32_t started[most_threads];
    const auto count = static_cast<std::uint32_t>(__heddle_client(0));
    __heddle_atomic_begin(6);  // all threads begin at once
    for (std::uint32_t t = 0; t < count; ++t) started[t] = __heddle_spawn(&thread, object);
    __heddle_atomic_end();
    __heddle_atomic_begin(4);  // and all are waited for at once, so that none is first
    bool all_ended = true;
    for (std::uint32_t t = 0; t < count; ++t) all_ended &= __heddle_ended(started[t]);
    __heddle_await(all_ended);
    for (std::uint32_t t = 0; t < count; ++t) __heddle_joined(started[t]);
    __heddle_atomic_end();
#ifdef HEDDLE_STRESS
    delete object;  // in the machine the process ends here
#endif
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

#ifdef HEDDLE_STRESS
#define HEDDLE_NATIVE_MAIN_ \
  int main(int argc, char** argv) { return heddle::native_program::stress::main(argc, argv, &heddle_harness::run); }
#else
#define HEDDLE_NATIVE_MAIN_ \
  int main() { return heddle_harness::run(); }
#endif

// A type with a comma in it needs an alias: using Map = HashMap<int, int>; HEDDLE_HARNESS(Map, put, get)
#define HEDDLE_HARNESS(type, ...)                                                                                  \
  using heddle_harness = heddle::native_program::Harness<type, HEDDLE_NATIVE_METHODS_(type, __VA_ARGS__)>;         \
  extern "C" {                                                                                                     \
  extern const char __heddle_methods[] __attribute__((used)) = #__VA_ARGS__;                                       \
  extern const decltype(heddle_harness::arities) __heddle_arities __attribute__((used)) = heddle_harness::arities; \
  }                                                                                                                \
  HEDDLE_NATIVE_MAIN_

#endif  // __cplusplus
