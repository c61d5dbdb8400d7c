// A random access iterator over the messages of a quorum. It goes through Quorum::at, which knows which of
// them may be looked at.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>

namespace heddle::detail {

template <class Quorum, class Value>
class QuorumIterator {
 public:
  using value_type = Value;
  using reference = const Value&;
  using pointer = const Value*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  QuorumIterator() = default;
  QuorumIterator(const Quorum& quorum, std::size_t at) : quorum_(&quorum), at_(static_cast<std::ptrdiff_t>(at)) {}

  reference operator*() const { return quorum_->at(static_cast<std::size_t>(at_)); }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type n) const { return *(*this + n); }

  bool operator==(const QuorumIterator& other) const { return at_ == other.at_; }
  std::strong_ordering operator<=>(const QuorumIterator& other) const { return at_ <=> other.at_; }

  QuorumIterator& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  QuorumIterator& operator-=(difference_type n) { return *this += -n; }
  QuorumIterator& operator++() { return *this += 1; }
  QuorumIterator& operator--() { return *this -= 1; }
  QuorumIterator operator++(int) {
    const QuorumIterator old = *this;
    ++*this;
    return old;
  }
  QuorumIterator operator--(int) {
    const QuorumIterator old = *this;
    --*this;
    return old;
  }
  friend QuorumIterator operator+(QuorumIterator it, difference_type n) { return it += n; }
  friend QuorumIterator operator+(difference_type n, QuorumIterator it) { return it += n; }
  friend QuorumIterator operator-(QuorumIterator it, difference_type n) { return it -= n; }
  friend difference_type operator-(const QuorumIterator& a, const QuorumIterator& b) { return a.at_ - b.at_; }

 private:
  const Quorum* quorum_ = nullptr;
  std::ptrdiff_t at_ = 0;
};

}  // namespace heddle::detail
