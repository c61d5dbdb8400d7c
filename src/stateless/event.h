// Events and the dependence between them. The runs of every search in this folder consist of events.
//
// An event is a step under a name that does not change while other processes act (Effects). execution.h says why this
// dependence is sound. Schedulers of receipts (scheduler.h) have their own, coarser predicates of dependence.
#pragma once

#include <cstdint>
#include <vector>

#include "core/facets/events.h"
#include "stateless/commuting.h"

namespace heddle {

struct Event {
  Step step;  // where it was found; elsewhere only the label is valid
  Effects effects;
  bool visible = false;
  const Commuting* commuting = nullptr;  // null: events of one process are dependent

  std::uint32_t process() const { return effects.process; }
  bool same(const Event& other) const {
    return effects.label == other.effects.label && effects.process == other.effects.process;
  }
  bool of_process(std::uint32_t p) const { return effects.process == p && p != Effects::nobody; }
  bool sends_to(std::uint32_t p) const;
  bool sends(std::uint32_t p, std::uint32_t message) const;
  bool consumes_from(const Event& sender) const;
};

// Whether the accesses of events of different processes conflict.
bool conflict(const Event& a, const Event& b);
bool dependent(const Event& a, const Event& b);

// Returns the position of `event` in `events`, or events.size().
std::size_t position(const std::vector<Event>& events, const Event& event);

}  // namespace heddle
