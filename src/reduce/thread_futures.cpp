// A graph of local states for each thread, over which futures spread backwards. A future that grows after it was used
// is a mistake.
#include "reduce/thread_futures.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cassert>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "core/facets/assumptions.h"
#include "reduce/thread_actions.h"

namespace heddle {
// The local states of all threads, with their futures.
//
// Invariants
//   1. The future of a node contains what was attempted there and the futures of the nodes that its edges lead to.
//   2. Unless mistaken, the future and the starters of a node that is marked as used are what they were when it was
//      marked.
class ThreadFutures::Graph {
 public:
  // Kinds of accesses by slot. Ascending slots.
  class AccessSet {
   public:
    bool contains(std::span<const Access> accesses) const {
      return std::ranges::all_of(accesses, [&](const Access& a) { return (kinds(a.slot) & bit_of(a.kind)) != 0; });
    }
    bool contains(const AccessSet& other) const {
      return std::ranges::all_of(other.entries_, [&](const Entry& e) { return (e.kinds & ~kinds(e.slot)) == 0; });
    }
    bool conflicts(std::span<const Access> accesses) const {
      return std::ranges::any_of(accesses, [&](const Access& a) { return (kinds(a.slot) & conflicting(a.kind)) != 0; });
    }
    // Returns whether something was new.
    bool add(std::span<const Access> accesses) {
      bool grew = false;
      for (const Access& a : accesses) grew |= add(a.slot, bit_of(a.kind));
      return grew;
    }
    bool add(const AccessSet& other) {
      bool grew = false;
      for (const Entry& e : other.entries_) grew |= add(e.slot, e.kinds);
      return grew;
    }
    std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

   private:
    struct Entry {
      std::uint32_t slot;
      std::uint8_t kinds;
    };
    std::uint8_t kinds(std::uint32_t slot) const {
      const auto it = std::ranges::lower_bound(entries_, slot, {}, &Entry::slot);
      return it != entries_.end() && it->slot == slot ? it->kinds : std::uint8_t{0};
    }
    bool add(std::uint32_t slot, std::uint8_t kinds) {
      auto it = std::ranges::lower_bound(entries_, slot, {}, &Entry::slot);
      if (it == entries_.end() || it->slot != slot) it = entries_.insert(it, {slot, 0});
      const bool grew = (kinds & ~it->kinds) != 0;
      it->kinds = static_cast<std::uint8_t>(it->kinds | kinds);
      return grew;
    }
    std::vector<Entry> entries_;
  };
  struct Node {
    AccessSet future;
    std::vector<std::uint32_t> from;
    std::uint64_t starters = 0;  // threads whose steps have led from here, for they have started this one
    std::atomic<bool> used{false};
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::shared_mutex mutex;
  std::atomic<bool> mistaken{false};
  std::atomic<std::uint64_t> selections{0}, enough{0};  // how many there were, and after how many to begin again

  // A search that is mistaken goes on until it has lasted so many times as long: it learns more meanwhile. What it
  // finds out late costs another search, so being patient is cheaper.
  static constexpr std::uint64_t patience = 16;
  // Whether to begin again.
  bool begin_again() {
    const std::uint64_t now = selections.fetch_add(1, std::memory_order_relaxed);
    if (!mistaken.load(std::memory_order_relaxed)) return false;
    std::uint64_t none_yet = 0;
    enough.compare_exchange_strong(none_yet, patience * now + 1, std::memory_order_relaxed);
    return now >= enough.load(std::memory_order_relaxed);
  }

  // The functions below REQUIRE the mutex; those that are not const, and not `use`, for this thread alone.
  std::uint32_t find(std::uint32_t thread, std::uint64_t local) const {
    const auto it = numbers_.find({thread, local});
    return it != numbers_.end() ? it->second : none;
  }
  std::uint32_t insert(std::uint32_t thread, std::uint64_t local) {
    const auto [it, is_new] = numbers_.try_emplace({thread, local}, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.emplace_back();
    return it->second;
  }
  const Node& node(std::uint32_t n) const { return nodes_[n]; }
  void use(std::uint32_t n) { nodes_[n].used.store(true, std::memory_order_relaxed); }
  bool has_edge(std::uint32_t from, std::uint32_t to) const { return edges_.contains({from, to}); }
  void attempt(std::uint32_t n, std::span<const Access> accesses) {
    if (nodes_[n].future.add(accesses)) grown(n);
    assert(nodes_[n].future.contains(accesses));  // 1
  }
  void add_edge(std::uint32_t from, std::uint32_t to) {
    if (!edges_.insert({from, to}).second) return;
    nodes_[to].from.push_back(from);
    if (nodes_[from].future.add(nodes_[to].future)) grown(from);
    assert(nodes_[from].future.contains(nodes_[to].future));  // 1
  }
  // The step of a thread leads to another node of thread n, for it has started that one.
  void start(std::uint32_t n, std::uint32_t by) {
    const std::uint64_t before = nodes_[n].starters;
    nodes_[n].starters |= std::uint64_t{1} << by;
    if (nodes_[n].starters != before && nodes_[n].used.load(std::memory_order_relaxed)) mistaken = true;  // 2
  }
  void reconsider() {
    for (Node& n : nodes_) n.used = false;
    mistaken = false;
    selections = enough = 0;
  }
  void forget() {
    nodes_.clear();
    numbers_.clear();
    edges_.clear();
    reconsider();
  }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const {
    std::size_t bytes = numbers_.size() * 32 + edges_.size() * 16;
    for (const Node& n : nodes_) bytes += sizeof(Node) + n.future.bytes() + n.from.capacity() * sizeof(std::uint32_t);
    return bytes;
  }

 private:
  void grown(std::uint32_t n) {
    std::vector<std::uint32_t> todo{n};
    while (!todo.empty()) {
      const Node& node = nodes_[todo.back()];
      todo.pop_back();
      if (node.used.load(std::memory_order_relaxed)) mistaken = true;  // 2
      for (const std::uint32_t before : node.from) {
        if (nodes_[before].future.add(node.future)) todo.push_back(before);
        assert(nodes_[before].future.contains(node.future));  // 1
      }
    }
  }

  std::deque<Node> nodes_;
  boost::unordered_flat_map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t,
                            boost::hash<std::pair<std::uint32_t, std::uint64_t>>>
      numbers_;
  boost::unordered_flat_set<std::pair<std::uint32_t, std::uint32_t>,
                            boost::hash<std::pair<std::uint32_t, std::uint32_t>>>
      edges_;
};

namespace {

class FuturesSelector final : public Selector {
 public:
  FuturesSelector(const TransitionSystem& system, ThreadFutures::Graph& graph)
      : threads_(*system.threads()), graph_(graph), actions_(system) {}

  std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                     std::vector<char>& keep) override {
    const std::size_t count = steps.size() - first;
    keep.assign(count, 1);
    actions_.look(state, steps, first);
    see(state, steps, first);
    {
      std::shared_lock lock(graph_.mutex);
      if (!all_known()) {
        lock.unlock();
        std::unique_lock alone(graph_.mutex);
        learn();
      }
    }
    if (graph_.begin_again()) throw Mistaken{};
    if (count < 2) return count;
    const std::uint64_t set = chosen();
    std::size_t kept = 0;
    for (std::size_t t = 0; t < actions_.all().size() && set != everybody; ++t) {
      const ThreadAction& a = actions_.all()[t];
      const bool member = (set >> t & 1) != 0;
      for (std::size_t i = 0; i < a.pending.steps.size(); ++i) keep[a.first + i] = member ? 1 : 0;
      if (member) kept += a.pending.steps.size();
    }
    assert(set == everybody || (kept > 0 && kept <= count));
    return set == everybody ? count : kept;
  }

 private:
  static constexpr std::uint64_t everybody = ~std::uint64_t{0};
  static constexpr std::size_t most_threads = 63;
  static constexpr std::uint32_t none = ThreadFutures::Graph::none;
  // Stands for all threads that are not counted yet. Its local state is how many are.
  static constexpr std::uint32_t unborn = ~std::uint32_t{0};
  // A step leads from the local state number `from` here to a local state of `thread`.
  struct Move {
    std::size_t from;
    std::uint32_t thread;
    std::uint64_t to;
    std::uint32_t by;  // the thread whose step it is
  };

  // Looks at the local states here and at those that the steps lead to. Steps that are left out later are looked at as
  // well, for they exist: the more is known early, the less often a search is mistaken.
  void see(std::span<const Slot> state, const StepBuffer& steps, std::size_t first) {
    const auto threads = static_cast<std::uint32_t>(actions_.all().size());
    locals_.clear();
    for (std::uint32_t t = 0; t < threads; ++t) locals_.emplace_back(t, threads_.local_state(state, t));
    locals_.emplace_back(unborn, threads);
    moves_.clear();
    std::uint32_t by = 0;
    for (std::size_t i = first; i < steps.size(); ++i) {
      while (i - first >= actions_.all()[by].first + actions_.all()[by].pending.steps.size()) ++by;
      next_.assign(state.begin(), state.end());
      for (const Change& c : steps.changes(i)) {
        if (c.slot >= next_.size()) next_.resize(c.slot + 1, 0);
        next_[c.slot] = c.value;
      }
      for (std::uint32_t t = 0; t < threads; ++t) {
        const std::uint64_t to = threads_.local_state(next_, t);
        if (to != locals_[t].second) moves_.push_back({t, t, to, by});
      }
      const std::uint32_t then = threads_.thread_count(next_);
      for (std::uint32_t t = threads; t < then; ++t) moves_.push_back({threads, t, threads_.local_state(next_, t), by});
      if (then != threads) moves_.push_back({threads, unborn, then, by});
    }
  }

  // Whether nothing here is new. REQUIRES: the graph's mutex.
  bool all_known() {
    nodes_.clear();
    for (const auto& [thread, local] : locals_) {
      nodes_.push_back(graph_.find(thread, local));
      if (nodes_.back() == none) return false;
    }
    for (std::size_t t = 0; t < actions_.all().size(); ++t) {
      const PendingAction& action = actions_.all()[t].pending;
      const auto& future = graph_.node(nodes_[t]).future;
      if (!future.contains(action.accesses) || !future.contains(action.enables)) return false;
    }
    return std::ranges::all_of(moves_, [&](const Move& m) {
      const std::uint32_t to = graph_.find(m.thread, m.to);
      if (to == none || !graph_.has_edge(nodes_[m.from], to)) return false;
      return m.from == m.by || m.by >= most_threads || (graph_.node(nodes_[m.from]).starters >> m.by & 1) != 0;
    });
  }

  void learn() {
    nodes_.clear();
    for (const auto& [thread, local] : locals_) nodes_.push_back(graph_.insert(thread, local));
    for (std::size_t t = 0; t < actions_.all().size(); ++t) {
      graph_.attempt(nodes_[t], actions_.all()[t].pending.accesses);
      graph_.attempt(nodes_[t], actions_.all()[t].pending.enables);
    }
    for (const Move& m : moves_) {
      graph_.add_edge(nodes_[m.from], graph_.insert(m.thread, m.to));
      if (m.from != m.by && m.by < most_threads) graph_.start(nodes_[m.from], m.by);
    }
  }

  // Returns the threads whose steps suffice, or `everybody`.
  std::uint64_t chosen() {
    const std::span<const ThreadAction> all = actions_.all();
    if (all.size() > most_threads) return everybody;
    std::uint64_t enabled = 0;
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (!all[t].enabled()) continue;
      if (all[t].pending.safe) return std::uint64_t{1} << t;
      enabled |= std::uint64_t{1} << t;
    }
    std::shared_lock lock(graph_.mutex);
    disturbers_.assign(nodes_.size(), 0);
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (!all[t].exists) continue;
      if (all[t].pending.ends) disturbers_[t] = everybody >> (64 - nodes_.size());  // Threads, 7
      for (std::size_t q = 0; q < nodes_.size(); ++q) {
        if (q == t || !graph_.node(nodes_[q]).future.conflicts(all[t].pending.accesses)) continue;
        // Who has not been started does nothing before somebody starts it.
        const bool started = q == all.size() || all[q].exists;
        disturbers_[t] |= started ? std::uint64_t{1} << q : graph_.node(nodes_[q]).starters;
      }
    }
    std::uint64_t best = enabled, members = everybody;
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (!all[t].enabled()) continue;
      const std::uint64_t set = closed(std::uint64_t{1} << t);
      if ((set >> all.size()) != 0) continue;  // threads that are not counted yet
      if (std::popcount(set & enabled) >= std::popcount(best)) continue;
      best = set & enabled;
      members = set;
    }
    if (best == enabled) return everybody;
    for (std::size_t q = 0; q < nodes_.size(); ++q) {
      if ((members >> q & 1) == 0) graph_.use(nodes_[q]);
    }
    return best;
  }

  std::uint64_t closed(std::uint64_t set) const {
    for (std::uint64_t todo = set; todo != 0;) {
      const auto t = static_cast<std::size_t>(std::countr_zero(todo));
      todo &= todo - 1;
      todo |= disturbers_[t] & ~set;
      set |= disturbers_[t];
    }
    return set;
  }

  const Threads& threads_;
  ThreadFutures::Graph& graph_;
  ThreadActions actions_;
  SlotVector next_;
  // The local states here, as thread and number, and their nodes. The last one is that of threads that are unborn.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> locals_;
  std::vector<std::uint32_t> nodes_;
  std::vector<Move> moves_;
  std::vector<std::uint64_t> disturbers_;  // for each thread, those whose future conflicts with what it is about to do
};

}  // namespace

ThreadFutures::ThreadFutures(const TransitionSystem& system) : system_(system), graph_(std::make_unique<Graph>()) {}
ThreadFutures::~ThreadFutures() = default;

std::function<std::unique_ptr<Selector>()> ThreadFutures::selector() {
  return [this] { return std::make_unique<FuturesSelector>(system_, *graph_); };
}

void ThreadFutures::look_at(std::span<const SlotVector> states) {
  FuturesSelector selector(system_, *graph_);
  StepBuffer steps;
  std::vector<char> keep;
  for (const SlotVector& state : states) {
    steps.clear();
    system_.expand(state, steps);
    try {
      selector.select(state, steps, 0, keep);
    } catch (const Mistaken&) {
      graph_->reconsider();
    }
  }
  graph_->reconsider();
}

bool ThreadFutures::mistaken() const { return graph_->mistaken; }
void ThreadFutures::reconsider() { graph_->reconsider(); }
void ThreadFutures::forget() { graph_->forget(); }
std::size_t ThreadFutures::nodes() const { return graph_->size(); }
std::size_t ThreadFutures::bytes() const { return graph_->bytes(); }

}  // namespace heddle
