// What runs consist of, for every search of this folder: events, and which of them depend on each other.
//
// An event is a step under a name that does not change while other processes act (Effects). execution.h says what
// dependence has to do with soundness. Schedulers of receipts (scheduler.h) bring their own, coarser predicates for
// what is dependent.
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

// Of different processes: do their accesses conflict?
bool conflict(const Event& a, const Event& b);
bool dependent(const Event& a, const Event& b);

// The position of `event` in `events`, or events.size().
std::size_t position(const std::vector<Event>& events, const Event& event);

}  // namespace heddle
