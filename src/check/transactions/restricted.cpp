// Copies the transactions that are kept, and lists and reads without what the others wrote.
#include "check/transactions/restricted.h"

#include <algorithm>
#include <utility>

namespace heddle::transactions {
namespace {

class Restriction {
 public:
  Restriction(const TransactionHistory& history, std::span<const std::uint32_t> kept)
      : from_(history), kept_(kept), is_kept_(history.transactions.size(), 0) {
    for (const std::uint32_t t : kept) is_kept_[t] = 1;
  }

  TransactionHistory make() && {
    to_.workload = from_.workload;
    to_.processes = from_.processes;
    to_.has_invocations = from_.has_invocations;
    for (std::uint32_t i = 0; i < kept_.size(); ++i) transaction(i);
    number_events();
    to_.finish();
    return std::move(to_);
  }

 private:
  Datum copied(Datum datum) {
    if ((datum.bits & 1) == 0) return datum;
    return to_.datum(copy_value(from_.values(), static_cast<Value>(datum.bits >> 1), to_.values()));
  }
  std::uint32_t element(std::uint32_t key, std::uint32_t old) { return to_.element(key, copied(from_.value(old))); }

  void transaction(std::uint32_t i) {
    Transaction t = from_.transactions[kept_[i]];
    t.begin = static_cast<std::uint32_t>(to_.operations.size());
    for (const TransactionOperation& op : from_.operations_of(kept_[i])) {
      const std::uint32_t key = to_.key(copied(from_.key_name(op.key)));
      switch (op.action) {
        case TransactionAction::Write: {
          const std::uint32_t e = element(key, op.what);
          to_.set_writer(e, i);
          to_.add(key, TransactionAction::Write, e);
          break;
        }
        case TransactionAction::Unseen:
          to_.add(key, TransactionAction::Unseen, 0);
          break;
        default:
          read(key, op);
      }
    }
    t.end = static_cast<std::uint32_t>(to_.operations.size());
    to_.transactions.push_back(t);
  }

  void read(std::uint32_t key, const TransactionOperation& op) {
    if (from_.workload == Workload::Register) {
      if (op.what != nothing && is_kept_[from_.writer(op.what)] == 0) return;
      return to_.add(key, TransactionAction::Read, op.what == nothing ? nothing : element(key, op.what));
    }
    std::uint32_t length = 0;
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t old : from_.list(op)) {
      if (is_kept_[from_.writer(old)] == 0) continue;
      const std::uint32_t e = element(key, old);
      if (rest.empty() && length < to_.order(key).size() && to_.order(key)[length] == e) {
        ++length;
      } else {
        rest.push_back(e);
      }
    }
    to_.read_list(key, length, rest);
  }

  void number_events() {
    std::vector<std::uint32_t*> events;
    for (Transaction& t : to_.transactions) {
      if (t.invoked != never) events.push_back(&t.invoked);
      if (t.returned != never) events.push_back(&t.returned);
    }
    std::ranges::sort(events, {}, [](const std::uint32_t* event) { return *event; });
    for (std::uint32_t* event : events) *event = to_.events++;
  }

  const TransactionHistory& from_;
  std::span<const std::uint32_t> kept_;
  std::vector<std::uint8_t> is_kept_;
  TransactionHistory to_;
};

}  // namespace

TransactionHistory restricted(const TransactionHistory& history, std::span<const std::uint32_t> kept) {
  return Restriction(history, kept).make();
}

}  // namespace heddle::transactions
