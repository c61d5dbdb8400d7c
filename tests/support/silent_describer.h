// A describer for doors of tests that have nothing to say to people.
#pragma once

#include "core/facets/describer.h"

namespace heddle::testing {

class SilentDescriber : public Describer {
 public:
  std::vector<trace::Lane> lanes() const override { return {}; }
  trace::Step describe_step(std::span<const Slot>, Step, std::span<const Slot>) const override { return {}; }
  std::vector<trace::Field> describe_state(std::span<const Slot>) const override { return {}; }
  std::vector<trace::Field> describe_property(std::size_t, std::span<const Slot>) const override { return {}; }
  Coverage coverage(std::span<const std::uint64_t>, bool) const override { return {}; }
};

}  // namespace heddle::testing
