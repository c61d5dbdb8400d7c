// A model says which processes there are, what must hold, and with which parameters and bugs it can be run.
//
//   const heddle::Register paxos({
//       .name = "paxos",
//       .summary = "single-decree Paxos",
//       .parameters = {{"acceptors", 3, 1, 9, "how many acceptors"}},
//       .bugs = {{"accept_always", "agreement", {{"proposers", "2"}}, "acceptors accept whatever they are told"}},
//       .build = [](heddle::Model& m) {
//         m.add<Acceptor>(m.run()["acceptors"]);
//         m.always("agreement", [](const heddle::View& v) { ... v.all<Learner>() ... });
//       },
//   });
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/annotations.h"
#include "heddle/definition.h"
#include "heddle/detail/kinds.h"
#include "heddle/detail/model_info.h"
#include "heddle/detail/transition_info.h"
#include "heddle/network.h"
#include "heddle/role.h"
#include "heddle/run.h"
#include "heddle/view.h"

namespace heddle {

template <class Object>
class Refinement;  // refinement.h

class Model {
 public:
  explicit Model(const Definition& definition, const std::map<std::string, std::string>& parameters = {},
                 const std::string& bug = "");

  const Run& run() const { return run_; }

  // --- Processes.
  template <class Role>
  std::vector<Id<detail::member_of<Role>>> add(std::size_t count = 1) {
    static_assert(detail::check_role<Role>());  // says more than the compiler does where there is no Role{}
    return add<Role>(count, [](std::size_t) { return Role{}; });
  }
  // make(0), make(1), ... are the initial states. A role with no member is still known: it is not a mistake
  // to wait for what it would send.
  template <class Role, class Make>
  std::vector<Id<detail::member_of<Role>>> add(std::size_t count, Make&& make) {
    static_assert(detail::check_role<Role>());
    add_role(detail::role_info<Role>());
    std::vector<Id<detail::member_of<Role>>> ids;
    for (std::size_t i = 0; i < count; ++i) {
      detail::Bytes bytes = detail::encoded(static_cast<const Role&>(make(i)));
      ids.push_back(detail::IdAccess::make<detail::member_of<Role>>(
          add_process(detail::role_info<Role>(), std::move(bytes), true)));
    }
    return ids;
  }
  // Makes room for processes that are started by Spawn<Role>. Having more of them at once is an error.
  // Processes that have ended count as long as somebody remembers them (Spawn in handler.h).
  template <class Role>
  void room_for(std::size_t most) {
    add_role(detail::role_info<Role>());
    for (std::size_t i = 0; i < most; ++i) add_process(detail::role_info<Role>(), {}, false);
  }
  // Returns the id that a member has or will have when it is added.
  template <class Role>
  static Id<Role> id(std::size_t position) {
    return detail::IdAccess::make<Role>(static_cast<std::uint16_t>(position));
  }
  // Puts several roles into one process: they crash together and share a column of the picture.
  template <class A, class B>
  void colocate(Id<A> a, Id<B> b) {
    colocate(&detail::role_tag<A>, detail::IdAccess::index(a), &detail::role_tag<B>, detail::IdAccess::index(b));
  }

  // Runs begin where every member of the role has already taken this step, in the order in which members were
  // added: clients that have sent their first request, say. Where the step makes a Choice, runs begin in as many
  // states as there are outcomes. REQUIRES: the step consumes nothing.
  template <auto Function>
  void start_after() {
    add_first_step(detail::handler_info<Function>(Function).run);
  }

  // Declares the ghost variable. Handlers reach it as Ghost<T>&, properties as View::ghost<T>().
  template <class T>
  void ghost(const T& initial = {}) {
    set_ghost(detail::type_info<T>(), detail::encoded(initial));
  }

  //   m.annotate<&Acceptor::accept>(reads<&Acceptor::promised>, writes<&Acceptor::accepted>);
  template <auto Function, class... Notes>
  void annotate(Notes... notes) {
    detail::Annotation a;
    a.run = detail::handler_info<Function>(Function).run;
    (detail::note(a, notes), ...);
    add_annotation(a);
  }

  // --- For schedulers of receipts (docs/schedules.md). The key says which part of the system's data a
  // message is about, such as the key of a request. Messages about different parts do not interfere; a
  // message without a key may interfere with any.
  //   m.key_of<Put>([](const Put& put) { return put.key; });
  template <class Message, class Key>
  void key_of(Key key) {
    add_key(detail::type_info<Message>(),
            [key](std::string_view bytes) { return detail::encoded(key(detail::decode_all<Message>(bytes))); });
  }
  // LiViola takes a message of this type as it comes and does not permute it. `heddle schedules
  // --verify-exclusions` checks that.
  template <class Message>
  void exclude() {
    add_exclusion(detail::type_info<Message>());
  }

  // --- What must hold.
  using Predicate = std::function<bool(const View&)>;
  void always(std::string name, Predicate predicate);
  void sometimes(std::string name, Predicate predicate);
  // The predicate is true in every final state, that is, a state without a step: "all replicas agree when
  // nothing is left to do".
  void finally(std::string name, Predicate predicate);
  // A state without a step is an error unless the predicate says that the protocol may stop there.
  void deadlock_free(Predicate may_stop = [](const View&) { return false; });
  // States where the predicate is false are not continued. The verdict is then `unknown` at best.
  void bound(std::string name, Predicate predicate);
  // Every history of Invoke and Return is linearizable to Specification: a struct with the object's state and
  // `Result apply(const Operation&)`.
  template <class Specification, class Operation>
  void linearizable(std::string name, const Specification& initial = {}) {
    specify<Specification, Operation>(std::move(name), initial, detail::HistoryOrder::RealTime);
  }
  // The same without real time: at every moment, some order of the operations gives the answers so far. An operation
  // without an answer may be in that order or not. Sequential consistency asks that the operations of each client keep
  // their order; serializability, where operations are transactions, asks for no order (docs/serializability.md).
  template <class Specification, class Operation>
  void sequentially_consistent(std::string name, const Specification& initial = {}) {
    specify<Specification, Operation>(std::move(name), initial, detail::HistoryOrder::Clients);
  }
  template <class Specification, class Operation>
  void serializable(std::string name, const Specification& initial = {}) {
    specify<Specification, Operation>(std::move(name), initial, detail::HistoryOrder::None);
  }

  // The protocol refines an abstract object at the annotated points (refinement.h). Only `--refines NAME` checks it.
  template <class Object>
  Refinement<Object> refines(std::string name, const Object& initial = {}) {
    static_assert(requires { sizeof(Refinement<Object>); }, "heddle: add #include <heddle/refinement.h>");
    return Refinement<Object>(add_refinement(std::move(name)), initial);
  }

  // --- The defaults of a run.
  Network network;
  Faults faults;

  // --- For the library.
  const std::vector<detail::ProcessInfo>& processes() const { return processes_; }
  const std::set<const detail::RoleInfo*>& roles() const { return roles_; }
  const std::vector<detail::PropertyInfo>& properties() const { return properties_; }
  const std::vector<detail::SpecificationInfo>& specifications() const { return specifications_; }
  const std::optional<detail::GhostInfo>& ghost_info() const { return ghost_; }
  const std::vector<void (*)(detail::HandlerCall&)>& first_steps() const { return first_steps_; }
  const std::vector<detail::Annotation>& annotations() const { return annotations_; }
  const std::vector<std::shared_ptr<detail::RefinementInfo>>& refinements() const { return refinements_; }
  // The refinement that a run checks, the variant of its specification, and whose linearization points.
  struct Refined {
    std::shared_ptr<detail::RefinementInfo> info;  // null: the run checks no refinement
    std::string specification = "strict";
    std::string points = "corrected";
  };
  const Refined& refined() const { return refined_; }
  // Throws ModelError if there is no such refinement or variant.
  void refine(const std::string& name, const std::string& specification, const std::string& points);
  const std::string& name() const { return name_; }
  using KeyOf = std::function<detail::Bytes(std::string_view bytes)>;
  const std::map<const detail::TypeInfo*, KeyOf>& keys() const { return keys_; }
  const std::set<const detail::TypeInfo*>& excluded() const { return excluded_; }

 private:
  template <class Specification, class Operation>
  void specify(std::string name, const Specification& initial, detail::HistoryOrder order) {
    detail::SpecificationInfo info{std::move(name),
                                   std::string(detail::type_name<Specification>()),
                                   detail::encoded(initial),
                                   nullptr,
                                   &detail::shape_of<Specification>(),
                                   order};
    info.apply = [](detail::Bytes& state, std::string_view operation) {
      auto object = detail::decode_all<Specification>(state);
      const auto result = object.apply(detail::decode_all<Operation>(operation));
      state = detail::encoded(object);
      return detail::encoded(result);
    };
    add_specification(info);
  }
  std::uint16_t add_process(const detail::RoleInfo& info, detail::Bytes initial, bool present);
  void add_role(const detail::RoleInfo& info);
  void add_first_step(void (*step)(detail::HandlerCall&));
  void add_annotation(const detail::Annotation& annotation);
  void add_specification(const detail::SpecificationInfo& info);
  void add_key(const detail::TypeInfo& type, KeyOf key);
  void add_exclusion(const detail::TypeInfo& type);
  void set_ghost(const detail::TypeInfo& type, detail::Bytes initial);
  detail::RefinementInfo& add_refinement(std::string name);
  void colocate(const detail::RoleTag* a, std::uint16_t i, const detail::RoleTag* b, std::uint16_t j);

  std::string name_;
  Run run_;
  std::optional<detail::GhostInfo> ghost_;
  std::vector<detail::ProcessInfo> processes_;
  std::set<const detail::RoleInfo*> roles_;
  std::vector<void (*)(detail::HandlerCall&)> first_steps_;
  std::vector<detail::Annotation> annotations_;
  std::vector<detail::PropertyInfo> properties_;
  std::vector<detail::SpecificationInfo> specifications_;
  std::vector<std::shared_ptr<detail::RefinementInfo>> refinements_;
  Refined refined_;
  std::map<const detail::TypeInfo*, KeyOf> keys_;
  std::set<const detail::TypeInfo*> excluded_;
};

}  // namespace heddle
