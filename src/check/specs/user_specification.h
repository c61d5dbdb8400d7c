// Specifications that users write as C++ structs (heddle/specification.h), behind the interface of the library's own.
//
// A function of the user's runs once for each object state and distinct call: its outcome is remembered.
// Thread-safe like every Specification.
#pragma once

#include <memory>
#include <vector>

#include "check/specification.h"
#include "heddle/specification.h"

namespace heddle {

std::unique_ptr<Specification> make_user_specification(detail::UserSpecificationInfo info);

// Those that files registered since the last call.
std::vector<detail::UserSpecificationInfo> take_registered_specifications();

}  // namespace heddle
