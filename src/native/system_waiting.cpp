// Who waits: for a lock that nobody will release, in a ring of threads, or in a loop that others would have to end.
#include <algorithm>

#include "native/system.h"

namespace heddle::native {

// The thread that alone can end the waiting of this one; nobody: it can go on, or it is not known.
std::uint32_t System::waits_for(std::span<const Slot> state, std::uint32_t thread) const {
  const Slot content = state[states_->layout.thread(thread)];
  if (content == 0) return nobody;
  const BriefRest rest = states_->segments.brief_rest(content);
  if (!rest.runs() || rest.fresh() || rest.choice()) return nobody;
  if (rest.pending() != Pending::Acquire && rest.pending() != Pending::Wait) return nobody;
  const Segment segment = states_->segments.of(state, thread, 0);
  return segment.blocked() && segment.waits_for() != 0 ? segment.waits_for() - 1 : nobody;
}

// Each thread waits for one other at most, so a knot is what following them from a thread comes back to.
std::uint32_t System::knot(std::span<const Slot> state) const {
  std::uint32_t settled = 0;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    std::uint32_t path = 0, at = t;
    while (at < states_->layout.threads() && (settled >> at & 1) == 0) {
      settled |= 1u << at, path |= 1u << at;
      at = waits_for(state, at);
    }
    if (at >= states_->layout.threads() || (path >> at & 1) == 0) continue;
    std::uint32_t members = 0;
    for (; (members >> at & 1) == 0; at = waits_for(state, at)) members |= 1u << at;
    return members;
  }
  return 0;
}

// Whether the segment completes a knot: only if its own thread then waits, or if it wakes up one that does.
bool System::ties_knot(std::span<const Slot> state, std::uint32_t thread, const Segment& segment) const {
  const std::uint32_t own = states_->layout.thread(thread);
  bool may = states_->segments.brief_rest(state[own]).pending() == Pending::Notify;
  for (const Change& c : segment.changes()) {
    if (c.slot != own) continue;
    const BriefRest rest = states_->segments.brief_rest(c.value);
    may |= rest.runs() && (rest.pending() == Pending::Acquire || rest.pending() == Pending::Wait);
  }
  if (!may) return false;
  thread_local SlotVector after;
  after.assign(state.begin(), state.end());
  for (const Change& c : segment.changes()) after[c.slot] = c.value;
  return after[Layout::process] == 0 && knot(after) != 0;
}

bool System::is_stuck(std::span<const Slot> state) const {
  std::vector<std::uint32_t> going;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (!runs_in(state, t)) continue;
    bool blocked = true;
    for_each_alternative(state, t, [&](std::uint32_t, const Segment& segment) { return blocked = segment.blocked(); });
    if (!blocked) going.push_back(t);
  }
  // Most threads that do not spin show it soon.
  for (const std::size_t longest : {std::size_t{16}, longest_round}) {
    std::vector<std::uint32_t> unknown;
    for (const std::uint32_t t : going) {
      const Spins answer = spins_within(state, t, longest, nullptr);
      if (answer == Spins::No || answer == Spins::Later) return false;
      if (answer == Spins::Unknown) unknown.push_back(t);
    }
    going = std::move(unknown);
  }
  return going.empty();
}

// Whether expand lists nothing here although threads have steps.
bool System::lists_nothing(std::span<const Slot> state) const {
  if (knot(state) != 0) return true;
  bool goes_back = false;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (!runs_in(state, t)) continue;
    const std::uint32_t own = states_->layout.thread(t);
    std::optional<bool> answer;
    for_each_alternative(state, t, [&](std::uint32_t, const Segment& segment) {
      if (segment.blocked()) return true;
      const bool races = racing_with(state, t, segment) != nobody;
      if (!races && segment.changes().empty()) return true;
      if (races || !changes_own_slot_only(t, segment)) {
        answer = false;
      } else if (!segment.lost().empty()) {  // perhaps something is dropped
        StepBuffer steps;
        expand(state, steps);
        answer = steps.size() == 0;
      } else {
        goes_back |= states_->segments.position(segment.changes()[0].value) <= states_->segments.position(state[own]);
      }
      return !answer.has_value();
    });
    if (answer) return *answer;
  }
  return goes_back && is_stuck(state);
}

// But for objects that are dropped.
bool System::changes_own_slot_only(std::uint32_t thread, const Segment& segment) const {
  return segment.changes().size() == 1 && segment.changes()[0].slot == states_->layout.thread(thread) &&
         segment.opens() == 0 && segment.closes() == 0;
}

// A counter of the rounds does not matter if nothing depends on it: the thread then goes on in the same way for ever,
// like a thread that comes back to where it was. To find this out, what differs between two rounds is taken to be
// undefined. The machine stops where something undefined decides.
//
// A thread spins from the state on that it comes back to. Before that state it may still return from calls without
// changing anything that is shared, and a call that returns must not be said to wait. A thread that counts comes back
// to no state. It spins as soon as it has returned from all calls that it will return from.
System::Spins System::spins_within(std::span<const Slot> state, std::uint32_t thread, std::size_t longest,
                                   std::vector<Access>* reads) const {
  constexpr std::size_t patience = 64;  // segments; where a thread comes back to where it was, it mostly does so soon
  const std::uint32_t own = states_->layout.thread(thread);
  Segments& segments = states_->segments;
  SlotVector alone(state.begin(), state.end());
  std::set<Slot> seen;
  Slot earlier = 0;
  for (std::size_t i = 0; i < longest; ++i) {
    if (!seen.insert(alone[own]).second) return alone[own] == state[own] ? Spins::Yes : Spins::Later;
    const BriefRest rest = segments.brief_rest(alone[own]);
    if (!rest.runs() || rest.choice()) return Spins::No;
    const Segment segment = segments.of(alone, thread, 0);
    if (segment.next() != 0 || segment.blocked() || segment.ends_process()) return Spins::No;
    if (reads != nullptr) segment.places(*reads);
    for (const Change& c : segment.changes()) {
      if (c.slot != own) return Spins::No;
      alone[own] = c.value;
    }
    if (i < patience) continue;
    if (earlier == 0) {
      earlier = alone[own];
    } else if (earlier != none && segments.position(earlier) == segments.position(alone[own])) {
      const Slot now = alone[own];
      alone[own] = segments.blurred(earlier, now);
      earlier = none;
      if (alone[own] != 0) {
        const Spins answer = spins_within(alone, thread, patience, nullptr);
        if (answer == Spins::Yes || answer == Spins::Later)
          return segments.results(now) == segments.results(state[own]) ? Spins::Yes : Spins::Later;
      }
      alone[own] = now;
    }
  }
  return Spins::Unknown;
}

bool System::spins(std::span<const Slot> state, std::uint32_t thread, std::vector<Access>* reads) const {
  const Spins answer = spins_within(state, thread, longest_round, reads);
  return answer == Spins::Yes || answer == Spins::Later;
}

}  // namespace heddle::native
