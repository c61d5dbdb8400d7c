// Which registers of a function matter later: live variables, by backward data flow. What is only used to compute what
// does not matter does not matter (faint variables: Giegerich, Moencke, Wilhelm 1981).
//
// A thread rests before an operation that touches memory or calls an external, and a frame waits at a call. Only the
// registers that are live there are part of the state; all others may hold anything, and tidy() makes them 0.
//
// Storage: the sets are lists of registers, each distinct one is kept once.
// Thread-safe: constant after construction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "native/image.h"

namespace heddle::native {

class Liveness {
 public:
  using Set = std::span<const std::uint32_t>;  // registers, ascending

  // `all_live`: nothing is forgotten; for tests that must not depend on what is.
  explicit Liveness(const Image& image, bool all_live = false);

  // The registers that are live while a frame of `function` is at operation `at`: before it, if a thread may rest
  // there; after it without its result, if it is a Call or CallIndirect. None: a frame never rests there.
  std::optional<Set> live(std::uint32_t function, std::uint32_t at) const {
    const std::uint32_t number = numbers_[function][at];
    if (number == none) return std::nullopt;
    return Set(registers_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
  }

 private:
  std::vector<std::vector<std::uint32_t>> numbers_;  // of function and operation: the set, or none
  std::vector<std::uint32_t> starts_;                // set -> its part of registers_
  std::vector<std::uint32_t> registers_;
};

}  // namespace heddle::native
