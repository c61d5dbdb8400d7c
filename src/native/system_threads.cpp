// What reductions ask of a program: steps as events, pending actions of threads, and which of them are safe.
#include <algorithm>
#include <iterator>

#include "native/system.h"

namespace heddle::native {
namespace {

// Of two steps that lose a mention of an object the second one may be a leak.
constexpr Access leak_access{Layout::process, Access::Kind::Write};

}  // namespace

void System::effects(std::span<const Slot> state, Step step, Effects& out) const {
  out = {};
  out.process = states_->layout.thread(step.transition);
  const Slot content = state[out.process];
  out.label = std::uint64_t{content} << 32 | step.detail;
  const BriefRest rest = states_->segments.brief_rest(content);
  const Segment segment = states_->segments.of(state, step.transition, step.detail);
  segment.places(out.accesses);
  states_->segments.places_of_latest(rest.latest(), out.accesses);
  if (may_leak(segment)) out.accesses.push_back(leak_access);
  out.ends = ends_in(state, step, segment);
  out.disables_others = may_block_others(rest) || out.ends;
}

bool System::steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const {
  if (state[Layout::process] != 0) return true;
  if (process < Layout::first_thread || process >= states_->layout.first_global()) return true;
  const std::size_t first = out.size();
  add_steps(state, process - Layout::first_thread, out);
  if (out.size() == first || !lists_nothing(state)) return true;
  while (out.size() > first) out.abandon();
  return true;
}

// An action is safe if nobody else can notice it, or if whoever could is blocked until it has happened: a choice, the
// beginning or end of a client's call, a thread's beginning, code between accesses, a thread's end, the release of a
// lock that nobody looks at without waiting. (Cirisci 2022 counts lock and unlock as visible; that the release is a
// persistent set of its own is ours.)
//
// Races. A segment with plain accesses is not safe: a race with them shows only if others may come first. And a release
// hides the plain accesses of the latest segment. Suppose that these race with what another thread does after some
// steps. If the latest segment began by taking a lock, none of those steps depends on it, since who wants the lock is
// blocked. So they can come before the segment, and then is_raced() says that the release has to wait. Otherwise they
// may need the segment to come first, and the release is not safe.
bool System::is_safe(BriefRest rest, const Segment& segment) const {
  if (segment.ends_process() || segment.is_plain() || segment.concerns_threads() || may_leak(segment)) return false;
  if (segment.opens() != 0 || segment.closes() != 0) return false;  // of a history that is kept
  if (rest.choice() || rest.fresh() || rest.pending() == Pending::Call) return true;
  return rest.pending() == Pending::Release && !looks_at_locks_ && (rest.latest() == 0 || rest.after_acquire());
}

// Whether another thread's next segment races with the latest one of this thread: a step that must not be put off,
// because the thread's next operation may order the two.
bool System::is_raced(std::span<const Slot> state, std::uint32_t thread, Footprints::Number latest) const {
  if (latest == 0) return false;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (t == thread || !runs_in(state, t)) continue;
    bool raced = false;
    for_each_alternative(state, t, [&](std::uint32_t, const Segment& next) {
      raced = !next.blocked() && states_->segments.footprints().conflict(latest, next.accesses());
      return !raced;
    });
    if (raced) return true;
  }
  return false;
}

// Whether the step ends the process, or leads to a knot.
bool System::ends_in(std::span<const Slot> state, Step step, const Segment& segment) const {
  if (segment.ends_process() || racing_with(state, step.transition, segment) != nobody) return true;
  if (ties_knot(state, step.transition, segment)) return true;
  if (!may_leak(segment)) return false;
  SlotVector to;
  return execute(state, step, to) && to[Layout::process] != 0;
}

// Whether the operation may make others wait. Parts that are made atomic may do anything.
bool System::may_block_others(BriefRest rest) const {
  using enum Pending;
  if (rest.choice() || rest.fresh()) return false;
  const Pending pending = rest.pending();
  return pending == Acquire || pending == TryAcquire || pending == Wait ||
         (pending == Other && (options_.calls == Calls::Atomic || !options_.sections.empty()));
}

std::uint32_t System::thread_count(std::span<const Slot>) const { return states_->layout.threads(); }

bool System::pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const {
  out.steps.clear(), out.accesses.clear(), out.enables.clear();  // their memory is used again
  out.blocked = out.safe = out.releases = out.disables_others = out.ends = false;
  if (state[Layout::process] != 0 || !runs_in(state, thread)) return false;
  const Segments& segments = states_->segments;
  const Slot content = state[states_->layout.thread(thread)];
  const BriefRest rest = segments.brief_rest(content);
  out.disables_others = may_block_others(rest);
  out.releases = rest.pending() == Pending::Release;
  out.safe = true;
  bool may_spin = true;
  for_each_alternative(state, thread, [&](std::uint32_t choice, const Segment& segment) {
    segment.places(out.accesses);
    if (segment.blocked()) return true;
    if (may_leak(segment)) out.accesses.push_back(leak_access);
    const bool races = racing_with(state, thread, segment) != nobody;
    if (segment.changes().empty() && !races) return true;
    out.steps.push_back({thread, choice});
    const bool ends = races || ends_in(state, {thread, choice}, segment);
    out.ends |= ends;
    out.safe &= !ends && is_safe(rest, segment);
    may_spin &= !races && changes_own_slot_only(thread, segment);
    return true;
  });
  // Nobody can wait for the end of the thread before it has ended.
  const auto is_end = [end = segments.place_of_end(thread)](const Access& a) { return a.slot == end; };
  std::ranges::copy_if(out.accesses, std::back_inserter(out.enables), is_end);
  std::erase_if(out.accesses, is_end);
  // The thread's next step hides a race with its latest segment.
  segments.places_of_latest(rest.latest(), out.accesses);
  if (!out.steps.empty() && knot(state) != 0) {
    out.steps.clear();
  } else if (!out.steps.empty() && may_spin && lists_nothing(state)) {
    out.steps.clear();
    spins(state, thread, &out.accesses);
  }
  out.blocked = out.steps.empty();
  out.safe = out.safe && !out.blocked && !is_raced(state, thread, rest.latest());
  return true;
}

std::uint64_t System::local_state(std::span<const Slot> state, std::uint32_t thread) const {
  const Slot content = state[states_->layout.thread(thread)];
  constexpr std::uint64_t ended = ~std::uint32_t{0};  // whoever waits for the end changes the slot
  const bool over = content != 0 && !runs_in(state, thread);
  return std::uint64_t{state[Layout::client]} << 32 | (over ? ended : content);
}

}  // namespace heddle::native
