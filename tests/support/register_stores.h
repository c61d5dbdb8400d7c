// Histories of registers as stores of three kinds would record them: clients at random invoke transactions of random
// reads and writes of unique values. Thousands of transactions, made in linear time.
//
//   Serial     executes each transaction at one moment between its invocation and its return
//   Snapshot   a snapshot at one moment, the writes at a later one; who overwrites what was written meanwhile fails
//   Broken     each read at a moment of its own, the writes at the last, whatever others wrote meanwhile; now and then
//              a read sees an older value
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check/transactions/transaction_history.h"

namespace heddle::testing {

enum class Store { Serial, Snapshot, Broken };

struct StoreOptions {
  Store store = Store::Serial;
  std::size_t transactions = 1'000;
  int clients = 10, keys = 20, longest = 4, writes_in_ten = 5;
  std::uint64_t seed = 1;
};

class RegisterStore {
 public:
  explicit RegisterStore(const StoreOptions& options)
      : options_(options),
        random_(options.seed),
        values_(static_cast<std::size_t>(options.keys), 0),
        changed_(static_cast<std::size_t>(options.keys), 0),
        before_(static_cast<std::size_t>(options.keys), 0),
        clients_(static_cast<std::size_t>(options.clients)) {}

  TransactionHistory history() {
    std::size_t begun = 0, returned = 0;
    while (returned < options_.transactions) {
      ++moment_;
      Client& client = clients_[below(options_.clients)];
      if (client.todo.empty()) {
        if (begun == options_.transactions) continue;
        ++begun;
        begin(client);
      } else if (client.done < client.todo.size()) {
        step(client);
      } else {
        finish(client);
        ++returned;
      }
    }
    return recorded();
  }

 private:
  struct Operation {
    bool writes = false;
    std::size_t key = 0;
    std::int64_t value = 0;  // 0: the initial one
  };
  struct Client {
    std::vector<Operation> todo;
    std::size_t done = 0, started = 0;
    std::uint32_t invoked = 0;
    std::vector<std::int64_t> snapshot;
    bool failed = false;
  };
  struct Done {
    std::vector<Operation> operations;
    std::uint32_t invoked = 0, returned = 0, process = 0;
    bool failed = false;
  };

  std::size_t below(int n) { return random_() % static_cast<std::uint64_t>(n); }

  void begin(Client& client) {
    client.todo.resize(1 + below(options_.longest));
    for (Operation& op : client.todo) {
      op.writes = below(10) < static_cast<std::size_t>(options_.writes_in_ten);
      op.key = below(options_.keys);
      op.value = op.writes ? ++next_value_ : 0;
    }
    client.done = 0;
    client.failed = false;
    client.invoked = events_++;
  }

  // Serial: the last step does all. Snapshot: the first and the last. Broken: each step one operation.
  void step(Client& client) {
    const bool first = client.done == 0, last = client.done + 1 == client.todo.size();
    if (first && options_.store == Store::Snapshot) {
      client.snapshot = values_;
      client.started = moment_;
    }
    if (options_.store == Store::Broken) {
      read_as_it_comes(client);
      if (last) write_all(client);
    } else if (last && options_.store == Store::Serial) {
      for (Operation& op : client.todo) execute(op, values_);
    } else if (last) {
      commit(client);
    }
    ++client.done;
  }

  void execute(Operation& op, std::vector<std::int64_t>& values) {
    if (op.writes) {
      values[op.key] = op.value;
    } else {
      op.value = values[op.key];
    }
  }

  void commit(Client& client) {
    for (Operation& op : client.todo) execute(op, client.snapshot);
    for (const Operation& op : client.todo) client.failed |= op.writes && changed_[op.key] > client.started;
    if (!client.failed) write_all(client);
  }

  void write_all(const Client& client) {
    for (const Operation& op : client.todo) {
      const auto is_later = [&](const Operation& other) { return &other > &op && other.writes && other.key == op.key; };
      if (!op.writes || std::ranges::any_of(client.todo, is_later)) continue;
      before_[op.key] = values_[op.key];
      values_[op.key] = op.value;
      changed_[op.key] = moment_;
    }
  }

  void read_as_it_comes(Client& client) {
    Operation& op = client.todo[client.done];
    if (op.writes) return;
    op.value = below(200) == 0 ? before_[op.key] : values_[op.key];
    for (std::size_t i = 0; i < client.done; ++i) {
      if (client.todo[i].writes && client.todo[i].key == op.key) op.value = client.todo[i].value;
    }
  }

  void finish(Client& client) {
    done_.push_back({std::move(client.todo), client.invoked, events_++,
                     static_cast<std::uint32_t>(&client - clients_.data()), client.failed});
    client.todo.clear();
  }

  TransactionHistory recorded() {
    TransactionHistory out;
    out.workload = Workload::Register;
    for (int p = 0; p < options_.clients; ++p) out.processes.push_back(std::to_string(p));
    std::ranges::sort(done_, {}, [](const Done& one) { return one.invoked; });
    for (const Done& one : done_) {
      const auto number = static_cast<std::uint32_t>(out.transactions.size());
      Transaction t;
      t.outcome = one.failed ? Outcome::Failed : Outcome::Ok;
      t.process = one.process;
      t.invoked = one.invoked;
      t.returned = one.returned;
      t.invoked_line = one.invoked + 1;
      t.returned_line = one.returned + 1;
      t.begin = static_cast<std::uint32_t>(out.operations.size());
      for (const Operation& op : one.operations) {
        const std::uint32_t key = out.key(out.integer(static_cast<std::int64_t>(op.key)));
        const std::uint32_t element = op.value == 0 ? nothing : out.element(key, out.integer(op.value));
        if (op.writes) {
          out.set_writer(element, number);
          out.add(key, TransactionAction::Write, element);
        } else {
          out.add(key, one.failed ? TransactionAction::Unseen : TransactionAction::Read, one.failed ? 0 : element);
        }
      }
      t.end = static_cast<std::uint32_t>(out.operations.size());
      out.transactions.push_back(t);
    }
    out.events = events_;
    out.finish();
    return out;
  }

  const StoreOptions options_;
  std::mt19937_64 random_;
  std::vector<std::int64_t> values_;
  std::vector<std::size_t> changed_;  // by key: when
  std::vector<std::int64_t> before_;  // by key: the value before
  std::vector<Client> clients_;
  std::vector<Done> done_;
  std::int64_t next_value_ = 0;
  std::size_t moment_ = 0;
  std::uint32_t events_ = 0;
};

inline TransactionHistory register_history(const StoreOptions& options) { return RegisterStore(options).history(); }

}  // namespace heddle::testing
