// The isolation levels, and what rules each of them out. docs/serializability.md defines them.
//
// A level is an isolation and an order of the transactions that it has to respect besides: none, that of each session,
// or real time (which includes sessions). A history that has a level has all levels that are weaker in both.
// Plain data; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class Isolation : std::uint8_t {
  ReadUncommitted,
  ReadCommitted,
  MonotonicAtomicView,
  RepeatableRead,
  SnapshotIsolation,
  Serializable,
};
inline constexpr int isolations = 6;

enum class Respects : std::uint8_t { Nothing, Sessions, RealTime };
inline constexpr int respected_orders = 3;

struct Level {
  Isolation isolation = Isolation::Serializable;
  Respects respects = Respects::Nothing;

  friend bool operator==(const Level&, const Level&) = default;
  // True if every history that has `stronger` has this one.
  bool follows_from(const Level& stronger) const {
    return isolation <= stronger.isolation && respects <= stronger.respects;
  }
};

// "serializable", "session-snapshot-isolation", "strict-read-committed"
std::string name(const Level& level);
std::string_view name(Isolation isolation);
// Also knows "strong-session-...", "strong-...", and Adya's names: "PL-1", "PL-2", "PL-2+", "PL-SI", "PL-2.99", "PL-3",
// in any case.
std::optional<Level> level_named(std::string_view given);
// All levels, the weakest first: every level comes after those that follow from it.
const std::vector<Level>& all_levels();

enum class Anomaly : std::uint8_t {
  None,
  DuplicateElements,  // a list has an element twice
  IncompatibleOrder,  // two lists of one key that are not prefixes of one list
  G0,                 // a cycle of ww
  G1a,                // an aborted read
  DirtyUpdate,        // a committed element stands behind one that was aborted
  G1b,                // an intermediate read
  Internal,           // a transaction does not see what it has written itself
  G1c,                // a cycle of ww and wr
  FracturedRead,      // observed transaction vanishes
  GSingle,            // a cycle with one rw
  LostUpdate,         // ... of two that read the same and overwrote it
  GNonadjacent,       // a cycle in which no two rw follow each other
  LongFork,           // ... of two writers and two readers
  G2Item,             // a cycle with two rw or more
  WriteSkew,          // ... of two transactions and two keys
  WrongTotal,         // a read of a bank that does not sum to the total
  ImpossibleCount,    // a read of a counter that no increments give
  NoOrder,            // every order of the open versions leads to a cycle
};
// "G-single", "lost update", ...
std::string_view name(Anomaly anomaly);

}  // namespace heddle
