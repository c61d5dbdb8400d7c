// Lists the steps of all threads from their segments, executes them, and says what ends a run. Who waits is in
// system_waiting.cpp, what reductions ask in system_threads.cpp.
#include "native/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
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
    KindOfError{"spin", Property::Kind::DeadlockFree},    KindOfError{"leak", Property::Kind::Always},
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
    case Failure::Leak:
      return "leak";
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

// Whether something in the program looks at locks without waiting for them, so that it sees who has released one.
bool looks_at_locks(const Image& image) {
  if (has_operation(image, Pending::TryAcquire)) return true;
  return std::ranges::any_of(image.functions, [&](const Function& function) {
    if (function.symbol == none || function.operations.empty()) return false;
    const std::string& name = image.texts[function.symbol];
    return name == "pthread_mutex_destroy" || name == "pthread_rwlock_destroy";
  });
}

// A leak ends the process.
void note_leak(std::span<Access> footprint) {
  for (Access& access : footprint) {
    if (access.slot == Layout::process) access.kind = Access::Kind::Write;
  }
}

}  // namespace

System::System(std::shared_ptr<const Image> image, SystemOptions options)
    : image_(std::move(image)),
      harness_(harness_of(*image_)),
      options_(std::move(options)),
      machine_(*image_, {.granularity = options_.races == Races::Report ? Granularity::RaceFree : Granularity::All,
                         .calls = options_.judge && options_.calls == Calls::Local ? Calls::Begun : options_.calls,
                         .sections = options_.sections,
                         .nondet = options_.nondet,
                         .keep_everything = options_.raw_identity}),
      looks_at_locks_(looks_at_locks(*image_)) {
  for (const KindOfError& kind : kinds_of_errors) {
    const std::string_view name = kind.name;
    if ((name == "race" && options_.races == Races::Allow) || (name == "leak" && !options_.leaks)) continue;
    properties_.push_back({kind.name, kind.kind});
  }
  if (options_.admitted || options_.judge) properties_.push_back({"linearizability", Property::Kind::Finally});
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    if (properties_[i].kind == Property::Kind::DeadlockFree) of_stuck_states_ |= std::uint64_t{1} << i;
  }
  Room room;
  for (const Client& client : options_.clients) {
    room.threads = std::max(room.threads, static_cast<std::uint32_t>(client.threads.size()) + 1);
  }
  std::vector<std::uint32_t> callers;
  for (std::uint32_t t = 1; t < room.threads; ++t) callers.push_back(t);
  histories_.set_clients(std::move(callers), false);
  states_ = std::make_unique<States>(machine_, options_, room, histories_, alike());
}

void System::reconsider() {
  const Room needed = states_->segments.needed();
  Room room = states_->layout.room();
  // Half as much again: the first runs need less than later ones.
  if (needed.threads > room.threads) room.threads = std::min(needed.threads * 3 / 2, Label::max_threads);
  if (needed.heap > room.heap) room.heap = needed.heap * 3 / 2;
  if (needed.stack > room.stack) room.stack = needed.stack * 3 / 2;
  states_ = std::make_unique<States>(machine_, options_, room, histories_, alike());
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
  if (options_.judge) state[Layout::history] = histories_.empty();
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
  return content != 0 && states_->segments.brief_rest(content).runs();
}

void System::expand(std::span<const Slot> state, StepBuffer& out) const {
  if (state[Layout::process] != 0 || knot(state) != 0) return;
  const std::size_t first = out.size();
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) add_steps(state, t, out);
  // A step that changes more than its thread's own slot shows that the state is not stuck. A thread that spins goes
  // back in its code once in every round, so it is enough to look where one does: other states of the round lead there.
  bool goes_back = false;
  for (std::size_t i = first; i < out.size(); ++i) {
    const auto changes = out.changes(i);
    const std::uint32_t own = states_->layout.thread(out.step(i).transition);
    if (changes.size() != 1 || changes[0].slot != own) return;
    goes_back |= states_->segments.position(changes[0].value) <= states_->segments.position(state[own]);
  }
  if (!goes_back || !is_stuck(state)) return;
  while (out.size() > first) out.abandon();
}

void System::add_steps(std::span<const Slot> state, std::uint32_t thread, StepBuffer& out) const {
  const Slot content = state[states_->layout.thread(thread)];
  if (content == 0) return;
  if (!states_->segments.brief_rest(content).runs()) return;
  for_each_alternative(state, thread, [&](std::uint32_t choice, const Segment& segment) {
    if (segment.blocked()) return true;
    for (const Segment::Comparison& c : segment.comparisons()) {
      if (c.slot == 0 || (state[c.slot] != 0 && states_->segments.is_freed(state[c.slot])))
        options_.freed_comparisons->note(c.line);
    }
    const std::uint32_t racing = racing_with(state, thread, segment);
    if (segment.changes().empty() && racing == nobody) return true;  // it spins
    out.begin({thread, choice});
    if (racing != nobody) {
      // What the racing step would do is not shown: its own slot stays, so that it is still to be seen what it was.
      // Nor is the other thread part of the state: there may be several.
      out.change(Layout::process,
                 states_->segments.intern(
                     {.kind = Ending::Kind::Race, .code = static_cast<int>(choice), .thread = thread, .text = {}}));
      return true;
    }
    for (const Change& c : segment.changes()) out.change(c.slot, c.value);
    if (segment.opens() != 0 || segment.closes() != 0) {
      Slot history = state[Layout::history];
      if (segment.opens() != 0) history = histories_.append(history, segment.opens());
      if (segment.closes() != 0) history = histories_.append(history, segment.closes());
      out.change(Layout::history, history);
    }
    const bool sweeps = options_.leaks || (!segment.ends_process() && !options_.raw_identity);
    if (!segment.lost().empty() && sweeps) sweep(state, thread, segment.lost(), out);
    return true;
  });
}

// Two accesses that are next in one state are not ordered. That is how a plain access inside a section is compared with
// atomic ones outside: what came before the section's end is ordered before whoever has seen that end, so Rest::latest,
// which is about what comes after an operation, would say too much.
bool System::section_races(const Segment& one, const Segment& other) const {
  Footprints& footprints = states_->segments.footprints();
  return !other.blocked() && (footprints.conflict(one.plain_inside(), other.atomic_outside()) ||
                              footprints.conflict(other.plain_inside(), one.atomic_outside()));
}

std::uint32_t System::racing_with(std::span<const Slot> state, std::uint32_t thread, const Segment& segment) const {
  if (options_.races == Races::Allow || segment.accesses() == 0) return nobody;
  const bool by_sections = segment.plain_inside() != 0 || segment.atomic_outside() != 0;
  for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
    const std::uint32_t slot = states_->layout.thread(t);
    if (t == thread || state[slot] == 0) continue;
    if (by_sections && runs_in(state, t)) {
      bool races = false;
      for_each_alternative(state, t, [&](std::uint32_t, const Segment& next) {
        races = section_races(segment, next);
        return !races;
      });
      if (races) return t;
    }
    const Footprints::Number latest = states_->segments.brief_rest(state[slot]).latest();
    if (latest == 0 || !states_->segments.footprints().conflict(latest, segment.accesses())) continue;
    // A segment that begins by waiting for the end of that thread is ordered after all that the thread did.
    if (std::ranges::find(segment.changes(), slot, &Change::slot) == segment.changes().end()) return t;
  }
  return nobody;
}

// Drops published objects that nothing mentions after the step that was begun last, which is one of `thread`. Only
// those in `lost`, and what is mentioned by nothing else, can be such. If one of them is a leak, and that is wanted,
// the process ends instead.
void System::sweep(std::span<const Slot> state, std::uint32_t thread, std::span<const std::uint32_t> lost,
                   StepBuffer& out) const {
  const Layout& layout = states_->layout;
  const MentionSets& of_threads = states_->segments.mentions_of_threads();
  const MentionSets& of_objects = states_->segments.mentions_of_objects();
  const std::uint32_t first = layout.first_object();
  thread_local SlotVector after;
  thread_local std::vector<std::uint64_t> alive, done;  // a bit for each object
  after.assign(state.begin(), state.end());
  for (const Change& c : out.open_changes()) after[c.slot] = c.value;
  const bool ends = after[Layout::process] != 0;
  if (ends && states_->segments.ending(after[Layout::process]).kind != Ending::Kind::Exit) return;
  alive.assign(of_objects.words(), 0);
  done.assign(of_objects.words(), 0);
  for (std::uint32_t t = 0; t < layout.threads(); ++t) of_threads.add(after[layout.thread(t)], alive.data());
  for (std::uint32_t slot = layout.first_global(); slot < first; ++slot) of_objects.add(after[slot], alive.data());
  const auto is_alive = [&](std::uint32_t slot) {
    return (alive[(slot - first) / 64] >> (slot - first) % 64 & 1) != 0;
  };
  // Level by level, since what was lost is mostly found soon.
  for (bool more = true; more;) {
    if (std::ranges::all_of(lost, is_alive)) return;
    more = false;
    for (std::size_t w = 0; w < alive.size(); ++w) {
      std::uint64_t next = alive[w] & ~done[w];
      done[w] |= next;
      more |= next != 0;
      for (; next != 0; next &= next - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(next));
        of_objects.add(after[first + static_cast<std::uint32_t>(w) * 64 + bit], alive.data());
      }
    }
  }
  const auto set = [&](std::uint32_t slot, Slot content) {
    const auto changes = out.open_changes();
    const auto known = std::ranges::find(changes, slot, &Change::slot);
    if (known != changes.end()) {
      known->value = content;  // perhaps a change from 0 to 0, if the step itself made it
    } else {
      out.change(slot, content);
    }
  };
  for (std::uint32_t slot = first; slot < layout.size(); ++slot) {
    if (after[slot] == 0 || is_alive(slot)) continue;
    if (options_.leaks) {
      Segments& segments = states_->segments;
      const Object object = segments.object(after[slot]);
      if (wants_free(object)) return set(Layout::process, segments.intern(segments.leak(thread, object)));
    }
    if (!ends) set(slot, 0);
  }
}

bool System::execute(std::span<const Slot> state, Step step, SlotVector& to) const {
  if (state[Layout::process] != 0 || step.transition >= states_->layout.threads() || knot(state) != 0) return false;
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
  const Segment segment = states_->segments.of(state, step.transition, step.detail);
  const std::size_t first = out.size();
  segment.footprint(out);
  if (may_leak(segment)) note_leak(std::span(out).subspan(first));
}

std::uint64_t System::evaluate(std::span<const Slot> state, std::uint64_t which) const {
  std::uint64_t bits = (std::uint64_t{1} << properties_.size()) - 1;
  if (state[Layout::process] == 0) {
    // Only states without steps are asked about these: threads that run are then blocked, or spin.
    if ((which & of_stuck_states_) == 0) return bits;
    const bool tied = knot(state) != 0;
    bool blocked = false, spinning = false, at_lock = tied;
    for (std::uint32_t t = 0; t < states_->layout.threads(); ++t) {
      if (!runs_in(state, t)) continue;
      blocked = true;
      spinning |= !tied && spins(state, t);
      at_lock |= states_->segments.brief_rest(state[states_->layout.thread(t)]).pending() == Pending::Acquire;
    }
    // Calls may wait for ever when they are made one at a time, too: a client that only takes from an empty queue. That
    // a lock is never released is no such case.
    if (blocked && !at_lock && may_wait(state)) return bits;
    if (options_.judge && !is_good(state)) return bits & ~(std::uint64_t{1} << (properties_.size() - 1));
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
  if (how.kind == Ending::Kind::Exit && !is_good(state)) bits &= ~(std::uint64_t{1} << (properties_.size() - 1));
  return bits;
}

// Whether calls that wait for ever do so when they are made one at a time, too.
bool System::may_wait(std::span<const Slot> state) const {
  if (options_.judge) {
    const std::uint32_t history = state[Layout::history];
    const std::uint32_t known = verdicts_.get(history, 2, [&]() -> std::uint32_t {
      const std::optional<bool> answer = options_.judge->may_wait(histories_, history);
      return !answer ? 3 : *answer ? 1 : 2;
    });
    if (known != 3) return known == 1;
  }
  return options_.admitted && (*options_.admitted)[client(state)].contains(*outcome(state));
}

// Whether a client that has ended has results that are those of some order of its calls.
bool System::is_good(std::span<const Slot> state) const {
  if (options_.judge) {
    const std::uint32_t history = state[Layout::history];
    const auto judge = [&]() -> std::uint32_t { return options_.judge->linearizable(histories_, history) ? 1 : 2; };
    return verdicts_.get(history, 1, judge) == 1;
  }
  return !options_.admitted || (*options_.admitted)[client(state)].contains(*outcome(state));
}

std::uint64_t System::history_properties() const {
  return options_.judge ? std::uint64_t{1} << (properties_.size() - 1) : 0;
}

std::unique_ptr<ModelHistory> System::history_of(std::size_t property, std::span<const Slot> state) const {
  if (!options_.judge || property + 1 != properties_.size()) return nullptr;
  return options_.judge->recorded(histories_, state[Layout::history]);
}

bool System::is_fresh(std::span<const Slot> state, std::uint32_t thread) const {
  return runs_in(state, thread) && states_->segments.rest(state[states_->layout.thread(thread)]).fresh;
}

std::string System::take_result(SlotVector& state, std::uint32_t thread) const {
  Slot& content = state[states_->layout.thread(thread)];
  std::string results(states_->segments.results(content));
  if (results.ends_with('\n')) results.pop_back();
  if (const auto line = results.rfind('\n'); line != results.npos) results.erase(0, line + 1);
  content = states_->segments.without_results(content);
  return results;
}

std::size_t System::bytes() const { return states_->segments.bytes() + histories_.bytes() + verdicts_.bytes(); }
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

}  // namespace heddle::native
