// Predicates over global states, each evaluated once for every distinct combination of the values it reads.
//
// A predicate is a pure function of what it reads: parts of slots. Its evaluations are kept in a decision tree
// (core/decision_tree.h). The predicate runs only where a path of the tree ends, with a view that records its reads. A
// verdict may be any small number: annotations that look at whole states use that (linearization_points.cpp). This
// class also remembers what has ever been read: a step is visible if it changes any of that.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/decision_tree.h"
#include "core/pair_table.h"
#include "core/transition_system.h"

namespace heddle::actor {

// Marks the local state of a process that has crashed, in the left half of its cell.
inline constexpr std::uint32_t crashed = std::uint32_t{1} << 31;

// What can be read: the local state or the inbox of a process, a whole slot, whether a process exists, or whether it
// exists and has not crashed.
struct Read {
  enum class Part : std::uint32_t { Local, Inbox, Whole, Present, Up };
  static constexpr std::uint32_t parts = 8;  // an upper bound; a power of two, because walks divide by it
  std::uint32_t slot;
  Part part;
  friend bool operator==(const Read&, const Read&) = default;
};

// A state followed by the state that a step leads to: 2n slots.
struct TwoStates {
  std::span<const Slot> before;
  std::span<const Change> changes;

  Slot operator[](std::size_t slot) const {
    if (slot < before.size()) return before[slot];
    slot -= before.size();
    for (const Change& c : changes) {
      if (c.slot == slot) return c.value;
    }
    return before[slot];
  }
};

class Predicates {
 public:
  // Evaluates predicate i in `state` and appends its reads, each once, in order.
  using Run = std::function<std::uint32_t(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads)>;

  // Predicate i is watched unless i >= unwatched.size() or unwatched[i]. Only what watched predicates read counts for
  // reads_differ and observed(). i may be any number below 2^31.
  // cells[slot] is the table of (local state, inbox) pairs in which a process slot is a number; null for other slots.
  Predicates(std::vector<bool> unwatched, std::vector<const PairTable*> cells, Run run);

  bool holds(std::size_t i, std::span<const Slot> state) { return value_of(i, state) != 0; }
  std::uint32_t value_of(std::size_t i, std::span<const Slot> state);
  std::uint32_t value_of(std::size_t i, const TwoStates& states);
  std::vector<Read> reads(std::size_t i, std::span<const Slot> state);
  // Whether two values of this slot differ in a part that a watched predicate has ever read.
  bool reads_differ(std::uint32_t slot, Slot before, Slot after) const {
    const std::uint8_t parts = ever_read_[slot].load(std::memory_order_relaxed);
    if (parts == 0 || before == after) return false;
    if ((parts & 4) != 0 || before == 0 || after == 0) return true;  // it exists in only one of the two
    const std::uint64_t x = cells_[slot]->key(before), y = cells_[slot]->key(after);
    return ((parts & 1) != 0 && left_of(x) != left_of(y)) || ((parts & 2) != 0 && right_of(x) != right_of(y)) ||
           ((parts & 16) != 0 && ((left_of(x) ^ left_of(y)) & crashed) != 0);
  }
  // Calls f(i, reads, verdict) for every distinct combination of values that predicate i has read so far; each read
  // comes with its value. REQUIRES: nobody evaluates meanwhile.
  struct Found {
    Read read;
    std::uint32_t value;
  };
  void each_leaf(
      const std::function<void(std::size_t i, std::span<const Found> found, std::uint32_t verdict)>& f) const;
  // Counts `read` as read for reads_differ and observed().
  void watch(Read read);
  bool watched(std::size_t i) const { return i < unwatched_.size() && !unwatched_[i]; }
  // Whether predicate i has been evaluated and reads nothing: its tree is a leaf.
  bool reads_nothing(std::size_t i) { return trees_.reads_nothing(i); }
  // Returns how many (slot, part) pairs have been read so far.
  std::size_t observed() const { return observed_.load(std::memory_order_acquire); }
  std::size_t bytes() const { return trees_.bytes(); }

  // Returns what there is to read.
  template <class State>
  std::uint32_t value(Read read, const State& state) const {
    const Slot slot = state[read.slot];
    if (read.part == Read::Part::Present) return slot != 0 ? 1 : 0;
    if (read.part == Read::Part::Whole || slot == 0) return slot;
    const std::uint64_t pair = cells_[read.slot]->key(slot);
    if (read.part == Read::Part::Local) return left_of(pair);
    return read.part == Read::Part::Inbox ? right_of(pair) : (left_of(pair) & crashed) == 0 ? 1 : 0;
  }

 private:
  // Returns a read as a number for the decision trees.
  static std::uint32_t code(Read read) { return read.slot * Read::parts + static_cast<std::uint32_t>(read.part); }
  static Read read_of(std::uint32_t code) { return {code / Read::parts, static_cast<Read::Part>(code % Read::parts)}; }

  template <class State>
  DecisionTrees::Walked walk(std::size_t i, const State& state);
  std::uint32_t evaluate(std::size_t i, std::span<const Slot> state, const DecisionTrees::Walked& walked);

  std::vector<const PairTable*> cells_;
  Run run_;
  std::vector<bool> unwatched_;
  std::atomic<std::size_t> observed_{0};
  std::vector<std::atomic<std::uint8_t>> ever_read_;  // of each slot, a bit for each part
  DecisionTrees trees_;
};

}  // namespace heddle::actor
