#include "check/transactions/open_versions.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "check/transactions/choices.h"
#include "check/transactions/one_anti_dependency.h"

namespace heddle::transactions {
namespace {

using Steps = std::vector<CycleStep>;

constexpr std::size_t most_visits_for_short_cycles = 3'000'000;
constexpr std::size_t most_visits_of_a_proof = 4'000;
constexpr std::size_t most_visits_of_proofs = 4'000'000;  // in one step
constexpr std::size_t most_versions_behind_the_first = 64;
constexpr std::size_t most_cases = 4;  // that are shown

class Search {
 public:
  Search(const TransactionHistory& history, Dependencies& dependencies, const OpenSearchOptions& options)
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

  OpenSearchResult run() {
    for (bool known_is_new = true;;) {
      ++result_.steps;
      if (result_.steps > options_.most_steps || (options_.budget != nullptr && !options_.budget->check(0)))
        return end();
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

 private:
  using Ends = std::vector<std::uint32_t>;  // transactions
  struct Clause {
    std::vector<Choices::Literal> literals;
    Ends ends;  // as in ends_of_time
  };
  using PairKey = std::pair<std::uint64_t, std::uint32_t>;
  static PairKey key_of(const OpenPair& pair) { return {std::uint64_t{pair.open} << 32 | pair.first, pair.second}; }
  static OpenPair reversed(const OpenPair& pair) { return {pair.open, pair.second, pair.first}; }
  OpenPair pair_of(const InferredOrder& one) const { return {open_of_key_[one.key], one.first, one.second}; }

  Dependencies::Wanted wanted() const {
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
  void find_updates() {
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
  void see(const OpenPair& pair) {
    pairs_.push_back(pair);
    seen_.insert(key_of(pair));
  }

  // ---- graphs -------------------------------------------------------------------------------------------------------

  // Returns cycles of what is known: the shortest, or several if some may use time. If there is none, keeps the graph
  // and an order.
  std::vector<Steps> look_at_known() {
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
  std::vector<Steps> explained(const std::vector<Cycle>& cycles) const {
    std::vector<Steps> out;
    for (const Cycle& cycle : cycles) {
      if (cycle.empty()) continue;
      out.push_back(steps_of(cycle, dependencies_, events_));
      for (CycleStep& step : out.back()) derive(step);
    }
    return out;
  }

  // Returns cycles that the level forbids with the open versions as they are; none if there is none. Keeps an order.
  std::vector<Steps> evaluate() {
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

  std::vector<Cycle> evaluate_one_anti() {
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
  std::vector<std::uint32_t> keep_order(const Digraph& graph) {
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
  void choose_rest() {
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
  void restore() {
    for (std::size_t i = 0; i < original_.size(); ++i) {
      if (dependencies_.open_keys()[i].chosen) dependencies_.open_keys()[i].writers = original_[i];
      dependencies_.open_keys()[i].chosen = false;
    }
  }

  // ---- what edges rest on -------------------------------------------------------------------------------------------

  // Says of a step which key it is about, whether its order is inferred, and which pair it assumes, if it does.
  std::optional<OpenPair> derive(CycleStep& step) const {
    step.assumed = false;
    step.key = step.inferred = never;
    if (step.kind != Dependency::WriteWrite && step.kind != Dependency::ReadWrite) return std::nullopt;
    std::optional<OpenPair> found;
    std::uint32_t inferred = never;
    for (const TransactionOperation& op : history_.operations_of(step.from)) {
      const std::uint32_t index = open_of_key_[op.key];
      OpenPair pair{index, step.from, step.to};
      if (step.kind == Dependency::WriteWrite) {
        if (op.action != TransactionAction::Write) continue;
        if (lists_ && is_seen(step, op)) return std::nullopt;
        if (index == never || !is_open(index, step.from) || !is_open(index, step.to)) continue;
      } else {
        if (op.action != TransactionAction::Read) continue;
        if (lists_) {  // what comes behind a list that was read is never a matter of choice
          if (index != never || overwrites(step, op)) return std::nullopt;
          continue;
        }
        if (index == never || !is_open(index, step.to)) continue;
        if (op.what == nothing) {
          step.key = op.key;
          return std::nullopt;
        }
        pair.first = history_.writer(op.what);
        if (pair.first == step.to || !is_open(index, pair.first)) continue;
      }
      if (seen_.contains(key_of(pair))) {
        step.key = op.key;
        step.inferred = never;
        return std::nullopt;
      }
      if (const auto at = inferred_at_.find(key_of(pair)); at != inferred_at_.end()) {
        inferred = std::min(inferred, at->second);
        step.key = inferred == at->second ? op.key : step.key;
      } else if (!found || !is_decided(*found)) {
        if (is_decided(pair) || are_neighbours(pair)) found = pair;
      }
    }
    if (inferred != never) {
      step.inferred = inferred;
      return std::nullopt;
    }
    if (!found) return std::nullopt;
    step.assumed = true;
    step.key = dependencies_.open_keys()[found->open].key;
    return found;
  }

  bool is_decided(const OpenPair& pair) const {
    const auto at = variables_.find(key_of(pair.first < pair.second ? pair : reversed(pair)));
    return at != variables_.end() && choices_.is_chosen(literal_of(at->second, pair));
  }
  // Only neighbours have an edge where the order was chosen.
  bool are_neighbours(const OpenPair& pair) const {
    const OpenKey& open = dependencies_.open_keys()[pair.open];
    if (!open.chosen) return false;
    const auto at =
        std::ranges::lower_bound(open.writers, place_[pair.first], {}, [this](std::uint32_t t) { return place_[t]; });
    return at != open.writers.end() && at + 1 != open.writers.end() && at[1] == pair.second;
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

  // ---- learning -----------------------------------------------------------------------------------------------------

  // A cycle with the pair that each of its steps assumes.
  struct Assuming {
    Steps steps;
    std::vector<std::optional<OpenPair>> pairs;
  };

  void learn(std::vector<Steps>& cycles) {
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

  void learn(Assuming& cycle) {
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

  static std::vector<OpenPair> distinct(const Assuming& cycle) {
    std::vector<OpenPair> out;
    for (const auto& pair : cycle.pairs) {
      if (pair && std::ranges::find(out, *pair) == out.end()) out.push_back(*pair);
    }
    return out;
  }

  // Steps from version to version of one key are one step: from the first to the last. But with snapshots whoever
  // overwrites what was read commits before later writers start, which the step to the last does not say. Returns none
  // if there is nothing to do.
  std::optional<Assuming> without_detours(const Assuming& cycle) const {
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
  void settle(Assuming& cycle) const {
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
  void infer(const OpenPair& pair) {
    if (seen_.contains(key_of(pair))) return;
    if (!inferred_at_.emplace(key_of(pair), static_cast<std::uint32_t>(inferred_.size())).second) return;
    inferred_.push_back({dependencies_.open_keys()[pair.open].key, pair.first, pair.second, proof_});
    ends_of_inferred_.push_back(leans_on_time_ ? ends_of_time(proof_) : Ends{});
    if (variables_.contains(key_of(pair.first < pair.second ? pair : reversed(pair))))
      new_clauses_.push_back({{literal(pair)}, ends_of_inferred_.back()});
  }

  // Says whether this order closes a cycle of what is known: then that is `proof_`. May say no although it does.
  bool prove(const OpenPair& pair) {
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
  bool lead(const OpenPair& pair, std::uint32_t source) {
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

  void keep_proof(const OpenPair& pair, std::uint32_t source, std::uint32_t target, Dependency closing) {
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

  static Choices::Literal literal_of(std::uint32_t variable, const OpenPair& pair) {
    return pair.first < pair.second ? Choices::yes(variable) : Choices::no(variable);
  }
  Choices::Literal literal(const OpenPair& pair) {
    const OpenPair ascending = pair.first < pair.second ? pair : reversed(pair);
    const auto [at, is_new] = variables_.emplace(key_of(ascending), static_cast<std::uint32_t>(pairs_of_.size()));
    if (is_new) {
      pairs_of_.push_back(ascending);
      choices_.variable();
    }
    return literal_of(at->second, pair);
  }
  OpenPair pair_of(Choices::Literal literal) const {
    const OpenPair& pair = pairs_of_[literal >> 1];
    return (literal & 1) == 0 ? pair : reversed(pair);
  }

  // ---- time that need not be respected --------------------------------------------------------------------------------

  // The transactions whose time, or session, a cycle and what it rests on use although the level does not ask for it.
  Ends ends_of_time(const Steps& cycle) const {
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
  bool let_go_of_time(const std::vector<Steps>& cycles) {
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
  void forget_time() {
    Ends all(dependencies_.transactions());
    std::iota(all.begin(), all.end(), 0U);
    free_of_time(all);
    leans_on_time_ = false;
  }

  bool let_go_of_time_in_clauses() {
    Ends ends;
    for (const Clause& one : clauses_) ends.insert(ends.end(), one.ends.begin(), one.ends.end());
    for (const Ends& one : ends_of_inferred_) ends.insert(ends.end(), one.begin(), one.end());
    if (ends.empty()) return false;
    free_of_time(ends);
    return true;
  }

  // Forgets all that rests on the time of these, and of others: what is true will be found again.
  void free_of_time(const Ends& ends) {
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

  // ---- answers ------------------------------------------------------------------------------------------------------

  OpenSearchResult end() { return std::move(result_); }
  OpenSearchResult holds() {
    result_.answer = OpenSearchResult::Answer::Holds;
    result_.order = std::move(order_);
    result_.in_time = leans_on_time_ && timeless_.empty();
    return end();
  }
  OpenSearchResult violated(Steps cycle) {
    result_.answer = OpenSearchResult::Answer::Violated;
    result_.cycle = std::move(cycle);
    result_.cases.clear();
    keep_inferred(result_.cycle);
    return end();
  }
  OpenSearchResult no_order() {
    result_.answer = OpenSearchResult::Answer::Violated;
    for (Steps& one : result_.cases) keep_inferred(one);
    return end();
  }

  // Keeps what a cycle rests on, and what that rests on, and gives it new numbers.
  void keep_inferred(Steps& cycle) {
    renumber(cycle);
    for (; kept_ < result_.inferred.size(); ++kept_) {
      Steps steps = std::move(result_.inferred[kept_].cycle);
      renumber(steps);
      result_.inferred[kept_].cycle = std::move(steps);
    }
  }
  void renumber(Steps& cycle) {
    for (CycleStep& step : cycle) {
      if (step.inferred == never) continue;
      const auto [at, is_new] = number_.emplace(step.inferred, static_cast<std::uint32_t>(result_.inferred.size()));
      if (is_new) result_.inferred.push_back(inferred_[step.inferred]);
      step.inferred = at->second;
    }
  }

  const TransactionHistory& history_;
  Dependencies& dependencies_;
  const OpenSearchOptions& options_;
  const bool events_, lists_;
  bool leans_on_time_;
  std::vector<std::uint32_t> start_rank_, end_rank_, open_of_key_;
  std::vector<std::vector<std::uint32_t>> original_;
  std::vector<OpenPair> pairs_;   // that are known, and behind them those that are chosen
  std::size_t known_ = 0;         // pairs
  std::size_t seen_count_ = 0;    // of these; the others are inferred
  std::vector<OpenPair> rivals_;  // both have overwritten what both have read
  boost::unordered_flat_set<PairKey> seen_;

  // The graph of what is known, if it has no cycle, and searches in it.
  std::optional<Digraph> known_graph_;
  std::vector<std::uint32_t> known_order_, known_place_;
  std::vector<std::uint32_t> visited_, parent_, queue_;
  std::vector<Dependency> kind_;
  std::uint32_t visit_ = 0;
  boost::unordered_flat_map<std::uint32_t, Dependency> targets_;
  boost::unordered_flat_set<PairKey> tried_;
  std::size_t visits_left_ = 0;
  Steps proof_;

  std::vector<InferredOrder> inferred_;
  boost::unordered_flat_map<PairKey, std::uint32_t> inferred_at_;
  Choices choices_;
  boost::unordered_flat_map<PairKey, std::uint32_t> variables_;  // by ascending pair
  std::vector<OpenPair> pairs_of_;                               // by variable
  std::vector<Clause> new_clauses_, clauses_;

  // Freed of time; and for every inferred order the transactions whose time it rests on.
  std::vector<std::uint8_t> timeless_;
  std::vector<Ends> ends_of_inferred_;

  std::vector<std::uint32_t> order_, place_;
  OpenSearchResult result_;
  std::size_t kept_ = 0;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_;
  bool gave_up_ = false;
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
