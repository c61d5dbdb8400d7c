// The errors of run/errors.h, under the names that commands use.
#pragma once

#include "run/errors.h"

namespace heddle::cli {

using run::ComponentError;
using run::Interrupted;
using run::UsageError;

}  // namespace heddle::cli
