// Specifications that users write as C++ structs (heddle/specification.h), behind the same interface as the library's.
//
// A user's function runs once for each object state and distinct call: its outcome is remembered.
// Thread-safe like every Specification.
#pragma once

#include <memory>
#include <vector>

#include "check/specification.h"
#include "heddle/specification.h"

namespace heddle {

std::unique_ptr<Specification> make_user_specification(detail::UserSpecificationInfo info);

// Returns the specifications that files registered since the last call.
std::vector<detail::UserSpecificationInfo> take_registered_specifications();

}  // namespace heddle
