// Breadth-first search, level by level, by any number of threads.
//
// The store numbers states in the order in which they are found. So the numbers of a level are an interval,
// and the store is the queue. A thread takes a block of states, expands them all, and only then probes the
// store for all successors. By then the memory that each probe needs has been prefetched (about 100
// successors are in flight at once).
//
// With a Selector only some steps of a state are executed. Cycle proviso: unless one of them leads to a state
// with a larger number, the other steps are executed as well. So a chain of growing numbers leads from every
// state whose steps were left out to a state where none was left out, whatever the order in which threads
// work. No step is put off forever.
//
// No predecessor is stored. A path to a state is found afterwards: the levels before it are expanded
// backwards, one after the other, until a predecessor shows up. That is at most the work of the search once
// more, and only if there is something to show.
#include <algorithm>
#include <barrier>
#include <cassert>
#include <exception>
#include <system_error>
#include <thread>

#include "core/facets/visibility.h"
#include "core/reclaim.h"
#include "explore/findings_board.h"
#include "explore/progress_clock.h"
#include "explore/searches.h"
#include "explore/store.h"
#include "explore/tally.h"

namespace heddle {
namespace {

constexpr std::uint32_t block_states = 64;
constexpr std::size_t block_steps = 128;
constexpr unsigned blocks_between_checks = 16;

template <class Store>
class BreadthFirst {
 public:
  BreadthFirst(const TransitionSystem& system, const SearchOptions& options)
      : system_(system),
        visibility_(visibility_of(system)),
        options_(options),
        initial_(system.initial_states()),
        store_(store_length(system, initial_), sample_states(system, options.limits)),
        board_(system),
        budget_(options.limits),
        threads_(std::max(1u, options.threads)),
        workers_(threads_) {}

  SearchResult run() {
    insert_initial();
    if (threads_ == 1) {
      work(0, [this] { next_level(); });
    } else {
      std::barrier barrier(threads_, [this]() noexcept { next_level(); });
      std::vector<std::jthread> threads;
      try {
        for (unsigned i = 0; i < threads_; ++i) {
          threads.emplace_back([&, i] { work(i, [&] { barrier.arrive_and_wait(); }); });
        }
      } catch (const std::system_error&) {
        failed_ = true;
        const std::size_t started = threads.size();
        for (std::size_t i = started; i < threads_; ++i) barrier.arrive_and_drop();  // nobody waits for the others
        threads.clear();
        too_few_threads(started, threads_);
      }
    }
    for (const Worker& w : workers_) {
      if (w.error) std::rethrow_exception(w.error);
    }
    return result();
  }

 private:
  using Worker = WorkerTally;

  // Makes the keys under which states are stored. With a canonicalizer these are the keys of representatives.
  // Belongs to one thread.
  class Keys {
   public:
    explicit Keys(BreadthFirst& search) : cursor_(search.store_) {
      if (search.options_.canonicalizer) canonicalizer_ = search.options_.canonicalizer();
    }
    typename Store::Cursor& cursor() { return cursor_; }
    // Makes `state` the state at hand and returns its key.
    typename Store::Key load_slots(SlotVector state) {
      if (canonicalizer_) canonicalizer_->canonical(state);
      return cursor_.load_slots(state);
    }
    // Returns the key of a successor of the state at hand, which stays.
    typename Store::Key after(std::span<const Change> changes) {
      if (!canonicalizer_) return cursor_.after(changes);
      const std::span<const Slot> from = cursor_.slots();
      next_.assign(from.begin(), from.end());
      for (const Change& c : changes) {
        if (c.slot >= next_.size()) next_.resize(c.slot + 1, 0);
        next_[c.slot] = c.value;
      }
      canonicalizer_->canonical(next_);
      assert(next_.size() >= from.size());  // the differences could not say that a state became shorter
      const auto first = differences_.size();
      first_.push_back(static_cast<std::uint32_t>(first));
      for (std::uint32_t s = 0; s < next_.size(); ++s) {
        if (s >= from.size() || next_[s] != from[s]) differences_.push_back({s, next_[s]});
      }
      return cursor_.after({differences_.data() + first, differences_.size() - first});
    }
    // Returns how the n-th successor since clear() differs from its source, as both are stored: `changes`, or
    // with a canonicalizer the changes that lead to the representative.
    std::span<const Change> differences(std::size_t n, std::span<const Change> changes) const {
      if (!canonicalizer_) return changes;
      assert(n < first_.size());
      const std::size_t end = n + 1 < first_.size() ? first_[n + 1] : differences_.size();
      return {differences_.data() + first_[n], end - first_[n]};
    }
    // Takes back the last successor: it does not count.
    void take_back() {
      if (!canonicalizer_) return;
      assert(!first_.empty() && first_.back() <= differences_.size());
      differences_.resize(first_.back());
      first_.pop_back();
    }
    void clear() {
      first_.clear();
      differences_.clear();
    }

   private:
    typename Store::Cursor cursor_;
    std::unique_ptr<Canonicalizer> canonicalizer_;
    SlotVector next_;
    std::vector<std::uint32_t> first_;
    std::vector<Change> differences_;
  };

  void insert_initial() {
    Keys keys(*this);
    typename Store::Cursor& cursor = keys.cursor();
    for (const SlotVector& state : initial_) {
      const auto key = keys.load_slots(state);
      const Stored stored = store_.insert(key, Store::hash(key));
      if (stored.is_new) found_state(stored.number, cursor.slots());
    }
    assert(store_.last() > 0);
    level_begin_ = {1, store_.last() + 1};
    if (options_.limits.depth == 0) cut_off_here();
  }

  void found_state(std::uint32_t number, std::span<const Slot> slots) {
    if (board_.interested()) board_.state(system_.evaluate(slots, board_.open()), [&] { return number; });
    if (options_.on_state) options_.on_state(slots);
  }

  // Runs when every thread has finished the level, before any begins the next.
  void next_level() {
    const std::uint32_t begin = level_begin_.back();
    const std::uint32_t end = store_.last() + 1;
    assert(level_begin_.size() >= 2 && begin <= end);
    const std::size_t depth = level_begin_.size() - 1;
    const bool stop = (options_.stop_at_violation && board_.violated()) || budget_.stopped() != Budget::Stop::None;
    if (end == begin || stop || failed_) {
      done_ = true;
      return;
    }
    level_begin_.push_back(end);
    cursor_ = begin;
    if (depth >= options_.limits.depth) cut_off_here();
  }

  // The states of this level are stored, but they are not expanded.
  void cut_off_here() {
    workers_[0].cut_off += level_begin_.back() - level_begin_[level_begin_.size() - 2];
    done_ = true;
  }

  template <class Barrier>
  void work(unsigned index, Barrier&& barrier) {
    Worker& me = workers_[index];
    try {
      Reclaimer::Worker reclaim;
      me.executed.resize(system_.transition_count());
      Expander expander(*this, me.executed.data());
      while (!done_) {
        const std::uint32_t end = level_begin_.back();
        for (unsigned n = 0;; ++n) {
          if (n % blocks_between_checks == 0 && !proceed(index)) break;
          const std::uint32_t begin = cursor_.fetch_add(block_states, std::memory_order_relaxed);
          if (begin >= end) break;
          if (!expander.block(me, begin, std::min(end, begin + block_states))) break;
          reclaim.quiescent();
        }
        barrier();
      }
    } catch (...) {
      me.error = std::current_exception();
      failed_ = true;
      // A thread that failed still has to meet the others at the barrier.
      while (!done_) barrier();
    }
  }

  bool proceed(unsigned index) {
    if (failed_.load(std::memory_order_relaxed)) return false;
    const std::size_t bytes = store_.bytes() + system_.bytes();
    if (!budget_.check(bytes)) return false;
    if (index == 0) progress_.tick(budget_, [&] { return counters(); });
    return true;
  }

  Counters counters() const {
    Counters c;
    c.states = store_.size();
    for (const Worker& w : workers_) {
      c.transitions += w.transitions;
      c.left_out += w.left_out;
      c.deadlocks += w.deadlocks;
      c.cut_off += w.cut_off;
    }
    c.depth = level_begin_.size() >= 2 ? level_begin_.size() - 2 : 0;
    const std::uint32_t at = cursor_.load(std::memory_order_relaxed);
    c.queue = store_.last() + 1 > at ? store_.last() + 1 - at : 0;
    c.store_bytes = store_.bytes();
    c.door_bytes = system_.bytes();
    return c;
  }

  // Expands blocks of states for one thread.
  class Expander {
   public:
    Expander(BreadthFirst& search, std::uint64_t* executed)
        : executed_(executed), s_(search), keys_(search), cursor_(keys_.cursor()) {
      if (search.options_.selector) selector_ = search.options_.selector();
    }

    // Expands states begin .. end-1, in several rounds if they have many successors. Returns false if the
    // search has to stop.
    bool block(Worker& me, std::uint32_t begin, std::uint32_t end) {
      assert(begin > 0 && end <= s_.store_.last() + 1);
      while (begin < end) {
        try {
          begin = gather(me, begin, end);
          for (const Probe& p : probes_) s_.store_.prefetch_second(p.hash);
          for (std::size_t n = 0; n < probes_.size(); ++n) {
            const Probe& p = probes_[n];
            const Stored stored = s_.store_.insert(p.key, p.hash);
            if (stored.is_new) fresh(stored.number, n);
            if (p.reduced != whole && stored.number > reduced_[p.reduced].number) reduced_[p.reduced].goes_on = true;
          }
          for (const Reduced& r : reduced_) {
            if (r.goes_on) {
              me.left_out += r.left_out;
            } else {
              execute_rest(me, r);
            }
          }
        } catch (const TableFull&) {
          s_.budget_.stop(Budget::Stop::Memory);
          return false;
        } catch (const std::bad_alloc&) {
          s_.budget_.stop(Budget::Stop::Memory);
          return false;
        }
      }
      return true;
    }

   private:
    std::uint32_t gather(Worker& me, std::uint32_t number, std::uint32_t end) {
      steps_.clear();
      probes_.clear();
      slots_.clear();
      reduced_.clear();
      keep_.clear();
      keys_.clear();
      for (; number < end && probes_.size() < block_steps; ++number) {
        if (!s_.store_.is_state(number)) continue;
        cursor_.load(s_.store_.key(number));
        const std::span<const Slot> slots = cursor_.slots();
        if (s_.board_.bound() != 0 && (s_.board_.bound() & ~s_.system_.evaluate(slots, s_.board_.bound())) != 0) {
          me.cut_off += 1;
          continue;
        }
        const std::size_t first = steps_.size();
        s_.system_.expand(slots, steps_);
        if (steps_.size() == first) {
          me.deadlocks += 1;
          if (s_.board_.deadlock_free() != 0) s_.board_.deadlock(s_.system_.evaluate(slots), [&] { return number; });
          if (s_.options_.on_deadlock) s_.options_.on_deadlock(slots);
          if (selector_) selector_->select(slots, steps_, first, kept_);
          continue;
        }
        const Source source{static_cast<std::uint32_t>(slots_.size()), static_cast<std::uint32_t>(slots.size())};
        slots_.insert(slots_.end(), slots.begin(), slots.end());
        std::uint32_t reduced = whole;
        const std::size_t all = steps_.size() - first;
        const std::size_t needed = selector_ ? selector_->select(slots, steps_, first, kept_) : all;
        assert(needed > 0 && needed <= all);
        if (needed < all) {
          assert(kept_.size() == all);
          reduced = static_cast<std::uint32_t>(reduced_.size());
          reduced_.push_back({number, false, source, first, steps_.size(), all - needed});
          keep_.resize(first, 1);
          keep_.insert(keep_.end(), kept_.begin(), kept_.end());
          assert(keep_.size() == steps_.size());
        }
        for (std::size_t i = first; i < steps_.size(); ++i) {
          if (reduced == whole || keep_[i] != 0) add_probe(i, source, reduced);
        }
        me.transitions += needed;
      }
      return number;
    }

    // A state in slots_.
    struct Source {
      std::uint32_t begin, length;
    };
    // A step whose target waits to be looked up.
    struct Probe {
      typename Store::Key key;
      std::uint64_t hash;
      Source source;
      std::uint32_t step;     // in steps_
      std::uint32_t reduced;  // in reduced_, or whole
    };
    // A state whose steps are not all executed.
    struct Reduced {
      std::uint32_t number;
      bool goes_on;  // one of the executed steps leads to a larger number
      Source source;
      std::size_t first, end;  // in steps_ and keep_
      std::size_t left_out;
    };
    static constexpr std::uint32_t whole = ~std::uint32_t{0};

    // REQUIRES: the cursor is at the source.
    void add_probe(std::size_t i, Source source, std::uint32_t reduced) {
      assert(cursor_.slots().size() == source.length);
      assert(steps_.step(i).transition < s_.system_.transition_count());
      ++executed_[steps_.step(i).transition];
      auto key = keys_.after(steps_.changes(i));
      const std::uint64_t hash = Store::hash(key);
      if constexpr (std::is_same_v<typename Store::Key, std::uint64_t>) {
        if (!selector_) {
          std::uint64_t& recent = recent_[hash & (recent_size - 1)];
          if (recent == key) return keys_.take_back();
          recent = key;
        }
      }
      s_.store_.prefetch_first(hash);
      probes_.push_back({std::move(key), hash, source, static_cast<std::uint32_t>(i), reduced});
    }

    void execute_rest(Worker& me, const Reduced& r) {
      assert(!r.goes_on && r.end <= keep_.size());
      cursor_.load(s_.store_.key(r.number));
      probes_.clear();
      keys_.clear();
      for (std::size_t i = r.first; i < r.end; ++i) {
        if (keep_[i] == 0) add_probe(i, r.source, whole);
      }
      me.transitions += probes_.size();
      for (std::size_t n = 0; n < probes_.size(); ++n) {
        const Stored stored = s_.store_.insert(probes_[n].key, probes_[n].hash);
        if (stored.is_new) fresh(stored.number, n);
      }
    }

    void fresh(std::uint32_t number, std::size_t n) {
      const Probe& probe = probes_[n];
      assert(probe.source.begin + probe.source.length <= slots_.size());
      const std::span<const Slot> from(slots_.data() + probe.source.begin, probe.source.length);
      const std::span<const Change> changes = keys_.differences(n, steps_.changes(probe.step));
      if (!s_.options_.on_state) {
        if (!s_.board_.interested()) return;
        if (!s_.visibility_.may_change_truth(from, changes)) return;
      }
      next_.assign(from.begin(), from.end());
      for (const Change& c : changes) {
        if (c.slot >= next_.size()) next_.resize(c.slot + 1, 0);
        next_[c.slot] = c.value;
      }
      s_.found_state(number, next_);
    }

    // Keys that this thread looked up a moment ago. Most steps lead to a state that another step has just led to.
    static constexpr std::size_t recent_size = std::size_t{1} << 13;
    std::vector<std::uint64_t> recent_ = std::vector<std::uint64_t>(recent_size, PairTable::hole);
    std::uint64_t* const executed_;
    BreadthFirst& s_;
    Keys keys_;
    typename Store::Cursor& cursor_;
    std::unique_ptr<Selector> selector_;
    StepBuffer steps_;
    std::vector<Probe> probes_;
    std::vector<Slot> slots_;
    std::vector<Reduced> reduced_;
    std::vector<char> keep_, kept_;  // of the steps in steps_ (if shorter, the rest is kept); of the steps of one state
    SlotVector next_;
  };

  // Walks back from a stored state, level by level, to an initial state.
  Path path_to(std::uint32_t number) {
    assert(number > 0 && number <= store_.last() && store_.is_state(number));
    Path path;
    Keys keys(*this);
    typename Store::Cursor& cursor = keys.cursor();
    StepBuffer steps;
    std::size_t level = 0;
    while (level + 1 < level_begin_.size() && level_begin_[level + 1] <= number) ++level;
    for (; level > 0; --level) {
      const auto wanted = store_.key(number);
      bool found = false;
      for (std::uint32_t n = level_begin_[level - 1]; n < level_begin_[level] && !found; ++n) {
        if (!store_.is_state(n)) continue;
        cursor.load(store_.key(n));
        steps.clear();
        keys.clear();
        system_.expand(cursor.slots(), steps);
        for (std::size_t i = 0; i < steps.size() && !found; ++i) {
          if (keys.after(steps.changes(i)) != wanted) continue;
          path.steps.push_back(steps.step(i));
          number = n;
          found = true;
        }
      }
      if (!found) throw std::logic_error("a stored state has no predecessor in the level before it");
    }
    assert(number < level_begin_[1]);
    std::reverse(path.steps.begin(), path.steps.end());
    for (std::size_t i = 0; i < initial_.size(); ++i) {
      if (keys.load_slots(initial_[i]) == store_.key(number)) path.initial = i;
    }
    return path;
  }

  SearchResult result() {
    SearchResult r;
    r.counters = counters();
    r.executed = executed_by_all(workers_);
    std::size_t depth = 0;
    for (std::size_t l = 0; l + 1 < level_begin_.size(); ++l) {
      if (level_begin_[l + 1] > level_begin_[l]) depth = l;
    }
    r.counters.queue = store_.last() + 1 - std::min(store_.last() + 1, level_begin_.back());
    if (store_.last() >= level_begin_.back()) {
      ++depth;
      level_begin_.push_back(store_.last() + 1);
    }
    r.counters.depth = depth;
    for (const auto& [property, number] : board_.found()) {
      auto& findings = board_.is_sometimes(property) ? r.witnesses : r.violations;
      findings.push_back(concrete_finding(system_, options_, property, path_to(number)));
    }
    if (r.violations.size() > 1) {
      std::stable_sort(r.violations.begin(), r.violations.end(),
                       [](const Finding& a, const Finding& b) { return a.path.steps.size() < b.path.steps.size(); });
    }
    if (options_.stop_at_violation && !r.violations.empty() && r.counters.queue > 0) r.stopped_by = "violation found";
    conclude(system_, budget_, r);
    return r;
  }

  const TransitionSystem& system_;
  const Visibility& visibility_;
  const SearchOptions& options_;
  std::vector<SlotVector> initial_;
  Store store_;
  FindingsBoard<std::uint32_t> board_;
  Budget budget_;
  unsigned threads_;
  std::vector<Worker> workers_;
  // The numbers at which levels begin. The last entry is where the level begins that is being filled.
  std::vector<std::uint32_t> level_begin_;
  alignas(64) std::atomic<std::uint32_t> cursor_{1};
  alignas(64) std::atomic<bool> failed_{false};
  std::atomic<bool> done_{false};
  ProgressClock progress_{options_.progress};
};

}  // namespace

SearchResult breadth_first(const TransitionSystem& system, const SearchOptions& options) {
  if (options.tree_compression) return BreadthFirst<TreeStore>(system, options).run();
  return BreadthFirst<FlatStore>(system, options).run();
}

}  // namespace heddle
