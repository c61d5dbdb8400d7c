// What the member functions of a role take: consumed messages first, then ways to send.
//
//   void promise(const Prepare& p, Reply<Promise> out) {          // consumes one Prepare, may answer its sender
//     require(p.ballot > promised);                               // guard: if false, the step does not exist
//     promised = p.ballot;
//     out.send({p.ballot, accepted});
//   }
//   void propose(const Quorum<Promise, Acceptor>& q, ToAll<Acceptor, Accept> out);   // consumes a majority at once
//   void start(ToAll<Acceptor, Prepare> out);                     // consumes nothing: may happen at any time
//
// consumes   const M&                    one message
//            const From<M, Role>&        one message, and who of Role sent it
//            const Quorum<M, Role, T>&   exactly T::size(members) messages of distinct senders (default: a majority)
// sends      Reply<M>                    to the sender of what was consumed, or to all senders of a quorum
//            To<Role, M>                 to one member; without naming it where the role has only one
//            ToAll<Role, M>              to every member but oneself
// other      Id<Role>                    oneself (Role is one's own)
//            const Run&                  parameters, bugs, the members of a role
//            Choice                      non-deterministic choice: every option is explored
//            Timeout                     marks a step as a timer going off
//            Invoke<Op>, Return<Result>  a client's operation on the system begins, ends
//            Spawn<Role>, Exit           another process comes into being; this one ends
//            Ghost<T>&                   the model's ghost variable (Model::ghost), for specifications that need memory
// Fields that handlers only write, such as a log, are better declared Auxiliary<T> (auxiliary.h): they cost no states.
// A handler is a pure function of its process's fields and its parameters: `--audit-handlers` finds those that are not.
#pragma once

#include <boost/iterator/iterator_facade.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heddle/id.h"
#include "heddle/reflect.h"
#include "heddle/run.h"

namespace heddle {

namespace detail {

struct Rejected {};
struct LookedFurther {};

// What the library needs to know of a message or operation type.
struct TypeInfo {
  std::string_view name;
  void (*json)(std::string_view bytes, std::string& out);
  Bytes (*rename)(std::string_view bytes, const Renaming&);
  // All well-formed values, for Byzantine senders; false if the type has a field without a finite domain.
  bool (*domain)(const Run&, std::vector<Bytes>& out);
  std::uint64_t (*fingerprint)(std::string_view bytes, const Colouring&);
  Forget forget;        // null if it holds no auxiliary data
  bool only_auxiliary;  // it holds nothing else
  PartsInfo parts;
};

struct Received {
  std::uint16_t sender;  // position within its role
  std::string_view body;
};

// One: the member an id names. Only: no id was given, the role has one member.
enum class Target : std::uint8_t { Reply, One, Only, All };

struct Sent {
  const TypeInfo* type;
  Target target;
  const RoleTag* role;  // unless Reply
  std::uint16_t index;  // if One; an id that was never set is `nobody`
  Bytes body;
};

struct Event {
  bool is_return;
  const TypeInfo* type;
  Bytes value;
};

struct Spawned {
  const RoleTag* role;
  Bytes local;
};
// Until the step is applied, the k-th process it spawns goes by the id last_placeholder - k. Roles that spawn have fewer
// members than that, and the number fits an IdSet.
inline constexpr std::uint16_t last_placeholder = 63;
inline constexpr std::size_t most_spawned_members = 48;

// One execution of a handler: inputs, the script of choices, and what it did.
struct HandlerCall {
  std::string_view local;
  std::uint16_t self = 0;
  std::span<const Received> consumed;
  const Run* run = nullptr;
  bool only_first = false;  // of a quorum only the first message is there; looking at another throws LookedFurther

  struct Chosen {
    std::uint32_t taken, options;
    bool by_name = false;  // which option is which depends on the names of processes
    std::string json = {};  // what was chosen, for people; empty: the number taken
  };
  std::vector<Chosen> choices;  // those before `next_choice` are replayed, later ones take the first option
  std::size_t next_choice = 0;
  std::uint32_t choose(std::uint32_t options, bool by_name = false) {
    if (options == 0) throw Rejected{};
    if (next_choice == choices.size()) choices.push_back({0, options, by_name});
    return choices[next_choice++].taken;
  }
  // What the last choice has meant.
  template <class T>
  void explain_choice(const T& value) {
    if constexpr (printable<T>()) {
      std::string& json = choices[next_choice - 1].json;
      json.clear();
      to_json(value, json);
    }
  }

  std::string_view ghost;  // empty unless the transition takes it
  Bytes next_ghost;

  Bytes next_local;
  std::vector<Sent> sent;
  std::vector<Event> events;
  std::vector<Spawned> spawned;
  bool exited = false;
};

template <class M>
const TypeInfo& type_info();

}  // namespace detail

// The guard of a step: where the condition is false, the step is not enabled.
inline void require(bool condition) {
  if (!condition) throw detail::Rejected{};
}

struct Majority {
  static constexpr std::size_t size(std::size_t members) { return members / 2 + 1; }
};

template <class M, class Role>
struct From {
  Id<Role> sender;
  M message;
  const M* operator->() const { return &message; }
  const M& operator*() const { return message; }
};

template <class M, class Role, class Threshold = Majority>
class Quorum {
 public:
  class Iterator : public boost::iterator_facade<Iterator, const From<M, Role>, boost::random_access_traversal_tag> {
   public:
    Iterator() = default;
    Iterator(const Quorum& quorum, std::size_t at) : quorum_(&quorum), at_(at) {}
    const From<M, Role>& operator[](std::ptrdiff_t n) const { return *(*this + n); }

   private:
    friend class boost::iterator_core_access;
    const From<M, Role>& dereference() const { return quorum_->at(at_); }
    bool equal(const Iterator& other) const { return at_ == other.at_; }
    void increment() { ++at_; }
    void decrement() { --at_; }
    void advance(std::ptrdiff_t n) { at_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at_) + n); }
    std::ptrdiff_t distance_to(const Iterator& other) const {
      return static_cast<std::ptrdiff_t>(other.at_) - static_cast<std::ptrdiff_t>(at_);
    }
    const Quorum* quorum_ = nullptr;
    std::size_t at_ = 0;
  };

  explicit Quorum(std::vector<From<M, Role>> messages, bool only_first = false)
      : messages_(std::move(messages)), only_first_(only_first) {}
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, messages_.size()}; }
  std::size_t size() const { return messages_.size(); }
  // Any one of them. The order within a quorum is no fact of the protocol: use this where all are alike.
  const From<M, Role>& front() const { return messages_.front(); }

 private:
  const From<M, Role>& at(std::size_t i) const {
    if (only_first_ && i > 0) throw detail::LookedFurther{};
    return messages_[i];
  }

  std::vector<From<M, Role>> messages_;
  bool only_first_;
};

template <class M>
class Reply {
 public:
  explicit Reply(detail::HandlerCall& call) : call_(&call) {}
  void send(const M& message) const {
    detail::Bytes body;
    detail::encode(message, body);
    call_->sent.push_back({&detail::type_info<M>(), detail::Target::Reply, nullptr, 0, std::move(body)});
  }

 private:
  detail::HandlerCall* call_;
};

template <class Role, class M>
class To {
 public:
  explicit To(detail::HandlerCall& call) : call_(&call) {}
  // An id that was never set names nobody: sending to it is an error of the model.
  void send(Id<Role> to, const M& message) const { send_to(detail::Target::One, detail::IdAccess::index(to), message); }
  void send(const M& message) const { send_to(detail::Target::Only, 0, message); }

 private:
  void send_to(detail::Target target, std::uint16_t index, const M& message) const {
    detail::Bytes body;
    detail::encode(message, body);
    call_->sent.push_back({&detail::type_info<M>(), target, &detail::role_tag<Role>, index, std::move(body)});
  }
  detail::HandlerCall* call_;
};

template <class Role, class M>
class ToAll {
 public:
  explicit ToAll(detail::HandlerCall& call) : call_(&call) {}
  void send(const M& message) const {
    detail::Bytes body;
    detail::encode(message, body);
    call_->sent.push_back({&detail::type_info<M>(), detail::Target::All, &detail::role_tag<Role>, 0, std::move(body)});
  }

 private:
  detail::HandlerCall* call_;
};

class Choice {
 public:
  explicit Choice(detail::HandlerCall& call) : call_(&call) {}
  // 0 <= result < options.
  std::uint32_t operator()(std::uint32_t options) const { return call_->choose(options); }
  template <class Container>
  auto from(const Container& options) const {
    auto it = std::begin(options);
    using T = std::decay_t<decltype(*it)>;
    constexpr bool plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;
    std::advance(it, call_->choose(static_cast<std::uint32_t>(std::size(options)), !plain));
    auto chosen = *it;
    call_->explain_choice(chosen);
    return chosen;
  }
  bool flip() const {
    const bool heads = call_->choose(2) == 1;
    call_->explain_choice(heads);
    return heads;
  }
  // Any member of a role.
  template <class Role>
  Id<Role> member() const {
    const Id<Role> chosen = detail::IdAccess::make<Role>(
        static_cast<std::uint16_t>(call_->choose(static_cast<std::uint32_t>(call_->run->count<Role>()), true)));
    call_->explain_choice(chosen);
    return chosen;
  }

 private:
  detail::HandlerCall* call_;
};

struct Timeout {};

// A timer that a role sets and cancels; `fire` is the guard of the step that is its going off.
struct Timer {
  bool armed = false;
  void set() { armed = true; }
  void cancel() { armed = false; }
  void fire() {
    require(armed);
    armed = false;
  }
};

// Survives a crash; every other field of a role starts anew when its process recovers.
template <class T>
struct Durable {
  T value{};
  T& operator*() { return value; }
  const T& operator*() const { return value; }
  T* operator->() { return &value; }
  const T* operator->() const { return &value; }
};

// A variable that no real process has: what a specification has to remember, such as "the write had ended when this read
// began". Every step may read and write it, at no cost to the protocol; reductions treat such steps as visible.
template <class T>
class Ghost {
 public:
  explicit Ghost(detail::HandlerCall& call) : call_(&call), value_(detail::decode_all<T>(call.ghost)) {}
  Ghost(const Ghost&) = delete;
  Ghost& operator=(const Ghost&) = delete;
  ~Ghost() {
    call_->next_ghost.clear();
    detail::encode(value_, call_->next_ghost);
  }
  T* operator->() { return &value_; }
  T& operator*() { return value_; }

 private:
  detail::HandlerCall* call_;
  T value_;
};

template <class Op>
class Invoke {
  static_assert(!detail::holds_auxiliary<Op>(), "heddle: operations and their results cannot hold auxiliary data");

 public:
  explicit Invoke(detail::HandlerCall& call) : call_(&call) {}
  void operator()(const Op& operation) const {
    detail::Bytes bytes;
    detail::encode(operation, bytes);
    call_->events.push_back({false, &detail::type_info<Op>(), std::move(bytes)});
  }

 private:
  detail::HandlerCall* call_;
};

template <class Result>
class Return {
  static_assert(!detail::holds_auxiliary<Result>(), "heddle: operations and their results cannot hold auxiliary data");

 public:
  explicit Return(detail::HandlerCall& call) : call_(&call) {}
  void operator()(const Result& result) const {
    detail::Bytes bytes;
    detail::encode(result, bytes);
    call_->events.push_back({true, &detail::type_info<Result>(), std::move(bytes)});
  }

 private:
  detail::HandlerCall* call_;
};

// The new process takes a place of Model::room_for (or one of Model::add whose process has ended) that is free and whose id
// nobody remembers any more when the step is done: no field, no message that waits nor its sender, not the ghost variable, the
// history or the abstract object. So an id names one process for as long as anybody knows it. Auxiliary data does not count.
// Where every free place is still remembered there is an error that says so.
template <class Role>
class Spawn {
 public:
  explicit Spawn(detail::HandlerCall& call) : call_(&call) {}
  // The id may be stored and sent at once.
  Id<Role> operator()(const Role& process) const {
    detail::Bytes bytes;
    detail::encode(process, bytes);
    const auto k = static_cast<std::uint16_t>(call_->spawned.size());
    call_->spawned.push_back({&detail::role_tag<Role>, std::move(bytes)});
    return detail::IdAccess::make<Role>(static_cast<std::uint16_t>(detail::last_placeholder - k));
  }

 private:
  detail::HandlerCall* call_;
};

// Messages to a process that has ended are lost, replies to it too; those it has sent still arrive.
class Exit {
 public:
  explicit Exit(detail::HandlerCall& call) : call_(&call) {}
  void operator()() const { call_->exited = true; }

 private:
  detail::HandlerCall* call_;
};

}  // namespace heddle
