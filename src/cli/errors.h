// What can go wrong before or beside a search; run/errors.h says when.
#pragma once

#include "run/errors.h"

namespace heddle::cli {

using run::Interrupted;
using run::UsageError;

}  // namespace heddle::cli
