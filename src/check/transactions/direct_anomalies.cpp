#include "check/transactions/direct_anomalies.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace heddle::transactions {
namespace {

bool is_ok(const TransactionHistory& history, std::uint32_t transaction) {
  return history.transactions[transaction].outcome == Outcome::Ok;
}

// Calls f(transaction, operation index) for every read whose result is known.
template <class F>
void each_known_read(const TransactionHistory& history, const F& f) {
  for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
    if (!is_ok(history, t)) continue;
    for (std::uint32_t i = history.transactions[t].begin; i < history.transactions[t].end; ++i) {
      const TransactionAction action = history.operations[i].action;
      if (action == TransactionAction::Read || action == TransactionAction::Odd) f(t, i);
    }
  }
}

// The first read that has seen the element at this place of its key's order.
IsolationFinding read_of_place(const TransactionHistory& history, Anomaly anomaly, std::uint32_t key,
                               std::uint32_t place) {
  IsolationFinding found{.anomaly = anomaly, .element = history.order(key)[place]};
  each_known_read(history, [&](std::uint32_t t, std::uint32_t i) {
    const TransactionOperation& op = history.operations[i];
    if (!found.operations.empty() || op.key != key || op.action != TransactionAction::Read || op.what <= place) return;
    found.operations = {i};
    found.transactions = {t};
  });
  return found;
}

// The last operation that did something to a key, forgotten from one transaction to the next.
class LatestByKey {
 public:
  explicit LatestByKey(const TransactionHistory& history)
      : transaction_(history.keys(), never), what_(history.keys()) {}
  std::uint32_t of(std::uint32_t transaction, std::uint32_t key) const {
    return transaction_[key] == transaction ? what_[key] : never;
  }
  void set(std::uint32_t transaction, std::uint32_t key, std::uint32_t what) {
    transaction_[key] = transaction;
    what_[key] = what;
  }

 private:
  std::vector<std::uint32_t> transaction_, what_;
};

// Says of every element whether it is the last that its transaction has written to the key: others may see only that.
std::vector<std::uint8_t> final_elements(const TransactionHistory& history) {
  std::vector<std::uint8_t> out(history.elements(), 1);
  LatestByKey latest(history);
  for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
    for (const TransactionOperation& op : history.operations_of(t)) {
      if (op.action != TransactionAction::Write) continue;
      if (const std::uint32_t earlier = latest.of(t, op.key); earlier != never) out[earlier] = 0;
      latest.set(t, op.key, op.what);
    }
  }
  return out;
}

// What a transaction appends to a key stands in its order, and nothing is missing before what was seen. Returns the
// first append (an operation) that stands behind a later one, or is missing, and that later one. What failed does not
// count.
struct OutOfOrder {
  std::uint32_t transaction, earlier, later;
};
std::optional<OutOfOrder> out_of_order(const TransactionHistory& history, const std::vector<std::uint32_t>& positions) {
  LatestByKey latest(history);
  for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
    if (history.transactions[t].outcome == Outcome::Failed) continue;
    for (std::uint32_t i = history.transactions[t].begin; i < history.transactions[t].end; ++i) {
      const TransactionOperation& op = history.operations[i];
      if (op.action != TransactionAction::Write) continue;
      const std::uint32_t earlier = latest.of(t, op.key), place = positions[op.what];
      if (earlier != never && place != never && place < positions[history.operations[earlier].what])
        return OutOfOrder{t, earlier, i};
      latest.set(t, op.key, i);
    }
  }
  return std::nullopt;
}

class ListCheck {
 public:
  explicit ListCheck(const TransactionHistory& history) : history_(history) {}

  std::optional<IsolationFinding> find() {
    if (auto found = duplicates()) return found;
    if (auto found = program_order()) return found;
    if (auto found = aborted()) return found;
    if (history_.has_odd_lists()) return incompatible();
    if (auto found = intermediate()) return found;
    return internal();
  }

 private:
  std::optional<IsolationFinding> duplicates() const {
    for (std::uint32_t key = 0; key < history_.keys(); ++key) {
      const std::vector<std::uint32_t>& order = history_.order(key);
      for (std::uint32_t i = 0; i < order.size(); ++i) {
        if (history_.position(order[i]) != i) return read_of_place(history_, Anomaly::DuplicateElements, key, i);
      }
    }
    std::optional<IsolationFinding> found;
    if (!history_.has_odd_lists()) return found;
    each_known_read(history_, [&](std::uint32_t t, std::uint32_t i) {
      if (found || history_.operations[i].action != TransactionAction::Odd) return;
      std::vector<std::uint32_t> list = history_.odd(history_.operations[i].what);
      std::ranges::sort(list);
      const auto twice = std::ranges::adjacent_find(list);
      if (twice != list.end()) {
        found = IsolationFinding{
            .anomaly = Anomaly::DuplicateElements, .operations = {i}, .transactions = {t}, .element = *twice};
      }
    });
    return found;
  }

  std::optional<IsolationFinding> program_order() const {
    const auto wrong = out_of_order(history_, history_.positions());
    if (!wrong) return std::nullopt;
    const TransactionOperation& later = history_.operations[wrong->later];
    IsolationFinding found =
        read_of_place(history_, Anomaly::IncompatibleOrder, later.key, history_.position(later.what));
    found.operations.push_back(wrong->earlier);
    found.transactions.push_back(wrong->transaction);
    return found;
  }

  std::optional<IsolationFinding> aborted() const {
    for (std::uint32_t key = 0; key < history_.keys(); ++key) {
      const std::vector<std::uint32_t>& order = history_.order(key);
      for (std::uint32_t i = 0; i < order.size(); ++i) {
        if (history_.transactions[history_.writer(order[i])].outcome != Outcome::Failed) continue;
        const bool updated = std::any_of(order.begin() + i, order.end(),
                                         [&](std::uint32_t e) { return is_ok(history_, history_.writer(e)); });
        return read_of_place(history_, updated ? Anomaly::DirtyUpdate : Anomaly::G1a, key, i);
      }
    }
    std::optional<IsolationFinding> found;
    if (!history_.has_odd_lists()) return found;
    each_known_read(history_, [&](std::uint32_t t, std::uint32_t i) {
      if (found || history_.operations[i].action != TransactionAction::Odd) return;
      for (const std::uint32_t e : history_.odd(history_.operations[i].what)) {
        if (history_.transactions[history_.writer(e)].outcome != Outcome::Failed) continue;
        found = IsolationFinding{.anomaly = Anomaly::G1a, .operations = {i}, .transactions = {t}, .element = e};
        return;
      }
    });
    return found;
  }

  // Names a read whose list differs from the odd one where that leaves the order.
  std::optional<IsolationFinding> incompatible() const {
    IsolationFinding found{.anomaly = Anomaly::IncompatibleOrder};
    each_known_read(history_, [&](std::uint32_t t, std::uint32_t i) {
      const TransactionOperation& op = history_.operations[i];
      if (!found.operations.empty() || op.action != TransactionAction::Odd) return;
      const std::vector<std::uint32_t>& odd = history_.odd(op.what);
      const std::vector<std::uint32_t>& order = history_.order(op.key);
      const auto at = std::ranges::mismatch(odd, order).in2 - order.begin();
      found = read_of_place(history_, Anomaly::IncompatibleOrder, op.key, static_cast<std::uint32_t>(at));
      found.element = odd[static_cast<std::size_t>(at)];
      found.operations.push_back(i);
      found.transactions.push_back(t);
    });
    return found;
  }

  std::optional<IsolationFinding> intermediate() const {
    std::optional<IsolationFinding> found;
    const std::vector<std::uint8_t> is_final = final_elements(history_);
    each_known_read(history_, [&](std::uint32_t t, std::uint32_t i) {
      const TransactionOperation& op = history_.operations[i];
      if (found || op.what == 0) return;
      const std::uint32_t last = history_.order(op.key)[op.what - 1];
      if (is_final[last] == 0 && history_.writer(last) != t)
        found = IsolationFinding{.anomaly = Anomaly::G1b, .operations = {i}, .transactions = {t}, .element = last};
    });
    return found;
  }

  // A list has all that the transaction has appended before, and nothing that it appends later. Appends stand in their
  // order, so the nearest on either side decide.
  std::optional<IsolationFinding> internal() const {
    LatestByKey before(history_), after(history_);
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (!is_ok(history_, t)) continue;
      const Transaction& one = history_.transactions[t];
      const auto wrong = [&](std::uint32_t read, std::uint32_t own) {
        return IsolationFinding{.anomaly = Anomaly::Internal,
                                .operations = {read, own},
                                .transactions = {t, t},
                                .element = history_.operations[own].what};
      };
      for (std::uint32_t i = one.begin; i < one.end; ++i) {
        const TransactionOperation& op = history_.operations[i];
        if (op.action == TransactionAction::Write) {
          before.set(t, op.key, i);
        } else if (const std::uint32_t own = before.of(t, op.key); own != never && !sees(op, own)) {
          return wrong(i, own);
        }
      }
      for (std::uint32_t i = one.end; i-- > one.begin;) {
        const TransactionOperation& op = history_.operations[i];
        if (op.action == TransactionAction::Write) {
          after.set(t, op.key, i);
        } else if (const std::uint32_t own = after.of(t, op.key); own != never && sees(op, own)) {
          return wrong(i, own);
        }
      }
    }
    return std::nullopt;
  }

  bool sees(const TransactionOperation& read, std::uint32_t append) const {
    const std::uint32_t place = history_.position(history_.operations[append].what);
    return place != never && place < read.what;
  }

  const TransactionHistory& history_;
};

std::optional<IsolationFinding> find_in_registers(const TransactionHistory& history) {
  const std::vector<std::uint8_t> is_final = final_elements(history);
  LatestByKey latest(history);
  for (std::uint32_t t = 0; t < history.transactions.size(); ++t) {
    if (!is_ok(history, t)) continue;
    for (std::uint32_t i = history.transactions[t].begin; i < history.transactions[t].end; ++i) {
      const TransactionOperation& op = history.operations[i];
      if (op.action == TransactionAction::Write) {
        latest.set(t, op.key, i);
        continue;
      }
      const std::uint32_t own = latest.of(t, op.key);
      const std::uint32_t writer = op.what == nothing ? never : history.writer(op.what);
      IsolationFinding found{.operations = {i}, .transactions = {t}, .element = op.what};
      if (own != never && history.operations[own].what != op.what) {
        found.anomaly = Anomaly::Internal;
        found.operations.push_back(own);
        found.transactions.push_back(t);
        return found;
      }
      if (own != never || writer == never) continue;
      if (writer == t) {
        found.anomaly = Anomaly::Internal;
      } else if (history.transactions[writer].outcome == Outcome::Failed) {
        found.anomaly = Anomaly::G1a;
      } else if (is_final[op.what] == 0) {
        found.anomaly = Anomaly::G1b;
      }
      if (found.anomaly != Anomaly::None) return found;
    }
  }
  return std::nullopt;
}

// What has been observed so far by somebody, and which versions of which keys that asks for: of lists a length, of
// registers the writers whose version must not be older.
class Observed {
 public:
  struct Demand {
    std::uint32_t writer = never, operation = never;  // whose write was seen, and by which read
  };

  explicit Observed(const TransactionHistory& history) : history_(history) {}

  // Takes note of a read of what `writer` has written. Returns false if it was noted before.
  bool note(std::uint32_t writer, std::uint32_t operation) {
    if (!seen_.insert(writer).second) return false;
    for (const TransactionOperation& op : history_.operations_of(writer)) {
      if (op.action != TransactionAction::Write) continue;
      std::vector<Demand>& demands = demands_[op.key];
      if (history_.workload == Workload::ListAppend && !demands.empty()) {
        if (place(writer, op.key) > place(demands.front().writer, op.key)) demands.front() = {writer, operation};
      } else if (demands.empty() || demands.back().writer != writer) {
        demands.push_back({writer, operation});
      }
    }
    return true;
  }

  const std::vector<Demand>* demands(std::uint32_t key) const {
    const auto it = demands_.find(key);
    return it == demands_.end() ? nullptr : &it->second;
  }

  // How long a list is at least that has all of it; `never` if no list has.
  std::uint32_t place(std::uint32_t writer, std::uint32_t key) const {
    std::uint32_t out = 0;
    for (const TransactionOperation& op : history_.operations_of(writer)) {
      if (op.action != TransactionAction::Write || op.key != key) continue;
      const std::uint32_t at = history_.position(op.what);
      out = at == never ? never : std::max(out, at + 1);
    }
    return out;
  }

 private:
  const TransactionHistory& history_;
  boost::unordered_flat_set<std::uint32_t> seen_;
  boost::unordered_flat_map<std::uint32_t, std::vector<Demand>> demands_;
};

class FracturedReads {
 public:
  FracturedReads(const TransactionHistory& history, std::vector<NeededOrder>& needed)
      : history_(history), needed_(needed) {}

  std::optional<IsolationFinding> find(Respects respects) {
    const auto count = static_cast<std::uint32_t>(history_.transactions.size());
    // Within a transaction.
    for (std::uint32_t t = 0; t < count && !found_; ++t) {
      if (!is_ok(history_, t)) continue;
      Observed observed(history_);
      look(t, observed, true);
    }
    phase_ = Respects::Sessions;
    if (respects != Respects::Nothing && !found_) in_sessions();
    phase_ = Respects::RealTime;
    if (respects == Respects::RealTime && !found_) in_real_time();
    return found_;
  }

 private:
  // Compares the reads of a transaction with what was observed, and then notes them; with `within`, one by one.
  void look(std::uint32_t t, Observed& observed, bool within) {
    const Transaction& one = history_.transactions[t];
    for (std::uint32_t i = one.begin; i < one.end && !found_; ++i) {
      if (history_.operations[i].action != TransactionAction::Read) continue;
      compare(t, i, observed);
      if (within) note(t, i, observed);
    }
  }

  void note_all(std::uint32_t t, Observed& observed) {
    for (std::uint32_t i = history_.transactions[t].begin; i < history_.transactions[t].end; ++i) {
      if (history_.operations[i].action == TransactionAction::Read) note(t, i, observed);
    }
  }

  std::uint32_t writer_seen(const TransactionOperation& read) const {
    if (history_.workload == Workload::Register) return read.what == nothing ? never : history_.writer(read.what);
    return read.what == 0 ? never : history_.writer(history_.order(read.key)[read.what - 1]);
  }

  void note(std::uint32_t t, std::uint32_t i, Observed& observed) {
    const std::uint32_t writer = writer_seen(history_.operations[i]);
    if (writer != never && writer != t) observed.note(writer, i);
  }

  void compare(std::uint32_t t, std::uint32_t i, const Observed& observed) {
    const TransactionOperation& read = history_.operations[i];
    const std::vector<Observed::Demand>* demands = observed.demands(read.key);
    if (demands == nullptr) return;
    for (const Observed::Demand& demand : *demands) {
      if (demand.writer == t) continue;
      if (history_.workload == Workload::ListAppend) {
        if (observed.place(demand.writer, read.key) <= read.what) continue;
      } else {
        const std::uint32_t writer = writer_seen(read);
        if (writer == demand.writer || writer == t) continue;
        if (writer != never) {
          needed_.push_back({demand.writer, writer, t, demand.operation, i, phase_});
          continue;
        }
      }
      found_ = IsolationFinding{.anomaly = Anomaly::FracturedRead,
                                .respects = phase_,
                                .operations = {demand.operation, i},
                                .transactions = {demand.writer, t}};
      return;
    }
  }

  // What one transaction of a session has observed, the later ones of that session observe.
  void in_sessions() {
    std::vector<std::vector<std::uint32_t>> sessions(history_.processes.size());
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (is_ok(history_, t) && history_.transactions[t].process != never)
        sessions[history_.transactions[t].process].push_back(t);
    }
    for (const std::vector<std::uint32_t>& session : sessions) {
      Observed observed(history_);
      for (const std::uint32_t t : session) {
        if (found_) return;
        look(t, observed, false);
        note_all(t, observed);
      }
    }
  }

  // ... and so does every transaction that begins after it has returned.
  void in_real_time() {
    std::vector<std::uint32_t> by_event(history_.events, never);
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (!is_ok(history_, t)) continue;
      by_event[history_.transactions[t].invoked] = 2 * t;
      by_event[history_.transactions[t].returned] = 2 * t + 1;
    }
    Observed observed(history_);
    for (const std::uint32_t event : by_event) {
      if (event == never) continue;
      if (found_) return;
      if ((event & 1) == 0) {
        look(event >> 1, observed, false);
      } else {
        note_all(event >> 1, observed);
      }
    }
  }

  const TransactionHistory& history_;
  std::vector<NeededOrder>& needed_;
  Respects phase_ = Respects::Nothing;
  std::optional<IsolationFinding> found_;
};

}  // namespace

std::optional<IsolationFinding> find_direct_anomaly(const TransactionHistory& history) {
  if (history.workload == Workload::Register) return find_in_registers(history);
  return ListCheck(history).find();
}

std::optional<IsolationFinding> orders_without_uncommitted(const TransactionHistory& history, VersionOrders& orders) {
  orders.of_key.assign(history.keys(), {});
  orders.position.assign(history.elements(), never);
  // By key: the read that the order comes from.
  std::vector<std::uint32_t> origin(history.keys(), never), origin_transaction(history.keys(), never);
  std::optional<IsolationFinding> found;
  if (history.workload == Workload::Register) return found;
  const auto filtered = [&](std::span<const std::uint32_t> list) {
    std::vector<std::uint32_t> out;
    std::ranges::copy_if(list, std::back_inserter(out),
                         [&](std::uint32_t e) { return is_ok(history, history.writer(e)); });
    return out;
  };
  // Reads of prefixes of the history's order agree with each other; the first of the longest stands for them.
  std::vector<std::uint8_t> taken(history.keys(), 0);
  const auto take = [&](std::uint32_t t, std::uint32_t i, const std::vector<std::uint32_t>& list) {
    const std::uint32_t key = history.operations[i].key;
    std::vector<std::uint32_t>& order = orders.of_key[key];
    const auto [a, b] = std::ranges::mismatch(list, order);
    if (a != list.end() && b != order.end()) {
      found = IsolationFinding{.anomaly = Anomaly::IncompatibleOrder,
                               .operations = {origin[key], i},
                               .transactions = {origin_transaction[key], t},
                               .element = *a};
      return;
    }
    if (list.size() <= order.size() && origin[key] != never) return;
    order = list;
    origin[key] = i;
    origin_transaction[key] = t;
  };
  each_known_read(history, [&](std::uint32_t t, std::uint32_t i) {
    const TransactionOperation& op = history.operations[i];
    if (found) return;
    if (op.action == TransactionAction::Odd) return take(t, i, filtered(history.odd(op.what)));
    if (op.what != history.order(op.key).size() || std::exchange(taken[op.key], 1) != 0) return;
    take(t, i, filtered(history.order(op.key)));
  });
  if (found) return found;
  for (std::uint32_t key = 0; key < history.keys(); ++key) {
    for (std::uint32_t i = 0; i < orders.of_key[key].size(); ++i) {
      std::uint32_t& place = orders.position[orders.of_key[key][i]];
      if (place != never) {
        return IsolationFinding{.anomaly = Anomaly::DuplicateElements,
                                .operations = {origin[key]},
                                .transactions = {origin_transaction[key]},
                                .element = orders.of_key[key][i]};
      }
      place = i;
    }
  }
  const auto wrong = out_of_order(history, orders.position);
  if (!wrong) return std::nullopt;
  const TransactionOperation& later = history.operations[wrong->later];
  return IsolationFinding{.anomaly = Anomaly::IncompatibleOrder,
                          .operations = {origin[later.key], wrong->earlier},
                          .transactions = {origin_transaction[later.key], wrong->transaction},
                          .element = later.what};
}

std::optional<IsolationFinding> find_fractured_read(const TransactionHistory& history, Respects respects,
                                                    std::vector<NeededOrder>& needed) {
  return FracturedReads(history, needed).find(respects);
}

}  // namespace heddle::transactions
