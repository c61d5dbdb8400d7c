// Computes a stubborn set for each situation once, and tries several beginnings for the smallest one.
#include "reduce/stubborn_selector.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "core/facets/dependence.h"
#include "core/facets/visibility.h"

namespace heddle {
namespace {

// A set depends only on the enabled transitions, the visible ones, and the pairs of net that wait. A protocol has few
// such situations in many states, so sets are kept by situation.
struct Hash {
  std::size_t operator()(const std::vector<std::uint64_t>& words) const {
    std::uint64_t h = words.size();
    for (const std::uint64_t w : words) {
      h = (h ^ w) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    return h;
  }
};
constexpr std::size_t most_kept = std::size_t{1} << 18;

class StubbornSelector final : public Selector {
 public:
  StubbornSelector(const TransitionSystem& system, const StubbornOptions& options)
      : visibility_(visibility_of(system)),
        dependence_(system.dependence()),
        options_(options),
        relations_(options.relations ? *options.relations : system.dependence()->relations()),
        lpor_(relations_, lpor_options(options)),
        enabled_(relations_.transitions()),
        visible_(relations_.transitions()),
        pending_(relations_.net.size()) {}
  ~StubbornSelector() override {
    if (options_.rows_read) *options_.rows_read += lpor_.rows_read();
  }
  StubbornSelector(const StubbornSelector&) = delete;
  StubbornSelector& operator=(const StubbornSelector&) = delete;

  std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                     std::vector<char>& keep) override {
    const std::size_t count = steps.size() - first;
    keep.assign(count, 1);
    if (count < 2) return count;
    look_at(state, steps, first);
    const BitSet& set =
        options_.preserve == Preserved::CtlX ? (scratch_ = best_set(steps, first)) : kept_set(steps, first);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      keep[i] = static_cast<char>(set.test(steps.step(first + i).transition));
      kept += static_cast<std::size_t>(keep[i]);
    }
    assert(kept > 0);
    assert(kept == count || options_.preserve == Preserved::Deadlocks || invisible(set));
    return kept;
  }

 private:
  // The condition under which a set may leave steps out (Preserved::Safety and more).
  bool invisible(const BitSet& set) const {
    bool all = true;
    set.each([&](std::size_t t) { all &= !visible_.test(t); });
    return all;
  }

  static Lpor::Options lpor_options(const StubbornOptions& options) {
    Lpor::Options lpor = options.lpor;
    lpor.symmetric_dependence |= options.preserve >= Preserved::LtlX;
    return lpor;
  }

  void look_at(std::span<const Slot> state, const StepBuffer& steps, std::size_t first) {
    enabled_.clear();
    visible_.clear();
    for (std::size_t i = first; i < steps.size(); ++i) {
      const std::uint32_t t = steps.step(i).transition;
      enabled_.set(t);
      if (options_.preserve == Preserved::Deadlocks || visible_.test(t)) continue;
      const bool visible = options_.visible
                               ? options_.visible->test(t)
                               : !relations_.invisible.test(t) && visibility_.may_change_truth(state, steps.changes(i));
      if (visible) visible_.set(t);
    }
    if (options_.lpor.net && dependence_ != nullptr) dependence_->awaiting(state, pending_);
  }

  const BitSet& kept_set(const StepBuffer& steps, std::size_t first) {
    key_.assign(enabled_.words().begin(), enabled_.words().end());
    key_.insert(key_.end(), visible_.words().begin(), visible_.words().end());
    key_.insert(key_.end(), pending_.words().begin(), pending_.words().end());
    if (const auto known = sets_.find(key_); known != sets_.end()) return known->second;
    if (sets_.size() >= most_kept) sets_.clear();
    return sets_.emplace(key_, best_set(steps, first)).first->second;
  }

  // Returns the transitions to execute; all enabled ones if no set will do.
  BitSet best_set(const StepBuffer& steps, std::size_t first) {
    candidates_.clear();
    enabled_.each([&](std::size_t t) { candidates_.push_back(t); });
    std::sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
      if (visible_.test(a) != visible_.test(b)) return visible_.test(b);
      if (relations_.priority[a] != relations_.priority[b]) return relations_.priority[a] > relations_.priority[b];
      return a < b;
    });
    BitSet best = enabled_;
    std::size_t smallest = candidates_.size();
    for (const std::size_t t : candidates_) {
      if (smallest == 1) break;
      const BitSet* unwanted = options_.preserve == Preserved::Deadlocks ? nullptr : &visible_;
      const BitSet* set = lpor_.stubborn(t, enabled_, pending_, smallest, unwanted);
      if (set != nullptr && preserves(*set, set->count(), steps, first)) {
        smallest = set->count();
        best = *set;
        if (options_.start == StubbornOptions::Start::First) break;
      }
      if (options_.start == StubbornOptions::Start::Best) break;
    }
    return best;
  }

  bool preserves(const BitSet& set, std::size_t size, const StepBuffer& steps, std::size_t first) const {
    if (options_.preserve != Preserved::CtlX) return true;
    if (size != 1) return false;
    std::size_t instances = 0;
    for (std::size_t i = first; i < steps.size(); ++i) {
      instances += static_cast<std::size_t>(set.test(steps.step(i).transition));
    }
    return instances == 1;
  }

  const Visibility& visibility_;
  const Dependence* const dependence_;
  const StubbornOptions options_;
  const Relations& relations_;
  Lpor lpor_;
  BitSet enabled_, visible_, pending_, scratch_;
  std::vector<std::size_t> candidates_;
  std::vector<std::uint64_t> key_;
  std::unordered_map<std::vector<std::uint64_t>, BitSet, Hash> sets_;
};

}  // namespace

std::function<std::unique_ptr<Selector>()> stubborn_selector(const TransitionSystem& system,
                                                             const StubbornOptions& options) {
  return [&system, options] { return std::make_unique<StubbornSelector>(system, options); };
}

}  // namespace heddle
