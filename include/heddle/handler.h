// The parameters that the member functions of a role take: consumed messages first, then ways to send.
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
//            To<Role, M>                 to one member; if the role has only one, it need not be named
//            ToAll<Role, M>              to every member but oneself
// other      Id<Role>                    oneself (Role is one's own)
//            const Run&                  parameters, bugs, the members of a role
//            Choice                      non-deterministic choice: every option is explored
//            Timeout                     marks a step as a timer going off
//            Invoke<Op>, Return<Result>  a client's operation on the system begins, ends
//            Spawn<Role>, Exit           another process comes into being; this one ends
//            Ghost<T>&                   the model's ghost variable (Model::ghost), for specifications that need memory
// Fields that mean something to Heddle are in fields.h. A handler is a pure function of its process's fields and its
// parameters. `--audit-handlers` finds those that are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "heddle/detail/handler_call.h"
#include "heddle/detail/kinds.h"
#include "heddle/id.h"
#include "heddle/quorum.h"
#include "heddle/run.h"

namespace heddle {

// The guard of a step: if the condition is false, the step is not enabled.
inline void require(bool condition, std::source_location where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    detail::reject(where);
}

template <class M>
class Reply {
 public:
  explicit Reply(detail::HandlerCall& call) : call_(&call) {}
  void send(const M& message) const { call_->send(detail::Target::Reply, nullptr, 0, message); }

 private:
  detail::HandlerCall* call_;
};

template <class Role, class M>
class To {
 public:
  explicit To(detail::HandlerCall& call) : call_(&call) {}
  // An id that was never set names nobody. Sending to it is an error of the model.
  void send(Id<Role> to, const M& message) const {
    call_->send(detail::Target::One, &detail::role_tag<Role>, detail::IdAccess::index(to), message);
  }
  void send(const M& message) const { call_->send(detail::Target::Only, &detail::role_tag<Role>, 0, message); }

 private:
  detail::HandlerCall* call_;
};

template <class Role, class M>
class ToAll {
 public:
  explicit ToAll(detail::HandlerCall& call) : call_(&call) {}
  void send(const M& message) const { call_->send(detail::Target::All, &detail::role_tag<Role>, 0, message); }

 private:
  detail::HandlerCall* call_;
};

class Choice {
 public:
  explicit Choice(detail::HandlerCall& call) : call_(&call) {}
  using Place = std::source_location;
  // Returns a number from 0 to options - 1. Where there is no option, the step does not exist.
  std::uint32_t operator()(std::uint32_t options, Place where = Place::current()) const {
    return call_->choose(options, where);
  }
  template <class Container>
  auto from(const Container& options, Place where = Place::current()) const {
    auto it = std::begin(options);
    using T = std::decay_t<decltype(*it)>;
    constexpr bool plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;
    std::advance(it, call_->choose(static_cast<std::uint32_t>(std::size(options)), where, !plain));
    auto chosen = *it;
    call_->explain_choice(chosen);
    return chosen;
  }
  bool flip() const {
    const bool heads = call_->choose(2, Place::current()) == 1;
    call_->explain_choice(heads);
    return heads;
  }
  // Returns any member of a role.
  template <class Role>
  Id<Role> member(Place where = Place::current()) const {
    const Id<Role> chosen = detail::IdAccess::make<Role>(
        static_cast<std::uint16_t>(call_->choose(static_cast<std::uint32_t>(call_->run->count<Role>()), where, true)));
    call_->explain_choice(chosen);
    return chosen;
  }

 private:
  detail::HandlerCall* call_;
};

struct Timeout {};

// A variable that no real process has: it holds what a specification must remember, such as "the write had
// ended when this read began". Every step may read and write it. Reductions treat such steps as visible.
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
  void operator()(const Op& operation) const { call_->note(false, operation); }

 private:
  detail::HandlerCall* call_;
};

template <class Result>
class Return {
  static_assert(!detail::holds_auxiliary<Result>(), "heddle: operations and their results cannot hold auxiliary data");

 public:
  explicit Return(detail::HandlerCall& call) : call_(&call) {}
  void operator()(const Result& result) const { call_->note(true, result); }

 private:
  detail::HandlerCall* call_;
};

// Starts a new process. It takes a free place of Model::room_for (or of Model::add, if its process has ended) whose
// id nobody remembers when the step is done. An id is remembered if it is in a field, in a waiting message or as its
// sender, in the ghost variable, in the history, or in the abstract object; auxiliary data does not count. So an id
// names one process for as long as anybody knows it. If every free place is still remembered, an error says so.
template <class Role>
class Spawn {
 public:
  explicit Spawn(detail::HandlerCall& call) : call_(&call) {}
  // Returns the id of the new process, which may be stored and sent at once.
  Id<Role> operator()(const Role& process) const {
    const auto k = static_cast<std::uint16_t>(call_->spawned.size());
    call_->spawned.push_back({&detail::role_tag<Role>, detail::encoded(process)});
    return detail::IdAccess::make<Role>(static_cast<std::uint16_t>(detail::last_placeholder - k));
  }

 private:
  detail::HandlerCall* call_;
};

// Ends this process. Messages and replies to it are lost from then on; messages that it has sent still arrive.
class Exit {
 public:
  explicit Exit(detail::HandlerCall& call) : call_(&call) {}
  void operator()() const { call_->exited = true; }

 private:
  detail::HandlerCall* call_;
};

}  // namespace heddle
