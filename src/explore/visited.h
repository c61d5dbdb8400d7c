// The visited sets that a depth-first search can use: exact, lossy (core/lossy_sets.h), and none. States themselves are
// keys of a Store.
//
//   insert(key)        whether the state is new; a lossy set may call a new state old, an empty one calls none old
//   exact, remembers   whether insert is never wrong about a state that is old, and whether it ever calls one old
// Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/lossy_sets.h"
#include "explore/search.h"
#include "explore/store.h"

namespace heddle {

template <class Store>
class ExactVisited {
 public:
  ExactVisited(std::size_t length, std::span<const SlotVector> sample, const SearchOptions&) : store_(length, sample) {}
  Store& store() { return store_; }
  bool insert(const typename Store::Key& key) { return store_.insert(key, Store::hash(key)).is_new; }
  void prefetch(const typename Store::Key& key) const { store_.prefetch_first(Store::hash(key)); }
  std::size_t bytes() const { return store_.bytes(); }
  std::string note(std::uint64_t) const { return {}; }
  static constexpr bool exact = true, remembers = true;

 private:
  Store store_;
};

template <class Set>
class LossyVisited {
 public:
  LossyVisited(std::size_t length, std::span<const SlotVector> sample, const SearchOptions& options)
      : store_(length, sample), set_(options.bitstate_bytes) {}
  TreeStore& store() { return store_; }
  bool insert(std::uint64_t key) { return set_.insert(TreeStore::hash(key)); }
  void prefetch(std::uint64_t key) const { set_.prefetch(TreeStore::hash(key)); }
  std::size_t bytes() const { return store_.bytes() + set_.bytes(); }
  std::string note(std::uint64_t states) const { return set_.note(states); }
  static constexpr bool exact = false, remembers = true;

 private:
  TreeStore store_;  // only its tree is used: roots are never inserted
  Set set_;
};

// Stateless search: nothing is remembered, every run is walked.
class NothingVisited {
 public:
  NothingVisited(std::size_t length, std::span<const SlotVector> sample, const SearchOptions&)
      : store_(length, sample) {}
  FlatStore& store() { return store_; }
  bool insert(const SlotVector&) { return true; }
  void prefetch(const SlotVector&) const {}
  std::size_t bytes() const { return 0; }
  std::string note(std::uint64_t) const { return {}; }
  static constexpr bool exact = true, remembers = false;

 private:
  FlatStore store_;  // only makes keys
};

}  // namespace heddle
