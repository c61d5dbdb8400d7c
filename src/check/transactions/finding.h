// What rules a level out, as numbers: a cycle, or single operations. explain/ has the words.
// Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "check/transactions/digraph.h"
#include "check/transactions/isolation.h"

namespace heddle::transactions {

// `from` comes before `to` because of ...
struct CycleStep {
  std::uint32_t from = 0, to = 0;  // transactions
  Dependency kind = Dependency::WriteWrite;
  bool assumed = false;  // of a pair of versions whose order nobody has seen
};

struct IsolationFinding {
  Anomaly anomaly = Anomaly::None;
  Respects respects = Respects::Nothing;  // the orders, besides those of versions, that the cycle uses
  std::vector<CycleStep> cycle = {};
  // Of anomalies that are no cycles: operations (indices into the history), each of the transaction beside it.
  std::vector<std::uint32_t> operations = {}, transactions = {};
  std::uint32_t element = ~std::uint32_t{0};
  // Of NoOrder: for both orders of a pair of versions, a cycle.
  std::vector<std::vector<CycleStep>> cases = {};
};

}  // namespace heddle::transactions
