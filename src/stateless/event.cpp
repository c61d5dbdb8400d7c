// Dependence from who consumes, sends and accesses what.
#include "stateless/event.h"

#include <algorithm>

namespace heddle {

bool Event::sends_to(std::uint32_t p) const {
  return std::ranges::any_of(effects.sent, [&](const Effects::Sent& s) { return s.process == p; });
}

bool Event::sends(std::uint32_t p, std::uint32_t message) const {
  return std::ranges::any_of(effects.sent,
                             [&](const Effects::Sent& s) { return s.process == p && s.message == message; });
}

bool Event::consumes_from(const Event& sender) const {
  return std::ranges::any_of(effects.consumed,
                             [&](const Effects::Consumed& c) { return sender.sends(effects.process, c.message); });
}

bool conflict(const Event& a, const Event& b) {
  for (const Access& x : a.effects.accesses) {
    for (const Access& y : b.effects.accesses) {
      if (x.slot != y.slot || !conflict(x.kind, y.kind)) continue;
      // A message that arrives at the process of b does not disturb b (execution.h).
      if (x.kind == Access::Kind::Append && b.of_process(x.slot)) continue;
      if (y.kind == Access::Kind::Append && a.of_process(y.slot)) continue;
      return true;
    }
  }
  return false;
}

bool dependent(const Event& a, const Event& b) {
  if (a.same(b)) return true;
  if (a.of_process(b.effects.process)) {
    const bool commute = a.commuting != nullptr && !(a.visible && b.visible) &&
                         a.commuting->commute(a.effects.process, a.effects.label, b.effects.label);
    return !commute;
  }
  return (a.visible && b.visible) || a.consumes_from(b) || b.consumes_from(a) || conflict(a, b);
}

std::size_t position(const std::vector<Event>& events, const Event& event) {
  std::size_t k = 0;
  while (k < events.size() && !events[k].same(event)) ++k;
  return k;
}

}  // namespace heddle
