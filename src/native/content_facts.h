// What a search asks about a content at every step, ready to be read: how a thread rests, and which published objects a
// content mentions. The content itself is bytes that would have to be decoded (contents.h).
//
// Invariant: facts of a content are noted before anybody else sees its number in a state. Two threads that intern one
// content at the same time may both note its facts; they write the same.
// Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/reserved_array.h"
#include "core/transition_system.h"
#include "native/contents.h"
#include "native/layout.h"

namespace heddle::native {

// The part of a Rest that fits into a word.
class BriefRest {
 public:
  BriefRest() = default;
  explicit BriefRest(const Rest& rest)
      : bits_(known | std::uint64_t{rest.latest} << 32 | std::uint64_t{rest.after_acquire} << 11 |
              std::uint64_t{rest.choice} << 9 | std::uint64_t{rest.fresh} << 8 |
              static_cast<std::uint64_t>(rest.pending) << 4 | static_cast<std::uint64_t>(rest.status)) {}
  explicit BriefRest(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits() const { return bits_; }
  bool runs() const { return status() == Rest::Status::Running; }
  Rest::Status status() const { return static_cast<Rest::Status>(bits_ & 3); }
  Pending pending() const { return static_cast<Pending>(bits_ >> 4 & 15); }
  bool fresh() const { return (bits_ >> 8 & 1) != 0; }
  bool choice() const { return (bits_ >> 9 & 1) != 0; }
  bool after_acquire() const { return (bits_ >> 11 & 1) != 0; }
  std::uint32_t latest() const { return static_cast<std::uint32_t>(bits_ >> 32); }

 private:
  static constexpr std::uint64_t known = 1u << 10;
  std::uint64_t bits_ = 0;
};

class BriefRests {
 public:
  static constexpr std::size_t bytes_each = 2 * sizeof(std::uint64_t);

  BriefRest operator[](Slot thread) const {
    return BriefRest(std::atomic_ref(rests_[thread]).load(std::memory_order_relaxed));
  }
  std::uint64_t position(Slot thread) const {
    return std::atomic_ref(positions_[thread]).load(std::memory_order_relaxed);
  }
  void note(Slot thread, const Rest& rest) {
    std::atomic_ref(positions_[thread]).store(std::uint64_t{rest.function} << 32 | rest.at, std::memory_order_relaxed);
    std::atomic_ref(rests_[thread]).store(BriefRest(rest).bits(), std::memory_order_relaxed);
  }

 private:
  ReservedArray<std::uint64_t> rests_, positions_;
};

// For each content the published objects that it mentions, a bit for each slot from the first object on.
class MentionSets {
 public:
  explicit MentionSets(const Layout& layout)
      : first_(layout.first_object()), words_((layout.size() - layout.first_object() + 63) / 64) {}

  std::size_t words() const { return words_; }
  std::size_t bytes(std::size_t contents) const { return contents * (words_ * sizeof(std::uint64_t) + 1); }
  bool is_known(Slot content) const { return std::atomic_ref(known_[content]).load(std::memory_order_acquire) != 0; }
  void note(Slot content, std::span<const Label> labels, const Layout& layout) {
    if ((content + std::size_t{1}) * words_ > bits_.capacity()) throw TableFull();
    std::vector<std::uint64_t> bits(words_, 0);
    for (const Label label : labels) {
      if (const auto slot = layout.slot(label); slot && *slot >= first_) {
        bits[(*slot - first_) / 64] |= std::uint64_t{1} << (*slot - first_) % 64;
      }
    }
    for (std::size_t w = 0; w < words_; ++w) {
      std::atomic_ref(bits_[content * words_ + w]).store(bits[w], std::memory_order_relaxed);
    }
    std::atomic_ref(known_[content]).store(1, std::memory_order_release);
  }
  // Adds what the content mentions to `to`. REQUIRES: `to` has words() words.
  void add(Slot content, std::uint64_t* to) const {
    for (std::size_t w = 0; w < words_; ++w) {
      to[w] |= std::atomic_ref(bits_[content * words_ + w]).load(std::memory_order_relaxed);
    }
  }

 private:
  std::uint32_t first_;
  std::size_t words_;
  ReservedArray<std::uint64_t> bits_;
  ReservedArray<std::uint8_t> known_;
};

}  // namespace heddle::native
