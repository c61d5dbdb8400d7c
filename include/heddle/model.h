// A model: which processes there are, what must hold, which parameters and bugs it can be run with.
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

#include "heddle/refinement.h"
#include "heddle/role.h"
#include "heddle/run.h"

namespace heddle {

// A global state as a property sees it. What a property reads is recorded: it is evaluated once for each distinct
// combination of those values, and they explain a violation.
class View {
 public:
  template <class Role>
  std::vector<Role> all() const {
    std::vector<Role> out;
    for (const std::size_t p : members(&detail::role_info<Role>())) out.push_back(detail::decode_all<Role>(local(p)));
    return out;
  }
  template <class Role>
  Role at(Id<detail::member_of<Role>> id) const {
    return detail::decode_all<Role>(
        local(process(&detail::role_tag<detail::member_of<Role>>, detail::IdAccess::index(id))));
  }
  // Ids of the processes whose behaviour is Role, in the order of all<Role>().
  template <class Role>
  std::vector<Id<detail::member_of<Role>>> ids() const {
    std::vector<Id<detail::member_of<Role>>> out;
    for (const std::size_t p : members(&detail::role_info<Role>())) {
      out.push_back(detail::IdAccess::make<detail::member_of<Role>>(index(p)));
    }
    return out;
  }
  // Messages of type M waiting for anyone. A property that looks at messages depends on the traffic model (docs/network.md).
  template <class M>
  std::vector<M> in_flight() const {
    std::vector<M> out;
    for (const auto& bytes : messages(&detail::type_info<M>())) out.push_back(detail::decode_all<M>(bytes));
    return out;
  }
  // Whether the process exists and has not crashed (--crashes).
  template <class Role>
  bool up(Id<Role> id) const {
    return running(process(&detail::role_tag<Role>, detail::IdAccess::index(id)));
  }
  // The ghost variable.
  template <class T>
  T ghost() const {
    return detail::decode_all<T>(ghost_bytes());
  }
  const Run& run() const { return *run_; }

 protected:
  explicit View(const Run& run) : run_(&run) {}
  ~View() = default;

 private:
  virtual std::vector<std::size_t> members(const detail::RoleInfo*) const = 0;
  virtual std::size_t process(const detail::RoleTag*, std::uint16_t index) const = 0;
  virtual std::uint16_t index(std::size_t process) const = 0;
  virtual std::string_view local(std::size_t process) const = 0;
  virtual bool running(std::size_t process) const = 0;
  virtual std::vector<detail::Bytes> messages(const detail::TypeInfo*) const = 0;
  virtual std::string_view ghost_bytes() const = 0;
  const Run* run_;
};

// What lies between the processes. Every field is a switch of a run; a model may set the default that suits it.
struct Network {
  enum class Order { Multiset, Soup, Fifo };
  enum class Traffic { M, GRM, RM };
  enum class WhenFull { Block, Overwrite };
  Order order = Order::Multiset;
  Traffic traffic = Traffic::M;
  std::size_t capacity = 0;              // messages of one sender in transit to one receiver; 0: no limit
  WhenFull when_full = WhenFull::Block;  // Overwrite: the newest makes room, in FIFO only
  unsigned losses = 0;                   // how many messages may get lost
  unsigned duplications = 0;             // how many may be delivered once more
  unsigned partitions = 0;               // how often the network may split in two
};

struct Faults {
  unsigned crashes = 0;   // explicit crashes, at most; each may happen in the middle of a step's sends
  bool recovery = false;  // crashed processes may come back with their durable fields
  std::map<std::string, unsigned> byzantine;   // role name -> how many of its last members send any well-formed message
  std::map<std::string, unsigned> crashes_of;  // instead of `crashes`: role name -> crashes of its members, at most
  bool crashing() const {
    for (const auto& [role, most] : crashes_of) {
      if (most > 0) return true;
    }
    return crashes > 0;
  }
};

namespace detail {

struct ProcessInfo {
  const RoleInfo* info;
  std::uint16_t index;  // within the role
  Bytes initial;        // empty: not there at the start
  bool present = true;
  bool byzantine = false;
  std::size_t group = 0;  // co-located processes share it: the position of the first of them
};

struct PropertyInfo {
  enum class Kind { Always, Sometimes, DeadlockFree, Bound, Finally };  // as Property::Kind
  std::string name;
  Kind kind;
  std::function<bool(const View&)> predicate;
};

struct GhostInfo {
  const TypeInfo* info = nullptr;
  Bytes initial;
};

// What a model says of a handler beyond its signature. A field is its position in the role's struct.
struct Annotation {
  void (*run)(HandlerCall&) = nullptr;          // which handler
  std::optional<std::set<std::size_t>> reads;   // by the guard; none: any
  std::optional<std::set<std::size_t>> writes;  // none: any
  std::set<std::size_t> raises, hindered_by;
  bool invisible = false;
  std::optional<int> priority;
};

template <class Role, class T>
std::size_t field_position(T Role::* member) {
  const Role role{};
  std::size_t position = 0;
  boost::pfr::for_each_field(role, [&](const auto& field, std::size_t i) {
    if (static_cast<const void*>(&field) == static_cast<const void*>(&(role.*member))) position = i;
  });
  return position;
}

// A sequential specification with types taken away: state, operation and result as bytes.
struct SpecificationInfo {
  std::string name;
  std::string specification;
  Bytes initial;
  // The result of `operation`, or none if it does not apply; `state` becomes the state after it.
  Bytes (*apply)(Bytes& state, std::string_view operation);
  std::string (*json)(std::string_view state);
};

}  // namespace detail

// --- What Model::annotate can say of a handler, for partial order reduction. None is needed; all are checked by `heddle audit`.

// Fields its guard depends on (with the messages it consumes, everything that decides whether the step exists: not the ghost
// variable either), and fields it may change.
template <auto... Fields>
struct Reads {};
template <auto... Fields>
inline constexpr Reads<Fields...> reads{};
template <auto... Fields>
struct Writes {};
template <auto... Fields>
inline constexpr Writes<Fields...> writes{};
// Fields it makes strictly larger whenever it happens, and fields whose growth can never enable it.
template <auto... Fields>
struct Raises {};
template <auto... Fields>
inline constexpr Raises<Fields...> raises{};
template <auto... Fields>
struct HinderedBy {};
template <auto... Fields>
inline constexpr HinderedBy<Fields...> hindered_by{};
// It never changes whether a property holds.
struct Invisible {};
inline constexpr Invisible invisible{};

class Model {
 public:
  explicit Model(const struct Definition& definition, const std::map<std::string, std::string>& parameters = {},
                 const std::string& bug = "");

  const Run& run() const { return run_; }

  // --- Processes.
  template <class Role>
  std::vector<Id<detail::member_of<Role>>> add(std::size_t count = 1) {
    return add<Role>(count, [](std::size_t) { return Role{}; });
  }
  // make(0), make(1), ... are the initial states. A role with no member is known all the same: what it would send is no mistake
  // to wait for.
  template <class Role, class Make>
  std::vector<Id<detail::member_of<Role>>> add(std::size_t count, Make&& make) {
    static_assert(detail::check_role<Role>());
    roles_.insert(&detail::role_info<Role>());
    std::vector<Id<detail::member_of<Role>>> ids;
    for (std::size_t i = 0; i < count; ++i) {
      detail::Bytes bytes;
      detail::encode(static_cast<const Role&>(make(i)), bytes);
      ids.push_back(detail::IdAccess::make<detail::member_of<Role>>(
          add_process(detail::role_info<Role>(), std::move(bytes), true)));
    }
    return ids;
  }
  // Room for processes that come into being by Spawn<Role>. More than that at once is an error, where those count that have
  // ended but are remembered by somebody (Spawn in handler.h).
  template <class Role>
  void room_for(std::size_t most) {
    roles_.insert(&detail::role_info<Role>());
    for (std::size_t i = 0; i < most; ++i) add_process(detail::role_info<Role>(), {}, false);
  }
  // The id a member will have, also before it is added.
  template <class Role>
  static Id<Role> id(std::size_t position) {
    return detail::IdAccess::make<Role>(static_cast<std::uint16_t>(position));
  }
  // Several roles in one process: they crash together and share a column of the picture.
  template <class A, class B>
  void colocate(Id<A> a, Id<B> b) {
    colocate(&detail::role_tag<A>, detail::IdAccess::index(a), &detail::role_tag<B>, detail::IdAccess::index(b));
  }

  // Runs begin where every member of the role has taken this step already, in the order they were added: clients that have
  // sent their first request, say. The step consumes nothing.
  template <auto Function>
  void start_after() {
    first_steps_.push_back(detail::make_transition<Function>(Function).run);
  }

  // The one ghost variable, reached in handlers as Ghost<T>& and in properties as View::ghost<T>().
  template <class T>
  void ghost(const T& initial = {}) {
    ghost_ = detail::GhostInfo{};
    detail::encode(initial, ghost_->initial);
    ghost_->info = &detail::type_info<T>();
  }

  //   m.annotate<&Acceptor::accept>(reads<&Acceptor::promised>, writes<&Acceptor::accepted>);
  template <auto Function, class... Notes>
  void annotate(Notes... notes) {
    detail::Annotation a;
    a.run = detail::make_transition<Function>(Function).run;
    (note(a, notes), ...);
    annotations_.push_back(std::move(a));
  }

  // --- For schedulers of receipts (docs/schedules.md). Which part of the system's data a message is about, such as the key of a
  // request: messages about different parts do not interfere. A message without one may interfere with any.
  //   m.key_of<Put>([](const Put& put) { return put.key; });
  template <class Message, class Key>
  void key_of(Key key) {
    keys_[&detail::type_info<Message>()] = [key](std::string_view bytes) {
      detail::Bytes encoded;
      detail::encode(key(detail::decode_all<Message>(bytes)), encoded);
      return encoded;
    };
  }
  // A message that LiViola takes as it comes and does not permute; `heddle schedules --verify-exclusions` checks it.
  template <class Message>
  void exclude() {
    excluded_.insert(&detail::type_info<Message>());
  }

  // --- What must hold.
  using Predicate = std::function<bool(const View&)>;
  void always(std::string name, Predicate predicate);
  void sometimes(std::string name, Predicate predicate);
  // True in every final state, one without a step: "all replicas agree when nothing is left to do".
  void finally(std::string name, Predicate predicate);
  // States without a step are errors unless the predicate says the protocol may stop there.
  void deadlock_free(Predicate may_stop = [](const View&) { return false; });
  // States where the predicate is false are not continued, and the verdict is then `unknown` at best.
  void bound(std::string name, Predicate predicate);
  // Every history of Invoke and Return is linearizable to Specification: a struct with the object's state and
  // `Result apply(const Operation&)`.
  template <class Specification, class Operation>
  void linearizable(std::string name, const Specification& initial = {}) {
    detail::SpecificationInfo info{
        std::move(name), std::string(detail::type_name<Specification>()), {}, nullptr, nullptr};
    detail::encode(initial, info.initial);
    info.apply = [](detail::Bytes& state, std::string_view operation) {
      auto object = detail::decode_all<Specification>(state);
      const auto result = object.apply(detail::decode_all<Operation>(operation));
      detail::Bytes bytes;
      detail::encode(result, bytes);
      state.clear();
      detail::encode(object, state);
      return bytes;
    };
    info.json = [](std::string_view state) {
      std::string out;
      detail::to_json(detail::decode_all<Specification>(state), out);
      return out;
    };
    specifications_.push_back(std::move(info));
  }

  // The protocol refines an abstract object at the points that are annotated (refinement.h); checked by `--refines NAME` only.
  template <class Object>
  Refinement<Object> refines(std::string name, const Object& initial = {}) {
    detail::RefinementInfo& info = add_refinement(std::move(name));
    info.object = &detail::object_info<Object>();
    detail::encode(initial, info.initial);
    return Refinement<Object>(info);
  }

  // --- The defaults of a run.
  Network network;
  Faults faults;

  // --- What the library makes of it.
  const std::vector<detail::ProcessInfo>& processes() const { return processes_; }
  const std::set<const detail::RoleInfo*>& roles() const { return roles_; }
  const std::vector<detail::PropertyInfo>& properties() const { return properties_; }
  const std::vector<detail::SpecificationInfo>& specifications() const { return specifications_; }
  const std::optional<detail::GhostInfo>& ghost_info() const { return ghost_; }
  const std::vector<void (*)(detail::HandlerCall&)>& first_steps() const { return first_steps_; }
  const std::vector<detail::Annotation>& annotations() const { return annotations_; }
  const std::vector<std::shared_ptr<detail::RefinementInfo>>& refinements() const { return refinements_; }
  // Which refinement a run checks: its name, the variant of the specification, and whose linearization points.
  struct Refined {
    std::shared_ptr<detail::RefinementInfo> info;  // null: none
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
  std::uint16_t add_process(const detail::RoleInfo& info, detail::Bytes initial, bool present);
  detail::RefinementInfo& add_refinement(std::string name);
  void colocate(const detail::RoleTag* a, std::uint16_t i, const detail::RoleTag* b, std::uint16_t j);

  template <auto... Fields>
  static std::set<std::size_t> positions() {
    return {detail::field_position(Fields)...};
  }
  template <auto... Fields>
  static void note(detail::Annotation& a, Reads<Fields...>) {
    a.reads = positions<Fields...>();
  }
  template <auto... Fields>
  static void note(detail::Annotation& a, Writes<Fields...>) {
    a.writes = positions<Fields...>();
  }
  template <auto... Fields>
  static void note(detail::Annotation& a, Raises<Fields...>) {
    a.raises = positions<Fields...>();
  }
  template <auto... Fields>
  static void note(detail::Annotation& a, HinderedBy<Fields...>) {
    a.hindered_by = positions<Fields...>();
  }
  static void note(detail::Annotation& a, Invisible) { a.invisible = true; }

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

// --- The library of models.

struct Parameter {
  Parameter(std::string n, long value, long low, long high, std::string text)
      : name(std::move(n)), fallback(std::to_string(value)), least(low), most(high), help(std::move(text)) {}
  // The first choice is the default.
  Parameter(std::string n, std::vector<std::string> options, std::string text)
      : name(std::move(n)), fallback(options.front()), choices(std::move(options)), help(std::move(text)) {}
  std::string name;
  std::string fallback;
  long least = 0, most = 0;
  std::vector<std::string> choices;  // empty for integers
  std::string help;
};

struct Bug {
  std::string name;
  std::string property;                                // the property it breaks
  std::map<std::string, std::string> parameters = {};  // the smallest that show it, where they differ from the defaults
  std::string help = {};
};

// What a complete search without reductions must find; checked by the tests.
struct Expected {
  std::map<std::string, std::string> parameters = {};
  std::size_t states = 0;
  std::size_t transitions = 0;  // 0: not given
  std::size_t deadlocks = 0;
  std::string source = {};  // where the figure comes from
};

struct Definition {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters = {};
  std::vector<Bug> bugs = {};
  std::vector<Expected> expected = {};
  std::vector<std::string> violates = {};  // properties a protocol that is wrong by itself breaks without any bug
  std::function<void(Model&)> build;
};

// Puts a model into the library when the program (or the shared object of a single-file model) is loaded.
class Register {
 public:
  explicit Register(Definition definition);
};

const std::vector<Definition>& library();
const Definition* find_model(std::string_view name);

}  // namespace heddle
