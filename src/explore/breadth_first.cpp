// Breadth-first search, level by level, by any number of threads.
//
// The store numbers states in the order in which they are found, so the numbers of a level are an interval and the store is the
// queue. A thread takes a block of states, expands them all, and only then probes the store for all successors: by then the
// memory each probe needs has been prefetched (about 100 successors are in flight at once).
// With a Selector only some steps of a state are executed. Cycle proviso: unless one of them leads to a state with a larger
// number, the others are executed too. So from every state whose steps were left out a chain of growing numbers leads to one
// where none was, whatever the order in which threads work: no step is put off for ever.
// No predecessor is stored. A path to a state is found afterwards by expanding the levels before it backwards, one after the
// other, until a predecessor shows up: at most the work of the search once more, and only if there is something to show.
#include <algorithm>
#include <barrier>
#include <exception>
#include <thread>

#include "core/reclaim.h"
#include "explore/monitor.h"
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
        options_(options),
        initial_(system.initial_states()),
        store_(store_length(system, initial_), sample_states(system, options.limits)),
        monitor_(system),
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
      for (unsigned i = 0; i < threads_; ++i) {
        threads.emplace_back([&, i] { work(i, [&] { barrier.arrive_and_wait(); }); });
      }
    }
    for (const Worker& w : workers_) {
      if (w.error) std::rethrow_exception(w.error);
    }
    return result();
  }

 private:
  using Worker = WorkerTally;

  void insert_initial() {
    typename Store::Cursor cursor(store_);
    for (const SlotVector& state : initial_) {
      const auto key = cursor.load_slots(state);
      const Stored stored = store_.insert(key, Store::hash(key));
      if (stored.is_new) found_state(stored.number, cursor.slots());
    }
    level_begin_ = {1, store_.last() + 1};
    if (options_.limits.depth == 0) cut_off_here();
  }

  void found_state(std::uint32_t number, std::span<const Slot> slots) {
    if (monitor_.interested()) monitor_.state(system_.evaluate(slots, monitor_.open()), [&] { return number; });
    if (options_.on_state) options_.on_state(slots);
  }

  // Runs when every thread has finished the level, before any begins the next.
  void next_level() {
    const std::uint32_t begin = level_begin_.back();
    const std::uint32_t end = store_.last() + 1;
    const std::size_t depth = level_begin_.size() - 1;
    const bool stop = (options_.stop_at_violation && monitor_.violated()) || budget_.stopped() != Budget::Stop::None;
    if (end == begin || stop || failed_) {
      done_ = true;
      return;
    }
    level_begin_.push_back(end);
    cursor_ = begin;
    if (depth >= options_.limits.depth) cut_off_here();
  }

  // The states of this level are stored but not expanded.
  void cut_off_here() {
    workers_[0].cut_off += level_begin_.back() - level_begin_[level_begin_.size() - 2];
    done_ = true;
  }

  template <class Barrier>
  void work(unsigned index, Barrier&& barrier) {
    Worker& me = workers_[index];
    try {
      Reclaimer::Worker reclaim;
      Expander expander(*this);
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
      // A thread that failed still has to meet the others.
      while (!done_) barrier();
    }
  }

  bool proceed(unsigned index) {
    if (failed_.load(std::memory_order_relaxed)) return false;
    const std::size_t bytes = store_.bytes() + system_.bytes();
    if (!budget_.check(bytes)) return false;
    if (index == 0 && options_.progress) {
      const double now = budget_.seconds();
      if (now > last_report_ + 0.5) {
        last_report_ = now;
        options_.progress(counters(), now);
      }
    }
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
    explicit Expander(BreadthFirst& search) : s_(search), cursor_(search.store_) {
      if (search.options_.selector) selector_ = search.options_.selector();
    }

    // States begin .. end-1, possibly in several rounds if they have many successors. False if the search has to stop.
    bool block(Worker& me, std::uint32_t begin, std::uint32_t end) {
      while (begin < end) {
        begin = gather(me, begin, end);
        for (const Probe& p : probes_) s_.store_.prefetch_second(p.hash);
        try {
          for (const Probe& p : probes_) {
            const Stored stored = s_.store_.insert(p.key, p.hash);
            if (stored.is_new) fresh(stored.number, p);
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
      for (; number < end && probes_.size() < block_steps; ++number) {
        if (!s_.store_.is_state(number)) continue;
        cursor_.load(s_.store_.key(number));
        const std::span<const Slot> slots = cursor_.slots();
        if (s_.monitor_.bound() != 0 && (s_.monitor_.bound() & ~s_.system_.evaluate(slots, s_.monitor_.bound())) != 0) {
          me.cut_off += 1;
          continue;
        }
        const std::size_t first = steps_.size();
        s_.system_.expand(slots, steps_);
        if (steps_.size() == first) {
          me.deadlocks += 1;
          if (s_.monitor_.deadlock_free() != 0)
            s_.monitor_.deadlock(s_.system_.evaluate(slots), [&] { return number; });
          if (s_.options_.on_deadlock) s_.options_.on_deadlock(slots);
          continue;
        }
        const Source source{static_cast<std::uint32_t>(slots_.size()), static_cast<std::uint32_t>(slots.size())};
        slots_.insert(slots_.end(), slots.begin(), slots.end());
        std::uint32_t reduced = whole;
        const std::size_t all = steps_.size() - first;
        const std::size_t needed = selector_ ? selector_->select(slots, steps_, first, kept_) : all;
        if (needed < all) {
          reduced = static_cast<std::uint32_t>(reduced_.size());
          reduced_.push_back({number, false, source, first, steps_.size(), all - needed});
          keep_.resize(first, 1);
          keep_.insert(keep_.end(), kept_.begin(), kept_.end());
        }
        for (std::size_t i = first; i < steps_.size(); ++i) {
          if (reduced == whole || keep_[i] != 0) add_probe(i, source, reduced);
        }
      }
      me.transitions += probes_.size();
      return number;
    }

    // A state in slots_.
    struct Source {
      std::uint32_t begin, length;
    };
    // A step that waits to be looked up.
    struct Probe {
      typename Store::Key key;
      std::uint64_t hash;
      Source source;
      std::uint32_t step;     // in steps_
      std::uint32_t reduced;  // in reduced_, or whole
    };
    // A state of which not all steps are executed.
    struct Reduced {
      std::uint32_t number;
      bool goes_on;  // one of the executed steps leads to a larger number
      Source source;
      std::size_t first, end;  // in steps_ and keep_
      std::size_t left_out;
    };
    static constexpr std::uint32_t whole = ~std::uint32_t{0};

    // The cursor must be at the source.
    void add_probe(std::size_t i, Source source, std::uint32_t reduced) {
      auto key = cursor_.after(steps_.changes(i));
      const std::uint64_t hash = Store::hash(key);
      s_.store_.prefetch_first(hash);
      probes_.push_back({std::move(key), hash, source, static_cast<std::uint32_t>(i), reduced});
    }

    void execute_rest(Worker& me, const Reduced& r) {
      cursor_.load(s_.store_.key(r.number));
      probes_.clear();
      for (std::size_t i = r.first; i < r.end; ++i) {
        if (keep_[i] == 0) add_probe(i, r.source, whole);
      }
      me.transitions += probes_.size();
      for (const Probe& p : probes_) {
        const Stored stored = s_.store_.insert(p.key, p.hash);
        if (stored.is_new) fresh(stored.number, p);
      }
    }

    void fresh(std::uint32_t number, const Probe& probe) {
      const std::span<const Slot> from(slots_.data() + probe.source.begin, probe.source.length);
      const std::span<const Change> changes = steps_.changes(probe.step);
      if (!s_.options_.on_state) {
        if (!s_.monitor_.interested()) return;
        if (!s_.system_.may_change_truth(from, changes)) return;
      }
      next_.assign(from.begin(), from.end());
      for (const Change& c : changes) {
        if (c.slot >= next_.size()) next_.resize(c.slot + 1, 0);
        next_[c.slot] = c.value;
      }
      s_.found_state(number, next_);
    }

    BreadthFirst& s_;
    typename Store::Cursor cursor_;
    std::unique_ptr<Selector> selector_;
    StepBuffer steps_;
    std::vector<Probe> probes_;
    std::vector<Slot> slots_;
    std::vector<Reduced> reduced_;
    std::vector<char> keep_, kept_;  // of the steps in steps_ (shorter: the rest is kept); of one state
    SlotVector next_;
  };

  // Walks back level by level to an initial state.
  Path path_to(std::uint32_t number) {
    Path path;
    typename Store::Cursor cursor(store_);
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
        system_.expand(cursor.slots(), steps);
        for (std::size_t i = 0; i < steps.size() && !found; ++i) {
          if (cursor.after(steps.changes(i)) != wanted) continue;
          path.steps.push_back(steps.step(i));
          number = n;
          found = true;
        }
      }
      if (!found) throw std::logic_error("a stored state has no predecessor in the level before it");
    }
    std::reverse(path.steps.begin(), path.steps.end());
    for (std::size_t i = 0; i < initial_.size(); ++i) {
      if (cursor.load_slots(initial_[i]) == store_.key(number)) path.initial = i;
    }
    return path;
  }

  SearchResult result() {
    SearchResult r;
    r.counters = counters();
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
    for (const auto& [property, number] : monitor_.found()) {
      (monitor_.is_sometimes(property) ? r.witnesses : r.violations).push_back({property, path_to(number)});
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
  const SearchOptions& options_;
  std::vector<SlotVector> initial_;
  Store store_;
  Monitor<std::uint32_t> monitor_;
  Budget budget_;
  unsigned threads_;
  std::vector<Worker> workers_;
  // Numbers at which levels begin; the last entry is where the level being filled begins.
  std::vector<std::uint32_t> level_begin_;
  alignas(64) std::atomic<std::uint32_t> cursor_{1};
  alignas(64) std::atomic<bool> failed_{false};
  std::atomic<bool> done_{false};
  double last_report_ = 0;
};

}  // namespace

SearchResult breadth_first(const TransitionSystem& system, const SearchOptions& options) {
  if (options.tree_compression) return BreadthFirst<TreeStore>(system, options).run();
  return BreadthFirst<FlatStore>(system, options).run();
}

}  // namespace heddle
