// Annotations of handlers with calls on an abstract object (refinement.h): what they take, and what the
// library keeps.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/detail/abstract_call.h"
#include "heddle/detail/transition_info.h"

namespace heddle {

class View;
template <class Object>
class Calls;

namespace detail {

struct AnnotationInput {
  HandlerCall* call = nullptr;  // consumed, self, run
  std::string_view before, after;
  const View *state_before = nullptr, *state_after = nullptr;
  std::function<std::string_view()> object;  // before the step
  CallList* list = nullptr;
  unsigned roles_given = 0, views_given = 0;
};

template <class Object, class Role, class P>
struct AnnotationArgument : Argument<P> {
  explicit AnnotationArgument(AnnotationInput& in) : Argument<P>(*in.call) {}
};
template <class Object, class Role>
struct AnnotationArgument<Object, Role, const Role&> {
  Role value;
  explicit AnnotationArgument(AnnotationInput& in)
      : value(decode_all<Role>(in.roles_given++ == 0 ? in.before : in.after)) {}
  const Role& get() { return value; }
};
template <class Object, class Role>
struct AnnotationArgument<Object, Role, const View&> {
  const View* view;
  explicit AnnotationArgument(AnnotationInput& in) : view(in.views_given++ == 0 ? in.state_before : in.state_after) {}
  const View& get() { return *view; }
};
template <class Object, class Role>
struct AnnotationArgument<Object, Role, const Object&> {
  Object value;
  explicit AnnotationArgument(AnnotationInput& in) : value(decode_all<Object>(in.object())) {}
  const Object& get() { return value; }
};
template <class Object, class Role>
struct AnnotationArgument<Object, Role, Calls<Object>&> {
  Calls<Object> calls;
  explicit AnnotationArgument(AnnotationInput& in) : calls(*in.list) {}
  Calls<Object>& get() { return calls; }
};

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... P>
struct Signature<R (*)(P...)> {
  using parameters = std::tuple<P...>;
};
template <class F, class R, class... P>
struct Signature<R (F::*)(P...) const> : Signature<R (*)(P...)> {};
template <class F, class R, class... P>
struct Signature<R (F::*)(P...)> : Signature<R (*)(P...)> {};

template <class P, class Parameters>
inline constexpr bool among = false;
template <class P, class... All>
inline constexpr bool among<P, std::tuple<All...>> = std::disjunction_v<std::is_same<P, All>...>;

// The parameters that an annotation depends on, besides the Run.
struct Takes {
  unsigned roles = 0;    // 1: the process before the step; 2: also after it
  bool self = false;     // its Id
  bool message = false;  // what the handler consumes: the content of one message,
  bool senders = false;  // ... or messages and their senders
  bool view = false, object = false;

  friend Takes operator|(const Takes& a, const Takes& b) {
    return {std::max(a.roles, b.roles), a.self || b.self, a.message || b.message,
            a.senders || b.senders,     a.view || b.view, a.object || b.object};
  }
};

template <class P>
inline constexpr bool names_senders = false;
template <class M, class Role>
inline constexpr bool names_senders<const From<M, Role>&> = true;
template <class M, class Role, class Threshold>
inline constexpr bool names_senders<const Quorum<M, Role, Threshold>&> = true;

template <class Object, class Role, class... P>
constexpr Takes takes(std::type_identity<std::tuple<P...>>) {
  Takes out;
  const auto look = [&]<class Q>(std::type_identity<Q>) {
    if constexpr (std::is_same_v<Q, const Role&>) {
      ++out.roles;
    } else if constexpr (std::is_same_v<Q, Id<member_of<Role>>>) {
      out.self = true;
    } else if constexpr (std::is_same_v<Q, const View&>) {
      out.view = true;
    } else if constexpr (std::is_same_v<Q, const Object&>) {
      out.object = true;
    } else if constexpr (names_senders<Q>) {
      out.senders = true;
    } else if constexpr (!std::is_same_v<Q, Calls<Object>&> && !std::is_same_v<Q, const Run&>) {
      out.message = true;
    }
  };
  (look(std::type_identity<P>{}), ...);
  return out;
}

struct LinearizationPoint {
  void (*handler)(HandlerCall&) = nullptr;  // whose steps; null: any step
  Takes takes;
  std::function<void(AnnotationInput&)> record;
};

// Quorums that must share a process: of any k sets of these sizes, sum - (k - 1) * members processes are in
// all of them.
struct SharedQuorums {
  std::string property;  // of the object that needs it, "P4"
  std::string quorums;   // "joins and votes"
  std::vector<long> sizes;
  long members = 0, faulty = 0;

  long shared() const;
  bool enough() const { return shared() > faulty; }
  std::string text() const;
};

struct RefinementInfo {
  std::string name;
  const ObjectInfo* object = nullptr;
  Bytes initial;
  std::vector<LinearizationPoint> points;
  std::vector<AbstractCall> candidates;             // for the search for linearization points
  std::optional<std::vector<std::string>> implied;  // properties that follow; nullopt: the model does not say
  std::vector<SharedQuorums> quorums;

  void add_point(void (*handler)(HandlerCall&), const Takes& takes, std::function<void(AnnotationInput&)> record);
  void add_quorums(std::string property, std::string which, const std::vector<std::size_t>& sizes, std::size_t members,
                   std::size_t faulty);
  void add_candidates(const CallList& list);
};

// Calls an annotation in its constructor, because arguments in braces are evaluated from left to right.
struct Annotate {
  template <class F, class... A>
  explicit Annotate(const F& f, A&&... argument) {
    f(argument.get()...);
  }
};

template <class Object, class Role, class Handled, class F, class... P>
std::function<void(AnnotationInput&)> make_annotation(F f, std::type_identity<std::tuple<P...>>) {
  static_assert(among<Calls<Object>&, std::tuple<P...>>,
                "heddle: an annotation takes Calls<Object>&, or it does nothing");
  static_assert(
      ((std::is_same_v<P, Calls<Object>&> || std::is_same_v<P, const View&> || std::is_same_v<P, const Run&> ||
        std::is_same_v<P, const Object&> || std::is_same_v<P, const Role&> || std::is_same_v<P, Id<member_of<Role>>> ||
        among<P, Handled>) &&
       ...),
      "heddle: an annotation takes const Role& (before, after), what its handler consumes (the same type), Id<Role>, "
      "const Run&, const View& (before, after), const Object& and Calls<Object>&");
  return [f](AnnotationInput& in) {
    in.roles_given = in.views_given = 0;
    Annotate{f, AnnotationArgument<Object, Role, P>(in)...};
  };
}

struct NoRole {
  static constexpr auto transitions = heddle::transitions<>;
};

}  // namespace detail
}  // namespace heddle
