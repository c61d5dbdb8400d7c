// Messages together with their senders, alone or as a quorum.
//
//   void propose(const Quorum<Promise, Acceptor>& q, ToAll<Acceptor, Accept> out) {
//     for (const auto& promise : q) ... promise.sender ... promise->ballot ...
//   }
//
// Another threshold is a struct with `static std::size_t size(std::size_t members)`, which may also take a
// const Run&.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "heddle/detail/handler_call.h"
#include "heddle/detail/quorum_iterator.h"
#include "heddle/id.h"

namespace heddle {

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
  using Iterator = detail::QuorumIterator<Quorum, From<M, Role>>;

  explicit Quorum(std::vector<From<M, Role>> messages, bool only_first = false)
      : messages_(std::move(messages)), only_first_(only_first) {}
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, messages_.size()}; }
  std::size_t size() const { return messages_.size(); }
  // Returns any of the messages: use it where all are alike. The order within a quorum has no meaning in the
  // protocol.
  const From<M, Role>& front() const { return messages_.front(); }

 private:
  friend Iterator;
  const From<M, Role>& at(std::size_t i) const {
    if (only_first_ && i > 0) throw detail::LookedFurther{};
    return messages_[i];
  }

  std::vector<From<M, Role>> messages_;
  bool only_first_;
};

}  // namespace heddle
