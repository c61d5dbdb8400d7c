// Tells Mazurkiewicz traces of executions apart: executions that differ only in the order of independent actions have
// the same hash.
//
// A trace is known by its Foata normal form, in which every action stands on the lowest level above all that it depends
// on. The hash is a sum over actions with their levels. An action counts with its thread, invocation, instance and
// accesses. Calls and returns count only where the order of real time does.
// Pure function.
#pragma once

#include <array>
#include <cstdint>

#include "explain/conflict_graph.h"

namespace heddle::explain {

// 128 bits: two traces of the same hash are taken for one.
using TraceHash = std::array<std::uint64_t, 2>;

TraceHash trace_hash(const ConflictGraph& graph);

}  // namespace heddle::explain
