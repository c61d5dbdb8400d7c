// What the order of versions and the recorded order say about which transaction comes before which (Adya 1999):
//
//   ww   overwrites, or appends right behind, what the other has written
//   wr   reads what the other has written
//   rw   overwrites what the other has read
//   and the orders of sessions and of real time
//
// The versions of a key are its elements. Those that were read in lists have a place in the key's order; the others are
// *open*: they come behind all that have a place, in an order that nobody has seen. Of registers all versions are open.
// Open versions are of transactions, one each: the last that a transaction has written to the key.
//
// Which transactions count: those that are Ok, and those of unknown outcome of which an Ok one has read something. If
// one of unknown outcome was not seen by anybody, it can be left out: that only removes edges.
//
// An order for open versions is given as pairs (a choice made while searching) or as whole sequences.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/transactions/digraph.h"
#include "check/transactions/isolation.h"
#include "check/transactions/transaction_history.h"

namespace heddle::transactions {

// The place of versions, if it is not the one that the history has.
struct VersionOrders {
  std::vector<std::vector<std::uint32_t>> of_key;  // elements
  std::vector<std::uint32_t> position;             // by element
};

struct OpenKey {
  std::uint32_t key = 0;
  std::vector<std::uint32_t> writers;  // transactions, ascending; then in the chosen order, if `chosen`
  std::vector<std::uint32_t> readers;  // transactions that have read all that has a place, nothing open
  bool chosen = false;
};

// Of two transactions with open versions of a key, the version of `first` comes before that of `second`.
struct OpenPair {
  std::uint32_t open = 0;  // index into open_keys()
  std::uint32_t first = 0, second = 0;
  friend bool operator==(const OpenPair&, const OpenPair&) = default;
};

class Dependencies {
 public:
  struct Wanted {
    Respects respects = Respects::Nothing;
    bool reads = true;           // wr
    bool anti = true;            // rw
    bool first_updater = false;  // Forced: whoever read the end and appended comes first of those that did
    std::span<const OpenPair> pairs = {};
    std::span<const OpenPair> before = {};  // plain order of two writers
    std::span<const OpenPair> rivals = {};  // Forced
    // Transactions that need not respect time, nor sessions if `free_of_sessions`. By transaction, or empty.
    std::span<const std::uint8_t> timeless = {};
    bool free_of_sessions = false;
  };

  // With `ok_only`, transactions of unknown outcome do not count. `orders` outlives this object.
  Dependencies(const TransactionHistory& history, bool ok_only, const VersionOrders* orders = nullptr);

  const std::vector<std::uint8_t>& counted() const { return counted_; }
  std::vector<OpenKey>& open_keys() { return open_; }
  const std::vector<OpenKey>& open_keys() const { return open_; }
  // True if two versions are open whose order is not chosen.
  bool has_open_pairs() const;
  // The number of nodes: transactions, then passes.
  std::uint32_t nodes() const { return transactions() + passes() + chain_; }
  std::uint32_t transactions() const { return static_cast<std::uint32_t>(history_.transactions.size()); }
  // Passes of rw; those of real time have larger numbers.
  std::uint32_t passes() const { return static_cast<std::uint32_t>(open_.size()); }

  // Calls f(from, to, kind) for every edge.
  template <class F>
  void each(const Wanted& wanted, const F& f) const {
    each_version(wanted, f);
    if (wanted.reads || wanted.anti) each_read(wanted, f);
    each_open(wanted, f);
    if (wanted.respects != Respects::Nothing) each_session(wanted, f);
    if (wanted.respects == Respects::RealTime) each_return(wanted, f);
  }
  // The graph of transactions.
  Digraph graph(const Wanted& wanted) const {
    return Digraph(nodes(), [&](const auto& f) { each(wanted, f); });
  }
  // The graph of starts (2 t) and commits (2 t + 1), in which snapshot isolation is the absence of a cycle: what ww,
  // wr, sessions and real time order is committed before the other starts; what is overwritten after it was read
  // started before the other commits.
  Digraph event_graph(const Wanted& wanted) const {
    const std::uint32_t n = transactions();
    return Digraph(nodes() + n, [&](const auto& f) {
      for (std::uint32_t t = 0; t < n; ++t) {
        if (counted_[t] != 0) f(2 * t, 2 * t + 1, Dependency::Within);
      }
      each(wanted, [&](std::uint32_t from, std::uint32_t to, Dependency kind) {
        const bool from_rw_pass = from >= n && from < n + passes();
        const bool rw = kind == Dependency::ReadWrite || from_rw_pass;
        f(from >= n ? from + n : rw ? 2 * from : 2 * from + 1, to >= n ? to + n : rw ? 2 * to + 1 : 2 * to, kind);
      });
    });
  }

  // Transactions that have read the open version of `writer`. REQUIRES: registers.
  std::span<const std::uint32_t> readers_of(std::uint32_t key, std::uint32_t writer) const;

 private:
  const std::vector<std::uint32_t>& order(std::uint32_t key) const {
    return orders_ != nullptr ? orders_->of_key[key] : history_.order(key);
  }
  std::uint32_t position(std::uint32_t element) const {
    return orders_ != nullptr ? orders_->position[element] : history_.position(element);
  }
  bool lists() const { return history_.workload == Workload::ListAppend; }
  void find_counted(bool ok_only);
  void find_open();
  void find_readers();

  template <class F>
  void each_version(const Wanted&, const F& f) const {
    for (std::uint32_t key = 0; key < history_.keys(); ++key) {
      std::uint32_t last = never;
      for (const std::uint32_t element : order(key)) {
        const std::uint32_t writer = history_.writer(element);
        if (last != never && writer != last) f(last, writer, Dependency::WriteWrite);
        last = writer;
      }
      if (last == never || open_of_key_[key] == never) continue;
      const OpenKey& open = open_[open_of_key_[key]];
      for (const std::uint32_t writer : open.writers) {
        if (writer != last) f(last, writer, Dependency::WriteWrite);
        if (open.chosen) break;
      }
    }
  }

  template <class F>
  void each_read(const Wanted& wanted, const F& f) const {
    for (std::uint32_t t = 0; t < transactions(); ++t) {
      if (counted_[t] == 0) continue;
      for (const TransactionOperation& op : history_.operations_of(t)) {
        if (op.action != TransactionAction::Read) continue;
        if (lists()) {
          const std::vector<std::uint32_t>& all = order(op.key);
          if (wanted.reads && op.what > 0) {
            const std::uint32_t writer = history_.writer(all[op.what - 1]);
            if (writer != t) f(writer, t, Dependency::WriteRead);
          }
          if (wanted.anti && op.what < all.size()) {
            const std::uint32_t writer = history_.writer(all[op.what]);
            if (writer != t) f(t, writer, Dependency::ReadWrite);
          }
        } else if (wanted.reads && op.what != nothing) {
          const std::uint32_t writer = history_.writer(op.what);
          if (writer != t && counted_[writer] != 0) f(writer, t, Dependency::WriteRead);
        }
      }
    }
  }

  template <class F>
  void each_open(const Wanted& wanted, const F& f) const {
    for (std::uint32_t i = 0; i < open_.size(); ++i) {
      const OpenKey& open = open_[i];
      if (open.chosen) {
        each_chosen(wanted, open, f);
        continue;
      }
      if (wanted.anti) each_reader_of_the_end(i, f);
      if (wanted.first_updater) each_first_updater(open, f);
    }
    for (const OpenPair& pair : wanted.pairs) {
      f(pair.first, pair.second, Dependency::WriteWrite);
      if (!wanted.anti || lists()) continue;
      for (const std::uint32_t reader : readers_of(open_[pair.open].key, pair.first)) {
        if (reader != pair.second) f(reader, pair.second, Dependency::ReadWrite);
      }
    }
    for (const OpenPair& pair : wanted.rivals) f(pair.first, pair.second, Dependency::Forced);
    for (const OpenPair& pair : wanted.before) f(pair.first, pair.second, Dependency::WriteWrite);
  }

  template <class F>
  void each_chosen(const Wanted& wanted, const OpenKey& open, const F& f) const {
    for (std::size_t i = 0; i < open.writers.size(); ++i) {
      const std::uint32_t writer = open.writers[i];
      if (i == 0 && wanted.anti) {
        for (const std::uint32_t reader : open.readers) {
          if (reader != writer) f(reader, writer, Dependency::ReadWrite);
        }
      }
      if (i + 1 == open.writers.size()) break;
      const std::uint32_t next = open.writers[i + 1];
      f(writer, next, Dependency::WriteWrite);
      if (!wanted.anti || lists()) continue;
      for (const std::uint32_t reader : readers_of(open.key, writer)) {
        if (reader != next) f(reader, next, Dependency::ReadWrite);
      }
    }
  }

  // All that read the end come before all that have an open version, themselves apart. Two that are in both sets come
  // before each other, a cycle that says all; edges to others are then left out.
  template <class F>
  void each_reader_of_the_end(std::uint32_t index, const F& f) const {
    const OpenKey& open = open_[index];
    const std::uint32_t pass = transactions() + index;
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(open.readers, open.writers, std::back_inserter(both));
    if (both.size() > 1) {
      f(both[0], both[1], Dependency::ReadWrite);
      f(both[1], both[0], Dependency::ReadWrite);
    }
    bool any = false;
    for (const std::uint32_t reader : open.readers) {
      if (std::ranges::binary_search(both, reader)) {
        if (both.size() > 1) continue;
        for (const std::uint32_t writer : open.writers) {
          if (writer != reader) f(reader, writer, Dependency::ReadWrite);
        }
        continue;
      }
      f(reader, pass, Dependency::ReadWrite);
      any = true;
    }
    if (!any) return;
    for (const std::uint32_t writer : open.writers) f(pass, writer, Dependency::Pass);
  }

  template <class F>
  void each_first_updater(const OpenKey& open, const F& f) const {
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(open.readers, open.writers, std::back_inserter(both));
    for (std::size_t i = 0; i < both.size() && i < 2; ++i) {
      for (const std::uint32_t writer : open.writers) {
        if (writer != both[i]) f(both[i], writer, Dependency::Forced);
      }
    }
  }

  template <class F>
  void each_session(const Wanted& wanted, const F& f) const {
    std::vector<std::uint32_t> latest(history_.processes.size(), never);
    for (const std::uint32_t t : by_session_) {
      if (wanted.free_of_sessions && !wanted.timeless.empty() && wanted.timeless[t] != 0) continue;
      std::uint32_t& last = latest[history_.transactions[t].process];
      if (last != never) f(last, t, Dependency::Session);
      // Of unknown outcome: it may still happen later.
      if (history_.transactions[t].outcome == Outcome::Ok) last = t;
    }
  }

  template <class F>
  void each_return(const Wanted& wanted, const F& f) const {
    const std::uint32_t first = transactions() + passes();
    std::uint32_t link = 0;
    for (const std::uint32_t event : moments_) {
      const std::uint32_t t = event >> 1;
      if (!wanted.timeless.empty() && wanted.timeless[t] != 0) continue;
      if ((event & 1) != 0) {
        f(t, first + link, Dependency::RealTime);
        if (link > 0) f(first + link - 1, first + link, Dependency::Pass);
        ++link;
      } else if (link > 0) {
        f(first + link - 1, t, Dependency::Pass);
      }
    }
  }

  const TransactionHistory& history_;
  const VersionOrders* orders_;
  std::vector<std::uint8_t> counted_;
  std::vector<OpenKey> open_;
  std::vector<std::uint32_t> open_of_key_;
  std::vector<std::uint32_t> by_session_;  // in the order of each session
  std::vector<std::uint32_t> moments_;     // invocations (2 t) and returns (2 t + 1) in the order of the file
  std::uint32_t chain_ = 0;                // returns
  // Who has read an element of a register: a range of readers_ by element.
  std::vector<std::uint32_t> reader_begin_, readers_;
  std::vector<std::vector<std::uint32_t>> elements_of_open_;  // by open key, parallel to sorted writers
  std::vector<std::vector<std::uint32_t>> sorted_writers_;
};

}  // namespace heddle::transactions
