// Place/transition nets as the user names them: the smallest door (net/).
#pragma once

#include "run/doors.h"

namespace heddle::run {

// The file is read when the net is settled, once for all systems that are built of it. Throws nothing.
Source open_net(const Given& given);

}  // namespace heddle::run
