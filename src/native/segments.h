// What threads do, memoised: a segment is a function of the thread's own slot and of the few slots that it reads.
//
//   const Segment segment = segments.of(state, thread, choice);
//   if (!segment.blocked()) for (const Change& c : segment.changes()) ...
//
// The machine runs only where the decision tree of the thread's slot (core/decision_tree.h) does not know the answer:
// for one transition in fifty to five hundred. Everything that a run sees of the rest of the state goes through one
// recorder, so nothing that it depends on can be missing from the tree.
//
// Invariants
//   1. A segment's changes name each slot at most once; unchanged slots are not listed.
//   2. Slots that a segment changes, other than those of new threads and new objects, were read.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "check/history_table.h"
#include "core/access.h"
#include "core/content_table.h"
#include "core/decision_tree.h"
#include "core/reserved_array.h"
#include "core/step_buffer.h"
#include "native/access_units.h"
#include "native/account.h"
#include "native/client.h"
#include "native/code_events.h"
#include "native/content_facts.h"
#include "native/contents.h"
#include "native/footprints.h"
#include "native/freed_comparisons.h"
#include "native/layout.h"
#include "native/machine.h"
#include "native/thread_renaming.h"

namespace heddle::native {

// The effect of a segment, a view of interned words.
class Segment {
 public:
  explicit Segment(std::span<const std::uint32_t> words) : words_(words) {}

  std::uint32_t flags() const { return words_[0]; }
  bool blocked() const { return (words_[0] & 1) != 0; }
  bool ends_process() const { return (words_[0] & 4) != 0; }
  // It accesses shared memory other than by atomic operations.
  bool is_plain() const { return (words_[0] & 8) != 0; }
  // It starts threads, or waits for the end of one.
  bool concerns_threads() const { return (words_[0] & 16) != 0; }
  Footprints::Number accesses() const { return words_[1]; }
  // Events of histories: a call of the client begins, and one ends. 0: none does, or histories are not kept.
  std::uint32_t opens() const { return words_[4]; }
  std::uint32_t closes() const { return words_[5]; }
  // Where parts of the program are made atomic: the plain accesses inside, and the atomic ones outside.
  Footprints::Number plain_inside() const { return words_[8]; }
  Footprints::Number atomic_outside() const { return words_[9]; }
  // Of a blocked one: the thread that alone can end this, plus 1; 0: it is not known.
  std::uint32_t waits_for() const { return words_[10]; }
  // The alternative to ask for next, where the thread has a choice; 0: this was the last one.
  std::uint32_t next() const { return words_[7]; }
  std::span<const Change> changes() const { return {reinterpret_cast<const Change*>(words_.data() + head), words_[2]}; }
  // The slots that it touches, its own thread's included, and that of histories.
  void footprint(std::vector<Access>& out) const;
  // The pieces of memory that it touches (access_units.h), the slot of histories, and threads that it starts or whose
  // end it is about.
  void places(std::vector<Access>& out) const;
  // Comparisons of a pointer to an object that may be freed: the object's slot, 0 if it is freed for certain, and a
  // number of FreedComparisons.
  struct Comparison {
    std::uint32_t slot, line;
  };
  std::span<const Comparison> comparisons() const {
    const std::size_t first = head + 2 * (std::size_t{words_[2]} + words_[3] + words_[6]);
    return {reinterpret_cast<const Comparison*>(words_.data() + first), words_[11]};
  }
  // The slots of published objects that may have lost their last mention.
  std::span<const std::uint32_t> lost() const {
    return words_.subspan(head + 2 * (std::size_t{words_[2]} + words_[3] + words_[6] + words_[11]));
  }

  // Flags, accesses, number of changes, number of slots touched, events of histories, number of places, next
  // alternative, plain accesses inside sections, atomic ones outside, the thread that is waited for, number of
  // comparisons.
  static constexpr std::size_t head = 12;

 private:
  std::span<const std::uint32_t> words_;
};

class Segments {
 public:
  struct Options {
    bool memoise = true;
    bool watch_races = true;                  // keep the plain accesses of the latest segment
    HistoryTable* histories = nullptr;        // where events of calls are kept; null: nowhere
    bool leaks = false;                       // a private object that is lost ends the process
    bool sections = false;                    // parts of the program are made atomic
    FreedComparisons* comparisons = nullptr;  // null: nobody asks
    // Classes of threads that are taken to be alike; every segment is compared with its renamings (symmetry.cpp).
    std::vector<std::vector<std::uint32_t>> alike = {};
  };
  // REQUIRES: machine, layout and clients outlive this.
  Segments(const Machine& machine, const Layout& layout, const std::vector<Client>& clients, Options options);

  // `choice`: which alternatives are taken at the choices on the way, 0 and then each Segment::next(). It is a number
  // in mixed radix: the first choice, among n, is choice % n; choice / n is left for the others. Only a segment with an
  // atomic part has others.
  // REQUIRES: the thread runs. Throws Mistaken if the layout has too little room,
  // and ModelError for what the machine does not support.
  Segment of(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) {
    return Segment(effects_.words(number_of(state, thread, choice)));
  }
  // Runs it once more and says what happened.
  Account account(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) const;
  // The same in terms of statements and data.
  std::vector<CodeEvent> code_events(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) const;

  std::string_view results(Slot thread) const { return results_of(threads_.content(thread)); }
  // The same thread, as if it had made no call yet. REQUIRES: it runs.
  Slot without_results(Slot thread);
  Rest rest(Slot thread) const { return rest_of(threads_.content(thread)); }
  BriefRest brief_rest(Slot thread) const { return rests_[thread]; }
  // Where in the program the pending operation of a thread is; a larger number is further down.
  std::uint64_t position(Slot thread) const { return rests_.position(thread); }
  ThreadState thread(Slot thread) const {
    return decode_thread(threads_.content(thread), machine_.image(), machine_.liveness());
  }
  bool is_freed(Slot object) const { return std::atomic_ref(freed_[object]).load(std::memory_order_relaxed) != 0; }
  Object object(Slot object) const { return decode_object(objects_.content(object)); }
  Ending ending(Slot process) const { return decode_ending(endings_.content(process)); }
  Slot intern(const Rest& rest, const ThreadState& thread);
  Slot intern(const Object& object);
  Slot intern(const Ending& ending) { return endings_.intern(encode(ending)); }
  // The thread with everything undefined in which the two differ; 0: they differ in more than values of variables.
  // REQUIRES: both run, and are states of one thread.
  Slot blurred(Slot one, Slot other);
  // The published objects that contents mention.
  const MentionSets& mentions_of_threads() const { return of_threads_; }
  const MentionSets& mentions_of_objects() const { return of_objects_; }

  // The end of a process in which `thread` has lost an object.
  Ending leak(std::uint32_t thread, const Object& object) const;

  // What a segment would have needed when it threw Mistaken.
  Room needed() const {
    return {needed_threads_.load(std::memory_order_relaxed), needed_heap_.load(std::memory_order_relaxed),
            needed_stack_.load(std::memory_order_relaxed)};
  }

  // Threads that are alike exchange their names. A renaming is a number: of where each thread goes.
  std::uint32_t renaming(std::span<const std::uint32_t> threads);
  std::uint32_t renamed_slot(std::uint32_t slot, const ThreadRenaming& by) const;
  // REQUIRES: the slot is not that of the client or of histories.
  Slot renamed(std::uint32_t slot, Slot value, std::uint32_t renaming);
  // As Symmetries::fingerprint; marks are those of the threads' slots.
  std::uint64_t fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks);
  // Threads of a class that turned out not to be alike.
  struct Unlike {
    std::size_t which = 0;  // of Options::alike
    std::string text;
  };
  bool found_unlike() const { return found_unlike_.load(std::memory_order_acquire); }
  Unlike unlike() const;

  Footprints& footprints() { return footprints_; }
  // The pieces of memory of a set of plain accesses (Rest::latest).
  void places_of_latest(Footprints::Number latest, std::vector<Access>& out) const;
  std::uint32_t place_of_end(std::uint32_t thread) const { return ends_[thread]; }
  std::uint32_t place_count() const { return units_.count(); }
  // How often the machine ran.
  std::uint64_t runs() const { return runs_.load(std::memory_order_relaxed); }
  std::size_t bytes() const {
    return threads_.bytes() + objects_.bytes() + effects_.bytes() + trees_.bytes() + footprints_.bytes() +
           of_threads_.bytes(threads_.last()) + of_objects_.bytes(objects_.last()) +
           threads_.last() * BriefRests::bytes_each + units_.bytes() + renamings_.bytes() + renamed_threads_.bytes() +
           renamed_objects_.bytes() + renamed_endings_.bytes();
  }

 private:
  class Recorder;

  ThreadState ended(Slot thread) const {
    const std::string_view content = threads_.content(thread);
    return ended_thread(results_of(content), published_of(content));
  }
  ThreadState ended_thread(std::string_view results, std::vector<std::uint32_t> published) const;
  std::uint32_t number_of(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice);
  std::uint32_t value(std::span<const Slot> state, std::uint32_t what, std::uint32_t choice) const;
  std::uint32_t run(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                    std::vector<std::uint32_t>& reads);
  std::uint32_t intern_failure(std::uint32_t thread, Slot ending);
  std::uint32_t intern_effect(Recorder& world, const Stop& stop, ThreadState& after, Slot before);
  void note_latest(Recorder& world, const Rest& before, Rest& rest);
  std::vector<Access> places_of(Recorder& world, const Stop& stop);
  ThreadRenaming renaming_of(std::uint32_t number) const;
  std::uint32_t threads_named_in(std::uint32_t slot, Slot value) const;
  std::string fingerprint_bytes(std::uint32_t slot, Slot value, const ThreadRenaming& by);
  Footprints::Number renamed_latest(Footprints::Number latest, const ThreadRenaming& by);
  Slot renamed_content(std::uint32_t slot, Slot value, const ThreadRenaming& by);
  bool is_renamed(const Segment& one, const Segment& other, std::uint32_t renaming);
  bool same_when_renamed(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                         std::span<const std::uint32_t> reads, std::uint32_t effect, std::uint32_t renaming);
  void compare_with_renamed(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                            std::span<const std::uint32_t> reads, std::uint32_t effect);
  void note_places(AccessUnits::Collector& places, std::span<const SharedAccess> accesses, const Recorder& world) const;

  const Machine& machine_;
  const Layout& layout_;
  const std::vector<Client>& clients_;
  const Options options_;
  ContentTable threads_, objects_, endings_, effects_;
  BriefRests rests_;
  MentionSets of_threads_, of_objects_;
  ReservedArray<std::uint8_t> freed_;  // objects
  DecisionTrees trees_;
  Footprints footprints_;
  ReservedArray<std::uint32_t> of_latest_;  // number of Footprints -> its places, a number of effects_
  AccessUnits units_;
  std::vector<std::uint32_t> ends_;  // by thread: the place of its end
  ContentTable renamings_;
  PairMap renamed_threads_, renamed_objects_, renamed_endings_;
  std::atomic<bool> found_unlike_{false};
  mutable std::mutex unlike_mutex_;
  Unlike unlike_;
  std::atomic<std::uint64_t> runs_{0};
  mutable std::atomic<std::uint32_t> needed_threads_{0}, needed_heap_{0}, needed_stack_{0};
};

}  // namespace heddle::native
