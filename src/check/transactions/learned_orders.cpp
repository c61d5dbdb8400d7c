// What is learned from the cycles of an order that was tried: that the other order of a pair of versions is impossible,
// with the cycle that it would close, or else a clause over pairs.
#include <algorithm>
#include <utility>

#include "check/transactions/version_search.h"

namespace heddle::transactions {
namespace {

constexpr std::size_t most_visits_of_a_proof = 4'000;
constexpr std::size_t most_visits_of_proofs = 4'000'000;  // in one step
constexpr std::size_t most_cases = 4;                     // that are shown

}  // namespace

void VersionSearch::learn(std::vector<Steps>& cycles) {
  visits_left_ = most_visits_of_proofs;
  const bool all_chosen = dependencies_.open_keys().front().chosen;
  for (Steps& steps : cycles) {
    Assuming cycle{std::move(steps), {}};
    for (CycleStep& step : cycle.steps) cycle.pairs.push_back(derive(step));
    std::optional<Assuming> shorter = without_detours(cycle);
    if (shorter) learn(*shorter);
    // If the pair of a detour is not chosen, the longer clause is the one that says that a choice was wrong.
    if (!shorter || !all_chosen) learn(cycle);
  }
  for (Clause& one : new_clauses_) {
    choices_.add(one.literals);
    if (leans_on_time_) clauses_.push_back(std::move(one));
  }
  new_clauses_.clear();
}

void VersionSearch::learn(Assuming& cycle) {
  std::vector<OpenPair> assumed = distinct(cycle);
  if (assumed.size() > 1) {
    for (const OpenPair& pair : assumed) {
      if (prove(reversed(pair))) infer(pair);
      if (prove(pair)) infer(reversed(pair));
    }
    settle(cycle);
    assumed = distinct(cycle);
  }
  if (assumed.empty()) return;  // what is known has a cycle now
  if (assumed.size() == 1) {
    proof_ = cycle.steps;
    infer(reversed(assumed.front()));
    return;
  }
  // First the order of those that were closest in time is changed.
  const auto distance = [this](const OpenPair& pair) {
    const std::uint32_t a = end_rank_[pair.first], b = end_rank_[pair.second];
    return a > b ? a - b : b - a;
  };
  std::ranges::stable_sort(assumed, {}, distance);
  if (result_.cases.size() < most_cases) result_.cases.push_back(cycle.steps);
  std::vector<Choices::Literal> clause;
  for (const OpenPair& pair : assumed) clause.push_back(literal(reversed(pair)));
  new_clauses_.push_back({std::move(clause), leans_on_time_ ? ends_of_time(cycle.steps) : Ends{}});
}

std::vector<OpenPair> VersionSearch::distinct(const Assuming& cycle) {
  std::vector<OpenPair> out;
  for (const auto& pair : cycle.pairs) {
    if (pair && std::ranges::find(out, *pair) == out.end()) out.push_back(*pair);
  }
  return out;
}

// Steps from version to version of one key are one step: from the first to the last. But with snapshots whoever
// overwrites what was read commits before later writers start, which the step to the last does not say. Returns none
// if there is nothing to do.
std::optional<VersionSearch::Assuming> VersionSearch::without_detours(const Assuming& cycle) const {
  const std::size_t n = cycle.steps.size();
  const auto goes_on = [&](std::size_t i) {  // step i goes on with the key of the one before
    const auto& before = cycle.pairs[(i + n - 1) % n];
    const auto& pair = cycle.pairs[i];
    return before && pair && before->open == pair->open && cycle.steps[i].kind == Dependency::WriteWrite;
  };
  std::size_t begin = 0;
  while (begin < n && goes_on(begin)) ++begin;
  if (begin == n) return std::nullopt;
  Assuming out;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = (begin + k) % n;
    const bool apart = events_ && !out.steps.empty() && out.steps.back().kind == Dependency::ReadWrite;
    if (k > 0 && goes_on(i) && !apart && out.pairs.back() && out.steps.back().from != cycle.steps[i].to &&
        out.pairs.back()->first != cycle.pairs[i]->second) {
      out.steps.back().to = cycle.steps[i].to;
      out.pairs.back()->second = cycle.pairs[i]->second;
    } else {
      out.steps.push_back(cycle.steps[i]);
      out.pairs.push_back(cycle.pairs[i]);
    }
  }
  if (out.steps.size() == n) return std::nullopt;
  settle(out);
  const std::vector<OpenPair> all = distinct(out);
  const auto is_contradicted = [&](const OpenPair& pair) {
    return std::ranges::find(all, reversed(pair)) != all.end();
  };
  if (std::ranges::any_of(all, is_contradicted)) return std::nullopt;
  return out;
}

// Takes note of pairs whose order is known by now.
void VersionSearch::settle(Assuming& cycle) const {
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    auto& pair = cycle.pairs[i];
    if (!pair) continue;
    const auto at = inferred_at_.find(key_of(*pair));
    if (at != inferred_at_.end()) cycle.steps[i].inferred = at->second;
    if (at == inferred_at_.end() && !seen_.contains(key_of(*pair))) continue;
    cycle.steps[i].assumed = false;
    pair.reset();
  }
}

// From now on the order of this pair is known; `proof_` is the cycle that the other one closes.
void VersionSearch::infer(const OpenPair& pair) {
  if (seen_.contains(key_of(pair))) return;
  if (!inferred_at_.emplace(key_of(pair), static_cast<std::uint32_t>(inferred_.size())).second) return;
  inferred_.push_back({dependencies_.open_keys()[pair.open].key, pair.first, pair.second, proof_});
  ends_of_inferred_.push_back(leans_on_time_ ? ends_of_time(proof_) : Ends{});
  if (variables_.contains(key_of(pair.first < pair.second ? pair : reversed(pair))))
    new_clauses_.push_back({{literal(pair)}, ends_of_inferred_.back()});
}

// Says whether this order closes a cycle of what is known: then that is `proof_`. May say no although it does.
bool VersionSearch::prove(const OpenPair& pair) {
  if (seen_.contains(key_of(pair)) || !tried_.insert(key_of(pair)).second) return false;
  const std::uint32_t first = pair.first, second = pair.second;
  targets_.clear();
  targets_.emplace(events_ ? 2 * first + 1 : first, Dependency::WriteWrite);
  if (events_ && lead(pair, 2 * second)) return true;
  if (events_) targets_.clear();
  if (!lists_) {
    for (const std::uint32_t reader : dependencies_.readers_of(dependencies_.open_keys()[pair.open].key, first)) {
      if (reader != second) targets_.emplace(events_ ? 2 * reader : reader, Dependency::ReadWrite);
    }
  }
  return lead(pair, events_ ? 2 * second + 1 : second);
}

// Looks for a path of what is known from a node to one of the targets.
bool VersionSearch::lead(const OpenPair& pair, std::uint32_t source) {
  std::uint32_t last = 0;
  for (const auto& [node, kind] : targets_) last = std::max(last, known_place_[node]);
  if (targets_.empty() || known_place_[source] > last) return false;
  ++visit_;
  std::size_t left = std::min(most_visits_of_a_proof, visits_left_);
  queue_ = {source};
  visited_[source] = visit_;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t node = queue_[i];
    if (const auto at = targets_.find(node); at != targets_.end()) {
      keep_proof(pair, source, node, at->second);
      return true;
    }
    for (const Edge edge : known_graph_->from(node)) {
      if (left == 0) return false;
      --left;
      --visits_left_;
      if (visited_[edge.to] == visit_ || known_place_[edge.to] > last) continue;
      visited_[edge.to] = visit_;
      parent_[edge.to] = node;
      kind_[edge.to] = edge.kind();
      queue_.push_back(edge.to);
    }
  }
  return false;
}

void VersionSearch::keep_proof(const OpenPair& pair, std::uint32_t source, std::uint32_t target, Dependency closing) {
  Cycle cycle;
  cycle.kinds.push_back(closing);
  for (std::uint32_t node = target; node != source; node = parent_[node]) {
    cycle.nodes.push_back(node);
    cycle.kinds.push_back(kind_[node]);
  }
  cycle.nodes.push_back(source);
  std::ranges::reverse(cycle.nodes);
  std::ranges::reverse(cycle.kinds);
  proof_ = steps_of(cycle, dependencies_, events_);
  const std::uint32_t from = events_ ? target >> 1 : target;
  for (CycleStep& step : proof_) {
    if (step.from == from && step.to == pair.second && step.kind == closing) {
      step.assumed = true;
      step.key = dependencies_.open_keys()[pair.open].key;
    } else {
      derive(step);
    }
  }
}

Choices::Literal VersionSearch::literal_of(std::uint32_t variable, const OpenPair& pair) {
  return pair.first < pair.second ? Choices::yes(variable) : Choices::no(variable);
}

Choices::Literal VersionSearch::literal(const OpenPair& pair) {
  const OpenPair ascending = pair.first < pair.second ? pair : reversed(pair);
  const auto [at, is_new] = variables_.emplace(key_of(ascending), static_cast<std::uint32_t>(pairs_of_.size()));
  if (is_new) {
    pairs_of_.push_back(ascending);
    choices_.variable();
  }
  return literal_of(at->second, pair);
}

OpenPair VersionSearch::pair_of(Choices::Literal literal) const {
  const OpenPair& pair = pairs_of_[literal >> 1];
  return (literal & 1) == 0 ? pair : reversed(pair);
}

}  // namespace heddle::transactions
