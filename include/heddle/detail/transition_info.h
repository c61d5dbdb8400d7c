// Makes what the engine needs of a role from its struct: its transitions, taken apart by their parameter types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/detail/mistakes.h"
#include "heddle/detail/type_info.h"
#include "heddle/handler.h"
#include "heddle/role.h"

namespace heddle::detail {

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
  bool self = false;  // takes its own Id
  void (*run)(HandlerCall&) = nullptr;
};

// A parameter of a handler, and a handler, as constant data.
struct ParameterInfo {
  enum class Kind : std::uint8_t {
    Message,
    Reply,
    To,
    ToAll,
    Operation,
    Choice,
    Spawn,
    Exit,
    Ghost,
    Timeout,
    Self,
    Run
  };
  Kind kind;
  const TypeInfo& (*type)() = nullptr;  // of what is consumed or sent
  const RoleTag* role = nullptr;        // the role that sends, receives or is spawned
  std::size_t (*quorum)(std::size_t members, const Run&) = nullptr;
};
struct HandlerInfo {
  std::string_view name;
  ListOf<ParameterInfo> parameters;
  void (*run)(HandlerCall&) = nullptr;
};

// Compared by address.
struct RoleInfo {
  RoleInfo(const Shape& role, const RoleTag* member_of, ListOf<HandlerInfo> handlers);
  ~RoleInfo();
  RoleInfo(const RoleInfo&) = delete;
  RoleInfo& operator=(const RoleInfo&) = delete;

  std::string_view name;
  const Shape* shape;
  const RoleTag* tag;  // the role it is a member of
  std::vector<TransitionInfo> transitions;
  Forget forget;
  PartsInfo parts;

  void json(std::string_view bytes, std::string& out) const { put_json(*shape, bytes, out); }
  void fields(std::string_view bytes, std::vector<std::pair<std::string_view, std::string>>& out) const {
    put_fields(*shape, bytes, out);
  }
  void sizes(std::string_view bytes, std::vector<FieldSize>& out) const { put_sizes(*shape, bytes, out); }
  Bytes rename(std::string_view bytes, const Renaming& renaming) const { return renamed(*shape, bytes, renaming); }
  Bytes recover(std::string_view now, std::string_view initial) const { return recovered(*shape, now, initial); }
  std::uint64_t fingerprint(std::string_view bytes, const Colouring& colour) const {
    return detail::fingerprint(*shape, bytes, colour);
  }
};

template <class M>
const TypeInfo& type_info() {
  static_assert(check_type<M>());
  static const TypeInfo info(shape_of<M>());
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
  static constexpr ParameterInfo info{ParameterInfo::Kind::Message, &type_info<M>};
};

template <class M, class Role>
struct Argument<const From<M, Role>&> {
  From<M, Role> value;
  explicit Argument(HandlerCall& call)
      : value{IdAccess::make<Role>(call.consumed[0].sender), decode_all<M>(call.consumed[0].body)} {}
  const From<M, Role>& get() { return value; }
  static constexpr ParameterInfo info{ParameterInfo::Kind::Message, &type_info<M>, &role_tag<Role>};
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
  static std::size_t size(std::size_t members, const Run& run) {
    if constexpr (requires { Threshold::size(members, run); }) {
      return Threshold::size(members, run);
    } else {
      return Threshold::size(members);
    }
  }
  static constexpr ParameterInfo info{ParameterInfo::Kind::Message, &type_info<M>, &role_tag<Role>, &size};
};

// Parameters made from the call alone.
template <class T>
struct CallArgument {
  T value;
  explicit CallArgument(HandlerCall& call) : value(call) {}
  T get() { return value; }
};

template <class M>
struct Argument<Reply<M>> : CallArgument<Reply<M>> {
  using CallArgument<Reply<M>>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::Reply, &type_info<M>};
};
template <class Role, class M>
struct Argument<To<Role, M>> : CallArgument<To<Role, M>> {
  using CallArgument<To<Role, M>>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::To, &type_info<M>, &role_tag<Role>};
};
template <class Role, class M>
struct Argument<ToAll<Role, M>> : CallArgument<ToAll<Role, M>> {
  using CallArgument<ToAll<Role, M>>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::ToAll, &type_info<M>, &role_tag<Role>};
};
template <class Op>
struct Argument<Invoke<Op>> : CallArgument<Invoke<Op>> {
  using CallArgument<Invoke<Op>>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::Operation};
};
template <class Result>
struct Argument<Return<Result>> : CallArgument<Return<Result>> {
  using CallArgument<Return<Result>>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::Operation};
};
template <>
struct Argument<Choice> : CallArgument<Choice> {
  using CallArgument<Choice>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::Choice};
};
template <class Role>
struct Argument<Spawn<Role>> : CallArgument<Spawn<Role>> {
  using CallArgument<Spawn<Role>>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::Spawn, nullptr, &role_tag<Role>};
};
template <>
struct Argument<Exit> : CallArgument<Exit> {
  using CallArgument<Exit>::CallArgument;
  static constexpr ParameterInfo info{ParameterInfo::Kind::Exit};
};
template <class T>
struct Argument<Ghost<T>&> {
  Ghost<T> value;
  explicit Argument(HandlerCall& call) : value(call) {}
  Ghost<T>& get() { return value; }
  static constexpr ParameterInfo info{ParameterInfo::Kind::Ghost};
};
template <>
struct Argument<Timeout> {
  explicit Argument(HandlerCall&) {}
  Timeout get() { return {}; }
  static constexpr ParameterInfo info{ParameterInfo::Kind::Timeout};
};
template <class Role>
struct Argument<Id<Role>> {
  Id<Role> value;
  explicit Argument(HandlerCall& call) : value(IdAccess::make<Role>(call.self)) {}
  Id<Role> get() { return value; }
  static constexpr ParameterInfo info{ParameterInfo::Kind::Self};
};
template <>
struct Argument<const Run&> {
  const Run* run;
  explicit Argument(HandlerCall& call) : run(call.run) {}
  const Run& get() { return *run; }
  static constexpr ParameterInfo info{ParameterInfo::Kind::Run};
};

// --- Transitions.

template <auto Function, class Role, class... A>
void call_handler(Role& role, A&&... argument) {
  (role.*Function)(argument.get()...);
}
// Role is a template parameter for its linkage. g++ 12 gives a template on pointers to members alone external
// linkage even if the class is in an unnamed namespace, and two models with equal names would share one instance.
template <class Role, auto Function, class... P>
void run_handler(HandlerCall& call) {
  Role role = decode_all<Role>(call.local);
  call_handler<Function>(role, Argument<P>(call)...);
  call.next_local.clear();
  encode(role, call.next_local);
}

template <class... P>
inline constexpr ParameterInfo parameter_list[] = {Argument<P>::info...};

template <auto Function, class Role, class... P>
constexpr HandlerInfo handler_info(void (Role::*)(P...)) {
  static_assert(HandlerOf<Function, void (Role::*)(P...)>::fine);
  HandlerInfo info;
  info.name = unqualified(value_spelling<Function>());
  if (info.name.empty()) info.name = "step";
  if constexpr (sizeof...(P) > 0) info.parameters = {parameter_list<P...>, sizeof...(P)};
  info.run = &run_handler<Role, Function, P...>;
  return info;
}

template <class Role, auto... Functions>
inline constexpr HandlerInfo handler_list[] = {handler_info<Functions>(Functions)...};
template <class Role, auto... Functions>
constexpr ListOf<HandlerInfo> handlers_of(Transitions<Functions...>) {
  if constexpr (sizeof...(Functions) == 0) {
    return {};
  } else {
    return {handler_list<Role, Functions...>, sizeof...(Functions)};
  }
}

template <class Role>
const RoleInfo& role_info() {
  static_assert(check_role<Role>());
  static const RoleInfo info(shape_of<Role>(), &role_tag<member_of<Role>>, handlers_of<Role>(Role::transitions));
  return info;
}

}  // namespace heddle::detail
