// The isolation levels straight from their definitions (docs/serializability.md), by trying every order. For histories
// of up to seven transactions or so. Knows nothing of src/check/transactions: no version orders, no graphs of
// dependencies.
//
// A level holds if some transactions of unknown outcome can be chosen to have happened, and these and all that are ok
// be put into an order, such that the level's conditions are true of that order. What the conditions are is below, one
// function each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace heddle::oracle {

struct Op {
  enum Kind { Read, Write } kind = Read;
  int key = 0;
  int value = 0;          // that is written; of a register that is read, 0 for the initial one
  std::vector<int> list;  // that is read, of lists
};

struct Txn {
  enum Outcome { Ok, Failed, Unknown } outcome = Ok;
  int process = 0;
  int invoked = 0, returned = 0;  // moments; `returned` means nothing for Unknown
  std::vector<Op> ops;            // reads of those that are not ok say nothing
};

struct History {
  bool lists = true;
  std::vector<Txn> txns;  // in the order of their invocations
};

enum Isolation {
  ReadUncommitted,
  ReadCommitted,
  MonotonicAtomicView,
  RepeatableRead,
  Snapshot,
  Serializable,
  isolations
};
enum Respects { Nothing, Sessions, RealTime, orders };

// verdicts[isolation][respects]
using Verdicts = std::array<std::array<bool, orders>, isolations>;

class Oracle {
 public:
  explicit Oracle(const History& history) : h_(history), n_(static_cast<int>(history.txns.size())) {}

  Verdicts verdicts() {
    for (auto& row : found_) row.fill(false);
    std::vector<int> unknown;
    for (int t = 0; t < n_; ++t) {
      if (h_.txns[t].outcome == Txn::Unknown) unknown.push_back(t);
    }
    for (unsigned chosen = 0; chosen < (1U << unknown.size()); ++chosen) {
      committed_.assign(n_, false);
      for (int t = 0; t < n_; ++t) committed_[t] = h_.txns[t].outcome == Txn::Ok;
      for (std::size_t i = 0; i < unknown.size(); ++i) {
        if ((chosen >> i & 1) != 0) committed_[unknown[i]] = true;
      }
      try_all_orders();
      try_all_snapshots();
    }
    return found_;
  }

 private:
  bool ok(int t) const { return h_.txns[t].outcome == Txn::Ok; }

  // Does the order that is to be respected ask for `a` before `b`?
  bool must_precede(int a, int b, int respects) const {
    if (!ok(a) || a == b) return false;
    if (respects == RealTime) return h_.txns[a].returned < h_.txns[b].invoked || must_precede(a, b, Sessions);
    return respects == Sessions && h_.txns[a].process == h_.txns[b].process && h_.txns[a].process >= 0 && a < b;
  }

  void try_all_orders() {
    std::vector<int> order;
    for (int t = 0; t < n_; ++t) {
      if (committed_[t]) order.push_back(t);
    }
    do {
      judge(order);
      if (everything_found()) return;
    } while (std::next_permutation(order.begin(), order.end()));
  }

  bool everything_found() const {
    for (int i = 0; i < isolations; ++i) {
      for (int r = 0; r < orders; ++r) {
        if (i != Snapshot && !found_[i][r]) return false;
      }
    }
    return true;
  }

  void judge(const std::vector<int>& order) {
    place_.assign(n_, -1);
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = static_cast<int>(i);
    versions_.clear();
    for (const int t : order) {
      for (const Op& op : h_.txns[t].ops) {
        if (op.kind == Op::Write) versions_[op.key].push_back({op.value, t});
      }
    }
    const bool uncommitted = lists_agree_without_the_uncommitted();
    const bool committed = uncommitted_reads_are_none();
    const bool serial = committed && answers_are_those_of_executing(order);
    for (int r = 0; r < orders; ++r) {
      if (!respected(order, r)) continue;
      // Read uncommitted asks nothing of reads, so what is not sure to be committed is left out.
      if (uncommitted) found_[ReadUncommitted][r] = true;
      if (!committed) continue;
      found_[ReadCommitted][r] = true;
      if (!found_[MonotonicAtomicView][r] && nothing_seen_vanishes(r)) found_[MonotonicAtomicView][r] = true;
      if (!found_[RepeatableRead][r] && nothing_read_is_overwritten_by_a_cause(r)) found_[RepeatableRead][r] = true;
      if (serial) found_[Serializable][r] = true;
    }
  }

  bool respected(const std::vector<int>& order, int r) const {
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t k = i + 1; k < order.size(); ++k) {
        if (must_precede(order[k], order[i], r)) return false;
      }
    }
    return true;
  }

  struct Version {
    int value, writer;
  };
  const std::vector<Version>& versions(int key) const {
    static const std::vector<Version> none;
    const auto it = versions_.find(key);
    return it == versions_.end() ? none : it->second;
  }

  // Read uncommitted: the writes of the order, executed one transaction after the other, give lists of which every list
  // that was read is a beginning, apart from elements of what is not committed.
  bool lists_agree_without_the_uncommitted() const {
    if (!h_.lists) return true;
    for (int t = 0; t < n_; ++t) {
      if (!ok(t)) continue;
      for (const Op& op : h_.txns[t].ops) {
        if (op.kind != Op::Read) continue;
        std::size_t count = 0;
        for (const int value : op.list) {
          if (!written_by_committed(op.key, value)) continue;
          if (count >= versions(op.key).size() || versions(op.key)[count].value != value) return false;
          ++count;
        }
      }
    }
    return true;
  }
  bool written_by_committed(int key, int value) const {
    return std::any_of(versions(key).begin(), versions(key).end(), [&](const Version& v) { return v.value == value; });
  }

  // What a read of `op`, the i-th of t, has seen: how many versions of its key (of registers: those up to the one that
  // was read). -1 if it is not a beginning of the versions.
  int seen(const Op& op) const {
    const std::vector<Version>& all = versions(op.key);
    if (!h_.lists) {
      if (op.value == 0) return 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].value == op.value) return static_cast<int>(i) + 1;
      }
      return -1;
    }
    if (op.list.size() > all.size()) return -1;
    for (std::size_t i = 0; i < op.list.size(); ++i) {
      if (all[i].value != op.list[i]) return -1;
    }
    return static_cast<int>(op.list.size());
  }

  // Read committed: every read has seen the last version that some earlier transaction has left of the key, or the key
  // as it was at first; and the transaction's own writes, those before the read and no others.
  bool uncommitted_reads_are_none() const {
    for (int t = 0; t < n_; ++t) {
      if (!ok(t)) continue;
      for (std::size_t i = 0; i < h_.txns[t].ops.size(); ++i) {
        const Op& read = h_.txns[t].ops[i];
        if (read.kind == Op::Read && !is_committed_read(t, i, read)) return false;
      }
    }
    return true;
  }
  bool is_committed_read(int t, std::size_t i, const Op& read) const {
    const int count = seen(read);
    if (count < 0) return false;
    std::vector<int> own;  // its own writes to the key before
    for (std::size_t k = 0; k < i; ++k) {
      const Op& op = h_.txns[t].ops[k];
      if (op.kind == Op::Write && op.key == read.key) own.push_back(op.value);
    }
    const std::vector<Version>& all = versions(read.key);
    if (!h_.lists) {
      if (!own.empty()) return read.value == own.back();
    } else {
      std::size_t mine = 0;
      for (int k = 0; k < count; ++k) mine += all[static_cast<std::size_t>(k)].writer == t ? 1 : 0;
      if (mine != own.size()) return false;
    }
    if (count == 0) return true;
    const int writer = all[static_cast<std::size_t>(count) - 1].writer;
    if (writer == t) return h_.lists;
    const bool last = count == static_cast<int>(all.size()) || all[static_cast<std::size_t>(count)].writer != writer;
    return last && place_[writer] < place_[t];
  }

  // Whose version a read has seen; -1 for nobody's.
  int source(const Op& read) const {
    const int count = seen(read);
    return count <= 0 ? -1 : versions(read.key)[static_cast<std::size_t>(count) - 1].writer;
  }

  // Monotonic atomic view: who has seen a write of a transaction sees all its writes from then on. With sessions or
  // time, so do the transactions that have to follow.
  bool nothing_seen_vanishes(int r) const {
    for (int t = 0; t < n_; ++t) {
      if (!ok(t)) continue;
      for (int later = 0; later < n_; ++later) {
        if (!ok(later) || (later != t && !must_precede(t, later, r))) continue;
        for (std::size_t i = 0; i < h_.txns[t].ops.size(); ++i) {
          const Op& first = h_.txns[t].ops[i];
          if (first.kind != Op::Read || source(first) < 0 || source(first) == t) continue;
          for (std::size_t k = later == t ? i + 1 : 0; k < h_.txns[later].ops.size(); ++k) {
            const Op& second = h_.txns[later].ops[k];
            if (second.kind == Op::Read && misses(second, later, source(first))) return false;
          }
        }
      }
    }
    return true;
  }
  bool misses(const Op& read, int reader, int writer) const {
    if (reader == writer) return false;
    if (!h_.lists && source(read) == reader) return false;
    const std::vector<Version>& all = versions(read.key);
    for (std::size_t i = static_cast<std::size_t>(seen(read)); i < all.size(); ++i) {
      if (all[i].writer == writer) return true;
    }
    return false;
  }

  // Repeatable read: no transaction depends, by writes, reads and the order that is respected, on one that has
  // overwritten what it has read.
  bool nothing_read_is_overwritten_by_a_cause(int r) const {
    std::vector<std::vector<bool>> before(n_, std::vector<bool>(n_, false));
    for (int a = 0; a < n_; ++a) {
      for (int b = 0; b < n_; ++b) {
        if (committed_[a] && committed_[b] && must_precede(a, b, r)) before[a][b] = true;
      }
    }
    for (const auto& [key, all] : versions_) {
      for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i - 1].writer != all[i].writer) before[all[i - 1].writer][all[i].writer] = true;
      }
    }
    for (int t = 0; t < n_; ++t) {
      if (!ok(t)) continue;
      for (const Op& op : h_.txns[t].ops) {
        if (op.kind == Op::Read && source(op) >= 0 && source(op) != t) before[source(op)][t] = true;
      }
    }
    for (int k = 0; k < n_; ++k) {
      for (int a = 0; a < n_; ++a) {
        for (int b = 0; b < n_; ++b) {
          if (before[a][k] && before[k][b]) before[a][b] = true;
        }
      }
    }
    for (int t = 0; t < n_; ++t) {
      if (!ok(t)) continue;
      for (const Op& op : h_.txns[t].ops) {
        if (op.kind != Op::Read) continue;
        const std::size_t next = static_cast<std::size_t>(seen(op));
        const std::vector<Version>& all = versions(op.key);
        if (next >= all.size() || all[next].writer == t) continue;
        if (before[all[next].writer][t]) return false;
      }
    }
    return true;
  }

  // Serializable: executing the transactions one after the other gives every answer.
  bool answers_are_those_of_executing(const std::vector<int>& order) const {
    std::map<int, std::vector<int>> state;
    for (const int t : order) {
      for (const Op& op : h_.txns[t].ops) {
        if (op.kind == Op::Write) {
          state[op.key].push_back(op.value);
        } else if (ok(t) && !gives(state[op.key], op)) {
          return false;
        }
      }
    }
    return true;
  }
  bool gives(const std::vector<int>& state, const Op& read) const {
    if (h_.lists) return state == read.list;
    return (state.empty() ? 0 : state.back()) == read.value;
  }

  // Snapshot isolation: starts and commits in some order; a transaction sees what was committed when it started and its
  // own writes; between its start and its commit nobody else commits a write to a key that it writes.
  void try_all_snapshots() {
    for (int r = 0; r < orders; ++r) {
      if (found_[Snapshot][r]) continue;
      dead_.clear();
      Snapshots at;
      at.started.assign(n_, false);
      at.ended.assign(n_, false);
      found_[Snapshot][r] = continue_snapshots(at, r);
    }
  }
  struct Snapshots {
    std::vector<bool> started, ended;
    std::map<int, std::vector<int>> state;
    std::set<std::pair<int, int>> spoilt;  // (transaction, key): somebody else has committed a write since its start
  };
  bool continue_snapshots(const Snapshots& at, int r) {
    bool all = true;
    for (int t = 0; t < n_; ++t) all = all && (!committed_[t] || at.ended[t]);
    if (all) return true;
    std::string name;
    for (int t = 0; t < n_; ++t) name += at.ended[t] ? '2' : at.started[t] ? '1' : '0';
    for (const auto& [key, list] : at.state) {
      name += '|' + std::to_string(key);
      for (const int value : list) name += ',' + std::to_string(value);
    }
    for (const auto& [t, key] : at.spoilt) name += ';' + std::to_string(t) + ':' + std::to_string(key);
    if (!dead_.insert(name).second) return false;
    for (int t = 0; t < n_; ++t) {
      if (!committed_[t] || at.ended[t]) continue;
      Snapshots next = at;
      if (!at.started[t]) {
        bool may = true;
        for (int a = 0; a < n_; ++a) may = may && !(committed_[a] && !at.ended[a] && must_precede(a, t, r));
        if (!may || !snapshot_gives(at.state, t)) continue;
        next.started[t] = true;
      } else {
        bool may = true;
        for (const Op& op : h_.txns[t].ops) may = may && !(op.kind == Op::Write && at.spoilt.contains({t, op.key}));
        if (!may) continue;
        next.ended[t] = true;
        for (const Op& op : h_.txns[t].ops) {
          if (op.kind != Op::Write) continue;
          next.state[op.key].push_back(op.value);
          for (int other = 0; other < n_; ++other) {
            if (other != t && at.started[other] && !at.ended[other]) next.spoilt.insert({other, op.key});
          }
        }
      }
      if (continue_snapshots(next, r)) return true;
    }
    return false;
  }
  bool snapshot_gives(std::map<int, std::vector<int>> state, int t) const {
    for (const Op& op : h_.txns[t].ops) {
      if (op.kind == Op::Write) {
        state[op.key].push_back(op.value);
      } else if (ok(t) && !gives(state[op.key], op)) {
        return false;
      }
    }
    return true;
  }

  const History& h_;
  const int n_;
  std::vector<bool> committed_;
  std::vector<int> place_;
  std::map<int, std::vector<Version>> versions_;
  std::set<std::string> dead_;
  Verdicts found_{};
};

}  // namespace heddle::oracle
