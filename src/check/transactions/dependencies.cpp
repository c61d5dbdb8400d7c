// Computes who reads, overwrites and precedes whom from the orders of versions, in compact arrays by key.
#include "check/transactions/dependencies.h"

#include <algorithm>
#include <iterator>

namespace heddle::transactions {

Dependencies::Dependencies(const TransactionHistory& history, bool ok_only, const VersionOrders* orders)
    : history_(history), orders_(orders), open_of_key_(history.keys(), never) {
  find_counted(ok_only);
  find_open();
  find_readers();
  for (std::uint32_t t = 0; t < transactions(); ++t) {
    if (counted_[t] != 0 && history_.transactions[t].process != never) by_session_.push_back(t);
  }
  if (!history_.has_invocations) return;
  std::vector<std::uint32_t> by_event(history_.events, never);
  for (std::uint32_t t = 0; t < transactions(); ++t) {
    const Transaction& one = history_.transactions[t];
    if (counted_[t] == 0) continue;
    by_event[one.invoked] = 2 * t;
    if (one.outcome != Outcome::Ok) continue;
    by_event[one.returned] = 2 * t + 1;
    ++chain_;
  }
  std::ranges::copy_if(by_event, std::back_inserter(moments_), [](std::uint32_t event) { return event != never; });
}

void Dependencies::find_counted(bool ok_only) {
  counted_.assign(transactions(), 0);
  for (std::uint32_t t = 0; t < transactions(); ++t) {
    counted_[t] = history_.transactions[t].outcome == Outcome::Ok ? 1 : 0;
  }
  if (ok_only) return;
  const auto seen = [this](std::uint32_t element) {
    const std::uint32_t writer = history_.writer(element);
    if (history_.transactions[writer].outcome == Outcome::Unknown) counted_[writer] = 1;
  };
  if (lists()) {
    for (std::uint32_t key = 0; key < history_.keys(); ++key) std::ranges::for_each(order(key), seen);
    return;
  }
  for (const Transaction& t : history_.transactions) {
    if (t.outcome != Outcome::Ok) continue;
    for (std::uint32_t i = t.begin; i < t.end; ++i) {
      const TransactionOperation& op = history_.operations[i];
      if (op.action == TransactionAction::Read && op.what != nothing) seen(op.what);
    }
  }
}

void Dependencies::find_open() {
  for (std::uint32_t t = 0; t < transactions(); ++t) {
    if (counted_[t] == 0) continue;
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action != TransactionAction::Write || (lists() && position(op.what) != never)) continue;
      std::uint32_t& index = open_of_key_[op.key];
      if (index == never) {
        index = static_cast<std::uint32_t>(open_.size());
        open_.push_back({op.key, {}, {}, false});
        elements_of_open_.emplace_back();
      }
      OpenKey& open = open_[index];
      if (open.writers.empty() || open.writers.back() != t) {
        open.writers.push_back(t);
        elements_of_open_[index].push_back(op.what);
      } else {
        elements_of_open_[index].back() = op.what;  // the last one counts
      }
    }
  }
  for (const OpenKey& open : open_) sorted_writers_.push_back(open.writers);
}

void Dependencies::find_readers() {
  if (!lists()) reader_begin_.assign(history_.elements() + 1, 0);
  for (std::uint32_t t = 0; t < transactions(); ++t) {
    if (counted_[t] == 0) continue;
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action != TransactionAction::Read) continue;
      if (!lists() && op.what != nothing) ++reader_begin_[op.what + 1];
      const std::uint32_t index = open_of_key_[op.key];
      if (index == never) continue;
      if (lists() ? op.what == order(op.key).size() : op.what == nothing) {
        std::vector<std::uint32_t>& readers = open_[index].readers;
        if (readers.empty() || readers.back() != t) readers.push_back(t);
      }
    }
  }
  if (lists()) return;
  for (std::size_t i = 1; i < reader_begin_.size(); ++i) reader_begin_[i] += reader_begin_[i - 1];
  readers_.resize(reader_begin_.back());
  std::vector<std::uint32_t> next(reader_begin_.begin(), reader_begin_.end() - 1);
  for (std::uint32_t t = 0; t < transactions(); ++t) {
    if (counted_[t] == 0) continue;
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action == TransactionAction::Read && op.what != nothing) readers_[next[op.what]++] = t;
    }
  }
}

std::span<const std::uint32_t> Dependencies::readers_of(std::uint32_t key, std::uint32_t writer) const {
  const std::uint32_t index = open_of_key_[key];
  const std::vector<std::uint32_t>& writers = sorted_writers_[index];
  const auto at = std::ranges::lower_bound(writers, writer) - writers.begin();
  const std::uint32_t element = elements_of_open_[index][static_cast<std::size_t>(at)];
  return {readers_.data() + reader_begin_[element], readers_.data() + reader_begin_[element + 1]};
}

bool Dependencies::has_open_pairs() const {
  return std::ranges::any_of(open_, [](const OpenKey& open) { return !open.chosen && open.writers.size() > 1; });
}

}  // namespace heddle::transactions
