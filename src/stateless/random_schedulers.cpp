// Schedules drawn at random, each from the start.
//
// SR draws from the enabled receives uniformly. PC gives every process a random priority and always lets the highest
// one receive; at a few random steps the process that would be next falls below all others. A bug that needs d
// orderings of processes to show is found with probability at least 1/(n k^(d-1)) in one schedule of k steps of n
// processes (Burckhardt, Kothari, Musuvathi, Nagarakatte: ASPLOS 2010). If the chosen process can take several
// messages, one is drawn uniformly, so for messages the bound is weaker.
#include <algorithm>
#include <numeric>
#include <random>

#include "stateless/walkers.h"

namespace heddle::schedule {
namespace {

class Priorities {
 public:
  Priorities(std::size_t changes, std::mt19937_64& random) : changes_(changes), random_(random) {}

  // `length` is the length of the longest schedule so far.
  void begin(std::size_t length) {
    ranks_.clear();
    lowest_ = 0;
    step_ = 0;
    points_.clear();
    for (std::size_t i = 0; i < changes_; ++i) points_.push_back(random_() % std::max<std::size_t>(length, 1));
  }
  std::size_t choose(std::span<const Receive> enabled) {
    const std::uint32_t highest = highest_of(enabled);
    if (std::ranges::find(points_, step_++) != points_.end()) {
      rank(highest) = --lowest_;
      return pick(enabled, highest_of(enabled));
    }
    return pick(enabled, highest);
  }

 private:
  std::int64_t& rank(std::uint32_t process) {
    while (process >= ranks_.size()) ranks_.push_back(static_cast<std::int64_t>(random_() >> 2));
    return ranks_[process];
  }
  std::uint32_t highest_of(std::span<const Receive> enabled) {
    return std::ranges::max_element(enabled, {}, [&](const Receive& r) { return rank(r.process()); })->process();
  }
  std::size_t pick(std::span<const Receive> enabled, std::uint32_t process) {
    const auto mine = static_cast<std::size_t>(std::ranges::count(enabled, process, &Receive::process));
    std::size_t n = random_() % mine;
    for (std::size_t k = 0;; ++k) {
      if (enabled[k].process() == process && n-- == 0) return k;
    }
  }

  std::size_t changes_;
  std::mt19937_64& random_;
  std::vector<std::int64_t> ranks_;
  std::int64_t lowest_ = 0;
  std::size_t step_ = 0;
  std::vector<std::size_t> points_;
};

}  // namespace

void walk_at_random(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log) {
  std::mt19937_64 random(options.seed);
  Priorities priorities(options.priority_changes, random);
  std::vector<std::uint32_t> names;
  std::size_t longest = 0;
  for (;;) {
    Node node = graph.initial();
    HistoryLog::Place place = log.begin();
    names.clear();
    priorities.begin(longest);
    for (auto enabled = graph.receives(node); !enabled.empty(); enabled = graph.receives(node)) {
      if (names.size() >= options.limits.depth) return log.too_long(names.size());
      // The remainder is slightly uneven, but the same on every platform, unlike std::uniform_int_distribution.
      const std::size_t k =
          scheduler.kind == Scheduler::Kind::Priority ? priorities.choose(enabled) : random() % enabled.size();
      const Receive& r = enabled[k];
      place = log.extend(place, graph.events(r));
      names.push_back(r.name);
      node = r.target;
      if (!log.step()) return;
    }
    longest = std::max(longest, names.size());
    if (!log.end(place, node, names)) return;
  }
}

}  // namespace heddle::schedule
