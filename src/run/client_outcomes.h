// The outcomes that clients of a harness may have: those of the same program with whole calls made one at a time. The
// specification of a data structure is what its own code does when nobody interferes.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/budget.h"
#include "native/system.h"

namespace heddle::run {

// Returns for each client of `options` its outcomes (System::outcome). Throws Stopped if a limit ends the search.
std::vector<std::set<std::string>> sequential_outcomes(const std::shared_ptr<const native::Image>& image,
                                                       native::SystemOptions options, const Limits& limits = {});

}  // namespace heddle::run
