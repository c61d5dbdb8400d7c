// Closes a set of transitions under dependence, going back over what could enable its disabled members.
#include "reduce/lpor.h"

#include <cassert>

namespace heddle {
namespace {

bool is_transitive(const Relation& r) {
  for (std::size_t a = 0; a < r.size(); ++a) {
    for (std::size_t b = 0; b < r.size(); ++b) {
      if (!r(a, b)) continue;
      for (std::size_t w = 0; w < r.row(a).size(); ++w) {
        std::uint64_t missing = r.row(b)[w] & ~r.row(a)[w];
        if (a / 64 == w)
          missing &= ~(std::uint64_t{1} << (a % 64));  // the relation is over pairs of distinct transitions
        if (missing != 0) return false;
      }
    }
  }
  return true;
}

}  // namespace

Lpor::Lpor(const Relations& relations, Options options)
    : relations_(relations),
      options_(options),
      depends_on_(relations.dependent.inverse()),
      enabled_by_(relations.can_enable.inverse()),
      pairs_of_(relations.transitions()),
      stub_(relations.transitions()),
      reaches_(relations.transitions()),
      blocked_(relations.transitions()) {
  const std::size_t n = relations.transitions();
  if (options_.symmetric_dependence) {
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t u = 0; u < n; ++u) {
        if (relations.dependent(t, u)) depends_on_.add(t, u);
      }
    }
  }
  transitive_ = is_transitive(depends_on_);
  for (std::uint32_t k = 0; k < relations.net.size(); ++k) pairs_of_[relations.net[k].u].push_back(k);
  if (options_.precompute) {
    ways_ = Relation(n);
    for (std::size_t t = 0; t < n; ++t) {
      find_ways(t);
      reaches_.each([&](std::size_t u) { ways_.add(t, u); });
    }
  }
}

// Notes that u is a new member: transitions that await u are blocked.
void Lpor::block(std::size_t u, const BitSet& pending) {
  for (const std::uint32_t k : pairs_of_[u]) {
    if (pending.test(k)) blocked_.set(relations_.net[k].t);
  }
}

// Sets reaches_ to all u0 with a way u0 -> u1 -> ... -> uk along can_enable, where t depends on uk and none of u1 .. uk
// is blocked. u0 itself is enabled where this matters, so it is never blocked.
void Lpor::find_ways(std::size_t t) {
  const auto reaches = reaches_.words();
  const auto goal = depends_on_.row(t);
  std::copy(goal.begin(), goal.end(), reaches.begin());
  work_.clear();
  const auto go_on_from = [&](std::size_t w, std::uint64_t fresh) {
    fresh &= ~blocked_.words()[w];
    for (; fresh != 0; fresh &= fresh - 1) work_.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(fresh)));
  };
  for (std::size_t w = 0; w < goal.size(); ++w) go_on_from(w, goal[w]);
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const auto before = enabled_by_.row(work_[i]);
    for (std::size_t w = 0; w < before.size(); ++w) {
      const std::uint64_t fresh = before[w] & ~reaches[w];
      reaches[w] |= fresh;
      if (fresh != 0) go_on_from(w, fresh);
    }
  }
  rows_read_ += 1 + work_.size();
}

// Whether stub_ is within `enabled` and has with each member all enabled transitions that the member depends on.
bool Lpor::is_closed(const BitSet& enabled) const {
  bool closed = true;
  stub_.each([&](std::size_t t) {
    const auto goal = depends_on_.row(t);
    for (std::size_t w = 0; w < goal.size(); ++w) {
      closed &=
          (goal[w] & enabled.words()[w] & ~stub_.words()[w]) == 0 && (stub_.words()[w] & ~enabled.words()[w]) == 0;
    }
  });
  return closed;
}

const BitSet* Lpor::stubborn(std::size_t initial, const BitSet& enabled, const BitSet& pending, std::size_t limit,
                             const BitSet* unwanted) {
  assert(enabled.test(initial));
  std::size_t size = 1;
  if (size >= limit || (unwanted != nullptr && unwanted->test(initial))) return nullptr;
  stub_.clear();
  stub_.set(initial);
  blocked_.clear();
  if (options_.net) block(initial, pending);
  // First in, first out: the figures of Bokor's thesis depend on the order of processing.
  queue_.assign(1, initial);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::size_t t = queue_[i];
    const auto goal = depends_on_.row(t);
    ++rows_read_;
    // What t depends on becomes a member in any case. Often that is enough to give up before looking for ways.
    std::size_t sure = 0;
    for (std::size_t w = 0; w < goal.size(); ++w) {
      const std::uint64_t direct = goal[w] & enabled.words()[w];
      if (unwanted != nullptr && (direct & unwanted->words()[w]) != 0) return nullptr;
      sure += static_cast<std::size_t>(std::popcount(direct | stub_.words()[w]));
    }
    if (sure >= limit) return nullptr;
    // A new member may block ways that were open, but opens none. So reaches_, once it was found for t, stays an upper
    // bound.
    bool found = false, known = false;  // whether reaches_ is about t; whether it is exact
    for (std::size_t w = 0; w < enabled.words().size(); ++w) {
      std::uint64_t candidates = enabled.words()[w] & ~stub_.words()[w];
      if (options_.precompute) candidates &= ways_.row(t)[w];
      for (; candidates != 0; candidates &= candidates - 1) {
        const std::size_t t1 = w * 64 + static_cast<std::size_t>(std::countr_zero(candidates));
        if ((goal[w] >> (t1 % 64) & 1) != 0) {
          if (!transitive_) queue_.push_back(t1);
        } else {
          if (!known && !(options_.precompute && !options_.net)) {
            if (found && !reaches_.test(t1)) continue;
            find_ways(t);
            found = known = true;
          }
          if (known && !reaches_.test(t1)) continue;
          queue_.push_back(t1);
        }
        stub_.set(t1);
        if (++size >= limit || (unwanted != nullptr && unwanted->test(t1))) return nullptr;
        if (options_.net && !pairs_of_[t1].empty()) {
          block(t1, pending);
          known = false;
        }
      }
    }
  }
  assert(is_closed(enabled));
  return &stub_;
}

}  // namespace heddle
