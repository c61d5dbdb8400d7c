// Prints a net in the .net text format: the inverse of parse_net, and the way from PNML to a file one can edit and give
// properties. Requires a valid net (see validate); then parse_net(to_text(net)) == net. Thread-safe.
#pragma once

#include <string>

#include "net/net.h"

namespace heddle::net {

std::string to_text(const Net& net);

}  // namespace heddle::net
