// Every counter of a search is declared once, in the table below. The struct, the progress line, the closing
// line and the JSON are made from it.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

// X(name, what it counts)
#define HEDDLE_COUNTERS(X)                                             \
  X(states, "distinct states stored")                                  \
  X(transitions, "steps executed, those to known states included")     \
  X(left_out, "steps a reduction made unnecessary")                    \
  X(deadlocks, "states without any step")                              \
  X(depth, "longest distance from an initial state that was reached")  \
  X(queue, "states stored but not yet expanded")                       \
  X(walks, "random walks finished")                                    \
  X(nodes, "states visited without a store, again each time")          \
  X(pushes, "frames pushed by a depth-first search")                   \
  X(stack, "most frames on the stack of a depth-first search")         \
  X(cut_off, "states not continued because of a depth limit or bound") \
  X(store_bytes, "memory of the visited set and the tree of slots")    \
  X(door_bytes, "memory of interned contents and memoised handlers")

struct Counters {
#define HEDDLE_DECLARE(name, text) std::uint64_t name = 0;
  HEDDLE_COUNTERS(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

  // Calls f(name, text, value) for every counter.
  template <class F>
  void for_each(F&& f) const {
#define HEDDLE_VISIT(name, text) f(std::string_view(#name), std::string_view(text), name);
    HEDDLE_COUNTERS(HEDDLE_VISIT)
#undef HEDDLE_VISIT
  }
};

}  // namespace heddle
