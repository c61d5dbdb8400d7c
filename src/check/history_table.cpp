// Packs the operations of all clients into one interned list of numbers, and takes it apart again.
#include "check/history_table.h"

#include <algorithm>
#include <string>

#include "heddle/detail/bytes.h"

namespace heddle {

void HistoryTable::set_clients(std::vector<std::uint32_t> clients, bool late_answers) {
  clients_ = std::move(clients);
  late_answers_ = late_answers;
}

std::uint32_t HistoryTable::empty() { return pack(std::vector<std::vector<Operation>>(clients_.size())); }

std::size_t HistoryTable::client_of(std::uint32_t process) const {
  return static_cast<std::size_t>(std::find(clients_.begin(), clients_.end(), process) - clients_.begin());
}

// The bytes of an event: process, whether it is a return, value.
std::uint32_t HistoryTable::intern_event(std::uint32_t process, bool is_return, std::string_view value) {
  detail::Bytes bytes;
  detail::put_varint(bytes, process);
  bytes.push_back(is_return ? 1 : 0);
  bytes += value;
  return events_.intern(bytes);
}

HistoryTable::Event HistoryTable::event(std::uint32_t number) const {
  std::string_view bytes = events_.content(number);
  const auto process = static_cast<std::uint32_t>(detail::get_varint(bytes));
  return {process, bytes[0] == 1, bytes.substr(1)};
}

std::vector<std::vector<HistoryTable::Operation>> HistoryTable::unpack(std::uint32_t history) const {
  const auto words = contents_.words(history);
  std::vector<std::vector<Operation>> clients(clients_.size());
  std::size_t at = 0;
  for (auto& operations : clients) {
    operations.resize(words[at++]);
    for (Operation& op : operations) {
      op.invoked = words[at++];
      op.returned = words[at++];
      op.before.assign(words.begin() + static_cast<std::ptrdiff_t>(at),
                       words.begin() + static_cast<std::ptrdiff_t>(at + clients_.size()));
      at += clients_.size();
    }
  }
  return clients;
}

std::uint32_t HistoryTable::pack(const std::vector<std::vector<Operation>>& clients) {
  std::vector<std::uint32_t> words;
  for (const auto& operations : clients) {
    words.push_back(static_cast<std::uint32_t>(operations.size()));
    for (const Operation& op : operations) {
      words.push_back(op.invoked);
      words.push_back(op.returned);
      words.insert(words.end(), op.before.begin(), op.before.end());
    }
  }
  return contents_.intern(std::span<const std::uint32_t>(words));
}

std::uint32_t HistoryTable::append(std::uint32_t history, std::uint32_t number) {
  return next_.get(history, number, [&] {
    auto clients = unpack(history);
    const Event e = event(number);
    auto& own = clients[client_of(e.process)];
    const bool pending = !own.empty() && own.back().returned == 0;
    if (e.is_return) {
      if (!pending && late_answers_) return history;
      if (!pending) throw Mistake::ReturnsNothing;
      own.back().returned = number;
    } else {
      if (pending) throw Mistake::InvokesWhileOpen;
      Operation op;
      op.invoked = number;
      for (std::size_t c = 0; c < clients.size(); ++c) {
        // A client's own operations are in program order and need no count.
        const bool self = &clients[c] == &own;
        const auto done =
            std::count_if(clients[c].begin(), clients[c].end(), [](const Operation& o) { return o.has_returned(); });
        op.before.push_back(self ? 0 : static_cast<std::uint32_t>(done));
      }
      own.push_back(std::move(op));
    }
    return pack(clients);
  });
}

std::uint32_t HistoryTable::give_up(std::uint32_t history, std::uint32_t process) {
  return given_up_.get(history, process + 1, [&] {
    auto clients = unpack(history);
    if (!is_client(process)) return history;
    auto& own = clients[client_of(process)];
    if (own.empty() || own.back().returned != 0) return history;
    own.back().returned = given_up;
    return pack(clients);
  });
}

namespace {

// Every operation as the only one of a client, which waits for nobody.
History each_alone(History history) {
  History alone;
  for (auto& client : history) {
    for (HistoryOperation& operation : client) {
      operation.completed_before.clear();
      alone.push_back({std::move(operation)});
    }
  }
  return alone;
}

}  // namespace

// An operation that was given up may take effect later than the next operations of its client. So every life of a
// client between crashes becomes a separate client, whose last operation may be open. What returned in earlier
// lives of a client had returned before its later lives.
History HistoryTable::decode(std::uint32_t history, detail::HistoryOrder order) const {
  using enum detail::HistoryOrder;
  const auto clients = unpack(history);
  struct Life {
    std::size_t client;
    std::vector<const Operation*> operations;
    std::uint32_t returned = 0;
  };
  std::vector<Life> lives;
  for (std::size_t c = 0; c < clients.size(); ++c) {
    lives.push_back({c, {}});
    for (const Operation& op : clients[c]) {
      if (!lives.back().operations.empty() && lives.back().operations.back()->returned == given_up) {
        lives.push_back({c, {}});
      }
      lives.back().operations.push_back(&op);
      lives.back().returned += op.has_returned() ? 1 : 0;
    }
  }
  History result;
  for (std::size_t l = 0; l < lives.size(); ++l) {
    auto& client = result.emplace_back();
    for (const Operation* op : lives[l].operations) {
      HistoryOperation& out = client.emplace_back();
      out.operation = event(op->invoked).value;
      if (op->has_returned()) {
        out.result = event(op->returned).value;
        out.returned = true;
      }
      // For each client, how many of its operations were not yet found in one of its lives.
      std::vector<std::uint32_t> before = op->before;
      for (std::size_t other = 0; other < lives.size(); ++other) {
        const std::size_t c = lives[other].client;
        const std::uint32_t own = other < l ? lives[other].returned : 0;
        const std::uint32_t count = c == lives[l].client ? own : std::min(before[c], lives[other].returned);
        if (c != lives[l].client) before[c] -= count;
        out.completed_before.push_back(order == RealTime || c == lives[l].client ? count : 0);
      }
    }
  }
  return order == None ? each_alone(std::move(result)) : result;
}

std::vector<HistoryTable::Moment> HistoryTable::moments(std::uint32_t history) const {
  const auto clients = unpack(history);
  // For each client, count the operations that have begun, are no longer open, and have returned.
  std::vector<std::size_t> invoked(clients.size(), 0), ended(clients.size(), 0), returned(clients.size(), 0);
  const auto may_invoke = [&](std::size_t c) {
    if (invoked[c] > ended[c] || invoked[c] == clients[c].size()) return false;
    const auto& before = clients[c][invoked[c]].before;
    for (std::size_t o = 0; o < clients.size(); ++o) {
      if (o != c && returned[o] != before[o]) return false;
    }
    return true;
  };
  const auto may_return = [&](std::size_t c) {
    if (invoked[c] == ended[c] || clients[c][ended[c]].returned == 0) return false;
    for (std::size_t o = 0; o < clients.size(); ++o) {
      if (o != c && invoked[o] < clients[o].size() && clients[o][invoked[o]].before[c] <= returned[c]) return false;
    }
    return true;
  };
  std::vector<Moment> out;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t c = 0; c < clients.size(); ++c) {
      if (may_invoke(c)) {
        const Operation& operation = clients[c][invoked[c]++];
        out.push_back({Moment::Kind::Invoke, c, operation.invoked});
        if (operation.returned == given_up) {
          out.push_back({Moment::Kind::GiveUp, c, 0});
          ++ended[c];
        }
        moved = true;
      } else if (may_return(c)) {
        out.push_back({Moment::Kind::Return, c, clients[c][ended[c]++].returned});
        ++returned[c];
        moved = true;
      }
    }
  }
  return out;
}

}  // namespace heddle
