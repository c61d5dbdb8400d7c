// Decides linearizability of a tiny history, sequential consistency and serializability by trying every order.
#pragma once

#include <set>
#include <utility>

#include "oracle/oracle_state.h"

namespace heddle::oracle {

// Whether `operation` of `client` may come next. Linearizability asks for all operations that had returned when it began,
// sequential consistency for those of its client.
inline bool may_come(detail::HistoryOrder order, std::size_t client, const Operation& operation,
                     const std::set<std::pair<std::size_t, std::size_t>>& done) {
  if (order == detail::HistoryOrder::None) return true;
  for (const auto& earlier : operation.after) {
    if (order == detail::HistoryOrder::Clients && earlier.first != client) continue;
    if (!done.contains(earlier)) return false;
  }
  return true;
}

// An order is right if it is one that is asked for, and if the specification gives every operation that returned its
// result. Open operations may be in it or not.
inline bool some_order(const detail::SpecificationInfo& specification, const Bytes& object, const History& history,
                       const std::set<std::pair<std::size_t, std::size_t>>& done) {
  bool all = true;
  for (const auto& [name, operation] : history) all &= !operation.result || done.contains(name);
  if (all) return true;
  for (const auto& [name, operation] : history) {
    if (done.contains(name)) continue;
    if (!may_come(specification.order, name.first, operation, done)) continue;
    Bytes next = object;
    const Bytes result = specification.apply(next, operation.call);
    if (operation.result && operation.result->second != result) continue;
    auto more = done;
    more.insert(name);
    if (some_order(specification, next, history, more)) return true;
  }
  return false;
}

inline bool admitted(const detail::SpecificationInfo& specification, const History& history) {
  return some_order(specification, specification.initial, history, {});
}

}  // namespace heddle::oracle
