// Registers: read, write, initially nil; every value written at most once, any number of reads.
//
// Gibbons and Korach (SIAM J. Computing 1997): a value's write and its reads happen in one block. Let f be the first
// return among them and s the last invocation. If f < s, the register surely had the value from f to s (a forward
// zone). Otherwise all of them overlap, and the block can be at any one moment between s and f (a backward zone). A
// history is linearizable iff no value is read before its write was invoked, no two forward zones overlap, and no
// backward zone lies inside a forward one. Zones are sorted once: O(n log n). The initial nil was written before
// everything.
//
// A read of unknown outcome says nothing. A write of unknown outcome happened if its value was read; otherwise it can
// be left out. So the answer is complete. There is no answer for histories in which a value is written twice or nil
// is written, or with operations other than read and write.
#include <algorithm>

#include <fmt/format.h>

#include "check/monitors/collection.h"
#include "check/monitors/monitors.h"
#include "check/monitors/value_index.h"

namespace heddle::monitors {
namespace {

// A value's block. Times are event numbers; the initial value was written before event 0.
struct Cluster {
  Value value = nil;
  std::uint32_t write = no_operation;
  std::uint32_t first_returned = no_operation, last_invoked = no_operation;  // the operations that make f and s
  std::int64_t f = never, s = -1;
  bool read = false;

  bool forward() const { return f < s; }
  std::int64_t begin() const { return std::min(f, s); }
  std::int64_t end() const { return std::max(f, s); }
  void include(std::uint32_t operation, std::int64_t invoked, std::int64_t returned) {
    if (returned < f) {
      f = returned;
      first_returned = operation;
    }
    if (invoked > s) {
      s = invoked;
      last_invoked = operation;
    }
  }
};

class Clusters {
 public:
  explicit Clusters(const Input& input) : input_(input), history_(input.history) {
    Cluster& initial = clusters_.emplace_back();
    initial.f = -1;
    initial.s = -2;
  }

  // False if the monitor does not apply.
  bool collect() {
    std::vector<std::uint32_t> reads;
    clusters_.reserve(input_.part.size() / 2);
    for (const std::uint32_t index : input_.part) {
      const RecordedOperation& op = history_.operations[index];
      if (op.outcome == Outcome::Failed) continue;
      const Role role = input_.roles[op.function];
      if (role == Role::Insert) {
        Cluster& cluster = clusters_.emplace_back();
        cluster.value = op.argument;
        cluster.write = index;
        cluster.include(index, op.invoked, op.returned);
      } else if (role != Role::Look) {
        return false;
      } else if (op.outcome == Outcome::Ok) {
        reads.push_back(index);
      }
    }
    const ValueIndex number(clusters_);
    if (!number.distinct()) return false;
    for (const std::uint32_t index : reads) {
      if (!add_read(index, number.find(history_.operations[index].result))) break;
    }
    return true;
  }

  MonitorResult decide() {
    if (violation_) return *violation_;
    // A write that returned happened; a write of unknown outcome counts only if its value was read.
    std::erase_if(clusters_, [&](const Cluster& cluster) {
      return !cluster.read &&
             (cluster.write == no_operation || history_.operations[cluster.write].outcome == Outcome::Unknown);
    });
    std::ranges::sort(clusters_, {}, &Cluster::begin);
    const Cluster* current = nullptr;  // the forward zone that ends last so far
    for (const Cluster& cluster : clusters_) {
      if ((&cluster - clusters_.data()) % 8192 == 0 && !input_.budget.check(clusters_.size() * 3 * sizeof(Cluster))) {
        return {Verdict::Unknown, {}, {}};
      }
      if (current != nullptr && cluster.begin() < current->end() &&
          (cluster.forward() || cluster.end() < current->end())) {
        return conflict(*current, cluster);
      }
      if (cluster.forward() && (current == nullptr || cluster.end() > current->end())) current = &cluster;
    }
    return {Verdict::Holds, {}, {}};
  }

 private:
  bool add_read(std::uint32_t index, std::uint32_t number) {
    const RecordedOperation& op = history_.operations[index];
    if (number == ValueIndex::none) {
      violation_ = {Verdict::Violated,
                    {index},
                    fmt::format("read returned {}, which was never written", history_.values.json(op.result))};
      return false;
    }
    Cluster& cluster = clusters_[number];
    if (cluster.write != no_operation && op.returned < history_.operations[cluster.write].invoked) {
      violation_ = {
          Verdict::Violated,
          {index, cluster.write},
          fmt::format("read of {0} returned before write of {0} was invoked", history_.values.json(op.result))};
      return false;
    }
    cluster.read = true;
    cluster.include(index, op.invoked, op.returned);
    return true;
  }

  std::string name(std::uint32_t operation) const {
    const RecordedOperation& op = history_.operations[operation];
    const bool is_write = input_.roles[op.function] == Role::Insert;
    return fmt::format("{} of {}", is_write ? "write" : "read",
                       history_.values.json(is_write ? op.argument : op.result));
  }

  // REQUIRES: `outer` is a forward zone; `inner` begins in it, and is a forward zone or ends in it.
  MonitorResult conflict(const Cluster& outer, const Cluster& inner) const {
    MonitorResult out{Verdict::Violated, {}, {}};
    for (const Cluster* cluster : {&outer, &inner}) {
      for (const std::uint32_t op : {cluster->write, cluster->first_returned, cluster->last_invoked}) {
        if (op != no_operation) out.culprits.push_back(op);
      }
    }
    std::ranges::sort(out.culprits);
    const auto repeated = std::ranges::unique(out.culprits);
    out.culprits.erase(repeated.begin(), repeated.end());

    // Both orders of the two blocks are excluded.
    const std::string after =
        fmt::format("{} returned before {} started", name(inner.first_returned), name(outer.last_invoked));
    out.reason = outer.write == no_operation ? after + ", which is the initial value"
                                             : fmt::format("{} returned before {} started, yet {}",
                                                           name(outer.first_returned), name(inner.last_invoked), after);
    return out;
  }

  const Input& input_;
  const RecordedHistory& history_;
  std::vector<Cluster> clusters_;
  std::optional<MonitorResult> violation_;
};

}  // namespace

std::optional<MonitorResult> check_register(const Input& input) {
  Clusters clusters(input);
  if (!clusters.collect()) return std::nullopt;
  return clusters.decide();
}

}  // namespace heddle::monitors
