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
  // Of open versions: the key, and why their order is known (index into `inferred` of the finding).
  std::uint32_t key = ~std::uint32_t{0}, inferred = ~std::uint32_t{0};
};

// `first` wrote the key before `second` did: the other order, which the cycle assumes, is impossible.
struct InferredOrder {
  std::uint32_t key = 0, first = 0, second = 0;  // transactions
  std::vector<CycleStep> cycle = {};
};

struct IsolationFinding {
  Anomaly anomaly = Anomaly::None;
  Respects respects = Respects::Nothing;  // the orders, besides those of versions, that the cycle uses
  std::vector<CycleStep> cycle = {};
  // Of anomalies that are not cycles: operations (indices into the history), each of the transaction beside it.
  std::vector<std::uint32_t> operations = {}, transactions = {};
  std::uint32_t element = ~std::uint32_t{0};
  // Of NoOrder: for both orders of a pair of versions, a cycle.
  std::vector<std::vector<CycleStep>> cases = {};
  std::vector<InferredOrder> inferred = {};  // what cycles rest on; what these rest on comes behind them
};

}  // namespace heddle::transactions
