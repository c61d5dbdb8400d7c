// A history met in a search, in the form of a recorded one (core/facets/histories.h).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "check/recorded_history.h"
#include "check/specification.h"
#include "core/facets/histories.h"
#include "heddle/detail/history_order.h"

namespace heddle {

// Operations have no names: function "" stands for a call whose argument and result are JSON text, such as
// {"kind":"write","value":1}.
struct ModelHistory {
  RecordedHistory history;
  std::unique_ptr<Specification> specification;
  // What the property asks of an order. If it is not real time, `admitted_if` says whether such an order exists when only
  // the answers of the `binding` operations count; of the others, any would do. REQUIRES: the system is still there.
  detail::HistoryOrder order = detail::HistoryOrder::RealTime;
  std::function<bool(const std::vector<bool>& binding)> admitted_if = {};
};

}  // namespace heddle
