// Decides whether a history of operations is linearizable (Herlihy and Wing 1990) to a sequential specification.
//
// Every operation must be placed at one instant between its invocation and its return so that the results are those of
// the specification. The search is Wing and Gong's, with Lowe's memoisation of (operations placed, object state): at
// each point it tries every operation whose real-time predecessors are all placed. Operations without a return may be
// placed or left out.
// Histories of a model are short, and there are very many: 2 to 4 clients with 1 to 4 operations each, as byte strings.
// The search of wgl.h is made for long recorded histories. On short ones its set-up alone takes 1.5 to 11 times as long
// as this whole search; hence two searches.
// Thread-safe: no state.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct HistoryOperation {
  std::string operation;
  std::string result;
  bool returned = false;
  // For every client: how many of its operations had returned when this one was invoked.
  std::vector<std::uint32_t> completed_before;
};

// Operations of each client, in program order.
using History = std::vector<std::vector<HistoryOperation>>;

struct SequentialSpecification {
  std::string initial;
  // Returns the result of `operation` in `state` and changes `state` to the state after it.
  std::function<std::string(std::string& state, std::string_view operation)> apply;
};

bool is_linearizable(const History& history, const SequentialSpecification& specification);

}  // namespace heddle
