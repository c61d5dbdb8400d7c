// Depth-first search by any number of threads, over an exact visited set, a lossy one, or none.
//
// A state enters the visited set when the search goes down to it. The keys of its children wait in one array,
// which is a second stack. So a deep search costs 24 bytes per frame and 16 per waiting child. Threads share
// the visited set: the thread that inserts a state explores it. A thread that sees another one idle gives away
// the waiting children of its lowest frame, together with the path to them; the largest subtrees hang there.
//
// Selective push-on-stack (decomposition-based stateful search; Saissi, Bokor, Suri, SRDS 2013, with the repairs
// that are needed to lose no state): a state with one step to execute gets no frame, and the search goes on with
// its child. So the stack has holes, and the path to where the search is, `path_`, is kept apart from it.
//
// Partial order reduction and cycles. A step that a stubborn set leaves out must not be left out forever. It
// is not if
//   one thread, exact set   some kept step leads off the current path. That state is done already or comes
//                           next, and a state is done only after the states it leads to. (With holes the
//                           stack is not enough: the path counts.)
//   otherwise               some kept step leads to a state that is inserted here and now. "Off the path"
//                           says nothing then, because a known state may be on the path of another thread.
//                           Along a chain of states that are inserted so, the order of insertion grows. So
//                           the chain ends in a state whose steps are all executed.
// Without a visited set a cycle has no end. So a search without a visited set that ends has not met a cycle.
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <unordered_set>

#include "core/lossy_sets.h"
#include "core/reclaim.h"
#include "explore/findings_board.h"
#include "explore/progress_clock.h"
#include "explore/searches.h"
#include "explore/store.h"
#include "explore/tally.h"
#include "explore/visited.h"

namespace heddle {
namespace {

// Steps count, too: one state can have thousands.
constexpr std::size_t work_between_checks = 2048;

struct KeyHash {
  std::size_t operator()(std::uint64_t key) const { return static_cast<std::size_t>(TreeStore::hash(key)); }
  std::size_t operator()(const SlotVector& key) const {
    std::uint64_t h = key.size();
    for (const Slot s : key) h = PairTable::hash(h ^ s);
    return static_cast<std::size_t>(h);
  }
};

template <class Visited, class Store>
class DepthFirst {
 public:
  DepthFirst(const TransitionSystem& system, const SearchOptions& options)
      : system_(system),
        options_(options),
        initial_(system.initial_states()),
        visited_(store_length(system, initial_), sample_states(system, options.limits), options),
        board_(system),
        budget_(options.limits),
        threads_(std::max(1u, options.threads)),
        workers_(threads_) {}

  SearchResult run() {
    {
      typename Store::Cursor cursor(visited_.store());
      const auto canonicalizer = options_.canonicalizer ? options_.canonicalizer() : nullptr;
      for (std::size_t i = 0; i < initial_.size(); ++i) {
        SlotVector state = initial_[i];
        if (canonicalizer) canonicalizer->canonical(state);
        tasks_.push_back({{i, {}}, cursor.load_slots(state), false});
      }
    }
    if (threads_ == 1) {
      work(0);
    } else {
      std::vector<std::jthread> threads;
      try {
        for (unsigned i = 0; i < threads_; ++i) threads.emplace_back([this, i] { work(i); });
      } catch (const std::system_error&) {
        const std::size_t started = threads.size();
        stop();
        threads.clear();
        too_few_threads(started, threads_);
      }
    }
    for (const WorkerTally& w : workers_) {
      if (w.error) std::rethrow_exception(w.error);
    }
    return result();
  }

 private:
  using Key = typename Store::Key;

  // A subtree to explore: the state and the path to it. A claimed state is already in the visited set, for this task.
  struct Task {
    Path path;
    Key key;
    bool claimed;
  };

  // How the search makes sure that a reduced set of steps does not put off a step forever; see above.
  enum class Proviso : std::uint8_t { None, OffThePath, ClaimOne };
  Proviso proviso() const {
    if (!options_.selector || !Visited::remembers) return Proviso::None;
    return threads_ == 1 && Visited::exact ? Proviso::OffThePath : Proviso::ClaimOne;
  }

  void work(unsigned index) {
    try {
      Reclaimer::Worker reclaim;
      Explorer explorer(*this, index, reclaim);
      for (Task task; take(task);) explorer.run(task);
    } catch (...) {
      workers_[index].error = std::current_exception();
      stop();
    }
  }

  // Waits for a task. Returns false when every thread is idle and no task is left, or when the search has to stop.
  bool take(Task& task) {
    std::unique_lock lock(mutex_);
    idle_.fetch_add(1, std::memory_order_relaxed);
    wake_.wait(lock, [&] { return stopped_ || !tasks_.empty() || idle_.load() == threads_; });
    if (stopped_ || tasks_.empty()) {
      stopped_ = true;
      wake_.notify_all();
      return false;
    }
    assert(idle_.load() > 0 && idle_.load() <= threads_);
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
    Explorer(DepthFirst& search, unsigned index, Reclaimer::Worker& reclaim)
        : s_(search),
          me_(search.workers_[index]),
          index_(index),
          reclaim_(reclaim),
          proviso_(search.proviso()),
          cursor_(search.visited_.store()),
          canonical_cursor_(search.visited_.store()) {
      me_.executed.resize(s_.system_.transition_count());
      if (s_.options_.selector) selector_ = s_.options_.selector();
      if (s_.options_.step_order) step_order_ = s_.options_.step_order();
      if (s_.options_.canonicalizer) canonicalizer_ = s_.options_.canonicalizer();
    }

    void run(const Task& task) {
      task_ = &task;
      frames_.clear();
      children_.clear();
      truncate_path(0);
      try {
        descend(task.key, task.claimed);
        while (!frames_.empty()) {
          if (s_.stopped_.load(std::memory_order_relaxed)) return;
          Frame& frame = frames_.back();
          assert(frame.next <= frame.end && frame.first + frame.end <= children_.size());
          truncate_path(frame.path);
          if (frame.next == frame.end) {
            children_.resize(frame.first);
            frames_.pop_back();
            continue;
          }
          Child& child = children_[frame.first + frame.next];
          const bool claimed = frame.claimed == frame.next;
          ++frame.next;
          path_.push_back(child.step);
          descend(std::move(child.key), claimed);
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
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Child {
      Step step;
      Key key;
    };
    // children_[first, first + end) are the children that have to be visited. Those from `next` on are waiting.
    // The child with number `claimed` is already in the visited set. path_[0, path) leads to the state.
    struct Frame {
      std::size_t first;
      std::uint32_t next, end, claimed, path;
    };

    std::size_t depth() const { return task_->path.steps.size() + path_.size(); }

    Path here() const {
      Path path = task_->path;
      path.steps.insert(path.steps.end(), path_.begin(), path_.end());
      return path;
    }

    // Goes back to the state after `steps` steps of the path.
    void truncate_path(std::size_t steps) {
      assert(steps <= path_.size());
      path_.resize(steps);
      while (path_keys_.size() > steps + 1) {
        assert(on_path_.contains(path_keys_.back()));
        on_path_.erase(on_path_.find(path_keys_.back()));
        path_keys_.pop_back();
      }
      if (frames_.empty()) {
        path_keys_.clear();
        on_path_.clear();
      }
    }

    // Visits the state that path_ leads to, if it is new, and the states after it as long as there is only
    // one way to go. Pushes a frame where there are several.
    void descend(Key key, bool claimed) {
      do {
        if (!claimed && !s_.visited_.insert(key)) return;
        if (work_ >= work_between_checks) {
          work_ = 0;
          reclaim_.quiescent();
          if (!proceed()) return s_.stop();
          if (s_.stopped_.load(std::memory_order_relaxed)) return;
        }
      } while (visit(key, claimed));
    }

    // Returns true if the search goes on with the only child; then path_, `key` and `claimed` are those of the child.
    bool visit(Key& key, bool& claimed) {
      me_.states += 1;
      work_ += 1;
      cursor_.load(key);
      const std::span<const Slot> slots = cursor_.slots();
      const std::size_t depth_here = depth();
      me_.depth.raise_to(depth_here);
      if (s_.options_.on_state) s_.options_.on_state(slots);
      const bool look = s_.board_.interested() || s_.board_.bound() != 0;
      const std::uint64_t truth = look ? s_.system_.evaluate(slots, s_.board_.open() | s_.board_.bound()) : 0;
      if (look) s_.board_.state(truth, [&] { return here(); });
      if (s_.options_.stop_at_violation && s_.board_.violated()) {
        s_.stop();
        return false;
      }
      if ((s_.board_.bound() & ~truth) != 0 || depth_here >= s_.options_.limits.depth) {
        me_.cut_off += 1;
        return false;
      }
      steps_.clear();
      s_.system_.expand(slots, steps_);
      if (steps_.size() == 0) deadlock(slots);
      if (proviso_ == Proviso::OffThePath) {
        path_keys_.push_back(key);
        on_path_.insert(key);
      }
      const std::size_t first = children_.size();
      const std::uint32_t claimed_child = add_children(slots, first);
      const auto count = static_cast<std::uint32_t>(children_.size() - first);
      assert(count <= steps_.size() && (claimed_child == none || claimed_child < count));
      me_.transitions += count;
      me_.left_out += steps_.size() - count;
      work_ += steps_.size();
      if (s_.options_.selective_push && count <= 1) {
        if (count == 0) return false;
        path_.push_back(children_[first].step);
        key = std::move(children_[first].key);
        claimed = claimed_child == 0;
        children_.resize(first);
        return true;
      }
      frames_.push_back({first, 0, count, claimed_child, static_cast<std::uint32_t>(path_.size())});
      me_.pushes += 1;
      me_.stack.raise_to(frames_.size());
      return false;
    }

    void deadlock(std::span<const Slot> slots) {
      me_.deadlocks += 1;
      if (s_.board_.deadlock_free() != 0) {
        s_.board_.deadlock(s_.system_.evaluate(slots), [&] { return here(); });
        if (s_.options_.stop_at_violation && s_.board_.violated()) s_.stop();
      }
      if (s_.options_.on_deadlock) s_.options_.on_deadlock(slots);
    }

    // Puts the children that have to be visited at the end of children_, from `first` on. Returns which of
    // them is claimed.
    std::uint32_t add_children(std::span<const Slot> slots, std::size_t first) {
      const std::size_t kept = selector_ ? selector_->select(slots, steps_, 0, keep_) : steps_.size();
      assert(kept <= steps_.size() && (kept > 0 || steps_.size() == 0));
      const bool reduced = kept < steps_.size();
      assert(!reduced || keep_.size() == steps_.size());
      order_.resize(steps_.size());
      if (step_order_) {
        step_order_->sort(slots, steps_, order_);
      } else {
        std::iota(order_.begin(), order_.end(), 0u);
      }
      assert(order_.size() == steps_.size());
      for (const std::uint32_t i : order_) {
        if (!reduced || keep_[i] != 0) add_child(slots, i);
      }
      if (!reduced) return none;
      bool enough = proviso_ == Proviso::None;
      std::uint32_t claimed = none;
      for (std::size_t c = first; c < children_.size() && !enough; ++c) {
        if (proviso_ == Proviso::OffThePath) {
          enough = !on_path_.contains(children_[c].key);
        } else if (s_.visited_.insert(children_[c].key)) {
          claimed = static_cast<std::uint32_t>(c - first);
          enough = true;
        }
      }
      for (std::size_t i = 0; i < order_.size() && !enough; ++i) {
        if (keep_[order_[i]] == 0) add_child(slots, order_[i]);
      }
      return claimed;
    }

    void add_child(std::span<const Slot> slots, std::size_t i) {
      assert(steps_.step(i).transition < me_.executed.size());
      ++me_.executed[steps_.step(i).transition];
      if (canonicalizer_) {
        SlotVector next = apply_changes(slots, steps_.changes(i));
        canonicalizer_->canonical(next);
        children_.push_back({steps_.step(i), canonical_cursor_.load_slots(next)});
      } else {
        children_.push_back({steps_.step(i), cursor_.after(steps_.changes(i))});
      }
      s_.visited_.prefetch(children_.back().key);
    }

    // Gives away the waiting children of the lowest frame that has any.
    void share() {
      for (Frame& frame : frames_) {
        if (frame.next == frame.end) continue;
        assert(frame.path <= path_.size());
        Path path = task_->path;
        path.steps.insert(path.steps.end(), path_.begin(), path_.begin() + frame.path);
        std::vector<Task> tasks;
        for (std::uint32_t c = frame.next; c < frame.end; ++c) {
          tasks.push_back({path, children_[frame.first + c].key, frame.claimed == c});
          tasks.back().path.steps.push_back(children_[frame.first + c].step);
        }
        frame.end = frame.next;  // the children stay in the array until the frame is popped
        return s_.give(std::move(tasks));
      }
    }

    bool proceed() {
      const std::size_t stack = frames_.capacity() * sizeof(Frame) + children_.capacity() * sizeof(Child) +
                                path_.capacity() * sizeof(Step) + path_keys_.capacity() * sizeof(Key) * 5;
      const std::size_t bytes = s_.visited_.bytes() + s_.system_.bytes() + stack;
      if (!s_.budget_.check(bytes)) return false;
      if (index_ == 0) s_.progress_.tick(s_.budget_, [&] { return s_.counters(); });
      return true;
    }

    DepthFirst& s_;
    WorkerTally& me_;
    unsigned index_;
    Reclaimer::Worker& reclaim_;
    const Proviso proviso_;
    std::unique_ptr<Selector> selector_;
    std::unique_ptr<StepOrder> step_order_;
    std::unique_ptr<Canonicalizer> canonicalizer_;
    const Task* task_ = nullptr;
    typename Store::Cursor cursor_, canonical_cursor_;
    StepBuffer steps_;
    std::vector<char> keep_;
    std::vector<std::uint32_t> order_;
    std::vector<Frame> frames_;
    std::vector<Child> children_;
    std::vector<Step> path_;  // from the task's state to where the search is
    // The states on the path, for Proviso::OffThePath. A multiset, because nothing here relies on their being
    // distinct.
    std::vector<Key> path_keys_;
    std::unordered_multiset<Key, KeyHash> on_path_;
    std::size_t work_ = 0;  // states and steps since the budget was looked at
  };

  Counters counters() {
    Counters c;
    for (const WorkerTally& w : workers_) {
      (Visited::remembers ? c.states : c.nodes) += w.states;
      c.transitions += w.transitions;
      c.left_out += w.left_out;
      c.deadlocks += w.deadlocks;
      c.cut_off += w.cut_off;
      c.depth = std::max<std::uint64_t>(c.depth, w.depth);
      c.pushes += w.pushes;
      c.stack = std::max<std::uint64_t>(c.stack, w.stack);
    }
    c.store_bytes = visited_.bytes();
    c.door_bytes = system_.bytes();
    return c;
  }

  SearchResult result() {
    SearchResult r;
    r.counters = counters();
    r.executed = executed_by_all(workers_);
    r.note = visited_.note(r.counters.states);
    for (const auto& [property, path] : board_.found()) {
      (board_.is_sometimes(property) ? r.witnesses : r.violations)
          .push_back(concrete_finding(system_, options_, property, path));
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
  FindingsBoard<Path> board_;
  Budget budget_;
  unsigned threads_;
  std::vector<WorkerTally> workers_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::atomic<unsigned> idle_{0};
  std::atomic<bool> stopped_{false};
  ProgressClock progress_{options_.progress};
};

}  // namespace

SearchResult depth_first(const TransitionSystem& system, const SearchOptions& options) {
  switch (options.store) {
    case SearchOptions::Store::HashCompact:
      return DepthFirst<LossyVisited<HashCompactSet>, TreeStore>(system, options).run();
    case SearchOptions::Store::Bitstate:
      return DepthFirst<LossyVisited<BitstateSet>, TreeStore>(system, options).run();
    case SearchOptions::Store::None:
      return DepthFirst<NothingVisited, FlatStore>(system, options).run();
    case SearchOptions::Store::Exact:
      break;
  }
  if (options.tree_compression) return DepthFirst<ExactVisited<TreeStore>, TreeStore>(system, options).run();
  return DepthFirst<ExactVisited<FlatStore>, FlatStore>(system, options).run();
}

}  // namespace heddle
