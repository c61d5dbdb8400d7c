// Refinement: a protocol seen as calls on an abstract object, at fixed linearization points (docs/refinement.md).
//
//   struct Register {                                     // an abstract object: plain fields, methods that may reject
//     int value = 0;
//     void write(int v) { value = v; }
//     bool read(int v) const { return v == value; }       // const: an observation
//   };
//
//   m.refines<Register>("register")
//       .at<&Server::store>([](const Server& before, const Server& after, const Store& message, Calls<Register>& calls) {
//         calls.call<&Register::write>(after.value);
//       });
//
// A method rejects by returning false, a std::string that is not empty (the reason), a rejecting Answer, or by require().
// `heddle check MODEL --refines register` runs the object beside the protocol: every step makes its calls, in the order they were
// recorded, observations last; the first call that is rejected is a violation of "refines register". Without --refines none of
// this exists and nothing costs anything.
//
// An annotation takes, by type and in any order: const Role& (the process before the step; a second one: after it), what the
// handler consumes, Id<Role> (oneself), const Run&, const View& (the whole state before the step; a second one: after it), const
// Object& (the abstract object before the step), and Calls<Object>&. It is a pure function of these. With neither View nor Object it
// runs once for each distinct handler outcome and costs nothing per state; with them, once for each distinct combination of the
// values it reads.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/role.h"

namespace heddle {

class View;

// What an abstract object says to a call.
struct Answer {
  enum class Kind : std::uint8_t { accepted, stutter, rejected };
  Kind kind = Kind::accepted;
  std::string clause = {};    // which condition failed, such as "link"
  std::string property = {};  // the property of the object it stands for, such as "P3"
  std::string witness = {};   // a sentence: what is in the way
  bool missing = false;       // it failed because an earlier call is missing: the annotation may be what is wrong
  unsigned affected = 0;      // other parts of the object it changed, for the counts

  static Answer stutters() { return {.kind = Kind::stutter}; }
  static Answer rejects(std::string clause, std::string property, std::string witness, bool missing = false) {
    return {Kind::rejected, std::move(clause), std::move(property), std::move(witness), missing, 0};
  }
};

namespace detail {

// --- Calls as data.

struct MethodInfo {
  std::string_view name;
  bool observation;  // it never changes the object
  Answer (*apply)(Bytes& object, std::string_view arguments);
  std::string (*text)(std::string_view arguments);  // "add(3, 7, 0)"
  Bytes (*rename)(std::string_view arguments, const Renaming&);
  std::uint64_t (*fingerprint)(std::string_view arguments, const Colouring&);
};

struct AbstractCall {
  const MethodInfo* method;
  Bytes arguments;
};

// An argument as people write it; types may have a member `std::string text() const`, where empty means left out.
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
    return std::tuple<A...>{decode<A>(in)...};  // braces: from left to right
  }(std::type_identity<Tuple>{});
}

// Object is a parameter for its linkage, as in make_transitions.
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
      [](std::string_view in) {
        std::string out(unqualified(value_spelling<Method>()));
        out += "(";
        std::apply(
            [&, first = true](const auto&... a) mutable {
              const auto put = [&](const std::string& text) {
                if (!text.empty()) out += (std::exchange(first, false) ? "" : ", ") + text;
              };
              (put(argument_text(a)), ...);
            },
            decode_arguments<Arguments>(in));
        return out + ")";
      },
      [](std::string_view in, const Renaming& renaming) {
        Arguments arguments = decode_arguments<Arguments>(in);
        Bytes out;
        std::apply([&](auto&... a) { ((rename_ids(a, renaming), encode(a, out)), ...); }, arguments);
        return out;
      },
      [](std::string_view in, const Colouring& colour) {
        std::uint64_t h = 31;
        std::apply([&](const auto&... a) { ((h = chain(h, fingerprint(a, colour))), ...); },
                   decode_arguments<Arguments>(in));
        return h;
      },
  };
  return info;
}

// --- Objects.

struct ObjectInfo {
  std::string_view type;
  std::string_view affected;              // what Answer::affected counts; empty: nothing
  std::vector<std::string_view> counted;  // kinds of calls that are worth a count even if there were none
  void (*json)(std::string_view bytes, std::string& out);
  Bytes (*rename)(std::string_view bytes, const Renaming&);
  std::uint64_t (*fingerprint)(std::string_view bytes, const Colouring&);
  // Chooses a variant of the specification by name; false if there is none of that name.
  bool (*choose)(Bytes& initial, std::string_view variant);
};

template <class Object>
const ObjectInfo& object_info() {
  static const ObjectInfo info{
      type_name<Object>(),
      [] {
        if constexpr (requires { Object::affected; }) {
          return std::string_view(Object::affected);
        } else {
          return std::string_view();
        }
      }(),
      [] {
        if constexpr (requires { Object::counted; }) {
          return std::vector<std::string_view>(std::begin(Object::counted), std::end(Object::counted));
        } else {
          return std::vector<std::string_view>();
        }
      }(),
      [](std::string_view bytes, std::string& out) {
        const Object object = decode_all<Object>(bytes);
        if constexpr (requires { object.json(out); }) {
          object.json(out);
        } else {
          to_json(object, out);
        }
      },
      [](std::string_view bytes, const Renaming& renaming) {
        Object object = decode_all<Object>(bytes);
        rename_ids(object, renaming);
        Bytes out;
        encode(object, out);
        return out;
      },
      [](std::string_view bytes, const Colouring& colour) { return fingerprint(decode_all<Object>(bytes), colour); },
      [](Bytes& initial, std::string_view variant) {
        if constexpr (requires(Object o) { o.choose(variant); }) {
          Object object = decode_all<Object>(initial);
          if (!object.choose(variant)) return false;
          initial.clear();
          encode(object, initial);
          return true;
        } else {
          return variant == "strict";
        }
      },
  };
  return info;
}

// What an annotation recorded.
struct CallList {
  std::vector<AbstractCall> calls;
  std::vector<AbstractCall> observations;
  bool thesis = false;

  template <class Object, auto Method, class... A>
  void record(const A&... a) {
    const MethodInfo& method = method_info<Object, Method>();
    using Arguments = typename MethodTypes<decltype(Method)>::arguments;
    const Arguments arguments(a...);
    AbstractCall call{&method, {}};
    std::apply([&](const auto&... x) { (encode(x, call.arguments), ...); }, arguments);
    (method.observation ? observations : calls).push_back(std::move(call));
  }
};

}  // namespace detail

// Where an annotation puts its calls. Specialised for objects with a shorter way to say it (qtree.h).
template <class Object>
class Calls {
 public:
  explicit Calls(detail::CallList& list) : list_(&list) {}
  template <auto Method, class... A>
  void call(const A&... arguments) {
    list_->record<Object, Method>(arguments...);
  }
  // Whether the run asks for the linearization points of the literature, --lp thesis, where they are known to be wrong.
  bool thesis() const { return list_->thesis; }

 private:
  detail::CallList* list_;
};

namespace detail {

// --- Annotations.

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
inline constexpr bool among<P, std::tuple<All...>> = (std::is_same_v<P, All> || ...);

// What an annotation is a function of, beyond the Run.
struct Takes {
  unsigned roles = 0;    // 1: the process before the step, 2: and after it
  bool self = false;     // its Id
  bool message = false;  // what the handler consumes: the content of one message,
  bool senders = false;  // ... or with who sent it
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

// Quorums that rest on sharing a process: of any k sets of these sizes, sum - (k - 1) * members processes are in all of them.
struct SharedQuorums {
  std::string property;  // of the object that needs it, "P4"
  std::string quorums;   // "joins and votes"
  std::vector<long> sizes;
  long members = 0, faulty = 0;

  long shared() const {
    long common = members;
    for (const long size : sizes) common += size - members;
    return common > 0 ? common : 0;
  }
  bool enough() const { return shared() > faulty; }
  std::string text() const {
    std::string sum;
    for (const long size : sizes) sum += (sum.empty() ? "" : " + ") + std::to_string(size);
    return property + " needs " + (faulty > 0 ? "a correct process" : "one process") + " common to " + quorums + ": " +
           sum + " of " + std::to_string(members) + " have at least " + std::to_string(shared()) + " in common" +
           (faulty > 0 ? ", " + std::to_string(faulty) + " may be faulty" : "") + (enough() ? "" : ": NOT ENOUGH");
  }
};

struct RefinementInfo {
  std::string name;
  const ObjectInfo* object = nullptr;
  Bytes initial;
  std::vector<LinearizationPoint> points;
  std::vector<AbstractCall> candidates;             // for the search for linearization points
  std::optional<std::vector<std::string>> implied;  // properties that follow; none given: nobody said
  std::vector<SharedQuorums> quorums;
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
    std::tuple<AnnotationArgument<Object, Role, P>...> arguments{AnnotationArgument<Object, Role, P>(in)...};
    std::apply([&](auto&... argument) { f(argument.get()...); }, arguments);
  };
}

struct NoRole {
  static constexpr auto transitions = heddle::transitions<>;
};

}  // namespace detail

// Made by Model::refines.
template <class Object>
class Refinement {
 public:
  explicit Refinement(detail::RefinementInfo& info) : info_(&info) {}

  // What a step of this handler is to the object.
  template <auto Function, class F>
  Refinement& at(F f) {
    return add_point<Function>(Function, std::move(f));
  }
  // What any step is, looking at the states before and after it: for what becomes true by whichever step.
  template <class F>
  Refinement& whenever(F f) {
    using Parameters = typename detail::Signature<F>::parameters;
    detail::Takes takes = detail::takes<Object, detail::NoRole>(std::type_identity<Parameters>{});
    takes.view = true;  // also if it takes none: it is asked at every step
    info_->points.push_back({nullptr, takes,
                             detail::make_annotation<Object, detail::NoRole, std::tuple<>>(
                                 std::move(f), std::type_identity<Parameters>{})});
    return *this;
  }
  // Which of the model's own `always` properties follow from the refinement. One of these that fails while the object is content
  // says that the annotation misses something; any other is a matter of its own.
  Refinement& implies(std::vector<std::string> properties) {
    info_->implied = std::move(properties);
    return *this;
  }
  // For the report: a property of the object rests on quorums of these sizes sharing a process that is not faulty.
  //   .shares("P4", "promises and votes", {q1, q2}, acceptors)
  Refinement& shares(std::string property, std::string quorums, const std::vector<std::size_t>& sizes,
                     std::size_t members, std::size_t faulty = 0) {
    info_->quorums.push_back({std::move(property),
                              std::move(quorums),
                              {sizes.begin(), sizes.end()},
                              static_cast<long>(members),
                              static_cast<long>(faulty)});
    return *this;
  }
  // A call the search for linearization points (--lp search) may insert anywhere.
  template <auto Method, class... A>
  Refinement& candidate(const A&... arguments) {
    detail::CallList list;
    list.record<Object, Method>(arguments...);
    for (auto& call : list.calls) info_->candidates.push_back(std::move(call));
    return *this;
  }

 private:
  template <auto Function, class F, class Role, class... H>
  Refinement& add_point(void (Role::*)(H...), F f) {
    using Parameters = typename detail::Signature<F>::parameters;
    info_->points.push_back(
        {detail::make_transition<Function>(Function).run, detail::takes<Object, Role>(std::type_identity<Parameters>{}),
         detail::make_annotation<Object, Role, std::tuple<H...>>(std::move(f), std::type_identity<Parameters>{})});
    return *this;
  }
  detail::RefinementInfo* info_;
};

}  // namespace heddle
