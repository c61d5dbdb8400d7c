// Facet: processes that are alike.
//
// A renaming exchanges members of classes: what is in slot s moves to slot to[s], and every mention of the member in the contents of
// slots follows. Renamings that the classes do not generate are not asked for; slots outside of classes stay where they are, but
// may mention members. Whether the classes are justified is found out by a search (facets/assumptions.h).
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/step_buffer.h"

namespace heddle {

// Processes that may be renamed among each other, in every way, without changing the system (a scalarset). A member is the
// list of its slots: one, or several that move together; all members have as many, in corresponding order.
struct SymmetryClass {
  std::string name;
  std::vector<std::vector<std::uint32_t>> members;
};

class Symmetries {
 public:
  virtual ~Symmetries() = default;
  // None: no symmetry is known.
  virtual std::vector<SymmetryClass> symmetry_classes() const = 0;
  // Equal renamings have equal numbers, so that doors can keep what they computed.
  virtual std::uint32_t renaming(std::span<const std::uint32_t> to) const = 0;
  // The value slot to[slot] has after the renaming, if `slot` had `value` before it.
  virtual Slot renamed(std::uint32_t slot, Slot value, std::uint32_t renaming) const = 0;
  // False if no value of this slot mentions a member.
  virtual bool mentions_members(std::uint32_t slot) const = 0;
  // Returns a fingerprint of the content in which all members of a class look alike. Sets marks[s], zero before, for every
  // slot s of a member the content mentions: a fingerprint, not zero, of the content as seen from there, in which only that
  // member looks different. Renaming changes neither: with value' = renamed(slot, value, r) the result is the same, and
  // marks'[to[s]] == marks[s]. marks has room for the slots of a state.
  virtual std::uint64_t fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const = 0;

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
