// Decides linearizability of a tiny history by trying every order.
#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include "oracle/oracle_state.h"

namespace heddle::oracle {

// An order is right if it respects which operations had returned before which began, and if the specification
// gives every operation that returned its result. Open operations may be in it or not.
inline bool some_order(const detail::SpecificationInfo& specification, const Bytes& object, const History& history,
                       const std::set<std::pair<std::size_t, std::size_t>>& done) {
  bool all = true;
  for (const auto& [name, operation] : history) all &= !operation.result || done.contains(name);
  if (all) return true;
  for (const auto& [name, operation] : history) {
    if (done.contains(name)) continue;
    if (!std::includes(done.begin(), done.end(), operation.after.begin(), operation.after.end())) continue;
    Bytes next = object;
    const Bytes result = specification.apply(next, operation.call);
    if (operation.result && operation.result->second != result) continue;
    auto more = done;
    more.insert(name);
    if (some_order(specification, next, history, more)) return true;
  }
  return false;
}

inline bool linearizable(const detail::SpecificationInfo& specification, const History& history) {
  return some_order(specification, specification.initial, history, {});
}

}  // namespace heddle::oracle
