// Symmetry of threads: threads of a client that make the same calls may be exchanged (scalarsets: Ip, Dill 1996).
//
// The group. The classes are threads that make the same calls with the same arguments in every client of the system.
// The harness starts all threads of a client in one step and waits for all of them in one step, so before and after
// that nothing tells them apart; what a thread is to call next it asks as itself. A renaming moves the threads' slots
// and those of the objects that they made, and renames in contents what names a thread (thread_renaming.h): pointers,
// owners of locks, sets of threads that wait, plain accesses of latest segments, the thread that ended the process. The
// program of a `main` keeps its threads' handles and waits for one after the other, so its threads are not alike.
//
// Why it is sound. Let f be the function that gives the effect of a thread's next segment. What is needed is that
// f(p s) = p f(s) for every renaming p, and that is not taken for granted: a program may compare ids of threads, order
// pointers, or hash them. So whenever the machine has run a segment that the memo did not know, the same is done for
// all renamings of what it read, and the effects are compared: the changes, the accesses that races are judged by, the
// objects lost. A segment is a function of what it has read, so this settles it for all states that agree in that. Only
// threads that occur in what was read or in the effect matter; if one is moved that does not occur, nothing changes.
// The renamed segments go into the memo, so an orbit of segments is compared once, and no more segments run than in a
// search without symmetry. If two effects differ, the class is given up, and the search begins again (Assumptions).
//
// Everything else that makes up a step is the same for renamed states by construction: races and stuck states are
// questions about sets of threads, dropped objects are those that nothing mentions. A property says how the process has
// ended, which names no thread but the one that ended it, or whether the results of all threads are admitted. The set
// of admitted outcomes must be closed under renaming; alike() compares that once. So verdicts are the same, and a run
// that was found is walked again without renaming (explore/concrete_path.cpp), which gives a run of the program.
//
// Not with histories (SystemOptions::judge): a judge may tell threads apart in ways that are not looked at here.
// Thread-safe.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "core/model_error.h"
#include "native/places.h"
#include "native/segment_reads.h"
#include "native/system.h"

namespace heddle::native {
namespace {

void rename_thread(ThreadState& thread, const ThreadRenaming& by) {
  thread.self = by.thread(thread.self);
  for (Frame& frame : thread.frames) {
    for (Word& word : frame.registers) word = by.word(word);
  }
  for (auto& [index, object] : thread.objects) by.bytes(object.bytes);
}

std::string_view bytes_of(const std::vector<Word>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word)};
}

// The threads of a client's outcome, "void, 1 | true", in another order: thread t goes to `place[t]`.
std::string reordered(const std::string& outcome, std::span<const std::size_t> place) {
  std::vector<std::string> parts(place.size());
  std::size_t at = 0;
  for (const std::size_t to : place) {
    const std::size_t end = std::min(outcome.find(" | ", at), outcome.size());
    parts[to] = outcome.substr(at, end - at);
    at = std::min(end + 3, outcome.size());
  }
  return fmt::format("{}", fmt::join(parts, " | "));
}

// All sequences of `count` of the numbers, each followed by those that are left, in their order.
void arrange(const std::vector<std::uint32_t>& chosen, const std::vector<std::uint32_t>& left, std::size_t count,
             std::vector<std::vector<std::uint32_t>>& out) {
  if (chosen.size() == count) {
    out.push_back(chosen);
    out.back().insert(out.back().end(), left.begin(), left.end());
    return;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::vector<std::uint32_t> next = chosen, rest = left;
    next.push_back(left[i]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    arrange(next, rest, count, out);
  }
}

// Of threads a and b, in all clients.
bool same_calls(const std::vector<Client>& clients, std::size_t a, std::size_t b) {
  return std::ranges::all_of(
      clients, [&](const Client& c) { return std::max(a, b) < c.threads.size() && c.threads[a] == c.threads[b]; });
}

thread_local DecisionTrees::Recent recent_renamed;

}  // namespace

// --- Renamed contents.

std::uint32_t Segments::renaming(std::span<const std::uint32_t> threads) { return renamings_.intern(threads); }

ThreadRenaming Segments::renaming_of(std::uint32_t number) const {
  ThreadRenaming by;
  const auto threads = renamings_.words(number);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    if (threads[t] != t) by.set(t, threads[t]);
  }
  return by;
}

std::uint32_t Segments::renamed_slot(std::uint32_t slot, const ThreadRenaming& by) const {
  if (slot >= Layout::first_thread && slot < layout_.first_global()) {
    return layout_.thread(by.thread(slot - Layout::first_thread));
  }
  return slot < layout_.first_object() ? slot : layout_.slot(by.label(layout_.label(slot))).value();
}

Slot Segments::renamed(std::uint32_t slot, Slot value, std::uint32_t renaming) {
  if (value == 0) return 0;
  PairMap& known = slot == Layout::process         ? renamed_endings_
                   : slot < layout_.first_global() ? renamed_threads_
                                                   : renamed_objects_;
  return known.get(value, renaming, [&] { return renamed_content(slot, value, renaming_of(renaming)); });
}

Slot Segments::renamed_content(std::uint32_t slot, Slot value, const ThreadRenaming& by) {
  if (slot == Layout::process) {
    Ending ending = this->ending(value);
    ending.thread = by.thread(ending.thread);
    return intern(ending);
  }
  if (slot >= layout_.first_global()) {
    Object object = this->object(value);
    by.bytes(object.bytes);
    return intern(object);
  }
  Rest rest = this->rest(value);
  rest.latest = renamed_latest(rest.latest, by);
  if (rest.fails != 0) rest.fails = renamed_content(Layout::process, rest.fails, by);
  if (rest.status != Rest::Status::Running) return intern(rest, ended(value));
  ThreadState thread = this->thread(value);
  rename_thread(thread, by);
  return intern(rest, thread);
}

Footprints::Number Segments::renamed_latest(Footprints::Number latest, const ThreadRenaming& by) {
  if (latest == 0) return 0;
  const Footprints::Number out = footprints_.moved(latest, [&](Label label) { return by.label(label); });
  std::atomic_ref places(of_latest_[out]);
  if (places.load(std::memory_order_acquire) != 0) return out;
  // Pairs of a place and the kind of access.
  const auto words = effects_.words(std::atomic_ref(of_latest_[latest]).load(std::memory_order_acquire));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto to = [&](std::uint32_t object) { return renamed_slot(object, by); };
    moved.emplace_back(units_.moved(words[i], to), words[i + 1]);
  }
  std::ranges::sort(moved);
  std::vector<std::uint32_t> flat;
  for (const auto& [place, kind] : moved) flat.insert(flat.end(), {place, kind});
  places.store(effects_.intern(flat), std::memory_order_release);
  return out;
}

// --- Which threads a content names, and what it looks like if they are not told apart.

std::uint32_t Segments::threads_named_in(std::uint32_t slot, Slot value) const {
  if (value == 0 || slot == Layout::client || slot == Layout::history) return 0;
  if (slot == Layout::process) return 1u << ending(value).thread;
  if (slot >= layout_.first_global()) return threads_named(object(value).bytes);
  const Rest rest = this->rest(value);
  std::uint32_t out = 0;
  for (const SharedAccess& a : footprints_.accesses(rest.latest)) {
    if (a.label.owner < Label::max_threads) out |= 1u << a.label.owner;
  }
  if (rest.status != Rest::Status::Running) return out;
  const ThreadState thread = this->thread(value);
  out |= 1u << thread.self;
  for (const Frame& frame : thread.frames) out |= threads_named(bytes_of(frame.registers));
  for (const auto& [index, object] : thread.objects) out |= threads_named(object.bytes);
  return out;
}

std::string Segments::fingerprint_bytes(std::uint32_t slot, Slot value, const ThreadRenaming& by) {
  if (slot == Layout::process) {
    Ending ending = this->ending(value);
    ending.thread = by.thread(ending.thread);
    return encode(ending);
  }
  if (slot >= layout_.first_global()) {
    Object object = this->object(value);
    by.bytes(object.bytes);
    return encode(object);
  }
  Rest rest = this->rest(value);
  std::vector<std::array<std::uint32_t, 6>> accesses;
  for (const SharedAccess& a : footprints_.accesses(rest.latest)) {
    accesses.push_back({by.thread(a.label.owner), a.label.index, a.offset, a.size, static_cast<std::uint32_t>(a.kind),
                        a.function ^ a.at << 16});
  }
  std::ranges::sort(accesses);
  rest.latest = 0;
  const std::string fails = rest.fails == 0 ? "" : fingerprint_bytes(Layout::process, rest.fails, by);
  rest.fails = 0;
  const bool runs = rest.status == Rest::Status::Running;
  ThreadState thread = runs ? this->thread(value) : ended(value);
  if (runs) rename_thread(thread, by);
  std::string out = encode(rest, thread, machine_.liveness()) + fails;
  for (const auto& words : accesses) out.append(reinterpret_cast<const char*>(words.data()), sizeof words);
  return out;
}

std::uint64_t Segments::fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) {
  if (value == 0) return 0;
  const auto& classes = options_.alike;
  ThreadRenaming blind;  // all members of a class are its first
  for (const auto& members : classes) {
    for (const std::uint32_t t : members) blind.set(t, members[0]);
  }
  const std::hash<std::string> hash;
  const std::uint64_t plain = hash(fingerprint_bytes(slot, value, blind));
  const std::uint32_t named = threads_named_in(slot, value);
  for (const auto& members : classes) {
    for (const std::uint32_t t : members) {
      if ((named >> t & 1) == 0) continue;
      ThreadRenaming seen = blind;  // all others are its second
      for (const std::uint32_t other : members) seen.set(other, members[1]);
      seen.set(t, members[0]);
      marks[layout_.thread(t)] = hash(fingerprint_bytes(slot, value, seen)) | 1;
    }
  }
  return plain;
}

// --- Segments compared with their renamings.

Segments::Unlike Segments::unlike() const {
  const std::lock_guard lock(unlike_mutex_);
  return unlike_;
}

// Whether `other` is `one` renamed, as far as states can tell.
bool Segments::is_renamed(const Segment& one, const Segment& other, std::uint32_t renaming) {
  if (one.flags() != other.flags() || one.next() != other.next() || one.changes().size() != other.changes().size())
    return false;
  const ThreadRenaming by = renaming_of(renaming);
  const std::uint32_t waits_for = one.waits_for();
  if (other.waits_for() != (waits_for == 0 ? 0 : by.thread(waits_for - 1) + 1)) return false;
  std::map<std::uint32_t, Slot> changes;
  for (const Change& c : one.changes()) changes[renamed_slot(c.slot, by)] = renamed(c.slot, c.value, renaming);
  for (const Change& c : other.changes()) {
    const auto found = changes.find(c.slot);
    if (found == changes.end() || found->second != c.value) return false;
  }
  const auto moved = [&](Footprints::Number n) { return footprints_.moved(n, [&](Label l) { return by.label(l); }); };
  if (moved(one.accesses()) != other.accesses() || moved(one.plain_inside()) != other.plain_inside() ||
      moved(one.atomic_outside()) != other.atomic_outside()) {
    return false;
  }
  std::vector<std::uint32_t> lost;
  for (const std::uint32_t slot : one.lost()) lost.push_back(renamed_slot(slot, by));
  std::ranges::sort(lost);
  return std::ranges::equal(lost, other.lost());
}

// The renamed state has only what the segment has read.
bool Segments::same_when_renamed(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                                 std::span<const std::uint32_t> reads, std::uint32_t effect, std::uint32_t renaming) {
  const ThreadRenaming by = renaming_of(renaming);
  SlotVector there(state.size(), 0);
  there[Layout::client] = state[Layout::client];
  there[Layout::history] = state[Layout::history];
  std::vector<std::uint32_t> may_read = {read_choice};
  const auto move = [&](std::uint32_t slot) { there[renamed_slot(slot, by)] = renamed(slot, state[slot], renaming); };
  move(layout_.thread(thread));
  for (const std::uint32_t what : reads) {
    if (what < read_choice) {
      move(what);
      may_read.push_back(renamed_slot(what, by));
    } else if (what != read_choice && what < read_client) {
      const std::uint32_t first = what - (what - read_ended) % Label::max_threads;
      move(layout_.thread(what - first));
      may_read.push_back(first + by.thread(what - first));
    }
  }
  const auto allowed = [&](std::uint32_t what) {
    return what >= read_client || std::ranges::find(may_read, what) != may_read.end();
  };
  bool strays = false;
  const auto value_of = [&](std::uint32_t what) {
    strays |= !allowed(what);
    return value(there, what, choice);
  };
  const std::uint32_t other = by.thread(thread);
  const DecisionTrees::Walked walked = trees_.walk(there[layout_.thread(other)], recent_renamed, value_of);
  if (strays) return false;
  if (walked.known())
    return is_renamed(Segment(effects_.words(effect)), Segment(effects_.words(walked.result())), renaming);
  std::vector<std::uint32_t> read_there;
  std::uint32_t effect_there = 0;
  try {
    effect_there = run(there, other, choice, read_there);
  } catch (const ModelError&) {
    return false;  // it goes where the first one did not go
  }
  if (!std::ranges::all_of(read_there, allowed)) return false;
  trees_.lengthen(walked, read_there, value_of, effect_there);
  return is_renamed(Segment(effects_.words(effect)), Segment(effects_.words(effect_there)), renaming);
}

void Segments::compare_with_renamed(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                                    std::span<const std::uint32_t> reads, std::uint32_t effect) {
  if (found_unlike()) return;
  std::uint32_t named = 1u << thread | threads_named_in(layout_.thread(thread), state[layout_.thread(thread)]);
  const auto name = [&](std::uint32_t slot, Slot value) {
    named |= threads_named_in(slot, value);
    if (slot >= layout_.first_object()) named |= 1u << layout_.label(slot).owner;
    if (slot >= Layout::first_thread && slot < layout_.first_global()) named |= 1u << (slot - Layout::first_thread);
  };
  for (const std::uint32_t what : reads) {
    if (what < read_choice) {
      name(what, state[what]);
    } else if (what != read_choice && what < read_client) {
      named |= 1u << (what - read_ended) % Label::max_threads;
    }
  }
  for (const Change& c : Segment(effects_.words(effect)).changes()) name(c.slot, c.value);

  // All ways in which the named members of each class can go to members of it. The others take what is left, in order.
  std::vector<std::vector<std::uint32_t>> all(1);
  for (std::uint32_t t = 0; t < layout_.threads(); ++t) all[0].push_back(t);
  std::vector<std::size_t> first_class(1, 0);  // that a renaming moves
  for (std::size_t c = 0; c < options_.alike.size(); ++c) {
    const std::vector<std::uint32_t>& members = options_.alike[c];
    std::vector<std::uint32_t> ordered = members;  // the named ones first
    const auto is_named = [&](std::uint32_t t) { return (named >> t & 1) != 0; };
    const auto rest = std::ranges::stable_partition(ordered, is_named);
    const std::size_t count = members.size() - rest.size();
    if (count == 0) continue;
    std::vector<std::vector<std::uint32_t>> arranged, more;
    std::vector<std::size_t> more_classes;
    arrange({}, members, count, arranged);
    for (const std::vector<std::uint32_t>& targets : arranged) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        more.push_back(all[i]);
        for (std::size_t m = 0; m < ordered.size(); ++m) more.back()[ordered[m]] = targets[m];
        more_classes.push_back(targets == ordered ? first_class[i] : c);
      }
    }
    all = std::move(more);
    first_class = std::move(more_classes);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::ranges::is_sorted(all[i])) continue;  // nothing moves
    if (same_when_renamed(state, thread, choice, reads, effect, renaming(all[i]))) continue;
    const ThreadState before = this->thread(state[layout_.thread(thread)]);
    const std::lock_guard lock(unlike_mutex_);
    if (found_unlike()) return;
    unlike_ = {
        first_class[i],
        fmt::format("what threads {} do after {} depends on which of them does it, or on where their objects lie",
                    fmt::join(options_.alike[first_class[i]], ", "),
                    short_text(user_line(call_stack(machine_.image(), before))))};
    found_unlike_.store(true, std::memory_order_release);
    return;
  }
}

// --- The facet.

std::vector<std::vector<std::uint32_t>> System::alike() const {
  std::vector<std::vector<std::uint32_t>> classes;
  if (!options_.symmetry || !options_.memoise || options_.raw_identity || options_.judge) return classes;
  if (options_.clients.empty()) return classes;
  const std::size_t threads = options_.clients.front().threads.size();
  // Whether exchanging the two gives the same admitted outcomes.
  const auto admitted_alike = [&](std::size_t a, std::size_t b) {
    if (!options_.admitted) return true;
    for (std::size_t c = 0; c < options_.clients.size(); ++c) {
      std::vector<std::size_t> place(options_.clients[c].threads.size());
      for (std::size_t t = 0; t < place.size(); ++t) place[t] = t;
      std::swap(place[a], place[b]);
      const std::set<std::string>& outcomes = (*options_.admitted)[c];
      const auto is_admitted = [&](const std::string& one) { return outcomes.contains(reordered(one, place)); };
      if (!std::ranges::all_of(outcomes, is_admitted)) return false;
    }
    return true;
  };
  std::vector<bool> taken(threads);
  for (std::size_t a = 0; a < threads; ++a) {
    if (taken[a]) continue;
    std::vector<std::uint32_t> members = {static_cast<std::uint32_t>(a) + 1};
    for (std::size_t b = a + 1; b < threads; ++b) {
      if (taken[b] || !same_calls(options_.clients, a, b) || !admitted_alike(a, b)) continue;
      taken[b] = true;
      members.push_back(static_cast<std::uint32_t>(b) + 1);
    }
    if (members.size() > 1 && std::ranges::find(forsaken_, members) == forsaken_.end()) classes.push_back(members);
  }
  return classes;
}

std::vector<SymmetryClass> System::symmetry_classes() const {
  const Layout& layout = states_->layout;
  std::vector<SymmetryClass> out;
  for (const auto& members : alike()) {
    SymmetryClass& one = out.emplace_back();
    one.name = fmt::format("threads {}", fmt::join(members, ", "));
    for (const std::uint32_t t : members) {
      std::vector<std::uint32_t>& slots = one.members.emplace_back();
      slots.push_back(layout.thread(t));
      for (std::uint32_t slot = layout.first_object(); slot < layout.size(); ++slot) {
        if (layout.label(slot).owner == t) slots.push_back(slot);
      }
    }
  }
  return out;
}

std::string System::why_not_alike() const {
  if (options_.clients.empty()) return "who started the threads keeps them apart; those of clients may be alike";
  if (options_.judge) return "histories keep threads apart";
  if (!options_.memoise) return "without the memo it is not known whether threads are alike";
  for (std::size_t t = 1; t < options_.clients.front().threads.size(); ++t) {
    for (std::size_t other = 0; other < t; ++other) {
      if (same_calls(options_.clients, t, other))
        return "who makes which of the same calls matters: the outcomes show it";
    }
  }
  return "no two threads make the same calls";
}

std::uint32_t System::renaming(std::span<const std::uint32_t> to) const {
  std::vector<std::uint32_t> threads(states_->layout.threads());
  for (std::uint32_t t = 0; t < threads.size(); ++t) threads[t] = to[states_->layout.thread(t)] - Layout::first_thread;
  return states_->segments.renaming(threads);
}

Slot System::renamed(std::uint32_t slot, Slot value, std::uint32_t renaming) const {
  return mentions_members(slot) ? states_->segments.renamed(slot, value, renaming) : value;
}

bool System::mentions_members(std::uint32_t slot) const { return slot != Layout::client && slot != Layout::history; }

// A search that knows that it is mistaken asks this soon.
std::uint64_t System::fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const {
  Segments& segments = states_->segments;
  if (segments.found_unlike()) throw NotSymmetric(segments.unlike().text);
  return mentions_members(slot) ? segments.fingerprint(slot, value, marks) : value;
}

SymmetryCheck System::check_symmetry(std::uint64_t which, const std::function<bool()>&) {
  SymmetryCheck out;
  if (which == 0 || !states_->segments.found_unlike()) return out;
  Segments::Unlike unlike = states_->segments.unlike();
  out.faults.push_back({unlike.which, std::move(unlike.text)});
  return out;
}

void System::forsake_class(std::size_t symmetry_class) { forsaken_.push_back(alike()[symmetry_class]); }

std::set<std::string> System::renamed_outcomes(std::size_t client, const std::string& outcome) const {
  std::set<std::string> out = {outcome};
  const auto classes = alike();
  for (std::set<std::string> fresh = out; !fresh.empty();) {
    std::set<std::string> next;
    for (const std::string& one : fresh) {
      for (const auto& members : classes) {
        for (std::size_t m = 0; m + 1 < members.size(); ++m) {
          std::vector<std::size_t> place(options_.clients[client].threads.size());
          for (std::size_t t = 0; t < place.size(); ++t) place[t] = t;
          std::swap(place[members[m] - 1], place[members[m + 1] - 1]);
          if (std::string other = reordered(one, place); out.insert(other).second) next.insert(std::move(other));
        }
      }
    }
    fresh = std::move(next);
  }
  return out;
}

}  // namespace heddle::native
