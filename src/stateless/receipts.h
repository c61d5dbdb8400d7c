// Facet: steps as receipts of messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/step_buffer.h"

namespace heddle {

// A step as a scheduler of receipts sees it: who takes which message from whom, and what a client sees of it. This adds
// to Effects, which say who the process is and what is consumed and sent.
struct Receipt {
  static constexpr std::uint64_t any_key = 0;
  struct Event {
    std::uint32_t number;  // equal events of histories have equal numbers
    bool is_return;
  };
  std::vector<std::uint32_t> senders;  // of the consumed messages, the process itself included
  std::uint64_t key = any_key;         // which part of the system's data the messages are about, if that is known
  bool excluded = false;      // the model says that receiving it earlier or later makes no difference to clients
  bool client = false;        // the process is one that invokes operations
  std::vector<Event> events;  // in the order they happen
};

class Receipts {
 public:
  virtual ~Receipts() = default;
  // REQUIRES: `step` is enabled in `state`.
  virtual void receipt(std::span<const Slot> state, Step step, Receipt& out) const = 0;
};

}  // namespace heddle
