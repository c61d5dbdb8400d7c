// Facet: states that hold a history of clients' operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/step_buffer.h"

namespace heddle {

struct ModelHistory;  // check/model_history.h

class Histories {
 public:
  virtual ~Histories() = default;
  // The slot that holds the history. Histories that differ only in an order of events that linearizability
  // ignores have equal numbers.
  virtual std::uint32_t history_slot() const = 0;
  // The properties that look only at that slot and, once false, stay false: linearizability. One bit for each
  // property.
  virtual std::uint64_t history_properties() const = 0;
  // Returns the history of a state in the form of a recorded one; null unless properties()[property] is about histories:
  // linearizability, or the same without real time.
  virtual std::unique_ptr<ModelHistory> history_of(std::size_t property, std::span<const Slot> state) const = 0;
};

class TransitionSystem;
// What the facet says; 0 without the facet.
std::uint64_t history_properties_of(const TransitionSystem& system);

}  // namespace heddle
