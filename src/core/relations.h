// Static relations between the transitions of a system: all that partial order reduction needs to know
// (reduce/lpor.h).
//
// Relations that say "may" are over-approximated, so a larger relation is always sound; `net` is under-approximated.
//   can_enable(t, u)   a step of t may make u enabled; "ce" in the literature.
//   dependent(t, u)    a step of t, executed first, may disable a step of u or fail to commute with it; "dep"
//                      in the literature. Only if the pair is absent does every s -t-> -u-> s'' exist as s
//                      -u-> -t-> s'' as well. Not symmetric: a sender is not disturbed by a receiver.
//   net                pairs (t, u): u must happen before t can be enabled (u is a necessary enabling
//                      transition), in states in which Dependence::awaiting says so.
#pragma once

#include <bit>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

// A set of small numbers, in words of 64. REQUIRES: all operands have the same size, and members are below it.
class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size) : words_((size + 63) / 64, 0) {}
  explicit BitSet(std::span<const std::uint64_t> words) : words_(words.begin(), words.end()) {}

  bool test(std::size_t i) const {
    assert(i / 64 < words_.size());
    return (words_[i / 64] >> (i % 64) & 1) != 0;
  }
  void set(std::size_t i) {
    assert(i / 64 < words_.size());
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void reset(std::size_t i) {
    assert(i / 64 < words_.size());
    words_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  void clear() {
    for (std::uint64_t& w : words_) w = 0;
  }
  bool intersects(std::span<const std::uint64_t> other) const {
    assert(other.size() == words_.size());
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & other[w]) != 0) return true;
    }
    return false;
  }
  std::size_t count() const {
    std::size_t n = 0;
    for (const std::uint64_t w : words_) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  bool empty() const {
    for (const std::uint64_t w : words_) {
      if (w != 0) return false;
    }
    return true;
  }
  // Calls f(i) for every member in ascending order. Members that f adds or removes may or may not be seen.
  template <class F>
  void each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }
  std::span<std::uint64_t> words() { return words_; }
  std::span<const std::uint64_t> words() const { return words_; }
  friend bool operator==(const BitSet&, const BitSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

class Relation {
 public:
  Relation() = default;
  explicit Relation(std::size_t size) : size_(size), stride_((size + 63) / 64), words_(size * stride_, 0) {}

  std::size_t size() const { return size_; }
  bool operator()(std::size_t from, std::size_t to) const {
    assert(from < size_ && to < size_);
    return (words_[from * stride_ + to / 64] >> (to % 64) & 1) != 0;
  }
  void add(std::size_t from, std::size_t to) {
    assert(from < size_ && to < size_);
    words_[from * stride_ + to / 64] |= std::uint64_t{1} << (to % 64);
  }
  void remove(std::size_t from, std::size_t to) {
    assert(from < size_ && to < size_);
    words_[from * stride_ + to / 64] &= ~(std::uint64_t{1} << (to % 64));
  }
  // Returns all `to` with (from, to), as words of a BitSet.
  std::span<const std::uint64_t> row(std::size_t from) const {
    assert(from < size_);
    return {words_.data() + from * stride_, stride_};
  }
  std::size_t pairs() const {
    std::size_t n = 0;
    for (const std::uint64_t w : words_) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  Relation inverse() const {
    Relation out(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        if ((*this)(i, j)) out.add(j, i);
      }
    }
    return out;
  }

 private:
  std::size_t size_ = 0, stride_ = 0;
  std::vector<std::uint64_t> words_;
};

struct Relations {
  struct Necessary {
    std::uint32_t t, u;
    friend auto operator<=>(const Necessary&, const Necessary&) = default;
  };

  explicit Relations(std::size_t transitions = 0)
      : can_enable(transitions), dependent(transitions), invisible(transitions), priority(transitions, 2) {}
  std::size_t transitions() const { return priority.size(); }

  Relation can_enable, dependent;
  std::vector<Necessary> net;  // ascending
  BitSet invisible;            // they never change the truth of a property, whatever Visibility::may_change_truth says
  // Where a stubborn set should begin: 3 for what starts something, 1 for what completes something.
  std::vector<int> priority;
};

}  // namespace heddle
