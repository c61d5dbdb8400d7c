#include "reduce/stubborn_selector.h"

#include <algorithm>

namespace heddle {
namespace {

class StubbornSelector final : public Selector {
 public:
  StubbornSelector(const TransitionSystem& system, const StubbornOptions& options)
      : system_(system),
        options_(options),
        relations_(options.relations ? *options.relations : *system.relations()),
        lpor_(relations_, lpor_options(options)),
        enabled_(relations_.transitions()),
        visible_(relations_.transitions()),
        best_(relations_.transitions()),
        pending_([this](std::size_t v, std::size_t w) {
          return system_.awaits(state_, static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(w));
        }) {}

  std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                     std::vector<char>& keep) override {
    const std::size_t count = steps.size() - first;
    keep.assign(count, 1);
    if (count < 2) return count;
    state_ = state;
    look_at(state, steps, first);
    if (candidates_.size() < 2) return count;

    std::size_t smallest = candidates_.size();  // transitions; all of them is no reduction
    for (const std::size_t t : candidates_) {
      const BitSet& set = lpor_.stubborn(t, enabled_, pending_);
      const std::size_t size = set.count();
      if (size < smallest && preserves(set, size, steps, first)) {
        smallest = size;
        best_ = set;
        if (options_.start == StubbornOptions::Start::First || size == 1) break;
      }
      if (options_.start == StubbornOptions::Start::Best) break;
    }
    if (smallest == candidates_.size()) return count;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      keep[i] = static_cast<char>(best_.test(steps.step(first + i).transition));
      kept += static_cast<std::size_t>(keep[i]);
    }
    return kept;
  }

 private:
  static Lpor::Options lpor_options(const StubbornOptions& options) {
    Lpor::Options lpor = options.lpor;
    lpor.symmetric_dependence |= options.preserve >= Preserved::LtlX;
    return lpor;
  }

  // Enabled and visible transitions, and the order in which they are tried.
  void look_at(std::span<const Slot> state, const StepBuffer& steps, std::size_t first) {
    enabled_.clear();
    visible_.clear();
    candidates_.clear();
    for (std::size_t i = first; i < steps.size(); ++i) {
      const std::uint32_t t = steps.step(i).transition;
      if (!enabled_.test(t)) {
        enabled_.set(t);
        candidates_.push_back(t);
      }
      if (options_.preserve == Preserved::Deadlocks || visible_.test(t)) continue;
      const bool visible = options_.visible
                               ? options_.visible->test(t)
                               : !relations_.invisible.test(t) && system_.may_change_truth(state, steps.changes(i));
      if (visible) visible_.set(t);
    }
    std::sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
      if (visible_.test(a) != visible_.test(b)) return visible_.test(b);
      if (relations_.priority[a] != relations_.priority[b]) return relations_.priority[a] > relations_.priority[b];
      return a < b;
    });
  }

  bool preserves(const BitSet& set, std::size_t size, const StepBuffer& steps, std::size_t first) const {
    if (options_.preserve == Preserved::Deadlocks) return true;
    if (visible_.intersects(set.words())) return false;
    if (options_.preserve != Preserved::CtlX) return true;
    if (size != 1) return false;
    std::size_t instances = 0;
    for (std::size_t i = first; i < steps.size(); ++i) {
      instances += static_cast<std::size_t>(set.test(steps.step(i).transition));
    }
    return instances == 1;
  }

  const TransitionSystem& system_;
  const StubbornOptions options_;
  const Relations& relations_;
  Lpor lpor_;
  std::span<const Slot> state_;
  BitSet enabled_, visible_, best_;
  std::vector<std::size_t> candidates_;
  const Lpor::Pending pending_;
};

}  // namespace

std::function<std::unique_ptr<Selector>()> stubborn_selector(const TransitionSystem& system,
                                                             const StubbornOptions& options) {
  return [&system, options] { return std::make_unique<StubbornSelector>(system, options); };
}

}  // namespace heddle
