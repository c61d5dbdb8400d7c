// Calls on an abstract object as data, and what the library must know of such objects (refinement.h).
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/answer.h"
#include "heddle/detail/handler_call.h"
#include "heddle/detail/kinds.h"

namespace heddle::detail {

struct ArgumentInfo {
  ShapeFunction shape;
  std::string (*text)(std::string_view bytes);  // as people write it; null: as JSON
};

struct MethodInfo {
  std::string_view name;
  bool observation;  // it never changes the object
  Answer (*apply)(Bytes& object, std::string_view arguments);
  ListOf<ArgumentInfo> arguments;

  std::string text(std::string_view bytes) const;  // "add(3, 7, 0)"
  Bytes rename(std::string_view bytes, const Renaming& renaming) const;
  std::uint64_t fingerprint(std::string_view bytes, const Colouring& colour) const;
};

struct AbstractCall {
  const MethodInfo* method;
  Bytes arguments;
};

// Returns an argument as people write it. A type may have a member `std::string text() const`; an empty text
// leaves the argument out.
template <class T>
std::string argument_text(const T& value) {
  if constexpr (requires { value.text(); }) {
    return value.text();
  } else {
    std::string out;
    to_json(value, out);
    return out;
  }
}
template <class T>
constexpr ArgumentInfo argument_info() {
  ArgumentInfo info{&shape_of<T>, nullptr};
  if constexpr (requires(const T& value) { value.text(); }) {
    info.text = [](std::string_view bytes) -> std::string { return decode_all<T>(bytes).text(); };
  }
  return info;
}

template <class R>
Answer to_answer(R&& result) {
  using T = std::decay_t<R>;
  if constexpr (std::is_same_v<T, Answer>) {
    return std::forward<R>(result);
  } else if constexpr (std::is_same_v<T, bool>) {
    return result ? Answer{} : Answer::rejects("guard", "", "the object does not allow this call in its state");
  } else {
    static_assert(std::is_convertible_v<R, std::string>,
                  "heddle: a method of an abstract object returns void, bool, std::string or heddle::Answer");
    std::string reason = std::forward<R>(result);
    return reason.empty() ? Answer{} : Answer::rejects("guard", "", std::move(reason));
  }
}

template <class T>
struct MethodTypes;
template <class O, class R, class... P>
struct MethodTypes<R (O::*)(P...)> {
  using arguments = std::tuple<std::decay_t<P>...>;
  static constexpr bool is_const = false;
};
template <class O, class R, class... P>
struct MethodTypes<R (O::*)(P...) const> : MethodTypes<R (O::*)(P...)> {
  static constexpr bool is_const = true;
};

template <class Tuple>
Tuple decode_arguments(std::string_view in) {
  return [&]<class... A>(std::type_identity<std::tuple<A...>>) {
    return std::tuple<A...>{decode<A>(in)...};  // braces decode from left to right
  }(std::type_identity<Tuple>{});
}

template <class... A>
inline constexpr ArgumentInfo argument_list[] = {argument_info<A>()...};
template <class... A>
constexpr ListOf<ArgumentInfo> arguments_of(std::type_identity<std::tuple<A...>>) {
  if constexpr (sizeof...(A) == 0) {
    return {};
  } else {
    return {argument_list<A...>, sizeof...(A)};
  }
}

// Object is a template parameter for its linkage, as in run_handler.
template <class Object, auto Method>
const MethodInfo& method_info() {
  using Types = MethodTypes<decltype(Method)>;
  using Arguments = typename Types::arguments;
  static const MethodInfo info{
      unqualified(value_spelling<Method>()),
      Types::is_const,
      [](Bytes& state, std::string_view in) {
        Object object = decode_all<Object>(state);
        Answer answer;
        try {
          answer = std::apply(
              [&](const auto&... a) {
                if constexpr (std::is_void_v<decltype((object.*Method)(a...))>) {
                  (object.*Method)(a...);
                  return Answer{};
                } else {
                  return to_answer((object.*Method)(a...));
                }
              },
              decode_arguments<Arguments>(in));
        } catch (const Rejected&) {
          answer = Answer::rejects("guard", "", "the object does not allow this call in its state");
        }
        if (answer.kind == Answer::Kind::accepted && !Types::is_const) {
          state.clear();
          encode(object, state);
        }
        return answer;
      },
      arguments_of(std::type_identity<Arguments>{}),
  };
  return info;
}

struct ObjectInfo {
  std::string_view type;
  const Shape* shape;
  std::string_view affected;                                   // what Answer::affected counts; empty: nothing
  ListOf<std::string_view> counted;                            // kinds of calls whose count is shown even if it is 0
  void (*own_json)(std::string_view bytes, std::string& out);  // null: like any value
  // Chooses a variant of the specification by name; returns false if there is none of that name. Null: there
  // is only "strict".
  bool (*own_choose)(Bytes& initial, std::string_view variant);

  void json(std::string_view bytes, std::string& out) const {
    own_json != nullptr ? own_json(bytes, out) : put_json(*shape, bytes, out);
  }
  Bytes rename(std::string_view bytes, const Renaming& renaming) const { return renamed(*shape, bytes, renaming); }
  std::uint64_t fingerprint(std::string_view bytes, const Colouring& colour) const {
    return detail::fingerprint(*shape, bytes, colour);
  }
  bool choose(Bytes& initial, std::string_view variant) const {
    return own_choose != nullptr ? own_choose(initial, variant) : variant == "strict";
  }
};

template <class Object>
const ObjectInfo& object_info() {
  static const ObjectInfo info = [] {
    ObjectInfo made{type_name<Object>(), &shape_of<Object>(), {}, {}, nullptr, nullptr};
    if constexpr (requires { Object::affected; }) made.affected = Object::affected;
    if constexpr (requires { Object::counted; })
      made.counted = {std::data(Object::counted), std::size(Object::counted)};
    if constexpr (requires(const Object& object, std::string& out) { object.json(out); }) {
      made.own_json = [](std::string_view bytes, std::string& out) { decode_all<Object>(bytes).json(out); };
    }
    if constexpr (requires(Object object, std::string_view variant) { object.choose(variant); }) {
      made.own_choose = [](Bytes& initial, std::string_view variant) {
        Object object = decode_all<Object>(initial);
        if (!object.choose(variant)) return false;
        initial = encoded(object);
        return true;
      };
    }
    return made;
  }();
  return info;
}

// The calls that an annotation recorded.
struct CallList {
  std::vector<AbstractCall> calls;
  std::vector<AbstractCall> observations;
  bool thesis = false;

  template <class Object, auto Method, class... A>
  void record(const A&... a) {
    record<Object, Method>(std::type_identity<typename MethodTypes<decltype(Method)>::arguments>{}, a...);
  }

 private:
  template <class Object, auto Method, class... P, class... A>
  void record(std::type_identity<std::tuple<P...>>, const A&... a) {
    Bytes bytes;
    (encode(static_cast<const P&>(P(a)), bytes), ...);
    add(method_info<Object, Method>(), std::move(bytes));
  }
  void add(const MethodInfo& method, Bytes arguments);
};

}  // namespace heddle::detail
