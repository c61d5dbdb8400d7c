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
  // The slot that holds the history. Histories that differ in the order of events that linearizability does not look at have equal
  // numbers.
  virtual std::uint32_t history_slot() const = 0;
  // Which properties look at that slot only and, once false, stay false: linearizability.
  virtual std::uint64_t history_properties() const = 0;
  // The history of a state in the form of a recorded one; null unless properties()[property] is about linearizability.
  virtual std::unique_ptr<ModelHistory> history_of(std::size_t property, std::span<const Slot> state) const = 0;
};

class TransitionSystem;
// What the facet says, or 0.
std::uint64_t history_properties_of(const TransitionSystem& system);

}  // namespace heddle
