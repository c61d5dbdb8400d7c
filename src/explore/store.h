// The visited set of exact searches, in two forms with one interface, so that a search is written once.
//
//   TreeStore   tree-compressed: a state is the 64-bit root of its tree (slot_tree.h), numbered by a
//               PairTable. The default.
//   FlatStore   whole slot vectors, interned. Slower and larger; there to compare with.
//
// A Cursor belongs to one thread: it holds one state and computes the keys of its successors. States are
// numbered 1, 2, ... in the order in which they were stored. With several threads some numbers may be left
// out (is_state(n) is false).
#pragma once

#include <span>
#include <vector>

#include "core/content_table.h"
#include "core/pair_table.h"
#include "core/slot_tree.h"
#include "core/transition_system.h"

namespace heddle {

struct Stored {
  std::uint32_t number;
  bool is_new;
};

class TreeStore {
 public:
  using Key = std::uint64_t;

  explicit TreeStore(std::size_t length, std::span<const SlotVector> sample = {}) : tree_(length, sample), roots_(10) {}

  static std::uint64_t hash(Key key) { return PairTable::hash(key); }
  void prefetch_first(std::uint64_t hash) const { roots_.prefetch_index(hash); }
  void prefetch_second(std::uint64_t hash) const { roots_.prefetch_log(hash); }
  Stored insert(Key key, std::uint64_t hash) {
    const auto inserted = roots_.insert(key, hash);
    return {inserted.number, inserted.is_new};
  }
  std::uint32_t find(Key key) const { return roots_.find(key); }  // 0 if absent
  Key key(std::uint32_t number) const { return roots_.key(number); }
  bool is_state(std::uint32_t number) const { return roots_.key(number) != PairTable::hole; }
  std::uint32_t last() const { return roots_.last(); }
  std::size_t size() const { return roots_.size(); }
  std::size_t bytes() const { return roots_.bytes() + tree_.bytes(); }

  class Cursor {
   public:
    explicit Cursor(TreeStore& store) : tree_(store.tree_) {}
    Key load_slots(std::span<const Slot> slots) { return tree_.load(slots); }
    void load(Key key) { tree_.load(key); }
    std::span<const Slot> slots() const { return tree_.slots(); }
    Key after(std::span<const Change> changes) { return tree_.after(changes); }

   private:
    SlotTree::Cursor tree_;
  };

 private:
  SlotTree tree_;
  PairTable roots_;
};

class FlatStore {
 public:
  using Key = SlotVector;

  explicit FlatStore(std::size_t length, std::span<const SlotVector> = {}) : varying_(length == 0) {}

  static std::uint64_t hash(const Key&) { return 0; }
  void prefetch_first(std::uint64_t) const {}
  void prefetch_second(std::uint64_t) const {}
  Stored insert(const Key& key, std::uint64_t) {
    const auto interned = states_.intern_new(std::span<const std::uint32_t>(key));
    return {interned.number, interned.is_new};
  }
  Key key(std::uint32_t number) const {
    const auto words = states_.words(number);
    return {words.begin(), words.end()};
  }
  bool is_state(std::uint32_t) const { return true; }
  std::uint32_t last() const { return states_.last(); }
  std::size_t size() const { return states_.last(); }
  std::size_t bytes() const { return states_.bytes(); }

  class Cursor {
   public:
    explicit Cursor(FlatStore& store) : varying_(store.varying_) {}
    Key load_slots(std::span<const Slot> slots) {
      state_.assign(slots.begin(), slots.end());
      trim(state_);
      return state_;
    }
    void load(const Key& key) { state_ = key; }
    std::span<const Slot> slots() const { return state_; }
    Key after(std::span<const Change> changes) const {
      Key next = state_;
      for (const Change& c : changes) {
        if (c.slot >= next.size()) next.resize(c.slot + 1, 0);
        next[c.slot] = c.value;
      }
      trim(next);
      return next;
    }

   private:
    // Trailing absent slots do not tell states apart. Systems of fixed length keep them.
    void trim(Key& key) const {
      if (!varying_) return;
      while (!key.empty() && key.back() == 0) key.pop_back();
    }
    bool varying_;
    SlotVector state_;
  };

 private:
  bool varying_;
  ContentTable states_;
};

}  // namespace heddle
