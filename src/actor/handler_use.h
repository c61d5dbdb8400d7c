// Notes what the handlers of a role do, for coverage: on how many inputs they ran, how many of these they did not
// reject, by which guards they rejected the others, and which options of their choices ended in a step.
//
// Notes are taken where a handler runs, which is once for each distinct input, not once for each step. Every such
// input belongs to a state that a search has reached. An input that is not rejected makes a step there, unless a
// full channel blocks it (then an option may count as taken wrongly).
// Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include "heddle/handler.h"

namespace heddle::actor {

class HandlerUse {
 public:
  using Chosen = detail::HandlerCall::Chosen;

  // One choice with all options that were ever offered.
  struct Choice {
    std::vector<bool> taken;
    bool by_name = false;
  };

  // A place in the model's source where `require` was false, and how often. The place is empty if a choice had no
  // options.
  struct Guard {
    std::source_location where;
    std::uint64_t rejected = 0;
  };

  void make_room(std::size_t handlers) { handlers_.resize(handlers); }
  // Begins with the notes of another. REQUIRES: nobody takes notes in either.
  void begin_with(const HandlerUse& other) {
    handlers_.clear();
    for (const Handler& from : other.handlers_) {
      Handler& to = handlers_.emplace_back();
      to.tried = from.tried.load();
      to.accepted = from.accepted.load();
      to.choices = from.choices;
      to.guards = from.guards;
    }
  }

  // Notes that the handler ran with these answers to its choices.
  void note(std::size_t handler, std::span<const Chosen> choices, bool accepted) {
    if (choices.empty()) return;
    Handler& h = handlers_[handler];
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      // A handler may ask for one member of a role after the other, each time with fewer options. So the key has
      // the number of options beside the place.
      Choice& choice = h.choices[{i, choices[i].options}];
      choice.by_name |= choices[i].by_name;
      choice.taken.resize(choices[i].options);
      if (accepted) choice.taken[choices[i].taken] = true;
    }
  }
  // Notes that a guard of the handler was false.
  void note_guard(std::size_t handler, const std::source_location& where) {
    const std::lock_guard lock(mutex_);
    std::vector<Guard>& guards = handlers_[handler].guards;
    const auto same = [&](const Guard& one) {
      return one.where.line() == where.line() && one.where.file_name() == where.file_name();
    };
    const auto known = std::ranges::find_if(guards, same);
    if (known != guards.end()) {
      ++known->rejected;
    } else {
      guards.push_back({where, 1});
    }
  }
  // Notes that all answers have been tried on an input, and whether one of them was accepted.
  void note_input(std::size_t handler, bool accepted) {
    handlers_[handler].tried.fetch_add(1, std::memory_order_relaxed);
    if (accepted) handlers_[handler].accepted.fetch_add(1, std::memory_order_relaxed);
  }

  std::uint64_t tried(std::size_t handler) const { return handlers_[handler].tried; }
  std::uint64_t accepted(std::size_t handler) const { return handlers_[handler].accepted; }
  const std::vector<Guard>& guards(std::size_t handler) const { return handlers_[handler].guards; }
  // Returns the choices by their place, counted from 0, and their number of options.
  const std::map<std::pair<std::size_t, std::uint32_t>, Choice>& choices(std::size_t handler) const {
    return handlers_[handler].choices;
  }

 private:
  struct Handler {
    std::atomic<std::uint64_t> tried{0}, accepted{0};
    std::map<std::pair<std::size_t, std::uint32_t>, Choice> choices;
    std::vector<Guard> guards;
  };
  std::mutex mutex_;
  std::deque<Handler> handlers_;
};

}  // namespace heddle::actor
