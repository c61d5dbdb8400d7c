// Walks the decision tree of a thread's slot; where it ends, runs the machine and lengthens the tree by what was read.
#include "native/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/budget.h"
#include "core/facets/assumptions.h"
#include "core/model_error.h"
#include "core/step_interrupted.h"
#include "native/memory.h"
#include "native/places.h"
#include "native/segment_reads.h"
#include "native/segment_recorder.h"

namespace heddle::native {
namespace {

thread_local DecisionTrees::Recent recent_segments;

[[maybe_unused]] bool each_slot_once(std::span<const Change> changes) {
  std::set<std::uint32_t> slots;
  return std::ranges::all_of(changes, [&](const Change& c) { return slots.insert(c.slot).second; });
}

bool has_bit(const std::vector<std::uint64_t>& set, std::uint32_t bit) { return (set[bit / 64] >> bit % 64 & 1) != 0; }
void set_bit(std::vector<std::uint64_t>& set, std::uint32_t bit) { set[bit / 64] |= std::uint64_t{1} << bit % 64; }

constexpr std::uint32_t blocked_flag = 1, ends_flag = 4, plain_flag = 8, threads_flag = 16;

// What is not memory but has a place as well: which threads have been started. The end of a thread has its slot.
constexpr std::uint32_t place_of_starts = Layout::process;

void read_accesses(std::span<const std::uint32_t> words, std::vector<Access>& out) {
  for (std::size_t i = 0; i < words.size(); i += 2) {
    out.push_back({words[i], static_cast<Access::Kind>(words[i + 1])});
  }
}

void write_accesses(std::span<const Access> accesses, std::vector<std::uint32_t>& words) {
  for (const Access& a : accesses) words.insert(words.end(), {a.slot, static_cast<std::uint32_t>(a.kind)});
}

}  // namespace

// What it has published matters only if its number may be used again.
ThreadState Segments::ended_thread(std::string_view results, std::vector<std::uint32_t> published) const {
  ThreadState thread;
  thread.results = results;
  if (layout_.threads() == Label::max_threads) thread.published = std::move(published);
  return thread;
}

void Segment::footprint(std::vector<Access>& out) const {
  read_accesses(words_.subspan(head + 2 * std::size_t{words_[2]}, 2 * std::size_t{words_[3]}), out);
}

void Segment::places(std::vector<Access>& out) const {
  read_accesses(words_.subspan(head + 2 * (std::size_t{words_[2]} + words_[3]), 2 * std::size_t{words_[6]}), out);
}

Segments::Segments(const Machine& machine, const Layout& layout, const std::vector<Client>& clients, Options options)
    : machine_(machine),
      layout_(layout),
      clients_(clients),
      options_(std::move(options)),
      of_threads_(layout),
      of_objects_(layout),
      units_(layout.size()) {
  for (std::uint32_t t = 0; t < layout.threads(); ++t) ends_.push_back(units_.place_of_object(layout.thread(t)));
}

std::uint32_t Segments::value(std::span<const Slot> state, std::uint32_t what, std::uint32_t choice) const {
  if (what < read_choice) return state[what];
  if (what == read_choice) return choice;
  if (what >= read_client) {
    if (state[Layout::client] == 0) return 0;
    const std::uint32_t question = what - read_client, call = question / client_questions;
    return static_cast<std::uint32_t>(clients_[state[Layout::client] - 1].answer(
        call / Client::most_calls, call % Client::most_calls, question % client_questions));
  }
  if (what >= read_joined) {
    const Slot other = state[layout_.thread(what - read_joined)];
    return other != 0 && rests_[other].status() == Rest::Status::Joined ? 1 : 0;
  }
  if (what >= read_started) return state[layout_.thread(what - read_started)] != 0 ? 1 : 0;
  const Slot other = state[layout_.thread(what - read_ended)];
  return other != 0 && !rests_[other].runs() ? 1 : 0;
}

std::uint32_t Segments::number_of(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) {
  std::vector<std::uint32_t> reads;
  if (!options_.memoise) return run(state, thread, choice, reads);
  const auto value_of = [&](std::uint32_t what) { return value(state, what, choice); };
  const DecisionTrees::Walked walked = trees_.walk(state[layout_.thread(thread)], recent_segments, value_of);
  if (walked.known()) return walked.result();
  const std::uint32_t effect = run(state, thread, choice, reads);
  trees_.lengthen(walked, reads, value_of, effect);
  if (!options_.alike.empty()) compare_with_renamed(state, thread, choice, reads, effect);
  return effect;
}

std::uint32_t Segments::run(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                            std::vector<std::uint32_t>& reads) {
  runs_.fetch_add(1, std::memory_order_relaxed);
  const Slot before = state[layout_.thread(thread)];
  if (const Slot fails = rest(before).fails; fails != 0) return intern_failure(thread, fails);
  ThreadState after = this->thread(before);
  Recorder world(*this, state, thread, choice, after);
  const Stop stop = machine_.run(after, world);
  const std::uint32_t effect = intern_effect(world, stop, after, before);
  reads = std::move(world.reads());
  return effect;
}

// The segment in which a failure that was put off ends the process.
std::uint32_t Segments::intern_failure(std::uint32_t thread, Slot ending) {
  const auto write = static_cast<std::uint32_t>(Access::Kind::Write);
  return effects_.intern(std::vector<std::uint32_t>{ends_flag, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                                    Layout::process, ending,                     //
                                                    Layout::process, write, layout_.thread(thread), write});
}

Account Segments::account(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) const {
  Account account;
  account.before = account.after = this->thread(state[layout_.thread(thread)]);
  if (const Slot fails = rest(state[layout_.thread(thread)]).fails; fails != 0) {
    const Ending how = ending(fails);
    account.stop.kind = Stop::Kind::Failed;
    account.stop.failure = how.failure;
    account.stop.text = how.text.substr(how.text.find(": ") + 2);  // behind the place
    return account;
  }
  Recorder world(*this, state, thread, choice, account.after);
  Teller teller(machine_.image(), account.after, world);
  account.stop = machine_.run(account.after, teller);
  teller.tell(account);
  account.accesses = std::move(world.accesses());
  account.output = std::move(world.output());
  account.choices = world.choices();
  return account;
}

std::vector<CodeEvent> Segments::code_events(std::span<const Slot> state, std::uint32_t thread,
                                             std::uint32_t choice) const {
  if (rest(state[layout_.thread(thread)]).fails != 0) return {};
  ThreadState after = this->thread(state[layout_.thread(thread)]);
  Recorder world(*this, state, thread, choice, after);
  CodeWitness witness(machine_.image(), after, world);
  machine_.run(after, witness);
  return witness.take();
}

std::uint32_t Segments::intern_effect(Recorder& world, const Stop& stop, ThreadState& after, Slot before) {
  const std::uint32_t self = world.thread();
  std::uint32_t flags = 0;
  std::vector<Change> changes;
  std::map<std::uint32_t, Access::Kind> touched;  // by slot
  std::vector<std::uint32_t> new_objects, lost;
  std::vector<std::uint64_t> had(of_threads_.words(), 0), has(had);  // objects that were mentioned, and are
  const auto touch = [&](std::uint32_t slot, Access::Kind kind) {
    const auto [known, is_new] = touched.emplace(slot, kind);
    if (!is_new && kind == Access::Kind::Write) known->second = kind;
  };
  touch(Layout::process, Access::Kind::Read);
  for (const std::uint32_t what : world.reads()) {
    if (what < read_choice) touch(what, Access::Kind::Read);
    if (what > read_choice && what < read_client) {
      touch(layout_.thread((what - read_ended) % Label::max_threads), Access::Kind::Read);
    }
  }
  if (stop.kind == Stop::Kind::Blocked) {
    flags = blocked_flag;
  } else if (stop.kind == Stop::Kind::Interrupted) {
    throw StepInterrupted();
  } else if (stop.kind == Stop::Kind::Failed && stop.failure == Failure::Unsupported) {
    throw ModelError(fmt::format("{}: {}", short_text(user_line(call_stack(machine_.image(), after))), stop.text));
  } else {
    std::optional<Ending> ending;  // of the process
    std::vector<Object> leaked;
    Rest rest;
    if (options_.watch_races) note_latest(world, this->rest(before), rest);
    of_threads_.add(before, had.data());
    Slot own = before;
    switch (stop.kind) {
      case Stop::Kind::Visible:
      case Stop::Kind::Choice:
        leaked = machine_.tidy(after);
        rest.pending = stop.pending;
        rest.choice = stop.kind == Stop::Kind::Choice;
        rest.function = after.frames.back().function;
        rest.at = after.frames.back().at;
        own = intern(rest, after);
        break;
      case Stop::Kind::Exited:
        ending = {.kind = Ending::Kind::Exit, .code = stop.code, .thread = self};
        if (!options_.leaks) break;
        leaked = machine_.tidy(after);
        own = intern(rest, after);  // what it mentions now is not lost
        break;
      case Stop::Kind::Failed:
        ending = {.kind = Ending::Kind::Failure,
                  .failure = stop.failure,
                  .thread = self,
                  .text = fmt::format("{}: {}", short_text(user_line(call_stack(machine_.image(), after))), stop.text)};
        // Others may still race with what the segment did before, or go on because of it.
        if (rest.latest == 0 && world.changed().empty() && world.spawned().empty()) break;
        if (self == 0 && !after.spawned) break;
        machine_.tidy(after);
        rest.fails = intern(*ending);
        rest.function = after.frames.back().function;
        rest.at = after.frames.back().at;
        own = intern(rest, after);
        ending.reset();
        break;
      default:
        leaked = machine_.tidy(after);
        rest.status = Rest::Status::Ended;
        own = intern(rest, ended_thread(after.results, after.published));
    }
    if (options_.leaks && !leaked.empty()) ending = leak(self, leaked.front());
    if (ending) {
      flags |= ends_flag;
      touch(Layout::process, Access::Kind::Write);
      changes.push_back({Layout::process, intern(*ending)});
    }
    if (own != before) changes.push_back({layout_.thread(self), own});
    touch(layout_.thread(self), Access::Kind::Write);

    of_threads_.add(own, has.data());
    for (const std::uint32_t slot : world.changed()) {
      const Slot now = intern(world.objects().at(slot)), then = world.state()[slot];
      touch(slot, Access::Kind::Write);
      of_objects_.add(now, has.data());
      if (then != 0) of_objects_.add(then, had.data());
      if (now == then) continue;
      changes.push_back({slot, now});
      // What was published in this segment may be mentioned by nobody: its mention was overwritten at once.
      if (then == 0) new_objects.push_back(slot);
    }
    for (const auto& [thread, called] : world.spawned()) {
      ThreadState fresh = machine_.start(thread, called.first, {called.second});
      if (const Slot old = world.state()[layout_.thread(thread)]; old != 0) {
        fresh.published = published_of(threads_.content(old));
      }
      Rest begin;
      begin.fresh = true;
      begin.function = called.first;
      begin.at = 0;
      const Slot started = intern(begin, fresh);
      touch(layout_.thread(thread), Access::Kind::Write);
      changes.push_back({layout_.thread(thread), started});
      of_threads_.add(started, has.data());
    }
    for (const std::uint32_t thread : world.joined()) {
      Rest joined;
      joined.status = Rest::Status::Joined;
      const std::string_view ended = threads_.content(world.state()[layout_.thread(thread)]);
      const Slot now = intern(joined, ended_thread(results_of(ended), published_of(ended)));
      touch(layout_.thread(thread), Access::Kind::Write);
      if (now != world.state()[layout_.thread(thread)]) changes.push_back({layout_.thread(thread), now});
    }
    for (const std::uint32_t slot : new_objects) set_bit(had, slot - layout_.first_object());
    for (std::uint32_t slot = layout_.first_object(); slot < layout_.size(); ++slot) {
      const std::uint32_t bit = slot - layout_.first_object();
      if (has_bit(had, bit) && !has_bit(has, bit)) lost.push_back(slot);
    }
  }
  if (std::ranges::any_of(world.accesses(), Footprints::is_plain)) flags |= plain_flag;
  if (!world.spawned().empty() || !world.joined().empty()) flags |= threads_flag;
  assert(each_slot_once(changes));  // 1
  if (world.opened() != 0 || world.closed() != 0) {
    using enum Access::Kind;
    touch(Layout::history, world.closed() == 0 ? Open : world.opened() == 0 ? Close : Write);
  }
  const std::vector<Access> places = places_of(world, stop);
  std::vector<std::uint32_t> words = {flags,
                                      footprints_.all(world.accesses()),
                                      static_cast<std::uint32_t>(changes.size()),
                                      static_cast<std::uint32_t>(touched.size()),
                                      world.opened(),
                                      world.closed(),
                                      static_cast<std::uint32_t>(places.size()),
                                      world.next_choice(),
                                      0,
                                      0,
                                      stop.waits_for + 1,
                                      static_cast<std::uint32_t>(world.comparisons().size())};
  if (options_.sections) {
    std::vector<SharedAccess> inside, outside;
    for (const SharedAccess& a : world.accesses()) {
      if (a.plain) inside.push_back(a);
      if (!a.in_section && !Footprints::is_plain(a)) outside.push_back(a);
    }
    words[8] = footprints_.all(inside);
    words[9] = footprints_.all(outside);
  }
  for (const Change& c : changes) words.insert(words.end(), {c.slot, c.value});
  for (const auto& [slot, kind] : touched) words.insert(words.end(), {slot, static_cast<std::uint32_t>(kind)});
  write_accesses(places, words);
  for (const Segment::Comparison& c : world.comparisons()) words.insert(words.end(), {c.slot, c.line});
  words.insert(words.end(), lost.begin(), lost.end());
  return effects_.intern(words);
}

Ending Segments::leak(std::uint32_t thread, const Object& object) const {
  const std::size_t size = object.bytes.size();
  std::string text = fmt::format("a heap object of {} byte{}", size, size == 1 ? "" : "s");
  if (object.made.function != none) {
    text += " made at " + short_text(user_line(lines_of(machine_.image(), object.made.function, object.made.at)));
  }
  return {.kind = Ending::Kind::Failure,
          .failure = Failure::Leak,
          .thread = thread,
          .text = text + ", which was not freed; nothing mentions it any more"};
}

void Segments::note_places(AccessUnits::Collector& places, std::span<const SharedAccess> accesses,
                           const Recorder& world) const {
  constexpr std::size_t many = 256;  // then only objects count
  for (const SharedAccess& a : accesses) {
    const auto slot = layout_.slot(a.label);
    if (!slot) continue;
    const bool write = Footprints::is_write(a);
    const auto object = world.objects().find(*slot);
    const std::size_t size = object == world.objects().end() ? 0 : object->second.bytes.size();
    if (a.kind == SharedAccess::Kind::Free || accesses.size() > many) {
      places.whole(*slot, write);
    } else {
      places.part(*slot, a.offset, a.size, size, write);
    }
  }
}

std::vector<Access> Segments::places_of(Recorder& world, const Stop& stop) {
  AccessUnits::Collector places(units_);
  note_places(places, world.accesses(), world);
  // A comparison is not an access, but it matters whether it comes before or after what frees the object.
  for (const Segment::Comparison& c : world.comparisons()) {
    if (c.slot != 0) places.life(c.slot, false);
  }
  for (const SharedAccess& a : world.accesses()) {
    const auto slot = layout_.slot(a.label);
    if (options_.comparisons != nullptr && a.kind == SharedAccess::Kind::Free && slot) places.life(*slot, true);
  }
  std::map<std::uint32_t, bool> told;  // slots with an access -> whether one of them writes
  for (const SharedAccess& a : world.accesses()) {
    if (const auto slot = layout_.slot(a.label)) told[*slot] |= Footprints::is_write(a);
  }
  // What was looked at without being told as an access: an object that is gone, before an error.
  for (const std::uint32_t what : world.reads()) {
    if (what >= layout_.first_global() && what < layout_.size() && !told.contains(what)) places.whole(what, false);
    if (what >= read_ended && what < read_started) places.whole(layout_.thread(what - read_ended), false);
    if (what >= read_joined && what < read_client) places.whole(layout_.thread(what - read_joined), false);
  }
  for (const std::uint32_t slot : world.changed()) {
    const auto known = told.find(slot);
    // Nobody knows an object before it is published.
    if (world.state()[slot] != 0 && (known == told.end() || !known->second)) places.whole(slot, true);
  }
  for (const std::uint32_t thread : world.joined()) {
    places.whole(layout_.thread(thread), true);
    // What the thread did last can no longer be seen to race.
    note_places(places, footprints_.accesses(this->rest(world.state()[layout_.thread(thread)]).latest), world);
  }
  if (stop.kind == Stop::Kind::Ended) places.whole(layout_.thread(world.thread()), true);
  if (!world.spawned().empty()) places.whole(place_of_starts, true);
  std::vector<Access> out = places.take();
  if (world.opened() != 0 || world.closed() != 0) {
    using enum Access::Kind;
    out.push_back({Layout::history, world.closed() == 0 ? Open : world.opened() == 0 ? Close : Write});
  }
  return out;
}

// A choice and the like order nothing, so what came before them may still race.
void Segments::note_latest(Recorder& world, const Rest& before, Rest& rest) {
  const std::span<const SharedAccess> now = world.unordered();
  const bool goes_on = before.choice || before.pending == Pending::Call;
  std::vector<SharedAccess> all;
  if (goes_on && before.latest != 0 && now.size() == world.accesses().size()) {
    all = footprints_.accesses(before.latest);
  }
  const bool longer = !all.empty();
  all.insert(all.end(), now.begin(), now.end());
  rest.latest = footprints_.plain(all);
  if (rest.latest == 0) return;
  rest.after_acquire = longer ? before.after_acquire : before.pending == Pending::Acquire;
  if (std::atomic_ref(of_latest_[rest.latest]).load(std::memory_order_acquire) != 0) return;
  AccessUnits::Collector places(units_);
  note_places(places, footprints_.accesses(rest.latest), world);
  std::vector<std::uint32_t> words;
  write_accesses(places.take(), words);
  std::atomic_ref(of_latest_[rest.latest]).store(effects_.intern(words), std::memory_order_release);
}

void Segments::places_of_latest(Footprints::Number latest, std::vector<Access>& out) const {
  if (latest != 0) read_accesses(effects_.words(std::atomic_ref(of_latest_[latest]).load()), out);
}

Slot Segments::intern(const Rest& rest, const ThreadState& thread) {
  const Slot number = threads_.intern(encode(rest, thread, machine_.liveness()));
  if (!of_threads_.is_known(number)) {
    rests_.note(number, rest);
    of_threads_.note(number, mentions(thread), layout_);
  }
  return number;
}

Slot Segments::without_results(Slot thread) {
  ThreadState state = this->thread(thread);
  state.results.clear();
  return intern(rest(thread), state);
}

Slot Segments::blurred(Slot one, Slot other) {
  ThreadState to = this->thread(one);
  const ThreadState from = this->thread(other);
  const auto same_frame = [](const Frame& a, const Frame& b) {
    return a.function == b.function && a.at == b.at && a.registers.size() == b.registers.size() &&
           a.stack_objects == b.stack_objects;
  };
  if (!std::ranges::equal(to.frames, from.frames, same_frame) || to.published != from.published ||
      to.locals != from.locals || to.results != from.results || to.spawned != from.spawned) {
    return 0;
  }
  const auto same_object = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.kind == b.second.kind && a.second.freed == b.second.freed &&
           a.second.bytes.size() == b.second.bytes.size() && a.second.made == b.second.made;
  };
  if (!std::ranges::equal(to.objects, from.objects, same_object)) return 0;
  // Undefined bits are 0 in the value (shadow.h).
  const auto blur = [](auto& values, auto& undefined, const auto& others, const auto& others_undefined) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool same = values[i] == others[i] &&
                        (undefined.empty() ? 0 : undefined[i]) == (others_undefined.empty() ? 0 : others_undefined[i]);
      if (same) continue;
      undefined.resize(values.size());
      values[i] = 0;
      undefined[i] = static_cast<std::remove_cvref_t<decltype(undefined[i])>>(~std::uint64_t{0});
    }
  };
  for (std::size_t f = 0; f < to.frames.size(); ++f) {
    blur(to.frames[f].registers, to.frames[f].undefined, from.frames[f].registers, from.frames[f].undefined);
  }
  for (auto& [index, object] : to.objects) {
    const Object& second = from.objects.at(index);
    blur(object.bytes, object.undefined, second.bytes, second.undefined);
  }
  return intern(this->rest(one), to);
}

Slot Segments::intern(const Object& object) {
  const Slot number = objects_.intern(encode(object));
  if (object.freed) std::atomic_ref(freed_[number]).store(1, std::memory_order_relaxed);
  if (!of_objects_.is_known(number)) of_objects_.note(number, mentions(object.bytes), layout_);
  return number;
}

}  // namespace heddle::native
