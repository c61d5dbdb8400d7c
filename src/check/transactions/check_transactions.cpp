// Which check decides which level: direct anomalies, cycles of the graph, orders of open versions, and the replay of
// what was found.
#include "check/transactions/check_transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "check/transactions/certificates.h"
#include "check/transactions/dependencies.h"
#include "check/transactions/direct_anomalies.h"
#include "check/transactions/invariants.h"
#include "check/transactions/open_versions.h"

namespace heddle {
namespace {

using namespace transactions;

constexpr std::size_t most_visits = 50'000'000;

std::size_t index_of(const Level& level) {
  return static_cast<std::size_t>(std::ranges::find(all_levels(), level) - all_levels().begin());
}

// Names a cycle by its edges.
void classify(const TransactionHistory& history, IsolationFinding& finding) {
  std::size_t reads = 0, antis = 0;
  bool adjacent = false, forced = false;
  finding.respects = Respects::Nothing;
  const std::vector<CycleStep>& cycle = finding.cycle;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Dependency kind = cycle[i].kind, next = cycle[(i + 1) % cycle.size()].kind;
    reads += kind == Dependency::WriteRead ? 1 : 0;
    antis += kind == Dependency::ReadWrite ? 1 : 0;
    forced = forced || kind == Dependency::Forced;
    adjacent = adjacent || (kind == Dependency::ReadWrite && next == Dependency::ReadWrite);
    if (kind == Dependency::Session) finding.respects = std::max(finding.respects, Respects::Sessions);
    if (kind == Dependency::RealTime) finding.respects = Respects::RealTime;
  }
  // What stands right behind what its transaction has read: the other order would be an rw and a ww.
  if (forced && antis == 0) antis = 1;
  const auto touches = [&](std::uint32_t t, TransactionAction action, std::uint32_t key) {
    return std::ranges::any_of(history.operations_of(t),
                               [&](const auto& op) { return op.action == action && op.key == key; });
  };
  // Two that have read and written one key.
  const auto share_updated_key = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::any_of(history.operations_of(a), [&](const TransactionOperation& op) {
      return op.action == TransactionAction::Write && touches(a, TransactionAction::Read, op.key) &&
             touches(b, TransactionAction::Read, op.key) && touches(b, TransactionAction::Write, op.key);
    });
  };
  const bool two = cycle.size() == 2;
  if (antis == 0) {
    finding.anomaly = reads == 0 ? Anomaly::G0 : Anomaly::G1c;
  } else if (two && share_updated_key(cycle[0].from, cycle[0].to) && reads == 0) {
    finding.anomaly = Anomaly::LostUpdate;
  } else if (antis == 1) {
    finding.anomaly = Anomaly::GSingle;
  } else if (!adjacent) {
    const bool fork = cycle.size() == 4 && reads == 2 && antis == 2;
    finding.anomaly = fork ? Anomaly::LongFork : Anomaly::GNonadjacent;
  } else {
    finding.anomaly = two ? Anomaly::WriteSkew : Anomaly::G2Item;
  }
}

// How much a level has to promise to rule this out, of cycles.
int strength(Anomaly anomaly) {
  switch (anomaly) {
    case Anomaly::G0:
      return 0;
    case Anomaly::G1c:
      return 1;
    case Anomaly::GSingle:
    case Anomaly::LostUpdate:
      return 2;
    case Anomaly::GNonadjacent:
    case Anomaly::LongFork:
      return 3;
    default:
      return 4;
  }
}

// What an inferred order rests on is ruled out by the level, too: so the anomaly is the one that is ruled out last.
void classify_with_reasons(const TransactionHistory& history, IsolationFinding& finding) {
  constexpr Anomaly plain[] = {Anomaly::G0, Anomaly::G1c, Anomaly::GSingle, Anomaly::GNonadjacent, Anomaly::G2Item};
  classify(history, finding);
  for (const InferredOrder& one : finding.inferred) {
    IsolationFinding reason{.cycle = one.cycle};
    classify(history, reason);
    if (strength(reason.anomaly) > strength(finding.anomaly)) finding.anomaly = plain[strength(reason.anomaly)];
    finding.respects = std::max(finding.respects, reason.respects);
  }
}

// The key that makes `from` come before `to` by a forced edge: `from` has read what there was, and both have written a
// version that is open. If there are several, one of which both have read the same.
std::uint32_t updated_key(const TransactionHistory& history, std::uint32_t from, std::uint32_t to) {
  const auto writes = [&](std::uint32_t t, std::uint32_t key) {
    return std::ranges::any_of(history.operations_of(t), [&](const TransactionOperation& op) {
      return op.action == TransactionAction::Write && op.key == key && history.position(op.what) == never;
    });
  };
  const bool lists = history.workload == Workload::ListAppend;
  std::uint32_t best = never;
  for (const TransactionOperation& read : history.operations_of(from)) {
    if (read.action != TransactionAction::Read || !writes(from, read.key) || !writes(to, read.key)) continue;
    const bool all = lists ? read.what == history.order(read.key).size() : read.what == nothing;
    if (lists && !all) continue;
    const bool both = std::ranges::any_of(history.operations_of(to), [&](const TransactionOperation& op) {
      return op.action == TransactionAction::Read && op.key == read.key && op.what == read.what;
    });
    if (both) return read.key;
    if (all && best == never) best = read.key;
  }
  return best;
}

// Tells forced edges in the words of the definitions. Of `from`, which has read a version and written the next, and
// `to`, which has written a later one, both are true: ww, because nothing comes between what `from` has read and what
// it has written, and rw, because of what it has read. In a cycle without another rw, one of them is the rw that the
// anomaly is named after.
void tell_forced(const TransactionHistory& history, std::vector<CycleStep>& cycle) {
  bool needs_anti =
      std::ranges::none_of(cycle, [](const CycleStep& step) { return step.kind == Dependency::ReadWrite; });
  for (auto step = cycle.rbegin(); step != cycle.rend(); ++step) {
    if (step->kind != Dependency::Forced) continue;
    if (step->key == never) step->key = updated_key(history, step->from, step->to);
    if (needs_anti) step->kind = Dependency::ReadWrite;
    needs_anti = false;
  }
}

class Checker {
 public:
  Checker(const TransactionHistory& history, const TransactionsOptions& options)
      : history_(history), options_(options), all_(history, false) {
    for (const Level& level : all_levels()) result_.levels.push_back({.level = level});
  }

  TransactionsResult run() {
    direct_ = find_direct_anomaly(history_);
    for (const OpenKey& open : all_.open_keys()) result_.open_keys += open.writers.size() > 1 ? 1 : 0;
    if (options_.all_levels) {
      // What holds decides all that is weaker, and what is violated all that is stronger: so the strongest comes first,
      // and then the others from the weakest up.
      for (int r = history_.has_invocations ? respected_orders : respected_orders - 1; r-- > 0;) {
        decide({Isolation::Serializable, static_cast<Respects>(r)});
        // What holds costs less than what has to be searched through, once for each level.
        if (all_.has_open_pairs()) decide({Isolation::SnapshotIsolation, static_cast<Respects>(r)});
        for (int i = 0; i < isolations; ++i) decide({static_cast<Isolation>(i), static_cast<Respects>(r)});
      }
    }
    decide(options_.asked);
    explain();
    for (IsolationFinding& finding : result_.findings) {
      tell_forced(history_, finding.cycle);
      for (std::vector<CycleStep>& one : finding.cases) tell_forced(history_, one);
      for (InferredOrder& one : finding.inferred) tell_forced(history_, one.cycle);
    }
    const LevelResult& asked = result_.of(options_.asked);
    result_.verdict = asked.verdict;
    result_.stopped_by = asked.stopped_by;
    return std::move(result_);
  }

 private:
  LevelResult& at(const Level& level) { return result_.levels[index_of(level)]; }

  void decide(const Level& level) {
    LevelResult& mine = at(level);
    if (mine.asked) return;
    mine.asked = true;
    if (level.respects == Respects::RealTime && !history_.has_invocations) {
      decide({level.isolation, Respects::Sessions});
      const LevelResult& weaker = at({level.isolation, Respects::Sessions});
      if (weaker.verdict == Verdict::Violated) return;
      mine.stopped_by = "the history has no invocations, so that nobody knows which transactions overlapped";
      return;
    }
    if (options_.budget != nullptr && !options_.budget->check(0)) {
      mine.stopped_by = options_.budget->reason();
      return;
    }
    if (direct_ && level.isolation >= Isolation::ReadCommitted) return violated(level, *direct_);
    switch (level.isolation) {
      case Isolation::ReadUncommitted:
        return decide_uncommitted(level);
      case Isolation::ReadCommitted:
        return by_graph(level, all_, all_.graph({.respects = level.respects, .anti = false}));
      case Isolation::MonotonicAtomicView: {
        std::vector<NeededOrder> needed;
        if (auto found = find_fractured_read(history_, level.respects, needed))
          return violated(level, std::move(*found));
        return decide_atomic(level, needed);
      }
      default:
        return decide_by_search(level);
    }
  }

  void decide_uncommitted(const Level& level) {
    VersionOrders orders;
    if (auto found = orders_without_uncommitted(history_, orders)) return violated(level, std::move(*found));
    const Dependencies dependencies(history_, true, &orders);
    const std::vector<OpenPair> before = options_.writes_follow_reads ? read_before_written() : std::vector<OpenPair>{};
    by_graph(level, dependencies,
             dependencies.graph({.respects = level.respects, .reads = false, .anti = false, .before = before}));
  }

  // Who wrote what a transaction has read, and then overwritten.
  std::vector<OpenPair> read_before_written() const {
    std::vector<OpenPair> out;
    if (history_.workload != Workload::Register) return out;
    const auto is_ok = [&](std::uint32_t t) { return history_.transactions[t].outcome == Outcome::Ok; };
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (!is_ok(t)) continue;
      const auto operations = history_.operations_of(t);
      for (auto read = operations.begin(); read != operations.end(); ++read) {
        if (read->action != TransactionAction::Read || read->what == nothing) continue;
        const std::uint32_t writer = history_.writer(read->what);
        const auto overwrites = [&](const TransactionOperation& op) {
          return op.action == TransactionAction::Write && op.key == read->key;
        };
        if (writer != t && is_ok(writer) && std::any_of(read, operations.end(), overwrites))
          out.push_back({0, writer, t});
      }
    }
    return out;
  }

  // If only the orders that reads need lead to a cycle, it is one of these reads that is fractured.
  void decide_atomic(const Level& level, const std::vector<NeededOrder>& needed) {
    std::vector<OpenPair> before;
    for (const NeededOrder& one : needed) before.push_back({0, one.first, one.second});
    by_graph(level, all_, all_.graph({.respects = level.respects, .anti = false, .before = before}));
    if (at(level).verdict != Verdict::Violated || needed.empty()) return;
    IsolationFinding& finding = result_.findings.back();
    if (components(all_.graph({.respects = level.respects, .anti = false})).has_cycle()) return;
    for (const NeededOrder& one : needed) {
      const auto uses = [&](const CycleStep& step) {
        return step.kind == Dependency::WriteWrite && step.from == one.first && step.to == one.second;
      };
      if (std::ranges::none_of(finding.cycle, uses)) continue;
      finding = {.anomaly = Anomaly::FracturedRead,
                 .respects = one.respects,
                 .operations = {one.saw, one.missed},
                 .transactions = {one.first, one.reader}};
      return;
    }
  }

  void by_graph(const Level& level, const Dependencies& dependencies, const Digraph& graph) {
    const Components parts = components(graph);
    note_bytes(graph.bytes() + std::size_t{5} * graph.nodes() * sizeof(std::uint32_t));
    if (parts.has_cycle()) {
      const Cycle cycle = shortest_cycle(graph, parts, cyclic_components(parts), most_visits);
      return violated(level, of_cycle(steps_of(cycle, dependencies, false)));
    }
    std::vector<std::uint32_t> order;
    for (const std::uint32_t node : parts.order) {
      if (node < dependencies.transactions() && dependencies.counted()[node] != 0) order.push_back(node);
    }
    holds(level, std::move(order));
  }

  void decide_by_search(const Level& level) {
    OpenSearchResult found = search_versions(
        history_, all_,
        {.level = level, .most_steps = options_.most_steps, .budget = options_.budget, .most_visits = most_visits});
    result_.steps += found.steps;
    switch (found.answer) {
      case OpenSearchResult::Answer::Holds:
        return holds(found.in_time ? Level{level.isolation, Respects::RealTime} : level, std::move(found.order));
      case OpenSearchResult::Answer::Violated:
        return violated(level, of_search(std::move(found), level));
      case OpenSearchResult::Answer::Unknown:
        break;
    }
    const bool stopped = options_.budget != nullptr && options_.budget->stopped() != Budget::Stop::None;
    at(level).stopped_by = stopped
                               ? options_.budget->reason()
                               : fmt::format("the order of the versions of {} {} stays open after {} steps of search",
                                             result_.open_keys, result_.open_keys == 1 ? "key" : "keys", found.steps);
  }

  IsolationFinding of_search(OpenSearchResult found, const Level& level) const {
    if (found.cycle.empty()) {
      return {.anomaly = Anomaly::NoOrder,
              .respects = level.respects,
              .cases = std::move(found.cases),
              .inferred = std::move(found.inferred)};
    }
    IsolationFinding finding{.cycle = std::move(found.cycle), .inferred = std::move(found.inferred)};
    classify_with_reasons(history_, finding);
    return finding;
  }

  IsolationFinding of_cycle(std::vector<CycleStep> cycle) const {
    IsolationFinding finding{.cycle = std::move(cycle)};
    classify(history_, finding);
    return finding;
  }

  void holds(const Level& level, std::vector<std::uint32_t> order) {
    const std::string wrong = replay(history_, level, order);
    if (!wrong.empty()) {
      throw std::logic_error(fmt::format(
          "the order that was found for {} does not stand up to being replayed: {}; this is a mistake of heddle",
          name(level), wrong));
    }
    result_.certificates.push_back({level, std::move(order)});
    for (LevelResult& one : result_.levels) {
      if (!one.level.follows_from(level) || one.verdict == Verdict::Holds) continue;
      one.asked = true;
      one.verdict = Verdict::Holds;
      one.stopped_by.clear();
      one.certificate = static_cast<std::uint32_t>(result_.certificates.size() - 1);
    }
  }

  void violated(const Level& level, IsolationFinding finding) {
    result_.findings.push_back(std::move(finding));
    for (LevelResult& one : result_.levels) {
      if (!level.follows_from(one.level)) continue;
      one.asked = true;
      one.verdict = Verdict::Violated;
      one.stopped_by.clear();
      // What rules out the weakest level is the worst.
      one.finding = static_cast<std::uint32_t>(result_.findings.size() - 1);
    }
  }

  // A level is ruled out by what rules out the weakest level below it.
  void explain() {
    for (LevelResult& one : result_.levels) {
      if (one.verdict != Verdict::Violated) continue;
      for (const LevelResult& weaker : result_.levels) {
        if (weaker.verdict != Verdict::Violated || !weaker.level.follows_from(one.level)) continue;
        one.finding = weaker.finding;
        break;
      }
    }
  }

  void note_bytes(std::size_t bytes) { result_.peak_bytes = std::max(result_.peak_bytes, bytes); }

  const TransactionHistory& history_;
  const TransactionsOptions& options_;
  Dependencies all_;
  std::optional<IsolationFinding> direct_;
  TransactionsResult result_;
};

}  // namespace

const LevelResult& TransactionsResult::of(const Level& level) const { return levels[index_of(level)]; }

// Banks and counters: a level can be ruled out, and nothing can be shown to hold.
static TransactionsResult check_invariants(const TransactionHistory& history, const TransactionsOptions& options) {
  TransactionsResult result;
  std::optional<std::uint32_t> findings[respected_orders];
  for (int r = 0; r < respected_orders; ++r) {
    if (r > 0 && findings[r - 1]) {
      findings[r] = findings[r - 1];
    } else if (r != static_cast<int>(Respects::RealTime) || history.has_invocations) {
      auto found = find_broken_invariant(history, static_cast<Respects>(r));
      if (!found) continue;
      findings[r] = static_cast<std::uint32_t>(result.findings.size());
      result.findings.push_back(std::move(*found));
    }
  }
  for (const Level& level : all_levels()) {
    LevelResult& one = result.levels.emplace_back();
    one.level = level;
    one.asked = options.all_levels || level == options.asked;
    const auto finding = findings[static_cast<int>(level.respects)];
    if (finding && level.isolation >= Isolation::RepeatableRead) {
      one.verdict = Verdict::Violated;
      one.finding = *finding;
    } else {
      one.stopped_by = fmt::format(
          "reads of a {} can rule out a level, and do not rule out this one; they do not show that "
          "it holds",
          history.workload == Workload::Bank ? "bank" : "counter");
    }
  }
  result.verdict = result.of(options.asked).verdict;
  result.stopped_by = result.of(options.asked).stopped_by;
  return result;
}

TransactionsResult check_transactions(const TransactionHistory& history, const TransactionsOptions& options) {
  if (history.workload == Workload::Bank || history.workload == Workload::Counter)
    return check_invariants(history, options);
  return Checker(history, options).run();
}

}  // namespace heddle
