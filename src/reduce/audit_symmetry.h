// Audits whether the system behaves alike in renamed states. Role ids have neither order nor arithmetic, so it should.
// But a handler can name a member by its position (Model::id<Role>(0)), rely on which message of a quorum comes first,
// or iterate over members in order, and a property can single out a member. Each of these makes symmetry reduction
// unsound.
//
//   SymmetryAudit audit = audit_symmetry(*system, {.seconds = 60});
//   if (!audit.witness.empty()) ...
//
// Explores the system in full, without reduction. Compares every state with its image under every exchange of two
// neighbours of a class (these generate the group): the same properties must be true, and the successors must be the
// same up to renaming.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/budget.h"
#include "core/transition_system.h"
#include "explore/reduction.h"

namespace heddle {

struct SymmetryAudit {
  bool complete = false;          // every reachable state was looked at, or a witness was found
  std::uint64_t states = 0;       // looked at
  std::uint64_t comparisons = 0;  // states times exchanges
  std::string witness;            // what is not symmetric, the two states, the step; empty: nothing found
};

SymmetryAudit audit_symmetry(const TransitionSystem& system, const Limits& limits = {});

// Compares two states of one orbit. Returns which property or which step tells them apart, as text, or nullopt if none
// does. Successors are compared by their representatives.
std::optional<std::string> difference(const TransitionSystem& system, Canonicalizer& canonicalizer,
                                      std::span<const Slot> one, std::span<const Slot> other);

}  // namespace heddle
