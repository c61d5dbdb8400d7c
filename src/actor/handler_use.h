// What the handlers of a role have been seen to do, for coverage: on how many inputs they ran, how many of those they did not
// reject, and which options of their choices ended in a step.
//
// Noted where a handler runs, which is once for each different input, not once for each step. Every such input belongs to a state
// that a search has reached, and what a handler does not reject is a step there, unless a full channel holds it up (then an option
// counts as taken although it may never be).
// Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "heddle/handler.h"

namespace heddle::actor {

class HandlerUse {
 public:
  using Chosen = detail::HandlerCall::Chosen;

  // Options of one choice, all that were ever offered.
  struct Choice {
    std::vector<bool> taken;
    bool by_name = false;
  };

  void make_room(std::size_t handlers) { handlers_.resize(handlers); }

  // The handler ran with these answers to what it asked.
  void note(std::size_t handler, std::span<const Chosen> choices, bool accepted) {
    if (choices.empty()) return;
    Handler& h = handlers_[handler];
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      // Members of a role are asked for in turn: who is asked i-th has to do with the number of options, too.
      Choice& choice = h.choices[{i, choices[i].options}];
      choice.by_name |= choices[i].by_name;
      choice.taken.resize(choices[i].options);
      if (accepted) choice.taken[choices[i].taken] = true;
    }
  }
  // All answers have been tried.
  void note_input(std::size_t handler, bool accepted) {
    handlers_[handler].tried.fetch_add(1, std::memory_order_relaxed);
    if (accepted) handlers_[handler].accepted.fetch_add(1, std::memory_order_relaxed);
  }

  std::uint64_t tried(std::size_t handler) const { return handlers_[handler].tried; }
  std::uint64_t accepted(std::size_t handler) const { return handlers_[handler].accepted; }
  // By the choice's place, counted from 0, and the number of its options.
  const std::map<std::pair<std::size_t, std::uint32_t>, Choice>& choices(std::size_t handler) const {
    return handlers_[handler].choices;
  }

 private:
  struct Handler {
    std::atomic<std::uint64_t> tried{0}, accepted{0};
    std::map<std::pair<std::size_t, std::uint32_t>, Choice> choices;
  };
  std::mutex mutex_;
  std::deque<Handler> handlers_;
};

}  // namespace heddle::actor
