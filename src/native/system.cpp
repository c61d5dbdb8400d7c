#include "native/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "native/places.h"

namespace heddle::native {
namespace {

// The kinds of errors as properties. A failure that is not listed is an error of the run, not of the program.
struct KindOfError {
  const char* name;
  Property::Kind kind;
};
constexpr std::array kinds_of_errors = {
    KindOfError{"race", Property::Kind::Always},          KindOfError{"deadlock", Property::Kind::DeadlockFree},
    KindOfError{"assertion", Property::Kind::Always},     KindOfError{"memory", Property::Kind::Always},
    KindOfError{"uninitialised", Property::Kind::Always}, KindOfError{"arithmetic", Property::Kind::Always},
    KindOfError{"terminate", Property::Kind::Always},     KindOfError{"endless", Property::Kind::Always},
    KindOfError{"spin", Property::Kind::DeadlockFree},
};

std::string_view kind_of(const Ending& ending) {
  if (ending.kind == Ending::Kind::Race) return "race";
  if (ending.kind == Ending::Kind::Exit) return "";
  switch (ending.failure) {
    case Failure::Assertion:
      return "assertion";
    case Failure::Memory:
      return "memory";
    case Failure::Uninitialised:
      return "uninitialised";
    case Failure::Arithmetic:
      return "arithmetic";
    case Failure::Terminate:
      return "terminate";
    case Failure::Endless:
      return "endless";
    case Failure::Unsupported:
      break;
  }
  return "";
}

// Whether the program has an operation of this kind, bracketed by the runtime.
bool has_operation(const Image& image, Pending kind) {
  for (const Function& function : image.functions) {
    for (const Operation& x : function.operations) {
      if (x.code != Code::CallExternal || x.c == 0) continue;
      if (image.texts[image.externals[x.immediate]] != "__heddle_atomic_begin") continue;
      const std::uint32_t given = function.arguments[x.b].operand;
      if ((given & constant_bit) == 0 || function.constants[given & ~constant_bit] == static_cast<Word>(kind))
        return true;
    }
  }
  return false;
}

constexpr std::uint32_t nobody = ~std::uint32_t{0};

}  // namespace

System::System(std::shared_ptr<const Image> image, SystemOptions options)
    : image_(std::move(image)),
      harness_(harness_of(*image_)),
      options_(std::move(options)),
      machine_(*image_, {.granularity = options_.races == Races::Report ? Granularity::RaceFree : Granularity::All,
                         .calls = options_.calls}),
      tries_locks_(has_operation(*image_, Pending::TryAcquire)) {
  for (const KindOfError& kind : kinds_of_errors) {
    if (options_.races == Races::Report || std::string_view(kind.name) != "race") {
      properties_.push_back({kind.name, kind.kind});
    }
  }
  if (options_.admitted) properties_.push_back({"linearizability", Property::Kind::Finally});
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    if (properties_[i].kind == Property::Kind::DeadlockFree) of_stuck_states_ |= std::uint64_t{1} << i;
  }
  Room room;
  for (const Client& client : options_.clients) {
    room.threads = std::max(room.threads, static_cast<std::uint32_t>(client.threads.size()) + 1);
  }
  states_ = std::make_unique<States>(machine_, options_, room);
}

void System::reconsider() {
  const Room needed = states_->segments.needed();
  Room room = states_->layout.room();
  // Half as much again: the first runs need less than later ones.
  if (needed.threads > room.threads) room.threads = std::min(needed.threads * 3 / 2, Label::max_threads);
  if (needed.heap > room.heap) room.heap = needed.heap * 3 / 2;
  if (needed.stack > room.stack) room.stack = needed.stack * 3 / 2;
  states_ = std::make_unique<States>(machine_, options_, room);
}

std::vector<SlotVector> System::initial_states() const {
  const Layout& layout = states_->layout;
  Segments& segments = states_->segments;
  SlotVector state(layout.size(), 0);
  for (std::uint32_t i = 0; i < layout.globals().size(); ++i) {
    state[layout.first_global() + i] = segments.intern(initial_global(image_->globals[layout.globals()[i]]));
  }
  Rest begin;
  begin.fresh = true;
  begin.function = image_->start;
  begin.at = 0;
  state[layout.thread(0)] = segments.intern(begin, machine_.start(0, image_->start, {}));
  if (options_.clients.empty()) return {state};
  std::vector<SlotVector> states;
  for (std::uint32_t client = 0; client < options_.clients.size(); ++client) {
    state[Layout::client] = client + 1;
    states.push_back(state);
  }
  return states;
}

bool System::runs_in(std::span<const Slot> state, std::uint32_t thread) const {
  const Slot content = state[states_->layout.thread(thread)];
  return content != 0 && states_->segments.rest(content).status == Rest::Status::Running;
}

void System::expand(std::span<const Slot> state, StepBuffer& out) const {
  if (state[Layout::process] != 0) return;
  const std::size_t first = out.size();
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) add_steps(state, t, out);
  // A step that changes more than its thread's own slot shows that the state is not stuck.
  for (std::size_t i = first; i < out.size(); ++i) {
    const auto changes = out.changes(i);
    if (changes.size() != 1 || changes[0].slot != states_->layout.thread(out.step(i).transition)) return;
  }
  if (out.size() == first || !is_stuck(state)) return;
  while (out.size() > first) out.abandon();
}

bool System::is_stuck(std::span<const Slot> state) const {
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (runs_in(state, t) && !states_->segments.of(state, t, 0).blocked() && !spins(state, t)) return false;
  }
  return true;
}

bool System::spins(std::span<const Slot> state, std::uint32_t thread) const {
  constexpr std::size_t longest = 10'000;  // segments of one round
  const std::uint32_t own = states_->layout.thread(thread);
  SlotVector alone(state.begin(), state.end());
  std::set<Slot> seen;
  while (seen.size() < longest) {
    if (!seen.insert(alone[own]).second) return true;
    const Rest rest = states_->segments.rest(alone[own]);
    if (rest.status != Rest::Status::Running || rest.choice) return false;
    const Segment segment = states_->segments.of(alone, thread, 0);
    if (segment.blocked() || segment.ends_process()) return false;
    for (const Change& c : segment.changes()) {
      if (c.slot != own) return false;
      alone[own] = c.value;
    }
  }
  return false;
}

void System::add_steps(std::span<const Slot> state, std::uint32_t thread, StepBuffer& out) const {
  const Slot content = state[states_->layout.thread(thread)];
  if (content == 0) return;
  const Rest rest = states_->segments.rest(content);
  if (rest.status != Rest::Status::Running) return;
  for (std::uint32_t choice = 0; choice < rest.alternatives; ++choice) {
    const Segment segment = states_->segments.of(state, thread, choice);
    if (segment.blocked()) return;
    const std::uint32_t racing = racing_with(state, thread, segment);
    if (segment.changes().empty() && racing == nobody) continue;  // it spins
    out.begin({thread, choice});
    if (racing != nobody) {
      // What the racing step would do is not shown: its own slot stays, so that it is still to be seen what it was.
      out.change(Layout::process,
                 states_->segments.intern({.kind = Ending::Kind::Race, .thread = thread, .other = racing, .text = {}}));
      continue;
    }
    for (const Change& c : segment.changes()) out.change(c.slot, c.value);
    if (segment.loses() && !segment.ends_process()) sweep(state, out);
  }
}

std::uint32_t System::racing_with(std::span<const Slot> state, std::uint32_t thread, const Segment& segment) const {
  if (options_.races == Races::Allow || segment.accesses() == 0) return nobody;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    const std::uint32_t slot = states_->layout.thread(t);
    if (t == thread || state[slot] == 0) continue;
    const Footprints::Number latest = states_->segments.rest(state[slot]).latest;
    if (latest == 0 || !states_->segments.footprints().conflict(latest, segment.accesses())) continue;
    // A segment that begins by waiting for the end of that thread is ordered after all that the thread did.
    if (std::ranges::find(segment.changes(), slot, &Change::slot) == segment.changes().end()) return t;
  }
  return nobody;
}

// Drops published objects that nothing mentions after the step that was begun last.
void System::sweep(std::span<const Slot> state, StepBuffer& out) const {
  const Layout& layout = states_->layout;
  Segments& segments = states_->segments;
  thread_local SlotVector after;
  thread_local std::vector<std::uint32_t> reached;
  thread_local std::vector<bool> seen;
  after.assign(state.begin(), state.end());
  for (const Change& c : out.open_changes()) after[c.slot] = c.value;
  reached.clear();
  seen.assign(after.size(), false);
  const auto reach = [&](std::span<const std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) {
      if (seen[slot] || after[slot] == 0) continue;
      seen[slot] = true;
      reached.push_back(slot);
    }
  };
  for (std::uint32_t t = 0; t < layout.threads(); ++t) {
    if (const Slot content = after[layout.thread(t)]; content != 0) reach(segments.mentioned_by_thread(content));
  }
  for (std::uint32_t slot = layout.first_global(); slot < layout.first_object(); ++slot) {
    reach(segments.mentioned_by_object(after[slot]));
  }
  while (!reached.empty()) {
    const std::uint32_t slot = reached.back();
    reached.pop_back();
    reach(segments.mentioned_by_object(after[slot]));
  }
  for (std::uint32_t slot = layout.first_object(); slot < layout.size(); ++slot) {
    if (after[slot] == 0 || seen[slot]) continue;
    const auto changes = out.open_changes();
    const auto known = std::ranges::find(changes, slot, &Change::slot);
    if (known != changes.end()) {
      known->value = 0;  // a change from 0 to 0, if the step itself made it
    } else {
      out.change(slot, 0);
    }
  }
}

bool System::execute(std::span<const Slot> state, Step step, SlotVector& to) const {
  if (state[Layout::process] != 0 || step.transition >= states_->layout.threads()) return false;
  StepBuffer steps;
  add_steps(state, step.transition, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.step(i) != step) continue;
    to = apply_changes(state, steps.changes(i));
    return true;
  }
  return false;
}

std::string System::transition_name(std::uint32_t transition) const { return fmt::format("thread {}", transition); }

void System::footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const {
  states_->segments.of(state, step.transition, step.detail).footprint(out);
}

std::uint64_t System::evaluate(std::span<const Slot> state, std::uint64_t which) const {
  std::uint64_t bits = (std::uint64_t{1} << properties_.size()) - 1;
  if (state[Layout::process] == 0) {
    // Only states without steps are asked about these: threads that run are then blocked, or spin.
    if ((which & of_stuck_states_) == 0) return bits;
    bool blocked = false, spinning = false, at_lock = false;
    for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
      if (!runs_in(state, t)) continue;
      blocked = true;
      spinning |= spins(state, t);
      at_lock |= states_->segments.rest(state[states_->layout.thread(t)]).pending == Pending::Acquire;
    }
    // Calls may wait for ever when they are made one at a time, too: a client that only takes from an empty queue. That
    // a lock is never released is no such case.
    if (blocked && !at_lock && options_.admitted && (*options_.admitted)[client(state)].contains(*outcome(state)))
      return bits;
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if (properties_[i].kind != Property::Kind::DeadlockFree) continue;
      const bool false_here = properties_[i].name == "spin" ? spinning : blocked && !spinning;
      if (false_here) bits &= ~(std::uint64_t{1} << i);
    }
    return bits;
  }
  const Ending how = states_->segments.ending(state[Layout::process]);
  const std::string_view name = kind_of(how);
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    if (properties_[i].name == name) bits &= ~(std::uint64_t{1} << i);
  }
  if (how.kind == Ending::Kind::Exit && options_.admitted) {
    const std::set<std::string>& admitted = (*options_.admitted)[client(state)];
    if (!admitted.contains(*outcome(state))) bits &= ~(std::uint64_t{1} << (properties_.size() - 1));
  }
  return bits;
}

std::size_t System::bytes() const { return states_->segments.bytes(); }
std::uint64_t System::runs() const { return states_->segments.runs(); }

std::optional<std::string> System::outcome(std::span<const Slot> state) const {
  const auto how = ending(state);
  if ((how && how->kind != Ending::Kind::Exit) || options_.clients.empty()) return std::nullopt;
  std::string out;
  const std::size_t threads = options_.clients[client(state)].threads.size();
  for (std::uint32_t t = 1; t <= threads; ++t) {
    const Slot content = state[states_->layout.thread(t)];
    std::string results(content == 0 ? "" : states_->segments.results(content));
    if (runs_in(state, t)) results += "waits\n";
    if (!results.empty()) results.pop_back();  // the end of the last line
    for (std::size_t at = 0; (at = results.find('\n', at)) != results.npos; at += 2) results.replace(at, 1, ", ");
    out += (t == 1 ? "" : " | ") + results;
  }
  return out;
}

std::optional<Ending> System::ending(std::span<const Slot> state) const {
  if (state[Layout::process] == 0) return std::nullopt;
  return states_->segments.ending(state[Layout::process]);
}

bool System::may_change_truth(std::span<const Slot>, std::span<const Change> changes) const {
  return std::ranges::any_of(changes, [](const Change& c) { return c.slot == Layout::process; });
}

void System::effects(std::span<const Slot> state, Step step, Effects& out) const {
  out = {};
  out.process = states_->layout.thread(step.transition);
  const Slot content = state[out.process];
  out.label = std::uint64_t{content} << 32 | step.detail;
  footprint(state, step, out.accesses);
  const Rest rest = states_->segments.rest(content);
  out.disables_others = rest.pending != Pending::Access && rest.pending != Pending::Release;
}

bool System::steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const {
  if (state[Layout::process] == 0 && process >= Layout::first_thread && process < states_->layout.first_global()) {
    add_steps(state, process - Layout::first_thread, out);
  }
  return true;
}

// An action is safe if nobody else can notice it, or if whoever could is blocked until it has happened: a choice, a
// thread's beginning, code between accesses, a thread's end, the release of a lock that nobody looks at without
// waiting. (Cirisci 2022 counts lock and unlock as visible; that the release is a persistent set of its own is ours.)
// A segment with plain accesses is not safe: a race with them shows only if others may come first.
bool System::is_safe(const Rest& rest, const Segment& segment) const {
  if (segment.ends_process() || segment.is_plain() || segment.concerns_threads()) return false;
  return rest.choice || rest.fresh || (rest.pending == Pending::Release && !tries_locks_);
}

// Whether another thread's next segment races with the latest one of this thread: a step that must not be put off,
// because the thread's next operation may order the two.
bool System::is_raced(std::span<const Slot> state, std::uint32_t thread, Footprints::Number latest) const {
  if (latest == 0) return false;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    if (t == thread || !runs_in(state, t)) continue;
    const Segment next = states_->segments.of(state, t, 0);
    if (!next.blocked() && states_->segments.footprints().conflict(latest, next.accesses())) return true;
  }
  return false;
}

std::uint32_t System::thread_count(std::span<const Slot>) const { return states_->layout.threads(); }

bool System::pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const {
  out = {};
  if (state[Layout::process] != 0 || !runs_in(state, thread)) return false;
  const Rest rest = states_->segments.rest(state[states_->layout.thread(thread)]);
  const Segment segment = states_->segments.of(state, thread, 0);
  const std::uint32_t own = states_->layout.thread(thread);
  segment.footprint(out.accesses);
  std::erase_if(out.accesses, [&](const Access& a) { return a.slot == own; });
  out.blocked = segment.blocked() || segment.changes().empty();
  out.safe = !out.blocked && is_safe(rest, segment) && !is_raced(state, thread, rest.latest);
  out.disables_others = rest.pending != Pending::Access && rest.pending != Pending::Release;
  if (!out.blocked) {
    for (std::uint32_t choice = 0; choice < rest.alternatives; ++choice) out.steps.push_back({thread, choice});
  }
  return true;
}

}  // namespace heddle::native
