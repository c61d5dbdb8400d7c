// Combines the repairs of executions one after the other, and keeps the minimal ones.
#include "explain/repair_oracle.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace heddle::explain {

CombinedRepairs combined(std::span<const std::vector<Repair>> per_execution, const CodeBlocks& blocks, std::size_t most,
                         const std::function<bool()>& go_on) {
  CombinedRepairs out;
  out.repairs.emplace_back();
  // Executions with the same repairs count once. Those with few come first: they keep the product small.
  const std::set<std::vector<Repair>> distinct(per_execution.begin(), per_execution.end());
  std::vector<const std::vector<Repair>*> factors;
  for (const std::vector<Repair>& one : distinct) factors.push_back(&one);
  std::ranges::stable_sort(factors, {}, [](const auto* one) { return one->size(); });
  for (const std::vector<Repair>* factor : factors) {
    std::vector<Repair> next;
    for (const Repair& so_far : out.repairs) {
      for (const Repair& more : *factor) {
        if (go_on && !go_on()) {
          out.complete = false;
          return out;
        }
        Repair both = so_far;
        both.insert(both.end(), more.begin(), more.end());
        blocks.normalise(both);
        blocks.add_minimal(next, std::move(both));
      }
    }
    if (next.size() > most) {
      next.resize(most);
      out.complete = false;
    }
    out.repairs = std::move(next);
  }
  std::ranges::sort(out.repairs);
  return out;
}

std::vector<RankedRepair> ranked(std::span<const Repair> repairs, std::span<const ConflictGraph> good,
                                 const CodeBlocks& blocks) {
  std::vector<RankedRepair> out;
  for (const Repair& repair : repairs) {
    const auto excluded =
        std::ranges::count_if(good, [&](const ConflictGraph& g) { return excludes(blocks, repair, g); });
    out.push_back({repair, static_cast<std::size_t>(excluded), blocks.statements_in(repair), 1});
  }
  const auto cost = [](const RankedRepair& one) {
    return std::tuple(one.excluded_good, one.statements, one.repair.size());
  };
  std::ranges::stable_sort(out, {}, cost);
  for (std::size_t i = 1; i < out.size(); ++i) {
    out[i].rank = cost(out[i]) == cost(out[i - 1]) ? out[i - 1].rank : static_cast<std::uint32_t>(i + 1);
  }
  return out;
}

}  // namespace heddle::explain
