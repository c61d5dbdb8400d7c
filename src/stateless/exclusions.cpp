// Walks the graph of receives in full and by the exclusions, and compares the sets of histories.
#include "stateless/exclusions.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/facets/histories.h"

namespace heddle::schedule {
namespace {

// Visits every state once and notes how it was first reached.
class Reachable {
 public:
  struct Step {
    Node from = 0;
    std::uint32_t name = 0;
  };

  // `eager`: where an excluded message can be received, nothing else is received. Returns false if a budget ran out.
  bool explore(ReceiveGraph& graph, bool eager, Budget& budget) {
    std::vector<Node> waiting;
    const auto visit = [&](Node node, Step step) {
      if (node >= seen_.size()) seen_.resize(node + node / 2 + 64, false);
      if (seen_[node]) return;
      seen_[node] = true;
      if (node >= reached_.size()) reached_.resize(seen_.size());
      reached_[node] = step;
      waiting.push_back(node);
    };
    visit(graph.initial(), {});
    for (std::size_t count = 1; !waiting.empty(); ++count) {
      const Node node = waiting.back();
      waiting.pop_back();
      const auto receives = graph.receives(node);
      const auto excluded = std::ranges::find_if(receives, &Receive::excluded);
      any_excluded_ |= excluded != receives.end();
      if (receives.empty()) last_.try_emplace(graph.history(node), node);
      if (eager && excluded != receives.end()) {
        visit(excluded->target, {node, excluded->name});
      } else {
        for (const Receive& r : receives) visit(r.target, {node, r.name});
      }
      if (count % 1024 == 0 && !budget.check(graph.bytes() + graph.system().bytes())) return false;
    }
    return true;
  }

  bool any_excluded() const { return any_excluded_; }
  // Returns for every history one state that it ends in.
  const std::map<Slot, Node>& last() const { return last_; }

  Path path(ReceiveGraph& graph, Node node) const {
    std::vector<Step> back;
    for (; node != graph.initial(); node = reached_[node].from) back.push_back(reached_[node]);
    Path path;
    path.steps.assign(graph.initial_steps().begin(), graph.initial_steps().end());
    for (auto it = back.rbegin(); it != back.rend(); ++it) {
      const auto steps = graph.steps(*graph.find(it->from, it->name));
      path.steps.insert(path.steps.end(), steps.begin(), steps.end());
    }
    return path;
  }

 private:
  std::vector<bool> seen_;
  std::vector<Step> reached_;
  std::map<Slot, Node> last_;
  bool any_excluded_ = false;
};

}  // namespace

ExclusionReport verify_exclusions(ReceiveGraph& graph, const Limits& limits) {
  ExclusionReport report;
  Budget budget(limits);
  Reachable all, eager;
  report.complete = all.explore(graph, false, budget) && eager.explore(graph, true, budget);
  report.any = all.any_excluded();
  report.histories = all.last().size();
  if (!report.complete) {
    report.stopped_by = budget.reason();
    return report;
  }
  const std::uint64_t which = history_properties_of(graph.system());
  for (const auto& [history, node] : all.last()) {
    if (eager.last().contains(history)) continue;
    ++report.lost;
    const bool violates = (graph.system().evaluate(graph.state(node), which) & which) != which;
    report.lost_violations += violates ? 1 : 0;
    if (report.witness && (report.witness_violates || !violates)) continue;
    report.witness = all.path(graph, node);
    report.witness_violates = violates;
  }
  return report;
}

}  // namespace heddle::schedule
