// A set of positions in a run, which grows with the run: what happened before an event, or what an event depends on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class Positions {
 public:
  // Keeps the memory, because a run is taken back and extended over and over.
  void clear() { words_.clear(); }
  bool contains(std::size_t i) const { return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(std::size_t i) {
    if (i / 64 >= words_.size()) words_.resize(i / 64 + 1, 0);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void add(const Positions& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size(), 0);
    for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
  }
  bool intersects(const Positions& other) const {
    for (std::size_t w = 0; w < words_.size() && w < other.words_.size(); ++w) {
      if ((words_[w] & other.words_[w]) != 0) return true;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace heddle
