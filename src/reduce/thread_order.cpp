// Gives threads ranks, and sorts the steps of a state by them.
#include "reduce/thread_order.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "core/facets/threads.h"

namespace heddle {
namespace {

class ByThreads final : public StepOrder {
 public:
  ByThreads(const Threads& threads, ThreadOrder order) : threads_(threads), ranking_(std::move(order)) {}

  void sort(std::span<const Slot> state, const StepBuffer& steps, std::vector<std::uint32_t>& order) override {
    order.resize(steps.size());
    std::iota(order.begin(), order.end(), 0u);
    if (steps.size() < 2) return;
    ranks_.clear();
    // expand lists steps in the order of threads.
    for (std::uint32_t t = 0; t < threads_.thread_count(state) && ranks_.size() < steps.size(); ++t) {
      if (threads_.pending(state, t, action_)) ranks_.insert(ranks_.end(), action_.steps.size(), ranking_.rank(t));
    }
    assert(ranks_.size() == steps.size());
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return ranks_[i]; });
  }

 private:
  const Threads& threads_;
  ThreadRanking ranking_;
  PendingAction action_;
  std::vector<std::uint64_t> ranks_;  // of the thread of each step
};

}  // namespace

std::string ThreadOrder::text() const {
  if (seed) return "threads in random order, seed " + std::to_string(*seed);
  if (first.empty()) return descending ? "last thread first" : "";
  std::string out = first.size() == 1 ? "thread " : "threads ";
  for (std::size_t i = 0; i < first.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(first[i]);
  return out + " first";
}

std::uint64_t ThreadRanking::rank(std::uint32_t thread) {
  if (order_.seed) return random_() >> 2;
  const auto at = std::ranges::find(order_.first, thread) - order_.first.begin();
  return static_cast<std::uint64_t>(at) << 32 | (order_.descending ? ~thread : thread);
}

std::function<std::unique_ptr<StepOrder>()> step_order(const TransitionSystem& system, ThreadOrder order) {
  assert(system.threads() != nullptr);
  return
      [threads = system.threads(), order = std::move(order)] { return std::make_unique<ByThreads>(*threads, order); };
}

}  // namespace heddle
