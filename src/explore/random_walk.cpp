// Random walks: runs that take a random step in every state. They prove nothing and may miss everything, but
// they reach depths that no exhaustive search reaches. The result is deterministic for a seed.
#include <algorithm>
#include <cassert>
#include <new>
#include <random>

#include "core/reserved_array.h"
#include "explore/findings_board.h"
#include "explore/progress_clock.h"
#include "explore/searches.h"
#include "explore/store.h"

namespace heddle {

SearchResult random_walks(const TransitionSystem& system, const SearchOptions& options) {
  const std::vector<SlotVector> initial = system.initial_states();
  TreeStore store(store_length(system, initial));  // only counts distinct states
  TreeStore::Cursor cursor(store);
  FindingsBoard<Path> board(system);
  Budget budget(options.limits);
  SearchResult result;
  Counters& c = result.counters;
  result.executed.resize(system.transition_count());
  std::mt19937_64 random(options.seed);
  // Not std::uniform_int_distribution: its results differ between standard libraries.
  const auto below = [&](std::size_t n) {
    assert(n > 0);
    return static_cast<std::size_t>(random() % n);
  };
  StepBuffer steps;
  ProgressClock progress(options.progress);
  const std::uint64_t length = std::min<std::uint64_t>(options.walk_length, options.limits.depth);
  bool go_on = true;
  try {
    while (go_on && c.walks < options.walks) {
      Path path{below(initial.size()), {}};
      SlotVector state = initial[path.initial];
      for (;;) {
        const auto key = cursor.load_slots(state);
        if (store.insert(key, TreeStore::hash(key)).is_new && options.on_state) options.on_state(state);
        const std::uint64_t truth = system.evaluate(state);
        board.state(truth, [&] { return path; });
        c.depth = std::max<std::uint64_t>(c.depth, path.steps.size());
        if (options.stop_at_violation && board.violated()) go_on = false;
        if (!go_on || (board.bound() & ~truth) != 0 || path.steps.size() >= length) break;
        steps.clear();
        system.expand(state, steps);
        if (steps.size() == 0) {
          ++c.deadlocks;
          board.deadlock(truth, [&] { return path; });
          if (options.stop_at_violation && board.violated()) go_on = false;
          break;
        }
        const std::size_t i = below(steps.size());
        state = apply_changes(state, steps.changes(i));
        path.steps.push_back(steps.step(i));
        ++result.executed[steps.step(i).transition];
        if (++c.transitions % 256 == 0) {
          c.states = store.size();
          if (!budget.check(store.bytes() + system.bytes())) {
            go_on = false;
            break;
          }
          progress.tick(budget, [&] { return c; });
        }
      }
      ++c.walks;
    }
  } catch (const TableFull&) {
    budget.stop(Budget::Stop::Memory);
  } catch (const std::bad_alloc&) {
    budget.stop(Budget::Stop::Memory);
  }
  c.states = store.size();
  c.store_bytes = store.bytes();
  c.door_bytes = system.bytes();
  for (const auto& [property, path] : board.found()) {
    (board.is_sometimes(property) ? result.witnesses : result.violations).push_back({property, path});
  }
  result.stopped_by = budget.reason().empty() ? std::to_string(c.walks) + " random walks" : budget.reason();
  result.note = "random walks: may miss states";
  conclude(system, budget, result);
  return result;
}

std::vector<SlotVector> sample_states(const TransitionSystem& system, const Limits& limits) {
  constexpr std::size_t wanted = 600;
  const std::size_t longest_run = std::min<std::size_t>(60, limits.depth);
  // Beyond a bound the model may do what no search would see, so the sample stays within.
  std::uint64_t bound = 0;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if (system.properties()[i].kind == Property::Kind::Bound) bound |= std::uint64_t{1} << i;
  }
  const std::vector<SlotVector> initial = system.initial_states();
  std::vector<SlotVector> sample;
  std::mt19937_64 random(1);
  StepBuffer steps;
  for (std::size_t run = 0; run < wanted && sample.size() < wanted; ++run) {
    SlotVector state = initial[random() % initial.size()];
    for (std::size_t i = 0; i < longest_run && sample.size() < wanted; ++i) {
      sample.push_back(state);
      if (bound != 0 && (bound & ~system.evaluate(state, bound)) != 0) break;
      steps.clear();
      try {
        system.expand(state, steps);
      } catch (const TableFull&) {
        return sample;  // the search that follows says so
      }
      if (steps.size() == 0) break;
      state = apply_changes(state, steps.changes(random() % steps.size()));
    }
  }
  return sample;
}

}  // namespace heddle
