// The relations between the transitions of a place/transition net, for partial order reduction.
//
//   can_enable   t adds tokens to an input of u
//   dependent    t takes tokens from an input of u, or u from an input of t; symmetric, since adding tokens commutes
//   net          u is the only transition that adds tokens to some input of t
#pragma once

#include "core/relations.h"
#include "net/net.h"

namespace heddle::net {

Relations relations_of(const Net& net);

// Returns for each place the only transition that adds tokens to it; nobody if there is none or several.
inline constexpr std::uint32_t nobody = ~std::uint32_t{0};
std::vector<std::uint32_t> only_fillers(const Net& net);

}  // namespace heddle::net
