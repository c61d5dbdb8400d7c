// Which specification a user means. The one place that looks.
#pragma once

#include <string>

#include "check/recorded_history.h"
#include "check/specification.h"

namespace heddle::run {

// By name, or another name it goes by, or that of a .cpp file (heddle/specification.h). Throws UsageError, with the closest names, if there is none.
const Specification& specification_named(const std::string& name);

// "register or cas_register": those that have all operations of a history; empty if none has.
std::string fitting_specifications(const RecordedHistory& history);

}  // namespace heddle::run
