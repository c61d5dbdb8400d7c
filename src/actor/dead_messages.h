// Finds messages that their receiver will never take: stale votes, requests of an old term, answers nobody waits for.
//
// States that differ only in such *dead* messages behave alike forever, so a search may drop these messages. (For
// programs, this is dead variable elimination; Bozga, Fernandez, Ghirvu 1999.) Nobody has to declare them.
// Handlers are pure, so whether a process takes a message depends on its local state alone, and its steps tell
// which local states can follow:
//
//   alive(l, m)  iff  some handler takes m in l, or alive(l', m) for some step of the process from l to l'
//
// All steps are known only when the search is over. So a message is dropped in a local state as soon as no step
// known *so far* leads from there to a local state that takes it, and the pair is remembered. If later steps show
// that the message was alive there, the search was mistaken and is repeated with what is known by then
// (Assumptions::mistaken, reconsider). A search that ends without a mistake has checked every assumption it rests
// on: all messages it dropped are dead, and its states are the reachable ones except for dead messages.
//
// A search with symmetry continues from a renamed state instead of the state it reached. Pairs (l, m) that
// renamings turn into each other then count as one pair. So of two states that differ only in names, both keep a
// message or both drop it.
//
// There is one object for each kind of process. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle::actor {

class DeadMessages {
 public:
  using Local = std::uint32_t;
  using Message = std::uint32_t;
  // The representative of a local state and all its renamings; the renamings that lead to it (`there`), each with
  // its inverse (`back`).
  struct Orbit {
    Local representative;
    std::vector<std::uint32_t> there, back;
  };
  struct Door {
    // Returns whether a process in this local state may take the message, alone or together with others.
    std::function<bool(Local, Message)> takes;
    std::function<Orbit(Local)> orbit;
    std::function<Message(Message, std::uint32_t renaming)> renamed;
  };

  explicit DeadMessages(Door door) : door_(std::move(door)) {}

  // Returns whether a message that waits in this local state may be dropped, as far as is known. Remembers that it was.
  bool dead(Local local, Message message);
  // Notes that a process in local state `from` can make a step to `to`.
  void step(Local from, Local to);

  bool mistaken() const { return mistaken_.load(std::memory_order_relaxed); }
  // Begins another search: keeps what is known of steps and live messages, forgets what was dropped.
  void reconsider();
  // Returns the number of pairs (local state, message) dropped in this search.
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
  // Calls f(local, message) for everything that was dropped, once for each orbit. REQUIRES: no search is running.
  template <class F>
  void each_dropped(F&& f) const {
    for (const auto& [local, known] : facts_) {
      known.dropped.each([&, l = local](std::uint32_t m) { f(l, messages_[m]); });
    }
  }
  // Returns how often `takes` was asked.
  std::uint64_t probes() const { return probes_.load(std::memory_order_relaxed); }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  class Bits {
   public:
    bool test(std::uint32_t i) const { return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1) != 0; }
    // Returns by how many bytes the set has grown.
    std::size_t set(std::uint32_t i) {
      const std::size_t before = words_.size();
      if (i / 64 >= before) words_.resize(i / 64 + 1);
      words_[i / 64] |= std::uint64_t{1} << (i % 64);
      return (words_.size() - before) * sizeof(std::uint64_t);
    }
    void clear() { words_.assign(words_.size(), 0); }
    template <class F>
    void each(F&& f) const {
      for (std::uint32_t w = 0; w < words_.size(); ++w) {
        for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
          f(w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(left)));
        }
      }
    }

   private:
    std::vector<std::uint64_t> words_;
  };
  // A representative of pairs (local state, message). The local state stands for its orbit, the message's index
  // for its images under all renamings that keep the local state.
  using Pair = std::pair<Local, std::uint32_t>;
  struct Step {
    Local from, to;  // as reached, not representatives
  };
  struct Facts {
    Bits met;      // messages asked about, here or in a local state that leads here
    Bits alive;    // the messages in `met` that are known to be alive
    Bits dropped;  // those dropped in this search
    std::vector<Step> next, before;
  };

  const Orbit& orbit(Local local);
  std::uint32_t index(Message message);
  std::uint32_t renamed(std::uint32_t message, std::uint32_t renaming);
  Pair representative(Local local, std::uint32_t message);
  // Calls f(message) for every message that the representative `message` may stand for in `local`.
  template <class F>
  void each_original(Local local, std::uint32_t message, F&& f);
  void meet(Pair pair);
  void revive(Pair pair);

  Door door_;
  std::mutex mutex_;
  std::unordered_map<Local, Orbit> orbits_;
  std::unordered_map<Local, Facts> facts_;  // by representative
  std::unordered_map<Message, std::uint32_t> indices_;
  std::vector<Message> messages_;
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::vector<std::uint32_t>> renamed_;  // by renaming and message
  std::unordered_set<std::uint64_t> steps_;
  std::atomic<bool> mistaken_{false};
  std::atomic<std::uint64_t> dropped_{0}, probes_{0};
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace heddle::actor
