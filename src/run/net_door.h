// The door to place/transition nets (net/), the smallest one.
#pragma once

#include "run/doors.h"

namespace heddle::run {

// Does not read the file and throws nothing. The file is read when the source is settled, once for all systems that are
// built from that instance.
Source open_net(const Given& given);

}  // namespace heddle::run
