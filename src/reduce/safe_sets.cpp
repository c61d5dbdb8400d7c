// Selects the first thread whose action is safe, and everything where there is none.
#include "reduce/safe_sets.h"

#include <cassert>

#include "core/facets/threads.h"

namespace heddle {
namespace {

class SafeSelector final : public Selector {
 public:
  SafeSelector(const Threads& threads, Releases releases) : threads_(threads), releases_(releases) {}

  std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                     std::vector<char>& keep) override {
    const std::size_t count = steps.size() - first;
    keep.assign(count, 1);
    if (count < 2) return count;
    const std::uint32_t threads = threads_.thread_count(state);
    std::size_t before = 0;  // steps of lower threads: expand lists steps in the order of threads
    for (std::uint32_t t = 0; t < threads && before < count; ++t) {
      if (!threads_.pending(state, t, action_) || action_.steps.empty()) continue;
      const std::size_t its = action_.steps.size();
      assert(before + its <= count && steps.step(first + before) == action_.steps[0]);
      if (action_.safe && (releases_ == Releases::MayBeSafe || !action_.releases)) {
        keep.assign(count, 0);
        for (std::size_t i = before; i < before + its; ++i) keep[i] = 1;
        return its;
      }
      before += its;
    }
    return count;
  }

 private:
  const Threads& threads_;
  const Releases releases_;
  PendingAction action_;
};

}  // namespace

std::function<std::unique_ptr<Selector>()> safe_sets(const TransitionSystem& system, Releases releases) {
  assert(system.threads() != nullptr);
  return [threads = system.threads(), releases] { return std::make_unique<SafeSelector>(*threads, releases); };
}

}  // namespace heddle
