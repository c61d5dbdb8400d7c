// Shows a run beside its abstract object: a table step | call | object before | object after, and one sentence that
// says which call was rejected, by which clause and why.
//
// An object that is a Quorum Tree (an array of nodes with round, parent, value and status) is drawn as a tree; any
// other is shown as a value. In DOT for Graphviz, added nodes are green, ghosts red with a double border, committed
// nodes blue and thick.
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace heddle::report {

// Empty if no step of the trace is a call.
std::string refinement_table(const trace::Trace& trace, int width, bool ascii);

// "qtree rejects commit(1): not-ADDED (P4): round 1 is a ghost". Empty if the trace does not explain a rejected call.
std::string rejection(const trace::Trace& trace, bool ascii);

// Calls that belong together, where they come from, and the object before and after them as JSON.
struct CallRow {
  std::string place;
  std::vector<trace::Call> calls;
  std::string before, after;
};
// `places` is the heading of the first column. REQUIRES: the places of the rows are printable.
std::string call_table(std::string_view name, std::string_view places, const std::vector<CallRow>& calls, int width,
                       bool ascii);

// Returns the lines of a tree given as JSON; one line for a value that is not a tree.
std::vector<std::string> object_lines(std::string_view json, bool ascii);

// The object at the end of the trace. If a call was rejected, it is the object before that call, which is drawn dashed.
std::string tree_dot(const trace::Trace& trace);
// The same for a tree given as JSON; `rejected` is empty if no call was rejected.
std::string tree_dot(std::string_view json, std::string_view rejected, std::string_view clause);

}  // namespace heddle::report
