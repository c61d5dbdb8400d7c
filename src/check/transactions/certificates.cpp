// Executes an order of transactions one after the other and compares each answer with the recorded one.
#include "check/transactions/certificates.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace heddle::transactions {
namespace {

using Order = std::vector<std::uint32_t>;

class Replay {
 public:
  Replay(const TransactionHistory& history, const Level& level) : history_(history), level_(level) {}

  std::string run(const Order& order) {
    const bool events = level_.isolation == Isolation::SnapshotIsolation;
    if (auto wrong = complete(order, events); !wrong.empty()) return wrong;
    if (auto wrong = respected(order, events); !wrong.empty()) return wrong;
    if (level_.isolation == Isolation::Serializable) return serially(order);
    return events ? by_snapshots(order) : by_versions(order);
  }

 private:
  static std::string wrong(std::uint32_t transaction, const char* what) {
    return fmt::format("transaction {}: {}", transaction, what);
  }
  bool lists() const { return history_.workload == Workload::ListAppend; }

  // Every Ok transaction is there once, no failed one is.
  std::string complete(const Order& order, bool events) {
    place_.assign(history_.transactions.size(), never);
    start_.assign(history_.transactions.size(), never);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const std::uint32_t t = events ? order[i] >> 1 : order[i];
      if (t >= history_.transactions.size()) return "no such transaction";
      std::uint32_t& place = events && (order[i] & 1) == 0 ? start_[t] : place_[t];
      if (place != never) return wrong(t, "comes twice");
      place = i;
      if (events && (order[i] & 1) != 0 && start_[t] == never) return wrong(t, "commits before it starts");
    }
    for (std::uint32_t t = 0; t < place_.size(); ++t) {
      const Outcome outcome = history_.transactions[t].outcome;
      if ((place_[t] == never && outcome == Outcome::Ok) || (place_[t] != never && outcome == Outcome::Failed))
        return wrong(t, "is there although it failed, or is missing");
      if (events && (start_[t] == never) != (place_[t] == never)) return wrong(t, "has only one of its events");
    }
    return "";
  }

  // Who has to come before whom by session and time: the one commits before the other starts.
  std::string respected(const Order& order, bool events) const {
    if (level_.respects == Respects::Nothing) return "";
    // Going backwards: what commits later has not returned before what starts here was invoked.
    std::uint32_t first_return = never;
    for (std::size_t i = order.size(); level_.respects == Respects::RealTime && i-- > 0;) {
      const std::uint32_t t = events ? order[i] >> 1 : order[i];
      const Transaction& one = history_.transactions[t];
      const bool commits = !events || (order[i] & 1) != 0, starts = !events || (order[i] & 1) == 0;
      if (starts && first_return < one.invoked) return wrong(t, "comes before one that had returned earlier");
      if (commits && one.outcome == Outcome::Ok) first_return = std::min(first_return, one.returned);
    }
    // One of unknown outcome may happen after later ones of its session.
    std::vector<std::uint32_t> last_ok(history_.processes.size(), never);
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      const Transaction& one = history_.transactions[t];
      if (place_[t] == never || one.process == never) continue;
      std::uint32_t& last = last_ok[one.process];
      if (last != never && place_[last] > (events ? start_[t] : place_[t]))
        return wrong(t, "comes before an earlier one of its session");
      if (one.outcome == Outcome::Ok) last = t;
    }
    return "";
  }

  // The lists, or registers, while transactions are executed.
  struct Key {
    std::uint32_t length = 0;       // of a list
    bool as_read = true;            // so far it is the beginning of the key's order
    std::uint32_t value = nothing;  // of a register
  };
  void write(Key& key, const TransactionOperation& op) const {
    if (lists()) {
      const std::vector<std::uint32_t>& order = history_.order(op.key);
      key.as_read = key.as_read && (key.length >= order.size() || order[key.length] == op.what);
      ++key.length;
    } else {
      key.value = op.what;
    }
  }
  bool gives(const Key& key, const TransactionOperation& read) const {
    if (read.action == TransactionAction::Odd) return false;
    if (!lists()) return key.value == read.what;
    return read.what == key.length && (key.length == 0 || key.as_read);
  }

  std::string serially(const Order& order) const {
    std::vector<Key> keys(history_.keys());
    for (const std::uint32_t t : order) {
      for (const TransactionOperation& op : history_.operations_of(t)) {
        if (op.action == TransactionAction::Write) {
          write(keys[op.key], op);
        } else if (op.action != TransactionAction::Unseen && !gives(keys[op.key], op)) {
          return wrong(t, "the order gives another answer");
        }
      }
    }
    return "";
  }

  std::string by_snapshots(const Order& order) const {
    std::vector<Key> keys(history_.keys());
    std::vector<std::uint32_t> written(history_.keys(), 0);  // when, + 1
    boost::unordered_flat_map<std::uint32_t, Key> own;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const std::uint32_t t = order[i] >> 1;
      own.clear();
      if ((order[i] & 1) != 0) {
        for (const TransactionOperation& op : history_.operations_of(t)) {
          if (op.action != TransactionAction::Write) continue;
          const bool by_itself = written[op.key] == i + 1;
          if (!by_itself && written[op.key] > start_[t] + 1)
            return wrong(t, "another one wrote meanwhile what it writes");
          write(keys[op.key], op);
          written[op.key] = i + 1;
        }
        continue;
      }
      for (const TransactionOperation& op : history_.operations_of(t)) {
        const auto at = own.find(op.key);
        if (op.action == TransactionAction::Write) {
          write(at == own.end() ? own.emplace(op.key, keys[op.key]).first->second : at->second, op);
        } else if (op.action != TransactionAction::Unseen && !gives(at == own.end() ? keys[op.key] : at->second, op)) {
          return wrong(t, "its snapshot gives another answer");
        }
      }
    }
    return "";
  }

  // The versions of every key in the order in which the transactions have written them.
  struct Versions {
    std::vector<std::uint32_t> elements, writers;
    std::vector<std::uint32_t> ends;  // for each element how many there are up to the last of its writer
  };

  std::string by_versions(const Order& order) {
    versions_.assign(history_.keys(), {});
    for (const std::uint32_t t : order) {
      const bool counts =
          level_.isolation != Isolation::ReadUncommitted || history_.transactions[t].outcome == Outcome::Ok;
      if (!counts) return wrong(t, "is not committed");
      for (const TransactionOperation& op : history_.operations_of(t)) {
        if (op.action != TransactionAction::Write) continue;
        Versions& versions = versions_[op.key];
        if (!lists() && !versions.writers.empty() && versions.writers.back() == t) {
          versions.elements.back() = op.what;
          continue;
        }
        versions.elements.push_back(op.what);
        versions.writers.push_back(t);
      }
    }
    number_.assign(history_.elements(), never);
    for (Versions& versions : versions_) {
      versions.ends.resize(versions.elements.size());
      for (std::uint32_t i = static_cast<std::uint32_t>(versions.elements.size()); i-- > 0;) {
        const bool last = i + 1 == versions.elements.size() || versions.writers[i + 1] != versions.writers[i];
        versions.ends[i] = last ? i + 1 : versions.ends[i + 1];
        number_[versions.elements[i]] = i;
      }
    }
    for (const std::uint32_t t : order) {
      if (history_.transactions[t].outcome != Outcome::Ok) continue;
      if (auto wrong = reads_of(t); !wrong.empty()) return wrong;
    }
    if (level_.isolation == Isolation::MonotonicAtomicView) return nothing_vanishes();
    return level_.isolation == Isolation::RepeatableRead ? nothing_overwritten() : "";
  }

  // What a transaction has written to a key so far.
  struct Own {
    std::uint32_t count = 0, first = 0, last = 0;  // elements
  };

  std::string reads_of(std::uint32_t t) {
    boost::unordered_flat_map<std::uint32_t, Own> own;
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action == TransactionAction::Write) {
        Own& mine = own[op.key];
        if (mine.count++ == 0) mine.first = op.what;
        mine.last = op.what;
        continue;
      }
      if (level_.isolation == Isolation::ReadUncommitted) {
        if (lists() && !agrees(op)) return wrong(t, "its list is not one that this order gives");
        continue;
      }
      if (op.action == TransactionAction::Odd) return wrong(t, "its list is no prefix of the others");
      const auto at = own.find(op.key);
      const Own mine = at == own.end() ? Own() : at->second;
      if (!(lists() ? list_is_committed(t, op, mine) : value_is_committed(t, op, mine)))
        return wrong(t, "reads what is not committed before it");
    }
    return "";
  }

  // What is Ok in the list is a prefix of the key's versions.
  bool agrees(const TransactionOperation& read) const {
    std::uint32_t count = 0;
    const Versions& versions = versions_[read.key];
    for (const std::uint32_t element : history_.list(read)) {
      if (history_.transactions[history_.writer(element)].outcome != Outcome::Ok) continue;
      if (count >= versions.elements.size() || versions.elements[count] != element) return false;
      ++count;
    }
    return true;
  }

  bool list_is_committed(std::uint32_t t, const TransactionOperation& read, const Own& mine) {
    const Versions& versions = versions_[read.key];
    const std::uint32_t length = read.what;
    if (length > versions.elements.size()) return false;
    std::uint32_t& same = same_[read.key];  // how much of the order is known to be a prefix of the versions
    for (; same < length; ++same) {
      if (history_.order(read.key)[same] != versions.elements[same]) return false;
    }
    // The versions are in the order of the transactions, so what is its own stands together, and the last one decides.
    if (mine.count > 0 && number_[mine.first] + mine.count > length) return false;
    if (length == 0) return true;
    const std::uint32_t writer = versions.writers[length - 1];
    if (writer == t) return mine.count > 0 && number_[mine.first] + mine.count == length;
    return versions.ends[length - 1] == length && place_[writer] < place_[t];
  }

  bool value_is_committed(std::uint32_t t, const TransactionOperation& read, const Own& mine) const {
    if (mine.count > 0) return read.what == mine.last;
    if (read.what == nothing) return true;
    const std::uint32_t writer = history_.writer(read.what);
    return writer != t && place_[writer] < place_[t] && number_[read.what] != never &&
           versions_[read.key].elements[number_[read.what]] == read.what;
  }

  // How many versions of its key a read has seen, in whichever form.
  std::uint32_t seen(const TransactionOperation& read) const {
    if (lists()) return read.what;
    return read.what == nothing ? 0 : number_[read.what] + 1;
  }

  // A register's own value says nothing of others.
  bool is_own(std::uint32_t t, const TransactionOperation& read) const {
    return !lists() && read.what != nothing && history_.writer(read.what) == t;
  }

  // Whoever has seen a transaction sees all of it from then on: later in the transaction, or in those that follow.
  std::string nothing_vanishes() const {
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (history_.transactions[t].outcome != Outcome::Ok) continue;
      boost::unordered_flat_map<std::uint32_t, std::uint32_t> least;
      if (!look(t, least, true)) return wrong(t, "misses what it has seen before");
    }
    if (level_.respects == Respects::Nothing) return "";
    // Sessions, and then everybody in the order of time.
    std::vector<boost::unordered_flat_map<std::uint32_t, std::uint32_t>> by_session(history_.processes.size());
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      const Transaction& one = history_.transactions[t];
      if (one.outcome != Outcome::Ok || one.process == never) continue;
      if (!look(t, by_session[one.process], false)) return wrong(t, "misses what its session has seen");
      learn(t, by_session[one.process]);
    }
    if (level_.respects == Respects::Sessions) return "";
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moments;
    for (std::uint32_t t = 0; t < history_.transactions.size(); ++t) {
      if (history_.transactions[t].outcome != Outcome::Ok) continue;
      moments.emplace_back(history_.transactions[t].invoked, 2 * t);
      moments.emplace_back(history_.transactions[t].returned, 2 * t + 1);
    }
    std::ranges::sort(moments);
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> least;
    for (const auto& [event, what] : moments) {
      if ((what & 1) != 0) {
        learn(what >> 1, least);
      } else if (!look(what >> 1, least, false)) {
        return wrong(what >> 1, "misses what was seen before it began");
      }
    }
    return "";
  }
  bool look(std::uint32_t t, boost::unordered_flat_map<std::uint32_t, std::uint32_t>& least, bool within) const {
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action != TransactionAction::Read || is_own(t, op)) continue;
      const auto at = least.find(op.key);
      if (at != least.end() && seen(op) < at->second) return false;
      if (within) learn(t, op, least);
    }
    return true;
  }
  void learn(std::uint32_t t, boost::unordered_flat_map<std::uint32_t, std::uint32_t>& least) const {
    for (const TransactionOperation& op : history_.operations_of(t)) {
      if (op.action == TransactionAction::Read) learn(t, op, least);
    }
  }
  void learn(std::uint32_t t, const TransactionOperation& read,
             boost::unordered_flat_map<std::uint32_t, std::uint32_t>& least) const {
    if (is_own(t, read) || seen(read) == 0) return;
    const std::uint32_t writer = versions_[read.key].writers[seen(read) - 1];
    if (writer == t) return;
    for (const TransactionOperation& op : history_.operations_of(writer)) {
      if (op.action != TransactionAction::Write || number_[op.what] == never) continue;
      std::uint32_t& count = least[op.key];
      count = std::max(count, number_[op.what] + 1);
    }
  }

  // No transaction depends on one that overwrote what it has read. What a transaction depends on stands before it in
  // the order, so only what lies between the two is searched, backwards.
  std::string nothing_overwritten() const {
    std::vector<std::uint32_t> by_place(place_.size(), never);
    for (std::uint32_t t = 0; t < place_.size(); ++t) {
      if (place_[t] != never) by_place[place_[t]] = t;
    }
    boost::unordered_flat_set<std::uint32_t> reached;
    std::vector<std::uint32_t> stack;
    for (std::uint32_t t = 0; t < place_.size(); ++t) {
      if (place_[t] == never || history_.transactions[t].outcome != Outcome::Ok) continue;
      std::uint32_t first = never;  // the place of the earliest one that overwrote something
      boost::unordered_flat_set<std::uint32_t> overwrote;
      for (const TransactionOperation& op : history_.operations_of(t)) {
        if (op.action != TransactionAction::Read || is_own(t, op)) continue;
        if (seen(op) >= versions_[op.key].writers.size()) continue;
        const std::uint32_t next = versions_[op.key].writers[seen(op)];
        if (next == t) continue;
        overwrote.insert(next);
        first = std::min(first, place_[next]);
      }
      if (first == never || first > place_[t]) continue;
      reached.clear();
      stack = {t};
      while (!stack.empty()) {
        const std::uint32_t node = stack.back();
        stack.pop_back();
        if (node != t && overwrote.contains(node)) return wrong(t, "depends on one that overwrote what it has read");
        each_before(node, by_place, first, [&](std::uint32_t before) {
          if (place_[before] >= first && reached.insert(before).second) stack.push_back(before);
        });
      }
    }
    return "";
  }

  // Calls f for the transactions that this one depends on directly: by writes, by reads, by session and by time.
  template <class F>
  void each_before(std::uint32_t t, const std::vector<std::uint32_t>& by_place, std::uint32_t first, const F& f) const {
    for (const TransactionOperation& op : history_.operations_of(t)) {
      const Versions& versions = versions_[op.key];
      if (op.action == TransactionAction::Write) {
        const std::uint32_t number = number_[op.what];
        if (number != never && number > 0 && versions.writers[number - 1] != t) f(versions.writers[number - 1]);
      } else if (op.action == TransactionAction::Read && !is_own(t, op) && seen(op) > 0 &&
                 versions.writers[seen(op) - 1] != t) {
        f(versions.writers[seen(op) - 1]);
      }
    }
    if (level_.respects == Respects::Nothing) return;
    const Transaction& one = history_.transactions[t];
    for (std::uint32_t place = first; place < place_[t]; ++place) {
      const std::uint32_t other = by_place[place];
      const Transaction& before = history_.transactions[other];
      if (before.outcome != Outcome::Ok) continue;
      const bool session = before.process != never && before.process == one.process && other < t;
      if (session || (level_.respects == Respects::RealTime && before.returned < one.invoked)) f(other);
    }
  }

  const TransactionHistory& history_;
  const Level level_;
  std::vector<std::uint32_t> place_, start_;  // of transactions in the order; of the commit, if it has events
  std::vector<Versions> versions_;
  std::vector<std::uint32_t> number_;  // by element: its version's number
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> same_;
};

}  // namespace

std::string replay(const TransactionHistory& history, const Level& level, const Order& order) {
  return Replay(history, level).run(order);
}

}  // namespace heddle::transactions
