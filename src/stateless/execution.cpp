// Pasts of events as sets of positions, and the races between events that nothing in between orders.
#include "stateless/execution.h"

#include <cassert>

namespace heddle {

Path Execution::path() const {
  Path p{initial, {}};
  for (const Event& e : events) p.steps.push_back(e.step);
  return p;
}

std::vector<std::size_t> Execution::push(const Event& event) {
  Positions past;
  std::vector<std::size_t> last;
  for (std::size_t i = events.size(); i-- > 0;) {
    if (past.contains(i) || !dependent(events[i], event)) continue;
    last.push_back(i);
    past.add(i);
    past.add(pasts[i]);
  }
  assert(events.size() == pasts.size());                                // 1
  assert(events.empty() || !pasts.back().contains(events.size() - 1));  // 2
  pasts.push_back(std::move(past));
  events.push_back(event);
  return last;
}

std::vector<std::size_t> Execution::without(std::size_t i) const {
  std::vector<std::size_t> out;
  for (std::size_t j = i + 1; j < events.size(); ++j) {
    if (!pasts[j].contains(i) && !events[j].effects.ends) out.push_back(j);
  }
  return out;
}

bool Execution::is_race(std::size_t i, std::size_t j) const {
  assert(i < j && j < events.size());
  if (!pasts[j].contains(i)) return false;
  for (std::size_t k = i + 1; k < j; ++k) {
    if (pasts[k].contains(i) && pasts[j].contains(k)) return false;
  }
  // If j consumes a message that i has sent, there must be another copy of it. Copies that were sent after i depend on
  // i, because one message has one sender.
  for (const Effects::Consumed& c : events[j].effects.consumed) {
    std::size_t copies = 0;
    for (std::size_t k = i; k < j; ++k) {
      if (k != i && !pasts[k].contains(i)) continue;
      for (const Effects::Sent& s : events[k].effects.sent) {
        copies += s.process == events[j].effects.process && s.message == c.message ? 1u : 0u;
      }
    }
    if (copies >= c.copies) return false;
  }
  return true;
}

}  // namespace heddle
