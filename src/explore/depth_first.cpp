// Depth-first search by any number of threads, over an exact or a lossy visited set.
//
// A state enters the visited set when the search goes down to it; its children's keys wait in one array that is a stack of
// their own, so a deep search costs 24 bytes a frame and 16 a waiting child. Threads share the visited set: who inserts a state
// explores it. A thread that sees another one idle gives away the waiting children of its lowest frame, together with the path
// to them; that is where the largest subtrees hang.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "core/lossy_sets.h"
#include "core/reclaim.h"
#include "explore/monitor.h"
#include "explore/searches.h"
#include "explore/store.h"
#include "explore/tally.h"

namespace heddle {
namespace {

constexpr unsigned states_between_checks = 1024;

// The visited sets a depth-first search can use; states themselves are keys of a Store.
template <class Store>
class ExactVisited {
 public:
  ExactVisited(std::size_t length, std::span<const SlotVector> sample, const SearchOptions&) : store_(length, sample) {}
  Store& store() { return store_; }
  bool insert(const typename Store::Key& key) { return store_.insert(key, Store::hash(key)).is_new; }
  void prefetch(const typename Store::Key& key) const { store_.prefetch_first(Store::hash(key)); }
  std::size_t bytes() const { return store_.bytes(); }
  std::string note(std::uint64_t) const { return {}; }
  static constexpr bool exact = true;

 private:
  Store store_;
};

template <class Set>
class LossyVisited {
 public:
  LossyVisited(std::size_t length, std::span<const SlotVector> sample, const SearchOptions& options)
      : store_(length, sample), set_(options.bitstate_bytes) {}
  TreeStore& store() { return store_; }
  bool insert(std::uint64_t key) { return set_.insert(TreeStore::hash(key)); }
  void prefetch(std::uint64_t key) const { set_.prefetch(TreeStore::hash(key)); }
  std::size_t bytes() const { return store_.bytes() + set_.bytes(); }
  std::string note(std::uint64_t states) const { return set_.note(states); }
  static constexpr bool exact = false;

 private:
  TreeStore store_;  // its tree only: roots are never inserted
  Set set_;
};

template <class Visited, class Store>
class DepthFirst {
 public:
  DepthFirst(const TransitionSystem& system, const SearchOptions& options)
      : system_(system),
        options_(options),
        initial_(system.initial_states()),
        visited_(store_length(system, initial_), sample_states(system, options.limits), options),
        monitor_(system),
        budget_(options.limits),
        threads_(std::max(1u, options.threads)),
        workers_(threads_) {}

  SearchResult run() {
    {
      typename Store::Cursor cursor(visited_.store());
      for (std::size_t i = 0; i < initial_.size(); ++i) tasks_.push_back({{i, {}}, cursor.load_slots(initial_[i])});
    }
    if (threads_ == 1) {
      work(0);
    } else {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < threads_; ++i) threads.emplace_back([this, i] { work(i); });
    }
    for (const WorkerTally& w : workers_) {
      if (w.error) std::rethrow_exception(w.error);
    }
    return result();
  }

 private:
  using Key = typename Store::Key;

  // A subtree to explore: the state and the path to it.
  struct Task {
    Path path;
    Key key;
  };

  void work(unsigned index) {
    try {
      Reclaimer::Worker reclaim;
      Explorer explorer(*this, index);
      for (Task task; take(task);) explorer.run(task, reclaim);
    } catch (...) {
      workers_[index].error = std::current_exception();
      stop();
    }
  }

  // Waits for a task; false when every thread is idle and none is left, or the search has to stop.
  bool take(Task& task) {
    std::unique_lock lock(mutex_);
    idle_.fetch_add(1, std::memory_order_relaxed);
    wake_.wait(lock, [&] { return stopped_ || !tasks_.empty() || idle_.load() == threads_; });
    if (stopped_ || tasks_.empty()) {
      stopped_ = true;
      wake_.notify_all();
      return false;
    }
    idle_.fetch_sub(1, std::memory_order_relaxed);
    task = std::move(tasks_.front());
    tasks_.pop_front();
    return true;
  }
  void give(std::vector<Task> tasks) {
    std::lock_guard lock(mutex_);
    for (Task& t : tasks) tasks_.push_back(std::move(t));
    wake_.notify_all();
  }
  void stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.notify_all();
  }

  class Explorer {
   public:
    Explorer(DepthFirst& search, unsigned index)
        : s_(search), me_(search.workers_[index]), index_(index), cursor_(search.visited_.store()) {}

    void run(const Task& task, Reclaimer::Worker& reclaim) {
      task_ = &task;
      frames_.clear();
      children_.clear();
      try {
        enter(task.key);
        while (!frames_.empty()) {
          if (s_.stopped_.load(std::memory_order_relaxed)) return;
          Frame& frame = frames_.back();
          if (frame.next == frame.end) {
            children_.resize(frame.first);
            frames_.pop_back();
            continue;
          }
          const Key key = children_[frame.next++].key;
          enter(key);
          if (++since_check_ >= states_between_checks) {
            since_check_ = 0;
            reclaim.quiescent();
            if (!proceed()) return s_.stop();
          }
          if (s_.idle_.load(std::memory_order_relaxed) > 0 && s_.threads_ > 1) share();
        }
      } catch (const TableFull&) {
        s_.budget_.stop(Budget::Stop::Memory);
        s_.stop();
      } catch (const std::bad_alloc&) {
        s_.budget_.stop(Budget::Stop::Memory);
        s_.stop();
      }
    }

   private:
    struct Child {
      Step step;
      Key key;
    };
    // children_[first, end) are the state's children, those from `next` on are waiting.
    struct Frame {
      std::size_t first, next, end;
    };

    std::size_t depth() const { return task_->path.steps.size() + frames_.size(); }

    // The path to the state that children_[frame.next - 1] of the top frame led to.
    Path here() const {
      Path path = task_->path;
      for (const Frame& f : frames_) path.steps.push_back(children_[f.next - 1].step);
      return path;
    }

    // Visits a state if it is new: checks it, and pushes a frame with its children.
    void enter(const Key& key) {
      if (!s_.visited_.insert(key)) return;
      me_.states += 1;
      cursor_.load(key);
      const std::span<const Slot> slots = cursor_.slots();
      const std::size_t depth_here = depth();
      me_.depth.raise_to(depth_here);
      if (s_.options_.on_state) s_.options_.on_state(slots);
      const bool look = s_.monitor_.interested() || s_.monitor_.bound() != 0;
      const std::uint64_t truth = look ? s_.system_.evaluate(slots, s_.monitor_.open() | s_.monitor_.bound()) : 0;
      if (look) s_.monitor_.state(truth, [&] { return here(); });
      if (s_.options_.stop_at_violation && s_.monitor_.violated()) return s_.stop();
      if ((s_.monitor_.bound() & ~truth) != 0 || depth_here >= s_.options_.limits.depth) {
        me_.cut_off += 1;
        return;
      }
      steps_.clear();
      s_.system_.expand(slots, steps_);
      me_.transitions += steps_.size();
      if (steps_.size() == 0) {
        me_.deadlocks += 1;
        if (s_.monitor_.deadlock_free() != 0) {
          s_.monitor_.deadlock(s_.system_.evaluate(slots), [&] { return here(); });
          if (s_.options_.stop_at_violation && s_.monitor_.violated()) s_.stop();
        }
        if (s_.options_.on_deadlock) s_.options_.on_deadlock(slots);
        return;
      }
      const std::size_t first = children_.size();
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        children_.push_back({steps_.step(i), cursor_.after(steps_.changes(i))});
        s_.visited_.prefetch(children_.back().key);
      }
      frames_.push_back({first, first, children_.size()});
    }

    // Gives away the waiting children of the lowest frame that has any.
    void share() {
      Path path = task_->path;
      for (std::size_t f = 0; f < frames_.size(); ++f) {
        Frame& frame = frames_[f];
        if (frame.next < frame.end) {
          std::vector<Task> tasks;
          for (std::size_t c = frame.next; c < frame.end; ++c) {
            tasks.push_back({path, children_[c].key});
            tasks.back().path.steps.push_back(children_[c].step);
          }
          frame.end = frame.next;  // the children stay in the array until the frame is popped
          return s_.give(std::move(tasks));
        }
        path.steps.push_back(children_[frame.next - 1].step);
      }
    }

    bool proceed() {
      const std::size_t stack = frames_.capacity() * sizeof(Frame) + children_.capacity() * sizeof(Child);
      const std::size_t bytes = s_.visited_.bytes() + s_.system_.bytes() + stack;
      if (!s_.budget_.check(bytes)) return false;
      if (index_ == 0 && s_.options_.progress) {
        const double now = s_.budget_.seconds();
        if (now > s_.last_report_ + 0.5) {
          s_.last_report_ = now;
          s_.options_.progress(s_.counters(), now);
        }
      }
      return true;
    }

    DepthFirst& s_;
    WorkerTally& me_;
    unsigned index_;
    const Task* task_ = nullptr;
    typename Store::Cursor cursor_;
    StepBuffer steps_;
    std::vector<Frame> frames_;
    std::vector<Child> children_;
    unsigned since_check_ = 0;
  };

  Counters counters() {
    Counters c;
    for (const WorkerTally& w : workers_) {
      c.states += w.states;
      c.transitions += w.transitions;
      c.deadlocks += w.deadlocks;
      c.cut_off += w.cut_off;
      c.depth = std::max<std::uint64_t>(c.depth, w.depth);
    }
    c.store_bytes = visited_.bytes();
    c.door_bytes = system_.bytes();
    return c;
  }

  SearchResult result() {
    SearchResult r;
    r.counters = counters();
    r.note = visited_.note(r.counters.states);
    for (const auto& [property, path] : monitor_.found()) {
      (monitor_.is_sometimes(property) ? r.witnesses : r.violations).push_back({property, path});
    }
    if (options_.stop_at_violation && !r.violations.empty()) r.stopped_by = "violation found";
    if (!Visited::exact && r.stopped_by.empty() && budget_.reason().empty()) r.stopped_by = "the visited set is lossy";
    conclude(system_, budget_, r);
    return r;
  }

  const TransitionSystem& system_;
  const SearchOptions& options_;
  std::vector<SlotVector> initial_;
  Visited visited_;
  Monitor<Path> monitor_;
  Budget budget_;
  unsigned threads_;
  std::vector<WorkerTally> workers_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::atomic<unsigned> idle_{0};
  std::atomic<bool> stopped_{false};
  double last_report_ = 0;
};

}  // namespace

SearchResult depth_first(const TransitionSystem& system, const SearchOptions& options) {
  switch (options.store) {
    case SearchOptions::Store::HashCompact:
      return DepthFirst<LossyVisited<HashCompactSet>, TreeStore>(system, options).run();
    case SearchOptions::Store::Bitstate:
      return DepthFirst<LossyVisited<BitstateSet>, TreeStore>(system, options).run();
    case SearchOptions::Store::Exact:
      break;
  }
  if (options.tree_compression) return DepthFirst<ExactVisited<TreeStore>, TreeStore>(system, options).run();
  return DepthFirst<ExactVisited<FlatStore>, FlatStore>(system, options).run();
}

}  // namespace heddle
