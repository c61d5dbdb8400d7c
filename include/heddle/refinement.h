// Refinement: a protocol seen as calls on an abstract object, at fixed linearization points (docs/refinement.md).
//
//   struct Register {                                     // an abstract object: plain fields, methods that may reject
//     int value = 0;
//     void write(int v) { value = v; }
//     bool read(int v) const { return v == value; }       // const: an observation
//   };
//
//   m.refines<Register>("register")
//       .at<&Server::store>([](const Server& before, const Server& after, const Store&, Calls<Register>& calls) {
//         calls.call<&Register::write>(after.value);
//       });
//
// A method rejects by returning false, a std::string that is not empty (the reason), a rejecting Answer, or
// by require(). `heddle check MODEL --refines register` runs the object beside the protocol. Every step makes
// its calls in the order in which they were recorded, observations last. The first rejected call is a
// violation of "refines register". Without --refines none of this exists or costs anything.
//
// An annotation takes, by type and in any order: const Role& (the process before the step; a second one: after
// it), what the handler consumes, Id<Role> (oneself), const Run&, const View& (the whole state before the step;
// a second one: after it), const Object& (the abstract object before the step), and Calls<Object>&. It is a pure
// function of these. If it takes neither View nor Object, it runs once for each distinct handler outcome and
// costs nothing per state. Otherwise it runs once for each distinct combination of the values that it reads.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/answer.h"
#include "heddle/detail/abstract_call.h"
#include "heddle/detail/annotation.h"

namespace heddle {

// An annotation puts its calls here. Specialised for objects with shorter names for their calls (qtree.h).
template <class Object>
class Calls {
 public:
  explicit Calls(detail::CallList& list) : list_(&list) {}
  template <auto Method, class... A>
  void call(const A&... arguments) {
    list_->record<Object, Method>(arguments...);
  }
  // Returns whether the run asks for the linearization points of the literature (--lp thesis), even where
  // they are known to be wrong.
  bool thesis() const { return list_->thesis; }

 private:
  detail::CallList* list_;
};

// Made by Model::refines.
template <class Object>
class Refinement {
 public:
  Refinement(detail::RefinementInfo& info, const Object& initial) : info_(&info) {
    info.object = &detail::object_info<Object>();
    detail::encode(initial, info.initial);
  }

  // Says which calls a step of this handler makes.
  template <auto Function, class F>
  Refinement& at(F f) {
    return add_point<Function>(Function, std::move(f));
  }
  // Says which calls any step makes, from the states before and after it: for what may become true by any step.
  template <class F>
  Refinement& whenever(F f) {
    using Parameters = typename detail::Signature<F>::parameters;
    detail::Takes takes = detail::takes<Object, detail::NoRole>(std::type_identity<Parameters>{});
    takes.view = true;  // even if it takes no View, because it is asked at every step
    info_->add_point(
        nullptr, takes,
        detail::make_annotation<Object, detail::NoRole, std::tuple<>>(std::move(f), std::type_identity<Parameters>{}));
    return *this;
  }
  // Names the `always` properties of the model that follow from the refinement. If one of these fails while the
  // object accepts every call, the annotation misses something. Any other property is independent of the refinement.
  Refinement& implies(std::vector<std::string> properties) {
    info_->implied = std::move(properties);
    return *this;
  }
  // For the report: a property of the object needs quorums of these sizes to share a process that is not faulty.
  //   .shares("P4", "promises and votes", {q1, q2}, acceptors)
  Refinement& shares(std::string property, std::string quorums, const std::vector<std::size_t>& sizes,
                     std::size_t members, std::size_t faulty = 0) {
    info_->add_quorums(std::move(property), std::move(quorums), sizes, members, faulty);
    return *this;
  }
  // Adds a call that the search for linearization points (--lp search) may insert anywhere.
  template <auto Method, class... A>
  Refinement& candidate(const A&... arguments) {
    detail::CallList list;
    list.record<Object, Method>(arguments...);
    info_->add_candidates(list);
    return *this;
  }

 private:
  template <auto Function, class F, class Role, class... H>
  Refinement& add_point(void (Role::*)(H...), F f) {
    using Parameters = typename detail::Signature<F>::parameters;
    info_->add_point(
        detail::handler_info<Function>(Function).run, detail::takes<Object, Role>(std::type_identity<Parameters>{}),
        detail::make_annotation<Object, Role, std::tuple<H...>>(std::move(f), std::type_identity<Parameters>{}));
    return *this;
  }
  detail::RefinementInfo* info_;
};

}  // namespace heddle
