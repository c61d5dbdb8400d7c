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
#include <span>
#include <string>
#include <vector>

#include "core/access.h"
#include "core/content_table.h"
#include "core/decision_tree.h"
#include "core/reserved_array.h"
#include "core/step_buffer.h"
#include "native/account.h"
#include "native/client.h"
#include "native/contents.h"
#include "native/footprints.h"
#include "native/layout.h"
#include "native/machine.h"

namespace heddle::native {

// The effect of a segment, a view of interned words.
class Segment {
 public:
  explicit Segment(std::span<const std::uint32_t> words) : words_(words) {}

  bool blocked() const { return (words_[0] & 1) != 0; }
  // Objects may have lost their last mention.
  bool loses() const { return (words_[0] & 2) != 0; }
  bool ends_process() const { return (words_[0] & 4) != 0; }
  // It accesses shared memory other than by atomic operations.
  bool is_plain() const { return (words_[0] & 8) != 0; }
  // It starts threads, or waits for the end of one.
  bool concerns_threads() const { return (words_[0] & 16) != 0; }
  Footprints::Number accesses() const { return words_[1]; }
  std::span<const Change> changes() const { return {reinterpret_cast<const Change*>(words_.data() + head), words_[2]}; }
  // The slots that it touches, its own thread's included.
  void footprint(std::vector<Access>& out) const;

  static constexpr std::size_t head = 4;  // flags, accesses, number of changes, number of slots touched

 private:
  std::span<const std::uint32_t> words_;
};

class Segments {
 public:
  struct Options {
    bool memoise = true;
    bool watch_races = true;  // keep the plain accesses of the latest segment
  };
  // REQUIRES: machine, layout and clients outlive this.
  Segments(const Machine& machine, const Layout& layout, const std::vector<Client>& clients, Options options);

  // REQUIRES: the thread runs, and choice < its Rest::alternatives. Throws Mistaken if the layout has too little room,
  // and ModelError for what the machine does not support.
  Segment of(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) {
    return Segment(effects_.words(number_of(state, thread, choice)));
  }
  // Runs it once more and says what happened.
  Account account(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice) const;

  std::string_view results(Slot thread) const { return results_of(threads_.content(thread)); }
  Rest rest(Slot thread) const { return rest_of(threads_.content(thread)); }
  ThreadState thread(Slot thread) const {
    return decode_thread(threads_.content(thread), machine_.image(), machine_.liveness());
  }
  Object object(Slot object) const { return decode_object(objects_.content(object)); }
  Ending ending(Slot process) const { return decode_ending(endings_.content(process)); }
  Slot intern(const Rest& rest, const ThreadState& thread);
  Slot intern(const Object& object);
  Slot intern(const Ending& ending) { return endings_.intern(encode(ending)); }
  // The slots of published objects that a content mentions.
  std::span<const std::uint32_t> mentioned_by_thread(Slot thread) const { return mentions_.words(of_threads_[thread]); }
  std::span<const std::uint32_t> mentioned_by_object(Slot object) const { return mentions_.words(of_objects_[object]); }

  // What a segment would have needed when it threw Mistaken.
  Room needed() const {
    return {needed_threads_.load(std::memory_order_relaxed), needed_heap_.load(std::memory_order_relaxed),
            needed_stack_.load(std::memory_order_relaxed)};
  }

  Footprints& footprints() { return footprints_; }
  // How often the machine ran.
  std::uint64_t runs() const { return runs_.load(std::memory_order_relaxed); }
  std::size_t bytes() const {
    return threads_.bytes() + objects_.bytes() + effects_.bytes() + mentions_.bytes() + trees_.bytes() +
           footprints_.bytes();
  }

 private:
  class Recorder;

  std::uint32_t number_of(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice);
  std::uint32_t value(std::span<const Slot> state, std::uint32_t what, std::uint32_t choice) const;
  std::uint32_t run(std::span<const Slot> state, std::uint32_t thread, std::uint32_t choice,
                    std::vector<std::uint32_t>& reads);
  std::uint32_t intern_effect(Recorder& world, const Stop& stop, ThreadState& after, Slot before);
  std::uint32_t intern_mentions(const std::vector<Label>& labels);

  const Machine& machine_;
  const Layout& layout_;
  const std::vector<Client>& clients_;
  const Options options_;
  ContentTable threads_, objects_, endings_, effects_, mentions_;
  ReservedArray<std::uint32_t> of_threads_, of_objects_;  // content -> the slots it mentions, a number of mentions_
  DecisionTrees trees_;
  Footprints footprints_;
  std::atomic<std::uint64_t> runs_{0};
  mutable std::atomic<std::uint32_t> needed_threads_{0}, needed_heap_{0}, needed_stack_{0};
};

}  // namespace heddle::native
