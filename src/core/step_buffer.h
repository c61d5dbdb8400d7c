// States, steps and changes as the engine handles them: numbers.
//
//   A state is a vector of slots. Each slot is the number of an interned content (0 = absent). States are
//   equal iff their slot vectors are equal, trailing absent slots disregarded.
//   A step is an instance of a static transition. `detail` tells the instances of one transition apart; only
//   the door knows its meaning. (source state, Step) determines the target.
//
// A StepBuffer belongs to one thread.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

using Slot = std::uint32_t;
using SlotVector = std::vector<Slot>;

struct Step {
  std::uint32_t transition = 0;  // < TransitionSystem::transition_count()
  std::uint32_t detail = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Change {
  std::uint32_t slot;
  Slot value;
};

// A vector that grows only at its end, with its one check inlined: filling a StepBuffer is the innermost loop.
template <class T>
class Pile {
 public:
  void push(const T& value) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    data_[size_++] = value;
  }
  void resize_down(std::size_t size) {
    assert(size <= size_);
    size_ = size;
  }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) {
    assert(i < size_);
    return data_[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return data_[i];
  }

 private:
  [[gnu::noinline]] void grow() {
    capacity_ = capacity_ == 0 ? 64 : 2 * capacity_;
    auto larger = std::make_unique<T[]>(capacity_);
    std::copy_n(data_.get(), size_, larger.get());
    data_ = std::move(larger);
  }
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

// The steps of one or several states in flat arrays, so that a search can collect a whole block before it
// probes the store.
class StepBuffer {
 public:
  void clear() {
    steps_.resize_down(0);
    changes_.resize_down(0);
  }
  void begin(Step step) { steps_.push({step, static_cast<std::uint32_t>(changes_.size())}); }
  // A change of the step begun last. REQUIRES: a step was begun.
  void change(std::uint32_t slot, Slot value) {
    assert(steps_.size() > 0);
    changes_.push({slot, value});
  }
  // Takes back the step begun last. REQUIRES: there is one.
  void abandon() {
    changes_.resize_down(steps_[steps_.size() - 1].first);
    steps_.resize_down(steps_.size() - 1);
  }

  std::size_t size() const { return steps_.size(); }
  const Step& step(std::size_t i) const { return steps_[i].step; }
  std::span<const Change> changes(std::size_t i) const {
    const std::size_t end = i + 1 < steps_.size() ? steps_[i + 1].first : changes_.size();
    return {changes_.data() + steps_[i].first, end - steps_[i].first};
  }
  // The changes of the step begun last, which may still be edited. REQUIRES: there is one.
  std::span<Change> open_changes() {
    const std::size_t first = steps_[steps_.size() - 1].first;
    return {changes_.data() + first, changes_.size() - first};
  }

 private:
  struct Begun {
    Step step;
    std::uint32_t first;  // of its changes
  };
  Pile<Begun> steps_;
  Pile<Change> changes_;
};

// Returns the state after one step's changes.
SlotVector apply_changes(std::span<const Slot> state, std::span<const Change> changes);

}  // namespace heddle
