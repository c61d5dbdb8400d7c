// Small random histories of transactions, for the oracle (isolation_oracle.h) and for the checker. They are unkind:
// some stores keep their promises, most break them in one way or another, and some answers are made up.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check/transactions/transaction_history.h"
#include "support/isolation_oracle.h"

namespace heddle::testing {

class TransactionGenerator {
 public:
  explicit TransactionGenerator(std::uint64_t seed) : random_(seed) {}

  oracle::History next(bool lists, int most) {
    oracle::History h;
    h.lists = lists;
    const int count = 1 + below(most), keys = 1 + below(3), processes = 1 + below(count + 1);
    const int longest = 1 + below(4), writes = 2 + below(7);  // in ten
    next_value_.clear();
    for (int t = 0; t < count; ++t) {
      oracle::Txn txn;
      txn.ops.resize(1 + static_cast<std::size_t>(below(longest)));
      for (oracle::Op& op : txn.ops) {
        op.kind = below(10) < writes ? oracle::Op::Write : oracle::Op::Read;
        op.key = below(keys);
        if (op.kind == oracle::Op::Write) op.value = ++next_value_[op.key];
      }
      h.txns.push_back(txn);
    }
    outcomes(h);
    times(h, processes);
    switch (below(8)) {
      case 0:
        made_up(h);
        break;
      case 1:
        stale(h);
        break;
      case 2:
      case 3:
        lagging(h);
        break;
      default:
        interleaved(h, below(4));
    }
    if (below(6) == 0) spoil(h);
    return h;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  void outcomes(oracle::History& h) {
    if (below(2) == 0) return;
    for (oracle::Txn& t : h.txns) {
      const int x = below(8);
      t.outcome = x == 0 ? oracle::Txn::Failed : x == 1 ? oracle::Txn::Unknown : oracle::Txn::Ok;
    }
  }

  // Invocations and returns in some order, one open transaction a process. One of unknown outcome leaves its process
  // free.
  void times(oracle::History& h, int processes) {
    const bool overlap = below(4) != 0;
    std::vector<int> open(static_cast<std::size_t>(processes), -1);
    int moment = 0;
    std::size_t next = 0;
    std::vector<oracle::Txn>& all = h.txns;
    for (;;) {
      std::vector<int> idle, busy;
      for (int p = 0; p < processes; ++p) (open[static_cast<std::size_t>(p)] < 0 ? idle : busy).push_back(p);
      const bool begin = next < all.size() && !idle.empty() && (busy.empty() || (overlap && below(2) == 0));
      if (begin) {
        const int p = idle[static_cast<std::size_t>(below(static_cast<int>(idle.size())))];
        all[next].process = p;
        all[next].invoked = moment++;
        open[static_cast<std::size_t>(p)] = static_cast<int>(next++);
      } else if (!busy.empty()) {
        const int p = busy[static_cast<std::size_t>(below(static_cast<int>(busy.size())))];
        all[static_cast<std::size_t>(open[static_cast<std::size_t>(p)])].returned = moment++;
        open[static_cast<std::size_t>(p)] = -1;
      } else {
        return;
      }
    }
  }

  void answer(const oracle::History& h, oracle::Op& op, const std::vector<int>& state) {
    if (h.lists) {
      op.list = state;
    } else {
      op.value = state.empty() ? 0 : state.back();
    }
  }

  // A store that executes operations of different transactions in turn. `care` 0: as they come, writes at once; 1:
  // writes at the end, reads what is committed then; 2: snapshots, without looking for conflicts; 3: one after the
  // other.
  void interleaved(oracle::History& h, int care) {
    const std::size_t n = h.txns.size();
    std::map<int, std::vector<int>> state;
    std::vector<std::size_t> done(n, 0);
    std::vector<std::map<int, std::vector<int>>> snapshot(n), own(n);
    std::vector<std::size_t> running(n);
    for (std::size_t t = 0; t < n; ++t) running[t] = t;
    std::shuffle(running.begin(), running.end(), random_);
    if (below(2) == 0) std::sort(running.begin(), running.end());
    const int width = care == 3 ? 1 : 1 + below(3);
    while (!running.empty()) {
      const std::size_t at = static_cast<std::size_t>(below(std::min<int>(width, static_cast<int>(running.size()))));
      const std::size_t t = running[at];
      oracle::Txn& txn = h.txns[t];
      const bool gone = txn.outcome == oracle::Txn::Failed || (txn.outcome == oracle::Txn::Unknown && (t & 1) != 0);
      const bool leaks = care == 0 && below(3) == 0;
      if (done[t] == 0) snapshot[t] = state;
      if (done[t] < txn.ops.size()) {
        oracle::Op& op = txn.ops[done[t]++];
        if (op.kind == oracle::Op::Write) {
          own[t][op.key].push_back(op.value);
          if (care == 0 && (!gone || leaks)) state[op.key].push_back(op.value);
        } else {
          std::vector<int> list = care == 2 ? snapshot[t][op.key] : state[op.key];
          if (care != 0) list.insert(list.end(), own[t][op.key].begin(), own[t][op.key].end());
          answer(h, op, list);
        }
        continue;
      }
      if (care != 0 && !gone) {
        for (const auto& [key, values] : own[t]) state[key].insert(state[key].end(), values.begin(), values.end());
      }
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  // Transactions that commit one after the other, and see of every key what some of those before them have left:
  // replicas that lag behind, each key by itself or all keys of a transaction alike.
  void lagging(oracle::History& h) {
    std::vector<std::map<int, std::vector<int>>> states(1);
    std::vector<std::size_t> sequence(h.txns.size());
    for (std::size_t t = 0; t < sequence.size(); ++t) sequence[t] = t;
    if (below(3) == 0) std::shuffle(sequence.begin(), sequence.end(), random_);
    const int lag = 1 + below(3);
    const bool by_key = below(2) == 0, first_wins = below(2) == 0;
    for (const std::size_t t : sequence) {
      oracle::Txn& txn = h.txns[t];
      std::map<int, int> behind;
      const int common = below(std::min(lag, static_cast<int>(states.size())));
      std::map<int, std::vector<int>> own;
      for (oracle::Op& op : txn.ops) {
        if (!behind.contains(op.key)) {
          behind[op.key] = by_key ? below(std::min(lag, static_cast<int>(states.size()))) : common;
          const bool writes = std::any_of(txn.ops.begin(), txn.ops.end(), [&](const oracle::Op& other) {
            return other.kind == oracle::Op::Write && other.key == op.key;
          });
          if (writes && first_wins) behind[op.key] = 0;
        }
        if (op.kind == oracle::Op::Write) {
          own[op.key].push_back(op.value);
          continue;
        }
        std::vector<int> list = states[states.size() - 1 - static_cast<std::size_t>(behind[op.key])][op.key];
        list.insert(list.end(), own[op.key].begin(), own[op.key].end());
        answer(h, op, list);
      }
      if (txn.outcome == oracle::Txn::Failed || (txn.outcome == oracle::Txn::Unknown && below(2) == 0)) continue;
      std::map<int, std::vector<int>> next = states.back();
      for (const auto& [key, values] : own) next[key].insert(next[key].end(), values.begin(), values.end());
      states.push_back(next);
    }
  }

  // Every read sees some beginning of one list per key, as it comes.
  void stale(oracle::History& h) {
    std::map<int, std::vector<int>> lists;
    for (const oracle::Txn& t : h.txns) {
      for (const oracle::Op& op : t.ops) {
        if (op.kind == oracle::Op::Write && (t.outcome == oracle::Txn::Ok || below(3) == 0))
          lists[op.key].push_back(op.value);
      }
    }
    if (below(2) == 0) {
      for (auto& [key, list] : lists) std::shuffle(list.begin(), list.end(), random_);
    }
    for (oracle::Txn& t : h.txns) {
      for (oracle::Op& op : t.ops) {
        if (op.kind != oracle::Op::Read) continue;
        std::vector<int> list = lists[op.key];
        list.resize(static_cast<std::size_t>(below(static_cast<int>(list.size()) + 1)));
        answer(h, op, list);
      }
    }
  }

  // Lists of any elements that somebody has appended.
  void made_up(oracle::History& h) {
    for (oracle::Txn& t : h.txns) {
      for (oracle::Op& op : t.ops) {
        if (op.kind != oracle::Op::Read) continue;
        std::vector<int> list;
        for (int value = 1; value <= next_value_[op.key]; ++value) {
          if (below(3) != 0) list.push_back(value);
        }
        if (below(4) == 0) std::shuffle(list.begin(), list.end(), random_);
        answer(h, op, list);
      }
    }
  }

  // Changes one answer.
  void spoil(oracle::History& h) {
    oracle::Txn& t = h.txns[static_cast<std::size_t>(below(static_cast<int>(h.txns.size())))];
    for (oracle::Op& op : t.ops) {
      if (op.kind != oracle::Op::Read) continue;
      if (!h.lists) {
        op.value = below(next_value_[op.key] + 1);
      } else if (!op.list.empty() && below(2) == 0) {
        op.list.pop_back();
      } else if (!op.list.empty() && below(6) == 0) {
        op.list.push_back(op.list.front());
      } else if (op.list.size() > 1) {
        std::swap(op.list[op.list.size() - 1], op.list[op.list.size() - 2]);
      }
      return;
    }
  }

  std::mt19937_64 random_;
  std::map<int, int> next_value_;
};

// The same history as the checker knows it.
inline TransactionHistory recorded(const oracle::History& h, bool invocations = true) {
  TransactionHistory out;
  out.workload = h.lists ? Workload::ListAppend : Workload::Register;
  out.has_invocations = invocations;
  int processes = 0;
  const auto element = [&](std::uint32_t key, int value) { return out.element(key, out.integer(value)); };
  for (std::size_t i = 0; i < h.txns.size(); ++i) {
    const oracle::Txn& from = h.txns[i];
    Transaction t;
    t.outcome = from.outcome == oracle::Txn::Ok       ? Outcome::Ok
                : from.outcome == oracle::Txn::Failed ? Outcome::Failed
                                                      : Outcome::Unknown;
    t.process = static_cast<std::uint32_t>(from.process);
    processes = std::max(processes, from.process + 1);
    if (invocations) {
      t.invoked = static_cast<std::uint32_t>(from.invoked);
      if (from.outcome != oracle::Txn::Unknown) t.returned = static_cast<std::uint32_t>(from.returned);
    } else {
      t.returned = static_cast<std::uint32_t>(i);
    }
    t.invoked_line = static_cast<std::uint32_t>(from.invoked + 1);
    t.returned_line = static_cast<std::uint32_t>(from.returned + 1);
    t.begin = static_cast<std::uint32_t>(out.operations.size());
    for (const oracle::Op& op : from.ops) {
      const std::uint32_t key = out.key(out.integer(op.key));
      if (op.kind == oracle::Op::Write) {
        const std::uint32_t e = element(key, op.value);
        out.set_writer(e, static_cast<std::uint32_t>(i));
        out.add(key, TransactionAction::Write, e);
      } else if (from.outcome != oracle::Txn::Ok) {
        out.add(key, TransactionAction::Unseen, 0);
      } else if (!h.lists) {
        out.add(key, TransactionAction::Read, op.value == 0 ? nothing : element(key, op.value));
      } else {
        std::uint32_t length = 0;
        std::vector<std::uint32_t> rest;
        for (const int value : op.list) {
          const std::uint32_t e = element(key, value);
          if (rest.empty() && length < out.order(key).size() && out.order(key)[length] == e) {
            ++length;
          } else {
            rest.push_back(e);
          }
        }
        out.read_list(key, length, rest);
      }
    }
    t.end = static_cast<std::uint32_t>(out.operations.size());
    out.transactions.push_back(t);
  }
  for (int p = 0; p < processes; ++p) out.processes.push_back(std::to_string(p));
  out.events = static_cast<std::uint32_t>(2 * h.txns.size());
  out.finish();
  return out;
}

// As EDN, a line an event.
inline std::string edn(const oracle::History& h) {
  std::map<int, std::string> lines;
  const auto value = [&](const oracle::Txn& t, bool results) {
    std::string out;
    for (const oracle::Op& op : t.ops) {
      if (!out.empty()) out += ' ';
      if (op.kind == oracle::Op::Write) {
        out +=
            std::string("[") + (h.lists ? ":append " : ":w ") + std::to_string(op.key) + " " + std::to_string(op.value);
      } else {
        out += "[:r " + std::to_string(op.key) + " ";
        if (!results) {
          out += "nil";
        } else if (!h.lists) {
          out += op.value == 0 ? "nil" : std::to_string(op.value);
        } else {
          std::string list;
          for (const int v : op.list) list += (list.empty() ? "" : " ") + std::to_string(v);
          out += "[" + list + "]";
        }
      }
      out += "]";
    }
    return "[" + out + "]";
  };
  for (const oracle::Txn& t : h.txns) {
    const std::string process = std::to_string(t.process);
    lines[t.invoked] = "{:process " + process + ", :type :invoke, :f :txn, :value " + value(t, false) + "}\n";
    const bool ok = t.outcome == oracle::Txn::Ok;
    lines[t.returned] = "{:process " + process + ", :type " +
                        (ok                                 ? ":ok"
                         : t.outcome == oracle::Txn::Failed ? ":fail"
                                                            : ":info") +
                        ", :f :txn, :value " + value(t, ok) + "}\n";
  }
  std::string out;
  for (const auto& [moment, line] : lines) out += line;
  return out;
}

}  // namespace heddle::testing
