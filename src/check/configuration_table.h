// The configurations a search has been in: rank, state, and a set of operations as words (see wgl.h).
//
// Two configurations are alike if they agree on rank, state and the bits of a mask. Among alike configurations, one
// dominates another if its set is a subset of the other's: it can do all the other can. A configuration that another
// dominates is not inserted.
// The table is hand-written, not a library's flat set, because it looks for alike configurations, not equal ones, and
// is emptied thousands of times in a long search. Words is the number of words in a set, or 0 if it is known only
// when running.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

template <std::size_t Words>
class ConfigurationTable {
 public:
  struct Configuration {
    std::uint32_t rank, state;
    std::uint32_t path;         // the operation placed last, see wgl.cpp
    std::uint32_t next = none;  // the next one that is alike
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // `mask`: the bits in which alike configurations agree.
  explicit ConfigurationTable(std::vector<std::uint64_t> mask) : mask_(std::move(mask)), slots_(initial_slots, 0) {}

  std::size_t words() const { return Words != 0 ? Words : mask_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(configurations_.size()); }
  const Configuration& operator[](std::uint32_t number) const { return configurations_[number]; }
  const std::uint64_t* bits(std::uint32_t number) const { return bits_.data() + number * words(); }

  // Returns the number of the new configuration, or none if one in the table dominates it.
  std::uint32_t insert(const Configuration& configuration, const std::uint64_t* bits) {
    const std::uint64_t hash = hash_of(configuration, bits);
    const std::size_t slot = find(hash, configuration, bits);
    std::uint32_t alike = none;
    if (slots_[slot] != 0) {
      alike = number_in(slot);
      if (dominated(alike, bits)) return none;
      alike = without_dominated(alike, bits);
    } else {
      ++used_;
    }
    const std::uint32_t number = size();
    slots_[slot] = (hash & tag_mask) | (number + 1);
    configurations_.push_back(configuration);
    configurations_.back().next = alike;
    bits_.insert(bits_.end(), bits, bits + words());
    if (used_ * 2 > slots_.size()) rebuild(slots_.size() * 2);
    return number;
  }

  // Forgets all configurations but these, which are numbered 0, 1, ... from now on.
  // REQUIRES: `numbers` is ascending.
  void keep(std::span<const std::uint32_t> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      configurations_[i] = configurations_[numbers[i]];
      for (std::size_t w = 0; w < words(); ++w) bits_[i * words() + w] = bits_[numbers[i] * words() + w];
    }
    configurations_.resize(numbers.size());
    bits_.resize(numbers.size() * words());
    std::size_t size = initial_slots;
    while (size < 4 * numbers.size()) size *= 2;
    rebuild(size);
  }
  void set_path(std::uint32_t number, std::uint32_t path) { configurations_[number].path = path; }

  std::size_t bytes() const {
    return configurations_.capacity() * sizeof(Configuration) + (bits_.capacity() + slots_.size()) * 8;
  }
  // True if the next insertion makes an array grow, to twice its size or so.
  bool about_to_grow() const {
    return configurations_.size() == configurations_.capacity() || bits_.size() + words() > bits_.capacity() ||
           (used_ + 1) * 2 > slots_.size();
  }

 private:
  static constexpr std::size_t initial_slots = 256;
  static constexpr std::uint64_t tag_mask = ~std::uint64_t{0xffffffff};

  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15) * (b ^ 0xd6e8feb86659fd93);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  std::uint64_t hash_of(const Configuration& c, const std::uint64_t* bits) const {
    std::uint64_t hash = mixed(std::uint64_t{c.rank} << 32 | c.state, bits[0] & mask_[0]);
    for (std::size_t w = 1; w < words(); ++w) hash = mixed(hash, bits[w] & mask_[w]);
    return hash;
  }

  std::uint32_t number_in(std::size_t slot) const { return static_cast<std::uint32_t>(slots_[slot]) - 1; }
  // Returns the slot of a configuration that is alike, or a free slot.
  std::size_t find(std::uint64_t hash, const Configuration& c, const std::uint64_t* bits) const {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0 && !((slots_[slot] & tag_mask) == (hash & tag_mask) && alike(number_in(slot), c, bits))) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  bool alike(std::uint32_t number, const Configuration& c, const std::uint64_t* bits) const {
    const Configuration& other = configurations_[number];
    if (other.rank != c.rank || other.state != c.state) return false;
    std::uint64_t different = 0;
    for (std::size_t w = 0; w < words(); ++w) different |= (this->bits(number)[w] ^ bits[w]) & mask_[w];
    return different == 0;
  }

  bool subset(const std::uint64_t* a, const std::uint64_t* b) const {
    std::uint64_t only_a = 0;
    for (std::size_t w = 0; w < words(); ++w) only_a |= a[w] & ~b[w];
    return only_a == 0;
  }
  bool dominated(std::uint32_t head, const std::uint64_t* bits) const {
    for (std::uint32_t other = head; other != none; other = configurations_[other].next) {
      if (subset(this->bits(other), bits)) return true;
    }
    return false;
  }
  std::uint32_t without_dominated(std::uint32_t head, const std::uint64_t* bits) {
    std::uint32_t kept = none;
    while (head != none) {
      const std::uint32_t next = configurations_[head].next;
      if (!subset(bits, this->bits(head))) {
        configurations_[head].next = kept;
        kept = head;
      }
      head = next;
    }
    return kept;
  }

  void rebuild(std::size_t size) {
    slots_.assign(size, 0);
    used_ = 0;
    for (std::uint32_t number = 0; number < configurations_.size(); ++number) {
      Configuration& c = configurations_[number];
      const std::uint64_t hash = hash_of(c, bits(number));
      const std::size_t slot = find(hash, c, bits(number));
      c.next = slots_[slot] != 0 ? number_in(slot) : none;
      if (slots_[slot] == 0) ++used_;
      slots_[slot] = (hash & tag_mask) | (number + 1);
    }
  }

  std::vector<std::uint64_t> mask_;
  std::vector<Configuration> configurations_;
  std::vector<std::uint64_t> bits_;
  // A slot is 0 (free), or the upper half of the hash and 1 + the number of the newest of the alike configurations.
  std::vector<std::uint64_t> slots_;
  std::size_t used_ = 0;
};

}  // namespace heddle
