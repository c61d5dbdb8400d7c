#include "check/transactions/open_versions.h"

#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace heddle::transactions {
namespace {

using Steps = std::vector<CycleStep>;

constexpr std::size_t most_visits_while_searching = 20'000;
constexpr std::size_t most_versions_behind_the_first = 64;

// A cycle with exactly one rw edge. What a transaction depends on is searched from those that overwrote what it has
// read, within a strongly connected component: elsewhere there is no cycle.
class OneAntiDependency {
 public:
  OneAntiDependency(const Digraph& graph, const Components& components, const Dependencies& dependencies,
                    std::size_t most_visits)
      : graph_(graph),
        components_(components),
        transactions_(dependencies.transactions()),
        passes_(dependencies.passes()),
        left_(most_visits),
        seen_(graph.nodes(), never),
        depth_(graph.nodes()),
        parent_(graph.nodes()),
        kind_(graph.nodes()) {}

  // Returns false if the visits did not suffice to say that there is none.
  bool find(const std::vector<std::vector<std::uint32_t>>& cyclic) {
    for (const auto& members : cyclic) {
      for (const std::uint32_t node : members) {
        if (node >= transactions_) continue;
        if (!from(node)) return !best_.empty();
        if (best_length_ <= 2) return true;
      }
    }
    return true;
  }
  const Cycle& best() const { return best_; }

 private:
  bool is_anti_pass(std::uint32_t node) const { return node >= transactions_ && node < transactions_ + passes_; }

  // Looks for a transaction that is reached from `start` without rw, and of which `start` has overwritten something.
  bool from(std::uint32_t start) {
    // Whether there is such an edge at all is said by the edges into it, which are not stored; so all are tried.
    std::vector<std::uint32_t> layer = {start}, next;
    seen_[start] = start;
    depth_[start] = 0;
    while (!layer.empty()) {
      next.clear();
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const std::uint32_t node = layer[i];
        for (const Edge edge : graph_.from(node)) {
          if (left_ == 0) return false;
          --left_;
          if (components_.of[edge.to] != components_.of[start]) continue;
          if (edge.kind() == Dependency::ReadWrite) {
            if (node != start && depth_[node] + 1 < best_length_ && leads_to(edge.to, start))
              take(start, node, edge.to);
            continue;
          }
          if (is_anti_pass(edge.to) || seen_[edge.to] == start) continue;
          const bool counts = edge.kind() != Dependency::Pass;
          if (depth_[node] + 2 >= best_length_) continue;
          seen_[edge.to] = start;
          depth_[edge.to] = depth_[node] + (counts ? 1 : 0);
          parent_[edge.to] = node;
          kind_[edge.to] = edge.kind();
          (counts ? next : layer).push_back(edge.to);
        }
      }
      layer.swap(next);
    }
    return true;
  }

  bool leads_to(std::uint32_t node, std::uint32_t start) const {
    if (node == start) return true;
    return is_anti_pass(node) &&
           std::ranges::any_of(graph_.from(node), [&](const Edge edge) { return edge.to == start; });
  }

  void take(std::uint32_t start, std::uint32_t last, std::uint32_t over) {
    best_ = {};
    best_length_ = depth_[last] + 1;
    if (over != start) {
      best_.nodes.push_back(over);
      best_.kinds.push_back(Dependency::Pass);
    }
    best_.kinds.push_back(Dependency::ReadWrite);
    for (std::uint32_t node = last; node != start; node = parent_[node]) {
      best_.nodes.push_back(node);
      best_.kinds.push_back(kind_[node]);
    }
    best_.nodes.push_back(start);
    std::ranges::reverse(best_.nodes);
    std::ranges::reverse(best_.kinds);
  }

  const Digraph& graph_;
  const Components& components_;
  const std::uint32_t transactions_, passes_;
  std::size_t left_;
  std::vector<std::uint32_t> seen_, depth_, parent_;
  std::vector<Dependency> kind_;
  Cycle best_;
  std::uint32_t best_length_ = never;
};

// A pair of versions that was decided, and which others were to blame when its first order failed.
struct Decision {
  OpenPair pair;
  bool is_second = false;
  std::vector<std::size_t> blamed;
};

class Search {
 public:
  Search(const TransactionHistory& history, Dependencies& dependencies, const OpenSearchOptions& options)
      : history_(history), dependencies_(dependencies), options_(options) {
    const auto n = dependencies.transactions();
    for (std::uint32_t t = 0; t < n; ++t) {
      const Transaction& one = history.transactions[t];
      const std::uint32_t end = one.returned != never ? one.returned : one.invoked != never ? one.invoked : t;
      end_rank_.push_back(end);
      start_rank_.push_back(one.invoked != never ? one.invoked : end);
    }
    for (std::uint32_t i = 0; i < dependencies.open_keys().size(); ++i) {
      const OpenKey& open = dependencies.open_keys()[i];
      original_.push_back(open.writers);
      if (open_of_key_.size() <= open.key) open_of_key_.resize(open.key + 1, never);
      open_of_key_[open.key] = i;
    }
    open_of_key_.resize(history.keys(), never);
    if (history.workload == Workload::Register) find_updates();
  }

  OpenSearchResult run() {
    // Without any choice first: what is found here needs no assumption.
    if (auto cycle = evaluate(); !cycle.empty() || gave_up_) {
      if (gave_up_) return std::move(result_);
      result_.answer = OpenSearchResult::Answer::Violated;
      result_.cycle = std::move(cycle);
      return std::move(result_);
    }
    if (!dependencies_.has_open_pairs()) return holds();
    for (;;) {
      ++result_.steps;
      if (result_.steps > options_.most_steps || (options_.budget != nullptr && !options_.budget->check(0)))
        return std::move(result_);
      Steps cycle = evaluate();
      if (gave_up_) return std::move(result_);
      std::vector<OpenPair> used;
      more_.clear();
      if (cycle.empty()) {
        choose_rest();
        wants_more_ = true;
        cycle = evaluate();
        wants_more_ = false;
        if (gave_up_) {
          restore();
          return std::move(result_);
        }
        if (cycle.empty()) {
          OpenSearchResult out = holds();
          restore();
          return out;
        }
        used = pairs_of(cycle);
        bool decided = decide_one_of(used);
        // Cycles elsewhere in the history say as much.
        for (Steps& other : more_) decided = decide_one_of(pairs_of(other)) || decided;
        restore();
        if (decided) continue;
      } else {
        used = pairs_of(cycle);
      }
      std::vector<std::size_t> blamed;
      for (const OpenPair& pair : used) blamed.push_back(*index_of(pair));
      if (result_.cases.size() < 4) result_.cases.push_back(cycle);
      if (!back_from(std::move(blamed))) {
        result_.answer = OpenSearchResult::Answer::Violated;
        return std::move(result_);
      }
    }
  }

 private:
  Dependencies::Wanted wanted() const {
    return {.respects = options_.level.respects,
            .first_updater = options_.level.isolation != Isolation::Serializable,
            .pairs = pairs_,
            .rivals = rivals_};
  }

  // Who has read a register and overwritten it stands right behind what it has read, at all of these levels: another
  // version in between would be an rw and a path of ww back. So that order is known, and two of them are a
  // contradiction.
  void find_updates() {
    for (std::uint32_t index = 0; index < original_.size(); ++index) {
      // The same of the initial value. Of many versions the forced edges say enough.
      const OpenKey& open = dependencies_.open_keys()[index];
      if (open.writers.size() > most_versions_behind_the_first) continue;
      const auto first = std::ranges::find_if(
          open.writers, [&](std::uint32_t t) { return std::ranges::binary_search(open.readers, t); });
      if (first == open.writers.end()) continue;
      for (const std::uint32_t other : open.writers) {
        if (other == *first) continue;
        pairs_.push_back({index, *first, other});
        known_.insert(key_of(pairs_.back()));
      }
    }
    std::vector<std::uint32_t> updater(history_.elements(), never);
    for (std::uint32_t t = 0; t < dependencies_.transactions(); ++t) {
      if (dependencies_.counted()[t] == 0) continue;
      for (const TransactionOperation& op : history_.operations_of(t)) {
        if (op.action != TransactionAction::Read || op.what == nothing || history_.writer(op.what) == t) continue;
        const std::uint32_t index = open_of_key_[op.key], writer = history_.writer(op.what);
        if (index == never || !is_open(index, t) || !is_open(index, writer)) continue;
        const OpenPair pair{index, writer, t};
        if (updater[op.what] == t) continue;
        if (updater[op.what] == never) {
          updater[op.what] = t;
        } else {
          rivals_.push_back({index, updater[op.what], t});
          rivals_.push_back({index, t, updater[op.what]});
        }
        pairs_.push_back(pair);
        known_.insert(key_of(pair));
      }
    }
  }
  static std::pair<std::uint64_t, std::uint32_t> key_of(const OpenPair& pair) {
    return {std::uint64_t{pair.open} << 32 | pair.first, pair.second};
  }

  void decide(const OpenPair& pair) {
    decided_.emplace(key_of(pair), decisions_.size());
    decisions_.push_back({pair, false, {}});
    pairs_.push_back(pair);
  }

  // Tries the other order of a pair that is not decided yet: of the two that were closest in time. Returns false if
  // there is none.
  bool decide_one_of(const std::vector<OpenPair>& used) {
    const OpenPair* best = nullptr;
    const auto distance = [this](const OpenPair& pair) {
      const std::uint32_t a = end_rank_[pair.first], b = end_rank_[pair.second];
      return a > b ? a - b : b - a;
    };
    for (const OpenPair& pair : used) {
      if (index_of(pair) || index_of({pair.open, pair.second, pair.first})) continue;
      if (best == nullptr || distance(pair) < distance(*best)) best = &pair;
    }
    if (best == nullptr) return false;
    decide({best->open, best->second, best->first});
    return true;
  }

  std::optional<std::size_t> index_of(const OpenPair& pair) const {
    const auto it = decided_.find(key_of(pair));
    if (it == decided_.end()) return std::nullopt;
    return it->second;
  }

  // Goes back to the latest decision that is to blame. Returns false if there is none.
  bool back_from(std::vector<std::size_t> blamed) {
    for (;;) {
      if (blamed.empty()) return false;
      std::ranges::sort(blamed);
      blamed.erase(std::ranges::unique(blamed).begin(), blamed.end());
      const std::size_t latest = blamed.back();
      blamed.pop_back();
      while (decisions_.size() > latest + 1) forget_latest();
      Decision& decision = decisions_.back();
      if (!decision.is_second) {
        decision.is_second = true;
        decision.blamed = std::move(blamed);
        decided_.erase(key_of(decision.pair));
        std::swap(decision.pair.first, decision.pair.second);
        decided_.emplace(key_of(decision.pair), latest);
        pairs_.back() = decision.pair;
        return true;
      }
      blamed.insert(blamed.end(), decision.blamed.begin(), decision.blamed.end());
      forget_latest();
    }
  }
  void forget_latest() {
    decided_.erase(key_of(decisions_.back().pair));
    decisions_.pop_back();
    pairs_.pop_back();
  }

  // Returns a cycle that the level forbids with the open versions as they are; none if there is none. Keeps an order.
  Steps evaluate() {
    if (options_.level.isolation == Isolation::RepeatableRead) return evaluate_one_anti();
    const bool events = options_.level.isolation == Isolation::SnapshotIsolation;
    const Digraph graph = events ? dependencies_.event_graph(wanted()) : dependencies_.graph(wanted());
    const Components parts = components(graph);
    if (!parts.has_cycle()) {
      keep_order(graph, parts, events);
      return {};
    }
    const std::vector<std::vector<std::uint32_t>> cyclic = cyclic_components(parts);
    if (!wants_more_)
      return steps_of(shortest_cycle(graph, parts, cyclic, options_.most_visits), dependencies_, events);
    for (const auto& one : cyclic) {
      // Any short cycle will do: it only says what to try next.
      more_.push_back(
          steps_of(shortest_cycle(graph, parts, {one}, most_visits_while_searching), dependencies_, events));
    }
    Steps first = std::move(more_.back());
    more_.pop_back();
    return first;
  }

  Steps evaluate_one_anti() {
    Dependencies::Wanted without = wanted();
    without.anti = false;
    const Digraph plain = dependencies_.graph(without);
    const Components plain_parts = components(plain);
    if (plain_parts.has_cycle()) {
      return steps_of(shortest_cycle(plain, plain_parts, cyclic_components(plain_parts), options_.most_visits),
                      dependencies_, false);
    }
    const Digraph graph = dependencies_.graph(wanted());
    const Components parts = components(graph);
    if (parts.has_cycle()) {
      OneAntiDependency search(graph, parts, dependencies_, options_.most_visits * 4);
      if (!search.find(cyclic_components(parts))) {
        gave_up_ = true;
        return {};
      }
      if (!search.best().empty()) return steps_of(search.best(), dependencies_, false);
    }
    keep_order(plain, plain_parts, false);
    return {};
  }

  void keep_order(const Digraph& graph, const Components& parts, bool events) {
    const std::uint32_t n = dependencies_.transactions();
    // Close to the order of the file where there is something to choose.
    std::vector<std::uint32_t> order;
    if (dependencies_.open_keys().empty() && options_.level.isolation != Isolation::RepeatableRead) {
      order = parts.order;
    } else {
      std::vector<std::uint32_t> rank(graph.nodes(), 0);
      for (std::uint32_t t = 0; t < n; ++t) {
        const std::size_t first = events ? std::size_t{2} * t : t;
        if (events) rank[first] = start_rank_[t];
        rank[events ? first + 1 : first] = end_rank_[t];
      }
      order = topological_order(graph, rank);
    }
    result_.order.clear();
    for (const std::uint32_t node : order) {
      const std::uint32_t t = events ? node >> 1 : node;
      if (t < n && dependencies_.counted()[t] != 0) result_.order.push_back(node);
    }
  }

  // Puts the open versions of every key into the order that was kept.
  void choose_rest() {
    const bool events = options_.level.isolation == Isolation::SnapshotIsolation;
    std::vector<std::uint32_t> place(dependencies_.transactions(), 0);
    for (std::uint32_t i = 0; i < result_.order.size(); ++i) {
      const std::uint32_t node = result_.order[i];
      if (!events || (node & 1) != 0) place[events ? node >> 1 : node] = i;
    }
    for (OpenKey& open : dependencies_.open_keys()) {
      std::ranges::sort(open.writers, {}, [&](std::uint32_t t) { return place[t]; });
      open.chosen = true;
    }
  }
  void restore() {
    for (std::size_t i = 0; i < original_.size(); ++i) {
      dependencies_.open_keys()[i].writers = original_[i];
      dependencies_.open_keys()[i].chosen = false;
    }
  }

  // The pairs of open versions that a cycle rests on; marks the steps that do.
  std::vector<OpenPair> pairs_of(Steps& cycle) const {
    std::vector<OpenPair> out;
    for (CycleStep& step : cycle) {
      if (const auto pair = pair_of(step)) {
        step.assumed = true;
        if (std::ranges::find(out, *pair) == out.end()) out.push_back(*pair);
      }
    }
    return out;
  }

  std::optional<OpenPair> pair_of(const CycleStep& step) const {
    if (step.kind != Dependency::WriteWrite && step.kind != Dependency::ReadWrite) return std::nullopt;
    std::optional<OpenPair> found;
    const bool lists = history_.workload == Workload::ListAppend;
    for (const TransactionOperation& op : history_.operations_of(step.from)) {
      const std::uint32_t index = open_of_key_[op.key];
      if (step.kind == Dependency::WriteWrite) {
        if (op.action != TransactionAction::Write) continue;
        if (lists && is_seen(step, op)) return std::nullopt;
        if (index == never || !is_open(index, step.from) || !is_open(index, step.to)) continue;
        if (known_.contains(key_of({index, step.from, step.to}))) return std::nullopt;
        prefer(found, {index, step.from, step.to});
      } else {
        if (op.action != TransactionAction::Read || index == never) {
          if (op.action == TransactionAction::Read && lists && overwrites(step, op)) return std::nullopt;
          continue;
        }
        if (lists) {
          return std::nullopt;  // what comes behind a list that was read is never a matter of choice
        }
        if (!is_open(index, step.to)) continue;
        if (op.what == nothing) return std::nullopt;
        const std::uint32_t writer = history_.writer(op.what);
        if (known_.contains(key_of({index, writer, step.to}))) return std::nullopt;
        if (writer != step.to && is_open(index, writer)) prefer(found, {index, writer, step.to});
      }
    }
    return found;
  }

  // Prefers what has been decided, and then neighbours: only they have an edge.
  void prefer(std::optional<OpenPair>& found, const OpenPair& pair) const {
    if (index_of(pair)) {
      if (!found || !index_of(*found)) found = pair;
      return;
    }
    const OpenKey& open = dependencies_.open_keys()[pair.open];
    if (!open.chosen || found) return;
    const auto at = std::ranges::find(open.writers, pair.first);
    if (at != open.writers.end() && at + 1 != open.writers.end() && at[1] == pair.second) found = pair;
  }

  bool is_open(std::uint32_t index, std::uint32_t transaction) const {
    return std::ranges::binary_search(original_[index], transaction);
  }

  // True if the order of what both have appended to the key was seen.
  bool is_seen(const CycleStep& step, const TransactionOperation& op) const {
    const std::uint32_t place = history_.position(op.what);
    const std::vector<std::uint32_t>& order = history_.order(op.key);
    if (place == never) return false;
    if (place + 1 < order.size()) return history_.writer(order[place + 1]) == step.to;
    const std::uint32_t index = open_of_key_[op.key];
    return index != never && is_open(index, step.to);
  }
  bool overwrites(const CycleStep& step, const TransactionOperation& read) const {
    const std::vector<std::uint32_t>& order = history_.order(read.key);
    return read.what < order.size() && history_.writer(order[read.what]) == step.to;
  }

  OpenSearchResult holds() {
    result_.answer = OpenSearchResult::Answer::Holds;
    return std::move(result_);
  }

  const TransactionHistory& history_;
  Dependencies& dependencies_;
  const OpenSearchOptions& options_;
  std::vector<std::uint32_t> start_rank_, end_rank_, open_of_key_;
  std::vector<std::vector<std::uint32_t>> original_;
  std::vector<Decision> decisions_;
  boost::unordered_flat_map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> decided_;  // where in decisions_
  std::vector<OpenPair> pairs_;   // that are known, and those of the decisions
  std::vector<OpenPair> rivals_;  // both have overwritten what both have read
  boost::unordered_flat_set<std::pair<std::uint64_t, std::uint32_t>> known_;
  OpenSearchResult result_;
  std::vector<Steps> more_;  // further cycles, if they are wanted
  bool wants_more_ = false, gave_up_ = false;
};

}  // namespace

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
  return Search(history, dependencies, options).run();
}

}  // namespace heddle::transactions
