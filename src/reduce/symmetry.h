// Symmetry reduction: states that differ only in the names of members of symmetry classes are one state.
//
//   Symmetry symmetry(system);                                          // before the search; outlives it
//   options.canonicalizer = [&] { return symmetry.canonicalizer(); };
//
// The group is the product of the full symmetric groups of all classes (scalarsets: Ip, Dill 1996; role decomposition:
// Bokor's thesis, 2011). A representative is found without trying the whole group:
//   1. Every member gets a colour that does not depend on names: a fingerprint of its own slots and of how all other
//      slots mention it. Fingerprints are kept for each distinct slot value, so a colour costs one addition for each
//      slot.
//   2. Members are sorted by colour. Where colours tie, twins are told apart from others: exchanging twins leaves the
//      state as it is, so their order does not matter. Nearly all ties are twins.
//   3. In other ties, colours are refined by those of the members that are mentioned, until nothing changes.
//   4. Only then are permutations tried, inside ties and up to twins. The least state, compared by slot numbers, is the
//      representative.
//
// Invariants
//   1. canonical(s) is s renamed; canonical(canonical(s)) == canonical(s).
//   2. All renamings of s have the same representative, unless more than `most_tries` arrangements remain in step 4.
//      Then a local minimum is taken, orbits may have several representatives (which is sound, but reduces less), and
//      exact() is false from then on.
//   3. Representatives depend on the order of discovery, because slot numbers do. How many there are does not.
// Collisions of fingerprints make more ties, never wrong representatives.
//
// If a handler or property looks behind ids, the reduction is unsound. After the search, Assumptions::check_symmetry
// says whether one did (reduced_search.h asks). To notice early, the search compares a sample of states (one in
// check_every) with their representatives, and throws NotSymmetric if they differ in the truth of a property or in
// their successors. audit_symmetry (audit_symmetry.h) compares all states.
// Thread-safe; a canonicalizer belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/facets/symmetries.h"
#include "core/transition_system.h"
#include "explore/reduction.h"

namespace heddle {

class Symmetry {
 public:
  struct Options {
    std::uint64_t most_tries = 5040;
    std::uint64_t check_every = 1024;  // renamed states; 0: never
  };
  explicit Symmetry(const TransitionSystem& system);
  Symmetry(const TransitionSystem& system, const Options& options);
  ~Symmetry();
  Symmetry(const Symmetry&) = delete;
  Symmetry& operator=(const Symmetry&) = delete;

  std::unique_ptr<Canonicalizer> canonicalizer() const;

  // Returns the classes in use: those of the system, as long as they have at most 64 members altogether. Empty: there
  // is nothing to gain.
  const std::vector<SymmetryClass>& classes() const;
  bool exact() const;
  std::size_t bytes() const;

 private:
  struct Row;
  struct Tables;
  class Search;
  std::unique_ptr<Tables> tables_;
};

// How much symmetry there is, and how much of it was used.
struct SymmetryGain {
  double factor = 1;      // F, the order of the group: the product of n! over all classes
  double gain = 1;        // states without symmetry, over states with it
  double efficiency = 1;  // gain / F; 1 if every orbit is as large as the group
};
SymmetryGain symmetry_gain(const std::vector<SymmetryClass>& classes, double states, double reduced_states);

}  // namespace heddle
