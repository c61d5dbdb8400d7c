// LPOR: stubborn sets from static relations (Bokor, Kinder, Serafini, Suri: DSN 2011; Bokor's thesis, chapter 4).
//
//   Lpor lpor(relations);
//   const BitSet& b = lpor.stubborn(initial, enabled, pending);
//
// `stubborn` starts from one enabled transition. It adds every enabled transition from which, along "may enable",
// something can be reached that a member depends on. The result is a strong stubborn set within `enabled`: to find all
// deadlocks it is enough to execute its members. stubborn_selector.h preserves more than deadlocks. LPOR knows neither
// states nor doors: transitions are numbers.
//
// NET optimisation: a way that leads through a disabled transition v can be ignored while v awaits a member w of the
// set, because w then happens before v. Bit k of `pending` says whether v awaits w, for the pair k of net:
//   generalized LPOR   judges by the state alone (TransitionSystem::awaiting)
//   plain LPOR         judges by the path: w is not on the path that led to the state
//
// The thesis tabulates ways (forward enabling sets, exponentially many). Their only use is the question "is there a way
// that avoids blocked transitions". A backward search gives the same answer in the time of one pass over the relation.
// Not thread-safe: one object for each thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/relations.h"

namespace heddle {

class Lpor {
 public:
  struct Options {
    bool net = true;         // use the NET optimisation
    bool precompute = true;  // tabulate which transitions can reach a dependency; off: search at every state
    bool symmetric_dependence =
        false;  // close `dependent` under symmetry: needed for LTL-X with non-deterministic steps
  };

  explicit Lpor(const Relations& relations) : Lpor(relations, Options{}) {}
  Lpor(const Relations& relations, Options options);

  // REQUIRES: enabled.test(initial). The result is valid until the next call.
  const BitSet& stubborn(std::size_t initial, const BitSet& enabled, const BitSet& pending) {
    return *stubborn(initial, enabled, pending, ~std::size_t{0}, nullptr);
  }
  // Returns the same set if it has fewer than `limit` members and none of `unwanted`. Returns null as soon as it is
  // clear that it does not.
  const BitSet* stubborn(std::size_t initial, const BitSet& enabled, const BitSet& pending, std::size_t limit,
                         const BitSet* unwanted);

  const Relations& relations() const { return relations_; }
  // Returns how many rows of relations were read so far, to prepare and for all sets. Most of the time that sets take
  // is in these rows, and unlike time their number is the same in every run.
  std::uint64_t rows_read() const { return rows_read_; }

 private:
  void find_ways(std::size_t t);
  void block(std::size_t u, const BitSet& pending);
  bool is_closed(const BitSet& enabled) const;

  const Relations& relations_;
  Options options_;
  Relation depends_on_;  // depends_on_.row(t): all u with dependent(u, t)
  Relation enabled_by_;  // inverse of can_enable
  Relation ways_;        // ways_.row(t): all u from which something t depends on can be reached, NET left aside
  std::vector<std::vector<std::uint32_t>> pairs_of_;  // of net, by the second of the pair
  bool transitive_;  // of `dependent`: then what is added because of it need not be processed
  BitSet stub_, reaches_;
  BitSet blocked_;  // transitions that cannot become enabled before some member of the set has happened
  std::vector<std::size_t> work_, queue_;
  std::uint64_t rows_read_ = 0;
};

}  // namespace heddle
