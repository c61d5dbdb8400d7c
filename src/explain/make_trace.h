// Turns the engine's path (numbers) into the trace that a person reads: every step described, the values before and
// after, and the values that made the property false.
//
// Thread-safe: only reads. The caller adds what the engine does not know: model, parameters, bug, options.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/trace.h"
#include "explore/search.h"

namespace heddle::explain {

// Returns the states of a path. Throws ModelError if the path cannot be followed; a path of an engine can, unless a
// handler is not a pure function.
std::vector<SlotVector> states_of(const TransitionSystem& system, const Path& path);

// `property` is the property that the path violates or, for `sometimes`, reaches; nullopt for a run that shows
// nothing in particular. `states` are those of the path; where they are not given, states_of finds them.
trace::Trace make_trace(const TransitionSystem& system, const Path& path, std::span<const SlotVector> states,
                        std::optional<std::size_t> property);
trace::Trace make_trace(const TransitionSystem& system, const Path& path, std::optional<std::size_t> property);

}  // namespace heddle::explain
