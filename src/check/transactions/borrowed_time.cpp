// Real time orders most of what is open. A search that need not respect it begins as if it had to; here it lets go of the
// time that leads to cycles.
#include <algorithm>
#include <numeric>
#include <utility>

#include "check/transactions/version_search.h"

namespace heddle::transactions {

// The transactions whose time, or session, a cycle and what it rests on use although the level does not ask for it.
VersionSearch::Ends VersionSearch::ends_of_time(const Steps& cycle) const {
  Ends out;
  for (const CycleStep& step : cycle) {
    const bool is_time = step.kind == Dependency::RealTime;
    if (is_time || (step.kind == Dependency::Session && options_.level.respects == Respects::Nothing)) {
      out.push_back(step.from);
      out.push_back(step.to);
    }
    if (step.inferred == never) continue;
    out.insert(out.end(), ends_of_inferred_[step.inferred].begin(), ends_of_inferred_[step.inferred].end());
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

// Returns false if one of the cycles uses no such time.
bool VersionSearch::let_go_of_time(const std::vector<Steps>& cycles) {
  Ends ends;
  for (const Steps& cycle : cycles) {
    const Ends mine = ends_of_time(cycle);
    if (mine.empty()) return false;
    ends.insert(ends.end(), mine.begin(), mine.end());
  }
  free_of_time(ends);
  return true;
}

// The level is violated without time: what is left to do is to find the shortest cycle.
void VersionSearch::forget_time() {
  Ends all(dependencies_.transactions());
  std::iota(all.begin(), all.end(), 0U);
  free_of_time(all);
  leans_on_time_ = false;
}

bool VersionSearch::let_go_of_time_in_clauses() {
  Ends ends;
  for (const Clause& one : clauses_) ends.insert(ends.end(), one.ends.begin(), one.ends.end());
  for (const Ends& one : ends_of_inferred_) ends.insert(ends.end(), one.begin(), one.end());
  if (ends.empty()) return false;
  free_of_time(ends);
  return true;
}

// Forgets all that rests on the time of these, and of others: what is true will be found again.
void VersionSearch::free_of_time(const Ends& ends) {
  timeless_.resize(dependencies_.transactions(), 0);
  for (const std::uint32_t t : ends) timeless_[t] = 1;
  std::vector<InferredOrder> inferred;
  std::vector<Ends> none;
  std::vector<std::uint32_t> number(inferred_.size(), never);
  const auto renumbered = [&](Steps& steps) {
    for (CycleStep& step : steps) step.inferred = step.inferred == never ? never : number[step.inferred];
  };
  inferred_at_.clear();
  pairs_.resize(seen_count_);
  for (std::uint32_t i = 0; i < inferred_.size(); ++i) {
    if (!ends_of_inferred_[i].empty()) continue;
    number[i] = static_cast<std::uint32_t>(inferred.size());
    inferred.push_back(std::move(inferred_[i]));
    renumbered(inferred.back().cycle);
    none.emplace_back();
    pairs_.push_back(pair_of(inferred.back()));
    inferred_at_.emplace(key_of(pairs_.back()), number[i]);
  }
  inferred_ = std::move(inferred);
  ends_of_inferred_ = std::move(none);
  known_ = pairs_.size();
  choices_ = {};
  for (std::size_t i = 0; i < pairs_of_.size(); ++i) choices_.variable();
  std::erase_if(clauses_, [](const Clause& one) { return !one.ends.empty(); });
  for (const Clause& one : clauses_) choices_.add(one.literals);
  result_.cases.clear();
}

}  // namespace heddle::transactions
