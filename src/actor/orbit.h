// Everything that renamings make of one list of words: lists of equal length, numbered in the order in which they
// are found. One object is used for one orbit after the other, so memory is kept only for the largest.
//
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::actor {

class Orbit {
 public:
  using Words = std::span<const std::uint32_t>;

  // Forgets the last orbit and begins with `first`.
  void begin(Words first) {
    words_.clear();
    length_ = first.size();
    size_ = 0;
    ++round_;
    add(first);
  }
  // Returns whether the list is new.
  bool add(Words words) {
    if (2 * (size_ + 1) > places_.size()) grow();
    Place& place = place_of(words);
    if (place.round == round_) return false;
    place = {round_, static_cast<std::uint32_t>(size_++)};
    words_.insert(words_.end(), words.begin(), words.end());
    return true;
  }
  std::size_t size() const { return size_; }
  // The result is valid until the next add.
  Words operator[](std::size_t n) const { return {words_.data() + n * length_, length_}; }

 private:
  struct Place {
    std::uint64_t round;  // the place is empty unless this is the current round
    std::uint32_t number;
  };

  Place& place_of(Words words) {
    std::uint64_t h = 0x9E3779B97F4A7C15u;
    for (const std::uint32_t w : words) h = (h ^ w) * 0xD6E8FEB86659FD93u, h ^= h >> 32;
    for (std::size_t i = h & (places_.size() - 1);; i = (i + 1) & (places_.size() - 1)) {
      Place& place = places_[i];
      if (place.round != round_ || std::ranges::equal((*this)[place.number], words)) return place;
    }
  }
  void grow() {
    places_.assign(std::max<std::size_t>(64, 2 * places_.size()), {0, 0});
    for (std::uint32_t n = 0; n < size_; ++n) place_of((*this)[n]) = {round_, n};
  }

  std::vector<std::uint32_t> words_;
  std::size_t length_ = 0, size_ = 0;
  std::vector<Place> places_;  // their number is a power of two
  std::uint64_t round_ = 0;
};

}  // namespace heddle::actor
