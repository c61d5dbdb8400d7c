// Prints a net in the .net text format. It is the inverse of parse_net, and turns PNML into a file that one can edit
// and add properties to. REQUIRES: the net is valid (see validate); then parse_net(to_text(net)) == net. Thread-safe.
#pragma once

#include <string>

#include "net/net.h"

namespace heddle::net {

std::string to_text(const Net& net);

}  // namespace heddle::net
