// Interns keys, elements and lists. A list that was read is kept as a length wherever it is a prefix of its key's
// order.
#include "check/transactions/transaction_history.h"

namespace heddle {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  return x;
}

}  // namespace

Datum TransactionHistory::integer(std::int64_t value) {
  constexpr std::int64_t limit = std::int64_t{1} << 61;
  if (value >= -limit && value < limit) return {static_cast<std::uint64_t>(value) << 1};
  return datum(values_.integer(value));
}

std::uint32_t TransactionHistory::key(Datum name) {
  const auto [it, is_new] = key_numbers_.try_emplace(name.bits, keys());
  if (is_new) {
    key_names_.push_back(name);
    orders_.emplace_back();
  }
  return it->second;
}

std::uint32_t* TransactionHistory::ElementIndex::slot(const TransactionHistory& history, std::uint32_t key,
                                                      Datum value) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = mixed(value.bits * 0x9e3779b97f4a7c15 + key) & mask;; i = (i + 1) & mask) {
    const std::uint32_t element = slots_[i];
    if (element == nothing || (history.keys_of_[element] == key && history.values_of_[element] == value))
      return &slots_[i];
  }
}

void TransactionHistory::ElementIndex::grow(const TransactionHistory& history) {
  slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, nothing);
  for (std::uint32_t e = 0; e < history.elements(); ++e) *slot(history, history.keys_of_[e], history.values_of_[e]) = e;
}

std::uint32_t TransactionHistory::element(std::uint32_t key, Datum value) {
  if (index_.full(writers_.size())) index_.grow(*this);
  std::uint32_t& slot = *index_.slot(*this, key, value);
  if (slot == nothing) {
    slot = elements();
    keys_of_.push_back(key);
    values_of_.push_back(value);
    writers_.push_back(never);
  }
  return slot;
}

void TransactionHistory::read_list(std::uint32_t key, std::uint32_t length, std::span<const std::uint32_t> rest) {
  std::vector<std::uint32_t>& order = orders_[key];
  if (rest.empty()) return add(key, TransactionAction::Read, length);
  if (length == order.size()) {
    order.insert(order.end(), rest.begin(), rest.end());
    return add(key, TransactionAction::Read, static_cast<std::uint32_t>(order.size()));
  }
  add(key, TransactionAction::Odd, static_cast<std::uint32_t>(odd_.size()));
  std::vector<std::uint32_t>& list = odd_.emplace_back(order.begin(), order.begin() + length);
  list.insert(list.end(), rest.begin(), rest.end());
  listed_ += list.size();
}

void TransactionHistory::finish() {
  positions_.assign(elements(), never);
  for (const std::vector<std::uint32_t>& order : orders_) {
    listed_ += order.capacity();
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      // Of an element that stands there twice, the first place counts.
      if (positions_[order[i]] == never) positions_[order[i]] = i;
    }
  }
}

std::vector<std::uint32_t> TransactionHistory::list(const TransactionOperation& read) const {
  if (read.action == TransactionAction::Odd) return odd_[read.what];
  const std::vector<std::uint32_t>& all = orders_[read.key];
  return {all.begin(), all.begin() + read.what};
}

std::string TransactionHistory::text(Datum datum) const {
  if ((datum.bits & 1) == 0) return std::to_string(static_cast<std::int64_t>(datum.bits) >> 1);
  const auto write = [this](auto&& self, Value value) -> std::string {
    switch (values_.kind(value)) {
      case ValueTable::Kind::Nil:
        return "nil";
      case ValueTable::Kind::Keyword:
        return ":" + std::string(values_.as_text(value));
      case ValueTable::Kind::List: {
        std::string out;
        for (const Value member : values_.members(value)) out += (out.empty() ? "" : " ") + self(self, member);
        return "[" + out + "]";
      }
      default:
        return values_.json(value);
    }
  };
  return write(write, static_cast<Value>(datum.bits >> 1));
}

std::size_t TransactionHistory::bytes() const {
  return transactions.capacity() * sizeof(Transaction) + operations.capacity() * sizeof(TransactionOperation) +
         values_.bytes() + key_names_.capacity() * (sizeof(Datum) + sizeof(std::vector<std::uint32_t>) + 16) +
         writers_.capacity() * (3 * sizeof(std::uint32_t) + sizeof(Datum)) + listed_ * sizeof(std::uint32_t) +
         index_.bytes();
}

}  // namespace heddle
