#include "reduce/lpor.h"

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
      first_pair_(relations.transitions() + 1),
      awaited_(relations.transitions()),
      stub_(relations.transitions()),
      reaches_(relations.transitions()) {
  const std::size_t n = relations.transitions();
  if (options_.symmetric_dependence) {
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t u = 0; u < n; ++u) {
        if (relations.dependent(t, u)) depends_on_.add(t, u);
      }
    }
  }
  transitive_ = is_transitive(depends_on_);
  for (const Relations::Necessary& pair : relations.net) {
    ++first_pair_[pair.t + 1];
    awaited_.set(pair.u);
  }
  for (std::size_t t = 0; t < n; ++t) first_pair_[t + 1] += first_pair_[t];
  if (options_.precompute) {
    ways_ = Relation(n);
    for (std::size_t t = 0; t < n; ++t) {
      find_ways(t, BitSet(relations.net.size()));
      reaches_.each([&](std::size_t u) { ways_.add(t, u); });
    }
  }
}

// Whether v cannot become enabled before some member of the set has happened.
bool Lpor::blocked(std::size_t v, const BitSet& pending) const {
  for (std::uint32_t k = first_pair_[v]; k < first_pair_[v + 1]; ++k) {
    if (pending.test(k) && stub_.test(relations_.net[k].u)) return true;
  }
  return false;
}

// reaches_ becomes all u0 with a way u0 -> u1 -> ... -> uk along can_enable, uk something t depends on, and none of u1 .. uk
// blocked. u0 itself is enabled where this matters, so it is never blocked.
void Lpor::find_ways(std::size_t t, const BitSet& pending) {
  const auto goal = depends_on_.row(t);
  std::copy(goal.begin(), goal.end(), reaches_.words().begin());
  work_.clear();
  reaches_.each([&](std::size_t u) { work_.push_back(u); });
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const std::size_t v = work_[i];
    if (options_.net && blocked(v, pending)) continue;
    const auto before = enabled_by_.row(v);
    for (std::size_t w = 0; w < before.size(); ++w) {
      std::uint64_t fresh = before[w] & ~reaches_.words()[w];
      reaches_.words()[w] |= fresh;
      for (; fresh != 0; fresh &= fresh - 1)
        work_.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(fresh)));
    }
  }
}

const BitSet& Lpor::stubborn(std::size_t initial, const BitSet& enabled, const BitSet& pending) {
  stub_.clear();
  stub_.set(initial);
  // First in, first out: the order of processing is part of what the documents' figures depend on.
  queue_.assign(1, initial);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::size_t t = queue_[i];
    const auto goal = depends_on_.row(t);
    bool known = false;  // whether reaches_ is up to date
    for (std::size_t w = 0; w < enabled.words().size(); ++w) {
      std::uint64_t candidates = enabled.words()[w] & ~stub_.words()[w];
      if (options_.precompute) candidates &= ways_.row(t)[w];
      for (; candidates != 0; candidates &= candidates - 1) {
        const std::size_t t1 = w * 64 + static_cast<std::size_t>(std::countr_zero(candidates));
        if ((goal[w] >> (t1 % 64) & 1) != 0) {
          if (!transitive_) queue_.push_back(t1);
        } else {
          if (!known && !(options_.precompute && !options_.net)) {
            find_ways(t, pending);
            known = true;
          }
          if (known && !reaches_.test(t1)) continue;
          queue_.push_back(t1);
        }
        stub_.set(t1);
        // A new member may block ways that were open.
        if (options_.net && awaited_.test(t1)) known = false;
      }
    }
  }
  return stub_;
}

}  // namespace heddle
