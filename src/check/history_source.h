// Doors whose states hold a history of clients' operations: what explanations of linearizability ask them for.
#pragma once

#include <memory>
#include <span>

#include "check/recorded_history.h"
#include "check/specification.h"
#include "core/transition_system.h"

namespace heddle {

// A history met in a search, in the form of a recorded one. Operations have no names: function "" stands for a call whose argument
// is JSON text, {"kind":"write","value":1}, and whose result is JSON text, too.
struct ModelHistory {
  RecordedHistory history;
  std::unique_ptr<Specification> specification;
};

class HistorySource {
 public:
  virtual ~HistorySource() = default;
  // Null unless properties()[property] is about linearizability.
  virtual std::unique_ptr<ModelHistory> history_of(std::size_t property, std::span<const Slot> state) const = 0;
};

}  // namespace heddle
