// The search for one small history: depth first over the operations placed and the object's state, each pair once.
#include "check/linearizability.h"

#include <set>
#include <utility>

namespace heddle {
namespace {

class LinearizationSearch {
 public:
  LinearizationSearch(const History& history, const SequentialSpecification& specification)
      : history_(history), specification_(specification), placed_(history.size(), 0) {}

  bool run(const std::string& state) {
    if (complete()) return true;
    if (!seen_.emplace(placed_, state).second) return false;
    for (std::size_t client = 0; client < history_.size(); ++client) {
      if (placed_[client] == history_[client].size()) continue;
      const HistoryOperation& next = history_[client][placed_[client]];
      if (!predecessors_placed(client, next)) continue;
      std::string after = state;
      const std::string result = specification_.apply(after, next.operation);
      if (next.returned && result != next.result) continue;
      ++placed_[client];
      const bool found = run(after);
      --placed_[client];
      if (found) return true;
    }
    return false;
  }

 private:
  // A pending operation need not have taken effect.
  bool complete() const {
    for (std::size_t client = 0; client < history_.size(); ++client) {
      for (std::size_t i = placed_[client]; i < history_[client].size(); ++i) {
        if (history_[client][i].returned) return false;
      }
    }
    return true;
  }

  bool predecessors_placed(std::size_t client, const HistoryOperation& operation) const {
    for (std::size_t other = 0; other < operation.completed_before.size(); ++other) {
      if (other != client && placed_[other] < operation.completed_before[other]) return false;
    }
    return true;
  }

  const History& history_;
  const SequentialSpecification& specification_;
  std::vector<std::size_t> placed_;
  std::set<std::pair<std::vector<std::size_t>, std::string>> seen_;
};

}  // namespace

bool is_linearizable(const History& history, const SequentialSpecification& specification) {
  return LinearizationSearch(history, specification).run(specification.initial);
}

}  // namespace heddle
