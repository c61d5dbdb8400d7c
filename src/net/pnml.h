// Reads place/transition nets in PNML, the exchange format of ISO/IEC 15909-2, with pugixml.
//
// It reads net type ptnet, pages nested up to 100 levels deep, places with initialMarking, transitions, arcs
// with inscription, and reference places and transitions. Parallel arcs add up. A node is called by its
// <name> if that is unique among its kind, otherwise by its id. It skips what the standard gives no meaning:
// names of nets and pages, graphics, toolspecific. Everything else (other net types, inhibitor and other arc
// types, capacities) is an error that names it: a net must never be checked with half of its meaning. PNML
// has no properties; print the net with to_text and add some.
//
// Mistakes are ModelErrors "file:line:column: what is wrong; what to do". Thread-safe: nothing is shared
// between calls.
#pragma once

#include <string>
#include <string_view>

#include "net/net.h"

namespace heddle::net {

// `file` is only used in messages.
Net parse_pnml(std::string_view text, const std::string& file);

}  // namespace heddle::net
