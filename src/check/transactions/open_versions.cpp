#include "check/transactions/open_versions.h"

#include <algorithm>
#include <utility>

#include "check/transactions/one_anti_dependency.h"
#include "check/transactions/version_search.h"

namespace heddle::transactions {
namespace {

constexpr std::size_t most_visits_for_short_cycles = 3'000'000;
constexpr std::size_t most_versions_behind_the_first = 64;

}  // namespace

VersionSearch::VersionSearch(const TransactionHistory& history, Dependencies& dependencies,
                             const OpenSearchOptions& options)
    : history_(history),
      dependencies_(dependencies),
      options_(options),
      events_(options.level.isolation == Isolation::SnapshotIsolation),
      lists_(history.workload == Workload::ListAppend),
      leans_on_time_(options.level.respects != Respects::RealTime && history.has_invocations &&
                     dependencies.has_open_pairs()) {
  const auto n = dependencies.transactions();
  for (std::uint32_t t = 0; t < n; ++t) {
    const Transaction& one = history.transactions[t];
    const std::uint32_t end = one.returned != never ? one.returned : one.invoked != never ? one.invoked : t;
    end_rank_.push_back(end);
    start_rank_.push_back(one.invoked != never ? one.invoked : end);
  }
  open_of_key_.resize(history.keys(), never);
  for (std::uint32_t i = 0; i < dependencies.open_keys().size(); ++i) {
    const OpenKey& open = dependencies.open_keys()[i];
    original_.push_back(open.writers);
    open_of_key_[open.key] = i;
  }
  if (!lists_) find_updates();
}

OpenSearchResult VersionSearch::run() {
  for (bool known_is_new = true;;) {
    ++result_.steps;
    if (result_.steps > options_.most_steps || (options_.budget != nullptr && !options_.budget->check(0))) return end();
    if (known_is_new) {
      std::vector<Steps> cycles = look_at_known();
      if (gave_up_) return end();
      if (!cycles.empty()) {
        if (leans_on_time_) {
          if (!let_go_of_time(cycles)) forget_time();
          continue;
        }
        return violated(std::move(cycles.front()));
      }
      if (!dependencies_.has_open_pairs()) return holds();
    }
    const std::size_t inferred = inferred_.size();
    if (!choices_.solve()) {
      if (!leans_on_time_ || !let_go_of_time_in_clauses()) return no_order();
      known_is_new = true;
      continue;
    }
    order_ = known_order_;
    for (const Choices::Literal literal : choices_.chosen()) {
      if (!inferred_at_.contains(key_of(pair_of(literal)))) pairs_.push_back(pair_of(literal));
    }
    std::vector<Steps> cycles;
    if (pairs_.size() > known_) cycles = evaluate();
    if (cycles.empty() && !gave_up_) {
      choose_rest();
      cycles = evaluate();
      if (cycles.empty() && !gave_up_) {
        restore();
        return holds();
      }
    }
    if (gave_up_) {
      restore();
      return end();
    }
    learn(cycles);
    restore();
    pairs_.resize(known_);
    for (std::size_t i = inferred; i < inferred_.size(); ++i) pairs_.push_back(pair_of(inferred_[i]));
    known_ = pairs_.size();
    known_is_new = inferred_.size() > inferred;
  }
}

Dependencies::Wanted VersionSearch::wanted() const {
  return {.respects = leans_on_time_ ? Respects::RealTime : options_.level.respects,
          .first_updater = options_.level.isolation != Isolation::Serializable,
          .pairs = pairs_,
          .rivals = rivals_,
          .timeless = timeless_,
          .free_of_sessions = options_.level.respects == Respects::Nothing};
}

// Who has read a register and overwritten it stands right behind what it has read, at all of these levels: another
// version in between would be an rw and a path of ww back. So that order is known, and two of them are a
// contradiction.
void VersionSearch::find_updates() {
  for (std::uint32_t index = 0; index < original_.size(); ++index) {
    // The same of the initial value. Of many versions the forced edges say enough.
    const OpenKey& open = dependencies_.open_keys()[index];
    if (open.writers.size() > most_versions_behind_the_first) continue;
    const auto first = std::ranges::find_if(
        open.writers, [&](std::uint32_t t) { return std::ranges::binary_search(open.readers, t); });
    if (first == open.writers.end()) continue;
    for (const std::uint32_t other : open.writers) {
      if (other != *first) see({index, *first, other});
    }
  }
  std::vector<std::uint32_t> updater(history_.elements(), never);
  for (std::uint32_t t = 0; t < dependencies_.transactions(); ++t) {
    if (dependencies_.counted()[t] == 0) continue;
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action != TransactionAction::Read || op.what == nothing || history_.writer(op.what) == t) continue;
      const std::uint32_t index = open_of_key_[op.key], writer = history_.writer(op.what);
      if (index == never || !is_open(index, t) || !is_open(index, writer)) continue;
      if (updater[op.what] == t) continue;
      if (updater[op.what] == never) {
        updater[op.what] = t;
      } else {
        rivals_.push_back({index, updater[op.what], t});
        rivals_.push_back({index, t, updater[op.what]});
      }
      see({index, writer, t});
    }
  }
  known_ = seen_count_ = pairs_.size();
}

void VersionSearch::see(const OpenPair& pair) {
  pairs_.push_back(pair);
  seen_.insert(key_of(pair));
}

// ---- graphs -----------------------------------------------------------------------------------------------------------

// Returns cycles of what is known: the shortest, or several if some may use time. If there is none, keeps the graph
// and an order.
std::vector<VersionSearch::Steps> VersionSearch::look_at_known() {
  const bool one_anti = options_.level.isolation == Isolation::RepeatableRead;
  Dependencies::Wanted all = wanted();
  all.anti = !one_anti;
  known_graph_.emplace(events_ ? dependencies_.event_graph(all) : dependencies_.graph(all));
  const Components parts = components(*known_graph_);
  if (parts.has_cycle()) {
    const auto cyclic = cyclic_components(parts);
    if (leans_on_time_) return explained(short_cycles(*known_graph_, parts, cyclic, most_visits_for_short_cycles));
    return explained({shortest_cycle(*known_graph_, parts, cyclic, options_.most_visits)});
  }
  if (one_anti) {
    const Digraph graph = dependencies_.graph(wanted());
    const Components with_anti = components(graph);
    if (with_anti.has_cycle()) {
      OneAntiDependency search(graph, with_anti, dependencies_, options_.most_visits * 4);
      if (leans_on_time_) {
        const std::vector<Cycle> found = search.several(cyclic_components(with_anti));
        gave_up_ = found.empty() && search.left() == 0;
        if (gave_up_ || !found.empty()) return explained(found);
      } else {
        gave_up_ = !search.find(cyclic_components(with_anti));
        if (gave_up_ || !search.best().empty()) return explained({search.best()});
      }
    }
  }
  const std::vector<std::uint32_t> order = keep_order(*known_graph_);
  known_order_ = order_;
  known_place_.resize(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) known_place_[order[i]] = i;
  visited_.assign(known_graph_->nodes(), 0);
  parent_.resize(known_graph_->nodes());
  kind_.resize(known_graph_->nodes());
  tried_.clear();
  return {};
}

std::vector<VersionSearch::Steps> VersionSearch::explained(const std::vector<Cycle>& cycles) const {
  std::vector<Steps> out;
  for (const Cycle& cycle : cycles) {
    if (cycle.empty()) continue;
    out.push_back(steps_of(cycle, dependencies_, events_));
    for (CycleStep& step : out.back()) derive(step);
  }
  return out;
}

// Returns cycles that the level forbids with the open versions as they are; none if there is none. Keeps an order.
std::vector<VersionSearch::Steps> VersionSearch::evaluate() {
  std::vector<Cycle> found;
  if (options_.level.isolation == Isolation::RepeatableRead) {
    found = evaluate_one_anti();
  } else {
    const Digraph graph = events_ ? dependencies_.event_graph(wanted()) : dependencies_.graph(wanted());
    const Components parts = components(graph);
    if (!parts.has_cycle()) {
      keep_order(graph);
      return {};
    }
    found = short_cycles(graph, parts, cyclic_components(parts), most_visits_for_short_cycles);
  }
  std::vector<Steps> out;
  for (const Cycle& cycle : found) out.push_back(steps_of(cycle, dependencies_, events_));
  return out;
}

std::vector<Cycle> VersionSearch::evaluate_one_anti() {
  Dependencies::Wanted without = wanted();
  without.anti = false;
  const Digraph plain = dependencies_.graph(without);
  const Components plain_parts = components(plain);
  if (plain_parts.has_cycle())
    return short_cycles(plain, plain_parts, cyclic_components(plain_parts), most_visits_for_short_cycles);
  const Digraph graph = dependencies_.graph(wanted());
  const Components parts = components(graph);
  if (parts.has_cycle()) {
    OneAntiDependency search(graph, parts, dependencies_, options_.most_visits * 4);
    std::vector<Cycle> found = search.several(cyclic_components(parts));
    gave_up_ = found.empty() && search.left() == 0;
    if (gave_up_ || !found.empty()) return found;
  }
  keep_order(plain);
  return {};
}

// Keeps an order that is close to that of the file where there is something to choose. Returns that of all nodes.
std::vector<std::uint32_t> VersionSearch::keep_order(const Digraph& graph) {
  const std::uint32_t n = dependencies_.transactions();
  std::vector<std::uint32_t> rank(graph.nodes(), 0);
  for (std::uint32_t t = 0; t < n; ++t) {
    const std::size_t first = events_ ? std::size_t{2} * t : t;
    if (events_) rank[first] = start_rank_[t];
    rank[events_ ? first + 1 : first] = end_rank_[t];
  }
  std::vector<std::uint32_t> order = topological_order(graph, rank);
  order_.clear();
  for (const std::uint32_t node : order) {
    const std::uint32_t t = events_ ? node >> 1 : node;
    if (t < n && dependencies_.counted()[t] != 0) order_.push_back(node);
  }
  return order;
}

// Puts the open versions of every key into the order that was kept.
void VersionSearch::choose_rest() {
  place_.assign(dependencies_.transactions(), 0);
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t node = order_[i];
    if (!events_ || (node & 1) != 0) place_[events_ ? node >> 1 : node] = i;
  }
  for (OpenKey& open : dependencies_.open_keys()) {
    std::ranges::sort(open.writers, {}, [&](std::uint32_t t) { return place_[t]; });
    open.chosen = true;
  }
}

void VersionSearch::restore() {
  for (std::size_t i = 0; i < original_.size(); ++i) {
    if (dependencies_.open_keys()[i].chosen) dependencies_.open_keys()[i].writers = original_[i];
    dependencies_.open_keys()[i].chosen = false;
  }
}

// ---- answers ----------------------------------------------------------------------------------------------------------

OpenSearchResult VersionSearch::holds() {
  result_.answer = OpenSearchResult::Answer::Holds;
  result_.order = std::move(order_);
  result_.in_time = leans_on_time_ && timeless_.empty();
  return end();
}

OpenSearchResult VersionSearch::violated(Steps cycle) {
  result_.answer = OpenSearchResult::Answer::Violated;
  result_.cycle = std::move(cycle);
  result_.cases.clear();
  keep_inferred(result_.cycle);
  return end();
}

OpenSearchResult VersionSearch::no_order() {
  result_.answer = OpenSearchResult::Answer::Violated;
  for (Steps& one : result_.cases) keep_inferred(one);
  return end();
}

// Keeps what a cycle rests on, and what that rests on, and gives it new numbers.
void VersionSearch::keep_inferred(Steps& cycle) {
  renumber(cycle);
  for (; kept_ < result_.inferred.size(); ++kept_) {
    Steps steps = std::move(result_.inferred[kept_].cycle);
    renumber(steps);
    result_.inferred[kept_].cycle = std::move(steps);
  }
}

void VersionSearch::renumber(Steps& cycle) {
  for (CycleStep& step : cycle) {
    if (step.inferred == never) continue;
    const auto [at, is_new] = number_.emplace(step.inferred, static_cast<std::uint32_t>(result_.inferred.size()));
    if (is_new) result_.inferred.push_back(inferred_[step.inferred]);
    step.inferred = at->second;
  }
}

std::vector<CycleStep> steps_of(const Cycle& cycle, const Dependencies& dependencies, bool events) {
  const std::uint32_t n = dependencies.transactions();
  const std::uint32_t limit = events ? 2 * n : n;
  const std::size_t length = cycle.nodes.size();
  const auto is_transaction = [&](std::size_t i) { return cycle.nodes[i % length] < limit; };
  const auto transaction = [&](std::size_t i) {
    const std::uint32_t node = cycle.nodes[i % length];
    return events ? node >> 1 : node;
  };
  std::size_t begin = 0;
  while (!is_transaction(begin)) ++begin;
  std::vector<CycleStep> out;
  for (std::size_t i = begin; i < begin + length;) {
    std::size_t end = i + 1;
    while (!is_transaction(end)) ++end;
    if (transaction(i) != transaction(end)) out.push_back({transaction(i), transaction(end), cycle.kinds[i % length]});
    i = end;
  }
  return out;
}

OpenSearchResult search_versions(const TransactionHistory& history, Dependencies& dependencies,
                                 const OpenSearchOptions& options) {
  return VersionSearch(history, dependencies, options).run();
}

}  // namespace heddle::transactions
