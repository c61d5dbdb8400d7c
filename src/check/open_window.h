// The operations that are open at a return, for a search that moves over the returns of a history forwards and back.
//
// Every operation gets a bit:
//   - An operation that returned shares no bit with operations open at the same time; its bit (a slot) is free again
//     after its return. Operations that change the state and operations that only read have separate ranges of slots.
//   - An operation of unknown outcome shares its bit with nobody. Alike ones are side by side, in the order of their
//     invocations.
// So a set of operations that contains all that returned before a given return is a few words, however long the
// history. The window stands at a rank: before the return that has this number among all returns. Moving it takes
// constant time for each return and each invocation passed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/recorded_history.h"
#include "check/specification.h"

namespace heddle {

class OpenWindow {
 public:
  struct Operation {
    std::uint32_t index;  // into `operations`
    std::uint32_t bit;
    std::uint32_t rank;      // of its return; `never` if its outcome is unknown
    std::uint32_t previous;  // the operation that had the bit before, or `never`
    bool reads_only;
  };

  OpenWindow(std::span<const RecordedOperation> operations, std::span<const std::uint32_t> part, const Object& object);

  std::uint32_t returns() const { return static_cast<std::uint32_t>(returns_.size()); }
  std::uint32_t bits() const { return writer_slots_ + reader_slots_ + unknown_; }
  std::uint32_t unknown_operations() const { return unknown_; }
  std::size_t words() const { return open_.size(); }

  const Operation& operation(std::uint32_t number) const { return operations_[number]; }
  // The operation whose return is number `rank`.
  std::uint32_t returning(std::uint32_t rank) const { return returns_[rank].operation; }
  // True if no operation that returns is open between the return before `rank` and the next invocation.
  bool quiescent(std::uint32_t rank) const { return rank == 0 || returns_[rank - 1].open_after == 0; }

  // Bits of the operations that return and may change the state; that return and only read; that have an unknown
  // outcome; and, among the last, that are the first of those alike.
  std::uint64_t writer_mask(std::size_t word) const { return writer_mask_[word]; }
  std::uint64_t reader_mask(std::size_t word) const { return reader_mask_[word]; }
  std::uint64_t unknown_mask(std::size_t word) const { return unknown_mask_[word]; }
  std::uint64_t first_alike(std::size_t word) const { return first_alike_[word]; }

  // At the window's rank: the operations invoked and not returned, and the operation that has a bit.
  std::uint64_t open(std::size_t word) const { return open_[word]; }
  std::uint32_t at(std::uint32_t bit) const { return at_[bit]; }

  std::uint32_t rank() const { return rank_; }
  void move_to(std::uint32_t rank) {
    while (rank_ < rank) forward();
    while (rank_ > rank) back();
  }
  void forward() {
    const std::uint32_t bit = operations_[returns_[rank_].operation].bit;
    open_[bit / 64] &= ~(std::uint64_t{1} << bit % 64);
    invoke_until(++rank_ < returns() ? returns_[rank_].invoked_before : static_cast<std::uint32_t>(operations_.size()));
  }

  std::size_t bytes() const;

 private:
  struct Return {
    std::uint32_t operation;
    std::uint32_t invoked_before;  // how many operations were invoked before this return
    std::uint32_t open_after;
  };

  void back() {
    const Return& previous = returns_[--rank_];
    while (invoked_ > previous.invoked_before) {
      const Operation& op = operations_[--invoked_];
      open_[op.bit / 64] &= ~(std::uint64_t{1} << op.bit % 64);
      at_[op.bit] = op.previous;
    }
    const std::uint32_t bit = operations_[previous.operation].bit;
    open_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  void invoke_until(std::uint32_t count) {
    for (; invoked_ < count; ++invoked_) {
      const std::uint32_t bit = operations_[invoked_].bit;
      open_[bit / 64] |= std::uint64_t{1} << bit % 64;
      at_[bit] = invoked_;
    }
  }
  void number_unknown(std::span<const RecordedOperation> operations, const Object& object,
                      std::span<const std::uint32_t> unknown);

  std::vector<Operation> operations_;  // in the order of their invocations
  std::vector<Return> returns_;
  std::uint32_t writer_slots_ = 0, reader_slots_ = 0, unknown_ = 0;
  std::vector<std::uint64_t> writer_mask_, reader_mask_, unknown_mask_, first_alike_, open_;
  std::vector<std::uint32_t> at_;
  std::uint32_t rank_ = 0, invoked_ = 0;
};

}  // namespace heddle
