// Sums of transfers and increments up to each event, against which every read is compared.
#include "check/transactions/invariants.h"

#include <algorithm>
#include <vector>

namespace heddle::transactions {
namespace {

bool is_read(const TransactionHistory& history, std::uint32_t t) {
  const auto operations = history.operations_of(t);
  return history.transactions[t].outcome == Outcome::Ok && !operations.empty() &&
         operations.front().action == TransactionAction::Read;
}

std::int64_t amount(const TransactionHistory& history, const TransactionOperation& op) {
  return op.what == nothing ? 0 : history.as_integer(history.value(op.what));
}

// What may be, and what must be, in a counter, as sums of what was invoked, and has returned, before each event.
class Sums {
 public:
  explicit Sums(const TransactionHistory& history) : begun_(history.events + 1), done_(history.events + 1) {
    for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
      const Transaction& one = history.transactions[t];
      if (one.outcome == Outcome::Failed) continue;
      for (const TransactionOperation& op : history.operations_of(t)) {
        if (op.action != TransactionAction::Write) continue;
        const std::int64_t value = amount(history, op);
        (value < 0 ? all_.least : all_.most) += value;
        if (one.invoked != never) add(begun_[one.invoked + 1], value);
        if (one.outcome == Outcome::Ok && one.returned != never) add(done_[one.returned + 1], value);
      }
    }
    for (std::size_t i = 1; i < begun_.size(); ++i) {
      sum_up(begun_[i - 1], begun_[i]);
      sum_up(done_[i - 1], done_[i]);
    }
  }

  Bounds at_any_time() const { return all_; }
  Bounds of(const Transaction& read) const {
    const Bounds& done = done_[read.invoked];
    const Bounds& begun = begun_[read.returned];
    return {done.most + begun.least, begun.most + done.least};
  }

 private:
  static void add(Bounds& to, std::int64_t value) { (value < 0 ? to.least : to.most) += value; }
  static void sum_up(const Bounds& before, Bounds& to) {
    to.least += before.least;
    to.most += before.most;
  }

  Bounds all_;
  std::vector<Bounds> begun_, done_;  // by event: what is negative, and what is positive
};

}  // namespace

std::optional<std::int64_t> sum_of(const TransactionHistory& history, std::uint32_t read) {
  std::int64_t sum = 0;
  for (const TransactionOperation& op : history.operations_of(read)) {
    if (op.what == nothing) return std::nullopt;
    sum += amount(history, op);
  }
  return sum;
}

Bounds bounds_of(const TransactionHistory& history, std::uint32_t read, Respects respects) {
  const Sums sums(history);
  return respects == Respects::RealTime ? sums.of(history.transactions[read]) : sums.at_any_time();
}

std::optional<IsolationFinding> find_broken_invariant(const TransactionHistory& history, Respects respects) {
  const bool is_bank = history.workload == Workload::Bank;
  const bool in_time = !is_bank && respects == Respects::RealTime;
  const Sums sums(history);
  for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
    if (!is_read(history, t)) continue;
    const Transaction& read = history.transactions[t];
    IsolationFinding found{.operations = {read.begin}, .transactions = {t}};
    if (is_bank) {
      if (sum_of(history, t) == history.total) continue;
      found.anomaly = Anomaly::WrongTotal;
    } else {
      const Bounds bounds = in_time ? sums.of(read) : sums.at_any_time();
      const std::int64_t seen = amount(history, history.operations[read.begin]);
      if (bounds.least <= seen && seen <= bounds.most) continue;
      found.anomaly = Anomaly::ImpossibleCount;
      found.respects = in_time ? Respects::RealTime : Respects::Nothing;
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace heddle::transactions
