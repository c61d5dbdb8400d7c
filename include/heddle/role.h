// From a struct to what the engine needs of a role: its transitions taken apart by their parameter types.
//
//   struct Acceptor {
//     ...
//     static constexpr auto transitions = heddle::transitions<&Acceptor::promise, &Acceptor::accept>;
//   };
//
// A struct may stand in for another role, for instance as its Byzantine version: `using role = Acceptor;` makes its processes
// members of Acceptor, so that they receive what is sent to acceptors. It declares its own transitions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "heddle/handler.h"
#include "heddle/mistakes.h"
#include "heddle/reflect.h"

namespace heddle {
namespace detail {

struct SendInfo {
  const TypeInfo* type;
  Target target;
  const RoleTag* role;  // null for Reply
};

struct TransitionInfo {
  std::string_view name;
  // What it consumes: nothing (consumes == null), one message, or a quorum of `quorum` messages.
  const TypeInfo* consumes = nullptr;
  const RoleTag* sender = nullptr;  // null: any role
  std::size_t (*quorum)(std::size_t members, const Run&) = nullptr;
  std::vector<SendInfo> sends;
  std::vector<const RoleTag*> spawns;
  bool timeout = false;
  bool operation = false;  // invokes or returns
  bool choice = false;
  bool ghost = false;
  bool exits = false;
  bool self = false;  // asks who it is
  void (*run)(HandlerCall&) = nullptr;
};

struct FieldSize {
  std::string name;
  long long size;  // a number's value, a container's length
};

struct RoleInfo {
  std::string_view name;
  const RoleTag* tag;  // the role it is a member of
  std::vector<TransitionInfo> transitions;
  void (*json)(std::string_view bytes, std::string& out);
  // One JSON text for each field, with its name.
  void (*fields)(std::string_view bytes, std::vector<std::pair<std::string_view, std::string>>& out);
  void (*sizes)(std::string_view bytes, std::vector<FieldSize>& out);
  Bytes (*rename)(std::string_view bytes, const Renaming&);
  // The state after a crash: durable fields of `now`, all others of `initial`.
  Bytes (*recover)(std::string_view now, std::string_view initial);
  std::uint64_t (*fingerprint)(std::string_view bytes, const Colouring&);
  Forget forget;  // null if it holds no auxiliary data
  PartsInfo parts;
};

// --- Types of messages.

template <class T, class F>
bool each_value(const Run& run, F&& f) {
  if constexpr (std::is_same_v<T, bool>) {
    f(false);
    f(true);
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    for (std::size_t i = 0; i < named_enumerators; ++i) {
      if (is_enumerator<T>(i)) f(static_cast<T>(i));
    }
    return true;
  } else if constexpr (is_a<T, Id>) {
    [&]<class R>(Id<R>) {
      for (std::size_t i = 0; i < run.count<R>(); ++i) f(IdAccess::make<R>(static_cast<std::uint16_t>(i)));
    }(T{});
    return true;
  } else if constexpr (is_a<T, Auxiliary>) {
    f(T{});  // what it holds makes no difference
    return true;
  } else if constexpr (is_a<T, std::optional>) {
    f(T{});
    return each_value<typename T::value_type>(run, [&](const auto& v) { f(T{v}); });
  } else if constexpr (requires { T::domain(run); }) {
    for (const T& v : T::domain(run)) f(v);
    return true;
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !is_std_array<T>) {
    T value{};
    bool finite = true;
    // Product of the fields' values, one field after the other.
    const auto fill = [&]<std::size_t I>(auto&& self, std::integral_constant<std::size_t, I>) -> void {
      if constexpr (I == boost::pfr::tuple_size_v<T>) {
        f(value);
      } else {
        using Field = std::decay_t<decltype(boost::pfr::get<I>(value))>;
        finite &= each_value<Field>(run, [&](const Field& v) {
          boost::pfr::get<I>(value) = v;
          self(self, std::integral_constant<std::size_t, I + 1>{});
        });
      }
    };
    fill(fill, std::integral_constant<std::size_t, 0>{});
    return finite;
  } else {
    return false;
  }
}

template <class M>
const TypeInfo& type_info() {
  static_assert(check_type<M>());
  static const TypeInfo info{
      type_name<M>(),
      [](std::string_view bytes, std::string& out) { to_json(decode_all<M>(bytes), out); },
      [](std::string_view bytes, const Renaming& renaming) {
        M value = decode_all<M>(bytes);
        rename_ids(value, renaming);
        Bytes out;
        encode(value, out);
        return out;
      },
      [](const Run& run, std::vector<Bytes>& out) {
        return each_value<M>(run, [&](const M& value) {
          Bytes bytes;
          encode(value, bytes);
          out.push_back(std::move(bytes));
        });
      },
      [](std::string_view bytes, const Colouring& colour) { return fingerprint(decode_all<M>(bytes), colour); },
      forget_function<M>(),
      only_auxiliary<M>(),
      parts_info<M>(),
  };
  return info;
}

// --- Parameters of a handler. Argument<P> says what a parameter of type P means and makes it for a call.

// Anything not listed below is a message type.
template <class P>
struct Argument {
  using M = std::decay_t<P>;
  M value;
  explicit Argument(HandlerCall& call) : value(decode_all<M>(call.consumed[0].body)) {}
  const M& get() { return value; }
  static void describe(TransitionInfo& info) { info.consumes = &type_info<M>(); }
  static constexpr int consumed = 1;
};

template <class M, class Role>
struct Argument<const From<M, Role>&> {
  From<M, Role> value;
  explicit Argument(HandlerCall& call)
      : value{IdAccess::make<Role>(call.consumed[0].sender), decode_all<M>(call.consumed[0].body)} {}
  const From<M, Role>& get() { return value; }
  static void describe(TransitionInfo& info) {
    info.consumes = &type_info<M>();
    info.sender = &role_tag<Role>;
  }
  static constexpr int consumed = 1;
};

template <class M, class Role, class Threshold>
struct Argument<const Quorum<M, Role, Threshold>&> {
  Quorum<M, Role, Threshold> value;
  explicit Argument(HandlerCall& call) : value(messages(call), call.only_first) {}
  static std::vector<From<M, Role>> messages(HandlerCall& call) {
    std::vector<From<M, Role>> all;
    for (const Received& r : call.consumed) all.push_back({IdAccess::make<Role>(r.sender), decode_all<M>(r.body)});
    return all;
  }
  const Quorum<M, Role, Threshold>& get() { return value; }
  static void describe(TransitionInfo& info) {
    info.consumes = &type_info<M>();
    info.sender = &role_tag<Role>;
    info.quorum = [](std::size_t members, const Run& run) -> std::size_t {
      if constexpr (requires { Threshold::size(members, run); }) {
        return Threshold::size(members, run);
      } else {
        return Threshold::size(members);
      }
    };
  }
  static constexpr int consumed = 1;
};

// Parameters made from the call alone.
template <class T>
struct CallArgument {
  T value;
  explicit CallArgument(HandlerCall& call) : value(call) {}
  T get() { return value; }
  static constexpr int consumed = 0;
};

template <class M>
struct Argument<Reply<M>> : CallArgument<Reply<M>> {
  using CallArgument<Reply<M>>::CallArgument;
  static void describe(TransitionInfo& info) { info.sends.push_back({&type_info<M>(), Target::Reply, nullptr}); }
};
template <class Role, class M>
struct Argument<To<Role, M>> : CallArgument<To<Role, M>> {
  using CallArgument<To<Role, M>>::CallArgument;
  static void describe(TransitionInfo& info) { info.sends.push_back({&type_info<M>(), Target::One, &role_tag<Role>}); }
};
template <class Role, class M>
struct Argument<ToAll<Role, M>> : CallArgument<ToAll<Role, M>> {
  using CallArgument<ToAll<Role, M>>::CallArgument;
  static void describe(TransitionInfo& info) { info.sends.push_back({&type_info<M>(), Target::All, &role_tag<Role>}); }
};
template <class Op>
struct Argument<Invoke<Op>> : CallArgument<Invoke<Op>> {
  using CallArgument<Invoke<Op>>::CallArgument;
  static void describe(TransitionInfo& info) { info.operation = true; }
};
template <class Result>
struct Argument<Return<Result>> : CallArgument<Return<Result>> {
  using CallArgument<Return<Result>>::CallArgument;
  static void describe(TransitionInfo& info) { info.operation = true; }
};
template <>
struct Argument<Choice> : CallArgument<Choice> {
  using CallArgument<Choice>::CallArgument;
  static void describe(TransitionInfo& info) { info.choice = true; }
};
template <class Role>
struct Argument<Spawn<Role>> : CallArgument<Spawn<Role>> {
  using CallArgument<Spawn<Role>>::CallArgument;
  static void describe(TransitionInfo& info) { info.spawns.push_back(&role_tag<Role>); }
};
template <>
struct Argument<Exit> : CallArgument<Exit> {
  using CallArgument<Exit>::CallArgument;
  static void describe(TransitionInfo& info) { info.exits = true; }
};
template <class T>
struct Argument<Ghost<T>&> {
  std::unique_ptr<Ghost<T>> value;
  explicit Argument(HandlerCall& call) : value(std::make_unique<Ghost<T>>(call)) {}
  Ghost<T>& get() { return *value; }
  static void describe(TransitionInfo& info) { info.ghost = true; }
  static constexpr int consumed = 0;
};
template <>
struct Argument<Timeout> {
  explicit Argument(HandlerCall&) {}
  Timeout get() { return {}; }
  static void describe(TransitionInfo& info) { info.timeout = true; }
  static constexpr int consumed = 0;
};
template <class Role>
struct Argument<Id<Role>> {
  Id<Role> value;
  explicit Argument(HandlerCall& call) : value(IdAccess::make<Role>(call.self)) {}
  Id<Role> get() { return value; }
  static void describe(TransitionInfo& info) { info.self = true; }
  static constexpr int consumed = 0;
};
template <>
struct Argument<const Run&> {
  const Run* run;
  explicit Argument(HandlerCall& call) : run(call.run) {}
  const Run& get() { return *run; }
  static void describe(TransitionInfo&) {}
  static constexpr int consumed = 0;
};

// --- Transitions.

template <auto Function, class Role, class... P>
TransitionInfo make_transition(void (Role::*)(P...)) {
  static_assert(HandlerOf<Function, void (Role::*)(P...)>::fine);
  TransitionInfo info;
  info.name = unqualified(value_spelling<Function>());
  if (info.name.empty()) info.name = "step";
  (Argument<P>::describe(info), ...);
  info.run = [](HandlerCall& call) {
    Role role = decode_all<Role>(call.local);
    std::tuple<Argument<P>...> arguments{Argument<P>(call)...};
    std::apply([&](auto&... argument) { (role.*Function)(argument.get()...); }, arguments);
    call.next_local.clear();
    encode(role, call.next_local);
  };
  return info;
}

// Role is a parameter for its linkage: g++ 12 gives a template on pointers to members alone external linkage even where the
// class is in an unnamed namespace, and two models with equal names would share one instance.
template <class Role, auto... Functions>
std::vector<TransitionInfo> make_transitions(Transitions<Functions...>) {
  return {make_transition<Functions>(Functions)...};
}

template <class Role>
struct MemberOf {
  using type = Role;
};
template <class Role>
  requires requires { typename Role::role; }
struct MemberOf<Role> {
  using type = typename Role::role;
};
template <class Role>
using member_of = typename MemberOf<Role>::type;

template <class T>
long long size_of_value(const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<long long>(value);
  } else if constexpr (is_a<T, Durable>) {
    return size_of_value(value.value);
  } else if constexpr (is_a<T, Auxiliary>) {
    return AuxiliaryAccess::known(value) ? size_of_value(AuxiliaryAccess::content(value)) : 0;
  } else if constexpr (requires { value.size(); }) {
    return static_cast<long long>(value.size());
  } else {
    return 0;
  }
}

template <class Role>
const RoleInfo& role_info() {
  static_assert(check_role<Role>());
  static const RoleInfo info{
      type_name<Role>(),
      &role_tag<member_of<Role>>,
      make_transitions<Role>(Role::transitions),
      [](std::string_view bytes, std::string& out) { to_json(decode_all<Role>(bytes), out); },
      [](std::string_view bytes, std::vector<std::pair<std::string_view, std::string>>& out) {
        const Role role = decode_all<Role>(bytes);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (
              [&] {
                std::string text;
                to_json(boost::pfr::get<I>(role), text);
                out.emplace_back(field_name<Role, I>(), std::move(text));
              }(),
              ...);
        }(std::make_index_sequence<boost::pfr::tuple_size_v<Role>>{});
      },
      [](std::string_view bytes, std::vector<FieldSize>& out) {
        const Role role = decode_all<Role>(bytes);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (out.push_back({std::string(field_name<Role, I>()), size_of_value(boost::pfr::get<I>(role))}), ...);
        }(std::make_index_sequence<boost::pfr::tuple_size_v<Role>>{});
      },
      [](std::string_view bytes, const Renaming& renaming) {
        Role role = decode_all<Role>(bytes);
        rename_ids(role, renaming);
        Bytes out;
        encode(role, out);
        return out;
      },
      [](std::string_view now_bytes, std::string_view initial_bytes) {
        const Role now = decode_all<Role>(now_bytes);
        Role role = decode_all<Role>(initial_bytes);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (
              [&] {
                auto& field = boost::pfr::get<I>(role);
                if constexpr (is_a<std::decay_t<decltype(field)>, Durable>) field = boost::pfr::get<I>(now);
              }(),
              ...);
        }(std::make_index_sequence<boost::pfr::tuple_size_v<Role>>{});
        Bytes out;
        encode(role, out);
        return out;
      },
      [](std::string_view bytes, const Colouring& colour) { return fingerprint(decode_all<Role>(bytes), colour); },
      forget_function<Role>(),
      parts_info<Role>(),
  };
  return info;
}

}  // namespace detail
}  // namespace heddle
