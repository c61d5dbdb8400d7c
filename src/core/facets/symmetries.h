// Facet: processes that are alike.
//
// A renaming exchanges members of classes: the content of slot s moves to slot to[s], and every mention of
// the member in contents of slots follows. Only renamings that the classes generate are asked for. Slots
// outside of classes stay where they are, but may mention members. A search finds out whether the classes are
// justified (facets/assumptions.h).
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/step_buffer.h"

namespace heddle {

// Processes that may be renamed among each other in every way without changing the system (a scalarset). A
// member is the list of its slots: one, or several that move together. All members have equally many slots,
// in corresponding order.
struct SymmetryClass {
  std::string name;
  std::vector<std::vector<std::uint32_t>> members;
};

class Symmetries {
 public:
  virtual ~Symmetries() = default;
  // Returns the classes; none if no symmetry is known.
  virtual std::vector<SymmetryClass> symmetry_classes() const = 0;
  // Why there are no classes, as a clause. REQUIRES: there are none.
  virtual std::string why_not_alike() const { return "no two processes are alike"; }
  // Returns the number of a renaming. Equal renamings have equal numbers, so that doors can keep what they computed.
  virtual std::uint32_t renaming(std::span<const std::uint32_t> to) const = 0;
  // Returns the value that slot to[slot] has after the renaming, if `slot` had `value` before it.
  virtual Slot renamed(std::uint32_t slot, Slot value, std::uint32_t renaming) const = 0;
  // Returns false if no value of this slot mentions a member.
  virtual bool mentions_members(std::uint32_t slot) const = 0;
  // Returns a fingerprint of the content in which all members of a class look alike. For every slot s of a
  // member that the content mentions, sets marks[s] to a fingerprint, not zero, of the content as seen from
  // that member: only that member looks different in it. Renaming changes neither: with value' =
  // renamed(slot, value, r) the result is the same, and marks'[to[s]] == marks[s]. REQUIRES: marks has an
  // entry for each slot of a state, all zero.
  virtual std::uint64_t fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const = 0;

  // Returns the renamed state. REQUIRES: `to` is a permutation of the slots of `state`.
  SlotVector permute(std::span<const Slot> state, std::span<const std::uint32_t> to) const {
    assert(to.size() == state.size());
    const std::uint32_t number = renaming(to);
    SlotVector out(state.size());
    for (std::uint32_t s = 0; s < out.size(); ++s) {
      assert(to[s] < out.size());
      out[to[s]] = renamed(s, state[s], number);
    }
    return out;
  }
};

}  // namespace heddle
