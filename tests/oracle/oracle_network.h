// The network between the processes: order, delivery, capacity, loss and duplication, partitions.
#pragma once

#include "oracle/oracle.h"

namespace heddle::oracle {

inline std::string Oracle::refused() const {
  const bool soup = network_.order == Order::Soup, fifo = network_.order == Order::Fifo;
  if (soup && (network_.losses > 0 || network_.duplications > 0 || network_.capacity > 0))
    return "a soup loses nothing";
  if (network_.traffic != Traffic::M && (soup || fifo)) return "RM and GRM are for the multiset";
  if (network_.when_full == Network::WhenFull::Overwrite && !fifo) return "overwrite is for FIFO";
  if (network_.when_full == Network::WhenFull::Overwrite && network_.capacity == 0) return "nothing is ever full";
  if (network_.partitions > 0 && machines().size() > 16) return "too many machines to split";
  std::vector<unsigned> limits{network_.losses, network_.duplications, network_.partitions, faults_.crashes};
  bool crashes = faults_.crashes > 0;
  if (crashes && !faults_.crashes_of.empty()) return "crashes of anybody and of some";
  for (const auto& [role, most] : faults_.crashes_of) {
    bool there = false;
    for (std::size_t p = 0; p < size(); ++p) there |= role_name(p) == role;
    if (!there) return "crashes of a role that there is not";
    limits.push_back(most);
    crashes |= most > 0;
  }
  double product = 1;
  for (const unsigned n : limits) {
    if (n > 100) return "too many faults";
    product *= n + 1.0;
  }
  if (product >= 4294967296.0) return "too many faults in all";
  if (faults_.recovery && !crashes) return "recovery without crashes";
  for (std::size_t p = 0; p < size(); ++p) {
    for (const detail::TransitionInfo& t : info(p).info->transitions) {
      if (crashes && !t.spawns.empty()) return "crashes with Spawn";
    }
  }
  for (const auto& [role, count] : faults_.byzantine) {
    std::size_t there = 0;
    for (std::size_t p = 0; p < size(); ++p) there += role_name(p) == role;
    if (there == 0 || there < count) return "Byzantine members that there are not";
  }
  return "";
}

// Returns the messages that p may receive now; equal messages count once.
inline std::vector<Message> Oracle::available(const State& state, std::size_t p) const {
  const Process& process = state.processes[p];
  std::set<Message> out;
  if (network_.order == Order::Fifo) {
    for (const auto& [sender, queue] : process.channels) {
      if (!separated(state, sender, p)) out.insert(queue.front());
    }
  } else if (network_.traffic == Traffic::M) {
    for (const Message& m : process.transit) {
      if (!separated(state, m.sender, p)) out.insert(m);
    }
  } else {
    out.insert(process.buffer.begin(), process.buffer.end());
  }
  return {out.begin(), out.end()};
}

inline void Oracle::consume(State& state, std::size_t p, const Message& message) const {
  Process& process = state.processes[p];
  if (network_.order == Order::Soup) return;
  if (network_.order == Order::Fifo) {
    std::vector<Message>& queue = process.channels[message.sender];
    queue.erase(queue.begin());
    if (queue.empty()) process.channels.erase(message.sender);
    return;
  }
  std::multiset<Message>& from = network_.traffic == Traffic::M ? process.transit : process.buffer;
  from.erase(from.find(message));
}

inline bool Oracle::full(const State& state, std::size_t sender, std::size_t receiver) const {
  if (network_.capacity == 0) return false;
  const Process& process = state.processes[receiver];
  std::size_t there = 0;
  for (const Message& m : process.transit) there += m.sender == sender;
  if (const auto channel = process.channels.find(sender); channel != process.channels.end()) {
    there += channel->second.size();
  }
  return there >= network_.capacity;
}

// Returns false if there is no room for the message.
inline bool Oracle::send(State& state, std::size_t receiver, const Message& message) const {
  Process& process = state.processes[receiver];
  if (!process.present || byzantine_[receiver]) return true;
  if (network_.order == Order::Soup && process.transit.contains(message)) return true;
  if (full(state, message.sender, receiver)) {
    if (network_.when_full == Network::WhenFull::Block) return false;
    process.channels[message.sender].pop_back();
  }
  if (network_.order == Order::Fifo) {
    process.channels[message.sender].push_back(message);
  } else {
    process.transit.insert(message);
  }
  return true;
}

inline bool Oracle::send_all(State& state, const std::vector<std::pair<std::size_t, Message>>& sends) const {
  for (const auto& [receiver, message] : sends) {
    if (!send(state, receiver, message)) return false;
  }
  return true;
}

inline void Oracle::deliveries(const State& state, std::vector<State>& out) const {
  if (network_.traffic == Traffic::M) return;
  for (std::size_t p = 0; p < size(); ++p) {
    const std::multiset<Message>& transit = state.processes[p].transit;
    for (const Message& m : std::set<Message>(transit.begin(), transit.end())) {
      if (separated(state, m.sender, p)) continue;
      State next = state;
      Process& process = next.processes[p];
      process.transit.erase(process.transit.find(m));
      process.buffer.insert(m);
      out.push_back(next);
    }
  }
}

inline void Oracle::losses_and_duplications(const State& state, std::vector<State>& out) const {
  const bool lose = state.losses < network_.losses, duplicate = state.duplications < network_.duplications;
  for (std::size_t p = 0; p < size(); ++p) {
    const std::multiset<Message>& transit = state.processes[p].transit;
    for (const Message& m : std::set<Message>(transit.begin(), transit.end())) {
      if (lose) {
        State next = state;
        next.processes[p].transit.erase(next.processes[p].transit.find(m));
        ++next.losses;
        out.push_back(next);
      }
      if (duplicate && !full(state, m.sender, p)) {
        State next = state;
        next.processes[p].transit.insert(m);
        ++next.duplications;
        out.push_back(next);
      }
    }
    for (const auto& [sender, queue] : state.processes[p].channels) {
      std::set<std::vector<Message>> shorter, longer;  // places that give the same queue are one step
      for (std::size_t i = 0; i < queue.size(); ++i) {
        std::vector<Message> without = queue, with = queue;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        with.insert(with.begin() + static_cast<std::ptrdiff_t>(i) + 1, queue[i]);
        if (lose) shorter.insert(without);
        if (duplicate && !full(state, sender, p)) longer.insert(with);
      }
      for (const auto& queues : {shorter, longer}) {
        for (const std::vector<Message>& changed : queues) {
          State next = state;
          if (changed.empty()) {
            next.processes[p].channels.erase(sender);
          } else {
            next.processes[p].channels[sender] = changed;
          }
          ++(changed.size() < queue.size() ? next.losses : next.duplications);
          out.push_back(next);
        }
      }
    }
  }
}

inline void Oracle::partitions(const State& state, std::vector<State>& out) const {
  if (state.split) {
    State next = state;
    next.split.reset();
    out.push_back(next);
    return;
  }
  if (state.splits >= network_.partitions) return;
  const std::vector<std::size_t> all = machines();
  for (std::size_t ways = 1; ways < std::size_t{1} << (all.size() - 1); ++ways) {
    State next = state;
    std::vector<bool> side(size(), false);  // the first machine stays on side 0
    for (std::size_t m = 1; m < all.size(); ++m) {
      for (const std::size_t p : on_machine(all[m])) side[p] = (ways >> (m - 1) & 1) != 0;
    }
    next.split = side;
    ++next.splits;
    out.push_back(next);
  }
}

}  // namespace heddle::oracle
