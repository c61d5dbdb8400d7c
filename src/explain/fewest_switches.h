// Makes a run of threads easy to read: as few context switches as possible.
//
// A search breadth first finds runs with few steps. Such a run may go back and forth between threads for no reason. The
// first technique is a second search: Dijkstra's, over pairs of a state and the thread that has run last, where a
// switch costs more than any number of steps. If there are too many states for that, the second joins blocks of steps
// of one thread where the finding still shows.
// Deterministic: the order of expand() decides between equals.
#pragma once

#include "explain/walk.h"

namespace heddle::explain {

// Replaces the walk by one with the fewest switches and, among these, the fewest steps. Returns false and leaves the
// walk alone if that takes more than `states` pairs, or more effort than is left.
bool find_fewest_switches(const Workshop& shop, Walk& walk, std::size_t states);

// Moves blocks of consecutive steps of a thread next to an earlier or later block of the same thread, as long as that
// lowers the cost. Returns whether it has.
bool join_blocks(const Workshop& shop, Walk& original);

}  // namespace heddle::explain
