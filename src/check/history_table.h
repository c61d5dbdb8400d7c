// Keeps the history of clients' operations as a number, for a slot of a state.
//
// Only what linearizability can depend on is kept: the operations of each client in order, and for each operation
// how many operations of every other client had returned when it was invoked. Interleavings that differ in
// nothing else are one history, and so one state. What operations and results are is the door's business: here they
// are bytes.
//
// A client may get an answer while it waits for nothing: a message was delivered twice, or outlived a crash of
// the client. Where the run has such faults, that answer is late and does not become an event of the history.
// Elsewhere it is a mistake of the model.
// Thread-safe, except set_clients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/linearizability.h"
#include "core/content_table.h"
#include "core/pair_map.h"
#include "heddle/detail/history_order.h"
#include "heddle/detail/shape.h"

namespace heddle {

class HistoryTable {
 public:
  struct Event {
    std::uint32_t process;
    bool is_return;
    std::string_view value;
  };
  struct Operation {
    std::uint32_t invoked = 0, returned = 0;  // event numbers; `returned` is 0 while pending
    std::vector<std::uint32_t> before;        // how many operations of every client had returned; 0 for its own
    bool has_returned() const { return returned != 0 && returned != given_up; }
  };
  // Stands for a return after the client crashed and forgot the operation.
  static constexpr std::uint32_t given_up = ~std::uint32_t{0};

  // A client broke the rules of a client. The caller knows its name and handler.
  enum class Mistake : std::uint8_t { InvokesWhileOpen, ReturnsNothing };

  // Sets the processes that invoke operations, and whether answers may be late.
  void set_clients(std::vector<std::uint32_t> clients, bool late_answers);
  std::uint32_t empty();
  std::uint32_t intern_event(std::uint32_t process, bool is_return, std::string_view value);
  Event event(std::uint32_t number) const;

  // Returns the history after `event`; a late answer does not change it. Throws Mistake.
  std::uint32_t append(std::uint32_t history, std::uint32_t number);
  // Notes that the client has crashed: an operation that is open stays open forever, and the client may invoke another.
  std::uint32_t give_up(std::uint32_t history, std::uint32_t process);
  bool is_client(std::uint32_t process) const { return client_of(process) < clients_.size(); }
  // Returns the history with as much of its order as `order` asks for.
  History decode(std::uint32_t history, detail::HistoryOrder order = detail::HistoryOrder::RealTime) const;
  // Returns the operations of each client in their order.
  std::vector<std::vector<Operation>> operations(std::uint32_t history) const { return unpack(history); }

  // An order of events in which the history comes about; any such order is as good as the one that happened.
  struct Moment {
    enum class Kind : std::uint8_t { Invoke, Return, GiveUp };
    Kind kind = Kind::Invoke;
    std::size_t client = 0;   // index, in the order of set_clients
    std::uint32_t event = 0;  // of Invoke and Return
  };
  std::vector<Moment> moments(std::uint32_t history) const;

  // Returns the history after clients were renamed: rename.process(p) is the new process, rename.event(number)
  // the rewritten event.
  template <class RenameEvent>
  std::uint32_t renamed(std::uint32_t history, RenameEvent&& rename);

  // A fingerprint that is blind to names: process(p) is the colour of a client, event(number) the fingerprint of
  // an event's value.
  template <class Colours>
  std::uint64_t fingerprint(std::uint32_t history, Colours&& colours) const;

  bool any_event() const { return events_.last() > 0; }
  std::size_t bytes() const { return contents_.bytes() + events_.bytes() + next_.bytes() + given_up_.bytes(); }

 private:
  std::vector<std::vector<Operation>> unpack(std::uint32_t history) const;
  std::uint32_t pack(const std::vector<std::vector<Operation>>& clients);
  std::size_t client_of(std::uint32_t process) const;

  std::vector<std::uint32_t> clients_;
  bool late_answers_ = false;
  ContentTable events_;
  ContentTable contents_;
  PairMap next_;
  PairMap given_up_;
};

template <class RenameEvent>
std::uint32_t HistoryTable::renamed(std::uint32_t history, RenameEvent&& rename) {
  const auto old = unpack(history);
  std::vector<std::vector<Operation>> fresh(old.size());
  std::vector<std::size_t> place(old.size());
  for (std::size_t c = 0; c < old.size(); ++c) place[c] = client_of(rename.process(clients_[c]));
  for (std::size_t c = 0; c < old.size(); ++c) {
    for (Operation op : old[c]) {
      op.invoked = rename.event(op.invoked);
      if (op.has_returned()) op.returned = rename.event(op.returned);
      std::vector<std::uint32_t> before(op.before.size());
      for (std::size_t o = 0; o < before.size(); ++o) before[place[o]] = op.before[o];
      op.before = std::move(before);
      fresh[place[c]].push_back(std::move(op));
    }
  }
  return pack(fresh);
}

// Clients without operations do not contribute, nor do clients of whom nothing had returned.
template <class Colours>
std::uint64_t HistoryTable::fingerprint(std::uint32_t history, Colours&& colours) const {
  std::uint64_t sum = 0;
  const auto clients = unpack(history);
  for (std::size_t c = 0; c < clients.size(); ++c) {
    if (clients[c].empty()) continue;
    std::uint64_t h = colours.process(clients_[c]);
    for (const Operation& op : clients[c]) {
      h = detail::chain(h, colours.event(op.invoked));
      h = detail::chain(h, op.has_returned() ? colours.event(op.returned) : op.returned);
      std::uint64_t before = 0;
      for (std::size_t o = 0; o < op.before.size(); ++o) {
        if (op.before[o] != 0) before += detail::chain(op.before[o], colours.process(clients_[o]));
      }
      h = detail::chain(h, before);
    }
    sum += h;
  }
  return detail::scramble(sum);
}

}  // namespace heddle
