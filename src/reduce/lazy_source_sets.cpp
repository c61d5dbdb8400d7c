// Looks in the futures of a state for accesses that conflict with a step; or walks the stored steps, for comparison.
#include "reduce/lazy_source_sets.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

class LazySearch : public SourceSetSearch {
 public:
  LazySearch(const TransitionSystem& system, const SearchOptions& options, const LazyOptions& lazy)
      : SourceSetSearch(system, options, lazy.how), lazy_(lazy) {}

 protected:
  void explored(Frame& f) override {
    if (lazy_.lookups != nullptr) ++*lazy_.lookups;
    std::uint64_t found = 0;
    const Candidate& c = f.explored();
    for (std::uint32_t i = c.first; i < c.end; ++i) found |= disturbers(f, c, f.children[i].number);
    f.current[c.thread] |= found;
  }
  bool leaves_early() const override { return true; }
  // Returns the threads that may do something that depends on the step of `c`, after the state with this number.
  virtual std::uint64_t disturbers(const Frame&, const Candidate& c, std::uint32_t number) {
    if (is_open(number)) return everybody;
    const FutureSets::Set after = future(number);
    if (after == FutureSets::everything) return everybody;
    return sets_.conflicting_threads(after, c.accesses) & ~(std::uint64_t{1} << c.thread);
  }

  const LazyOptions& lazy_;
};

// Walks the graph of executed steps.
class TraversingSearch final : public LazySearch {
 public:
  using LazySearch::LazySearch;

 protected:
  void notes(std::uint32_t from, std::uint32_t thread, std::span<const Access> accesses,
             std::uint32_t target) override {
    if (heads_.size() <= from) heads_.resize(from + 1);
    edges_.push_back({action(thread, accesses), target, heads_[from]});
    heads_[from] = static_cast<std::uint32_t>(edges_.size());
  }
  void cuts_off() override { unknown_.push_back(frame(depth() - 1).number); }
  std::uint64_t disturbers(const Frame& f, const Candidate& c, std::uint32_t number) override {
    std::uint64_t found = std::uint64_t{1} << c.thread;
    ++walk_;
    todo_.assign(1, number);
    while (!todo_.empty()) {
      const std::uint32_t n = todo_.back();
      todo_.pop_back();
      if (n == 0) continue;
      if (future(n) == on_path || std::ranges::find(unknown_, n) != unknown_.end()) return everybody;
      if (walked_.size() <= n) walked_.resize(std::max<std::size_t>(n + 1, 2 * walked_.size()));
      if (walked_[n] == walk_ || n >= heads_.size()) continue;
      walked_[n] = walk_;
      for (std::uint32_t e = heads_[n]; e != 0; e = edges_[e - 1].next) {
        if (lazy_.walked != nullptr) ++*lazy_.walked;
        const Edge& edge = edges_[e - 1];
        const Action& a = actions_[edge.action];
        if ((found >> a.thread & 1) == 0 && conflict(a.accesses, c.accesses)) found |= std::uint64_t{1} << a.thread;
        todo_.push_back(edge.target);
      }
      if ((f.enabled & ~found) == 0) break;  // cut 3
      if ((found & ~f.enabled) != 0) break;  // cut 4
    }
    return found;
  }
  std::size_t more_bytes() const override {
    return edges_.capacity() * sizeof(Edge) + (heads_.capacity() + walked_.capacity()) * 4;
  }

 private:
  struct Edge {
    std::uint32_t action, target, next;  // target 0: blocked
  };
  struct Action {
    std::uint32_t thread;
    std::vector<Access> accesses;
  };
  static bool conflict(std::span<const Access> a, std::span<const Access> b) {
    return std::ranges::any_of(a, [&](const Access& x) {
      return std::ranges::any_of(
          b, [&](const Access& y) { return x.slot == y.slot && (conflicting(x.kind) & bit_of(y.kind)) != 0; });
    });
  }
  std::uint32_t action(std::uint32_t thread, std::span<const Access> accesses) {
    std::vector<std::uint64_t> key{thread};
    for (const Access& a : accesses) key.push_back(std::uint64_t{a.slot} << 8 | static_cast<std::uint64_t>(a.kind));
    const auto [it, is_new] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(actions_.size()));
    if (is_new) actions_.push_back({thread, {accesses.begin(), accesses.end()}});
    return it->second;
  }

  std::vector<Edge> edges_;
  std::vector<std::uint32_t> heads_;  // by number of state: its last edge, counted from 1
  std::vector<Action> actions_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> unknown_;  // states that were not continued
  std::vector<std::uint32_t> walked_, todo_;
  std::uint32_t walk_ = 0;
};

}  // namespace

SearchResult lazy_source_sets(const TransitionSystem& system, const SearchOptions& options, const LazyOptions& lazy) {
  if (lazy.futures == LazyOptions::Futures::Traversal && options.store == SearchOptions::Store::None) {
    throw ModelError("a search that remembers nothing has no steps to traverse");
  }
  if (lazy.futures == LazyOptions::Futures::Traversal) return TraversingSearch(system, options, lazy).run();
  return LazySearch(system, options, lazy).run();
}

}  // namespace heddle
