// Explains by few answers why a history without real time has no order: sequential consistency and serializability.
//
// Leaving operations out of a history proves nothing: without the write, a read of its value is always wrong. So answers
// are relaxed instead: an operation whose answer does not count happens all the same, and may answer anything; if no
// order of its client holds it, it may also not happen. That only adds orders. So one pass that relaxes one answer after
// the other, and takes back what gives an order, leaves a minimal set: these answers alone leave no order.
//
// Pure function but for the budget.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/budget.h"

namespace heddle::explain {

struct AnswerCore {
  std::vector<std::uint32_t> operations;  // ascending; their answers leave no order
  bool minimal = true;                    // false: the budget ended before all others were tried
};

// REQUIRES: `admitted` is false if all of `answered` count.
AnswerCore answer_core(std::size_t operations, const std::vector<std::uint32_t>& answered,
                       const std::function<bool(const std::vector<bool>& binding)>& admitted, Budget* budget = nullptr);

}  // namespace heddle::explain
