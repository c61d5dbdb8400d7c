// Wing and Gong's search with Lowe's memoisation, as in the textbook: a linked list of events, and the set of all
// placed operations as part of the key. It is the baseline of bench/linearizability.cpp, and an oracle for histories
// that are too long for trying all orders.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "check/recorded_history.h"
#include "check/specification.h"

namespace heddle::reference {

class PlainWgl {
 public:
  PlainWgl(const RecordedHistory& history, Object& object) : h_(history), object_(object) {
    std::vector<Event> by_time(history.events);
    for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
      const RecordedOperation& op = history.operations[i];
      if (op.outcome == Outcome::Failed) continue;
      by_time[op.invoked] = {i, true, true};
      if (op.outcome == Outcome::Ok) {
        by_time[op.returned] = {i, false, true};
        ++open_;
      }
    }
    entries_.push_back({});
    call_.resize(history.operations.size());
    return_.assign(history.operations.size(), 0);
    for (const Event& event : by_time) {
      if (!event.used) continue;
      const auto number = static_cast<std::uint32_t>(entries_.size());
      (event.is_call ? call_ : return_)[event.operation] = number;
      entries_.push_back({event.operation, event.is_call, number - 1, number + 1});
    }
    entries_.back().next = 0;
    entries_[0].next = entries_.size() > 1 ? 1 : 0;
    placed_.assign(history.operations.size() / 8 + 1, 0);
  }

  // Returns nothing if more than `most` configurations would have to be remembered.
  std::optional<bool> run(std::size_t most) {
    struct Frame {
      std::uint32_t entry;
      Object::State before;
    };
    std::vector<Frame> stack;
    std::unordered_set<std::string> seen;
    Object::State state = object_.initial();
    std::uint32_t entry = entries_[0].next;
    while (open_ > 0) {
      if (entry != 0 && entries_[entry].is_call) {
        const std::uint32_t i = entries_[entry].operation;
        const Object::State after = object_.apply(state, h_.operations[i]);
        if (after != Object::impossible) {
          flip(i);
          const bool is_new = seen.insert(key(after)).second;
          flip(i);
          if (seen.size() > most) return std::nullopt;
          if (is_new) {
            stack.push_back({entry, state});
            flip(i);
            state = after;
            lift(i);
            entry = entries_[0].next;
            continue;
          }
        }
        entry = entries_[entry].next;
        continue;
      }
      if (stack.empty()) return false;
      const std::uint32_t i = entries_[stack.back().entry].operation;
      state = stack.back().before;
      entry = stack.back().entry;
      stack.pop_back();
      flip(i);
      unlift(i);
      entry = entries_[entry].next;
    }
    return true;
  }

 private:
  struct Event {
    std::uint32_t operation = 0;
    bool is_call = false, used = false;
  };
  struct Entry {
    std::uint32_t operation = 0;
    bool is_call = false;
    std::uint32_t previous = 0, next = 0;  // 0 is the head
  };

  void flip(std::uint32_t i) { placed_[i / 8] = static_cast<char>(placed_[i / 8] ^ (1 << i % 8)); }
  std::string key(Object::State state) const {
    std::string k = placed_;
    k.append(reinterpret_cast<const char*>(&state), sizeof state);
    return k;
  }
  void unlink(std::uint32_t e) {
    entries_[entries_[e].previous].next = entries_[e].next;
    if (entries_[e].next != 0) entries_[entries_[e].next].previous = entries_[e].previous;
  }
  void link(std::uint32_t e) {
    entries_[entries_[e].previous].next = e;
    if (entries_[e].next != 0) entries_[entries_[e].next].previous = e;
  }
  void lift(std::uint32_t i) {
    unlink(call_[i]);
    if (return_[i] == 0) return;
    unlink(return_[i]);
    --open_;
  }
  void unlift(std::uint32_t i) {
    if (return_[i] != 0) {
      link(return_[i]);
      ++open_;
    }
    link(call_[i]);
  }

  const RecordedHistory& h_;
  Object& object_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> call_, return_;
  std::string placed_;
  std::size_t open_ = 0;  // operations that returned and are not placed
};

}  // namespace heddle::reference
