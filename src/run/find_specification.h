// Finds the specification that a user means.
#pragma once

#include <string>

#include "check/recorded_history.h"
#include "check/specification.h"

namespace heddle::run {

// Finds a specification by its name, by an alias, or by the name of a .cpp file (heddle/specification.h). Throws
// UsageError, with the closest names, if there is none.
const Specification& specification_named(const std::string& name);

// Returns the specifications that have all operations of a history, "register or cas_register"; empty if none has.
std::string fitting_specifications(const RecordedHistory& history);

}  // namespace heddle::run
