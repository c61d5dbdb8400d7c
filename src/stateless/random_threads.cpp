// One class for each strategy, and the loop that lets a thread go on.
#include "stateless/random_threads.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <random>
#include <vector>

#include "core/facets/threads.h"

namespace heddle {
namespace {

// Who goes on. A strategy sees the threads that can, in ascending order.
class ThreadChoice {
 public:
  virtual ~ThreadChoice() = default;
  virtual std::uint32_t choose(std::span<const Slot> state, const std::vector<std::uint32_t>& able) = 0;
};

class UniformChoice final : public ThreadChoice {
 public:
  explicit UniformChoice(std::mt19937_64& random) : random_(random) {}
  std::uint32_t choose(std::span<const Slot>, const std::vector<std::uint32_t>& able) override {
    return able[random_() % able.size()];
  }

 private:
  std::mt19937_64& random_;
};

class PriorityChoice final : public ThreadChoice {
 public:
  PriorityChoice(std::uint32_t depth, std::size_t length, std::mt19937_64& random) : random_(random) {
    for (std::uint32_t i = 1; i < depth; ++i) points_.push_back(random_() % std::max<std::size_t>(length, 1));
  }
  std::uint32_t choose(std::span<const Slot>, const std::vector<std::uint32_t>& able) override {
    if (std::ranges::find(points_, step_++) != points_.end()) rank(highest(able)) = --lowest_;
    return highest(able);
  }

 private:
  std::int64_t& rank(std::uint32_t thread) {
    while (thread >= ranks_.size()) ranks_.push_back(static_cast<std::int64_t>(random_() >> 2));
    return ranks_[thread];
  }
  std::uint32_t highest(const std::vector<std::uint32_t>& able) {
    return *std::ranges::max_element(able, {}, [&](std::uint32_t thread) { return rank(thread); });
  }

  std::mt19937_64& random_;
  std::vector<std::int64_t> ranks_;
  std::int64_t lowest_ = 0;
  std::size_t step_ = 0;
  std::vector<std::size_t> points_;
};

bool actions_conflict(const PendingAction& a, const PendingAction& b) {
  return std::ranges::any_of(a.accesses, [&](const Access& x) {
    return std::ranges::any_of(b.accesses,
                               [&](const Access& y) { return x.slot == y.slot && conflict(x.kind, y.kind); });
  });
}

class PartialOrderChoice final : public ThreadChoice {
 public:
  PartialOrderChoice(const Threads& threads, std::mt19937_64& random) : threads_(threads), random_(random) {}
  std::uint32_t choose(std::span<const Slot> state, const std::vector<std::uint32_t>& able) override {
    for (const std::uint32_t thread : able) ranks_.try_emplace(thread, random_());
    const std::uint32_t next = *std::ranges::max_element(able, {}, [&](std::uint32_t t) { return ranks_.at(t); });
    PendingAction taken, other;
    threads_.pending(state, next, taken);
    for (auto rank = ranks_.begin(); rank != ranks_.end();) {
      const bool racing =
          rank->first == next || (threads_.pending(state, rank->first, other) && actions_conflict(taken, other));
      rank = racing ? ranks_.erase(rank) : std::next(rank);
    }
    return next;
  }

 private:
  const Threads& threads_;
  std::mt19937_64& random_;
  std::map<std::uint32_t, std::uint64_t> ranks_;  // of pending actions, by thread
};

std::unique_ptr<ThreadChoice> choice_of(const ThreadSamplingOptions& options, const TransitionSystem& system,
                                        std::mt19937_64& random) {
  switch (options.strategy) {
    case ThreadStrategy::Priorities:
      return std::make_unique<PriorityChoice>(options.depth, options.length, random);
    case ThreadStrategy::PartialOrders:
      return std::make_unique<PartialOrderChoice>(*system.threads(), random);
    case ThreadStrategy::Uniform:
      break;
  }
  return std::make_unique<UniformChoice>(random);
}

// The first property that is false in a state. `ended`: it has no steps.
std::optional<std::size_t> false_property(const TransitionSystem& system, std::span<const Slot> state, bool ended) {
  std::uint64_t asked = 0;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (property.kind == Property::Kind::Always || (ended && property.of_final_states()))
      asked |= std::uint64_t{1} << i;
  }
  const std::uint64_t bits = system.evaluate(state, asked);
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if ((asked >> i & 1) != 0 && (bits >> i & 1) == 0) return i;
  }
  return std::nullopt;
}

}  // namespace

// The threads that steps belong to: those of all threads, in their order, are what expand lists.
void ThreadSampling::owners_of(const StepBuffer& steps, std::span<const Slot> state,
                               std::vector<std::uint32_t>& out) const {
  out.clear();
  PendingAction action;
  for (std::uint32_t t = 0; t < system_.threads()->thread_count(state); ++t) {
    if (!system_.threads()->pending(state, t, action)) continue;
    for (const Step& step : action.steps) {
      if (out.size() < steps.size() && steps.step(out.size()) == step) out.push_back(t);
    }
  }
  assert(out.size() == steps.size());
}

SampledRun ThreadSampling::run(std::uint64_t seed) const {
  assert(system_.threads() != nullptr);
  std::mt19937_64 random(seed);
  ThreadSamplingOptions options = options_;
  if (options.strategy == ThreadStrategy::Priorities && options.length == 0) {
    options.strategy = ThreadStrategy::Uniform;
    options.length = ThreadSampling(system_, options).run(seed).path.steps.size();
    options.strategy = ThreadStrategy::Priorities;
  }
  SampledRun out;
  const std::vector<SlotVector> initial = system_.initial_states();
  // The remainder is slightly uneven, but the same on every platform, unlike std::uniform_int_distribution.
  out.path.initial = random() % initial.size();
  out.last = initial[out.path.initial];
  const std::unique_ptr<ThreadChoice> choice = choice_of(options, system_, random);
  StepBuffer steps;
  std::vector<std::uint32_t> owners, able;
  for (;;) {
    steps.clear();
    system_.expand(out.last, steps);
    out.ended = steps.size() == 0;
    out.false_property = false_property(system_, out.last, out.ended);
    if (out.ended || out.false_property || out.path.steps.size() >= options.steps) return out;
    if (options.go_on && !options.go_on()) return out;
    owners_of(steps, out.last, owners);
    able = owners;
    able.erase(std::unique(able.begin(), able.end()), able.end());
    const std::uint32_t thread = choice->choose(out.last, able);
    // A choice of the thread's own: each alternative is as likely as the others.
    const auto first = static_cast<std::size_t>(std::ranges::find(owners, thread) - owners.begin());
    const auto alternatives = static_cast<std::size_t>(std::ranges::count(owners, thread));
    const std::size_t k = first + (alternatives == 1 ? 0 : random() % alternatives);
    out.path.steps.push_back(steps.step(k));
    out.last = apply_changes(out.last, steps.changes(k));
  }
}

}  // namespace heddle
