#include "actor/predicates.h"

#include "core/recent_pairs.h"

namespace heddle::actor {
namespace {

// A system has two sets of trees that are walked in turn, of its properties and of its annotations, made one after the other.
// The value of an entry is what the node at the end of the edge is, `more` its number.
thread_local RecentPairs<14> caches[2];

std::atomic<std::uint64_t> next_id{1};

}  // namespace

Predicates::Predicates(std::vector<bool> unwatched, std::vector<const PairTable*> cells, Run run)
    : id_(next_id++),
      cells_(std::move(cells)),
      run_(std::move(run)),
      unwatched_(std::move(unwatched)),
      ever_read_(cells_.size()) {}

template <class State>
inline Predicates::Walked Predicates::walk(std::uint32_t i, const State& state) {
  auto& recent = caches[id_ & 1];
  recent.belong_to(id_);
  if (i >= roots_.capacity()) [[unlikely]]
    throw TableFull();
  Walked at{root | i, std::atomic_ref(roots_[i]).load(std::memory_order_acquire), 0};
  while (at.code != 0 && (at.code & leaf) == 0) {
    const std::uint32_t read = value(read_of(at.code), state);
    const std::uint64_t key = make_pair_key(at.node, read);
    auto& edge = recent.at(key);
    if (edge.key != key || edge.value == 0) {
      const std::uint32_t target = edges_.get(at.node, read, [&] { return next_node(); });
      edge = {key, std::atomic_ref(nodes_[target]).load(std::memory_order_acquire), target};
    }
    at = {edge.more, edge.value, at.reads + 1};
  }
  return at;
}

std::uint32_t Predicates::value_of(std::size_t i, std::span<const Slot> state) {
  const Walked walked = walk(static_cast<std::uint32_t>(i), state);
  return walked.known() ? walked.verdict() : evaluate(static_cast<std::uint32_t>(i), state, walked);
}

std::uint32_t Predicates::value_of(std::size_t i, const TwoStates& states) {
  const Walked walked = walk(static_cast<std::uint32_t>(i), states);
  if (walked.known()) return walked.verdict();
  std::vector<Slot> both;
  both.reserve(2 * states.before.size());
  both.insert(both.end(), states.before.begin(), states.before.end());
  both.insert(both.end(), states.before.begin(), states.before.end());
  for (const Change& c : states.changes) both[states.before.size() + c.slot] = c.value;
  return evaluate(static_cast<std::uint32_t>(i), both, walked);
}

// The path for `state` ends too early: evaluate, and lengthen it by what was read beyond. Another thread may do the same at the same
// time: what is read next depends on what was read, so both write the same.
std::uint32_t Predicates::evaluate(std::uint32_t i, std::span<const Slot> state, const Walked& walked) {
  std::vector<Read> reads;
  const std::uint32_t verdict = run_(i, state, reads);
  const bool counts = watched(i);
  std::lock_guard lock(mutex_);
  std::uint32_t node = walked.node;
  const auto set = [&](std::uint32_t what) {
    std::atomic_ref((node & root) != 0 ? roots_[node & ~root] : nodes_[node]).store(what, std::memory_order_release);
  };
  for (std::size_t r = walked.reads; r < reads.size(); ++r) {
    const Read& read = reads[r];
    if (counts) watch(read);
    set(code(read));
    node = edges_.get(node, value(read, state), [&] { return next_node(); });
  }
  set(leaf | verdict);
  return verdict;
}

void Predicates::watch(Read read) {
  const auto part = static_cast<std::uint8_t>(1u << static_cast<unsigned>(read.part));
  if ((ever_read_[read.slot].fetch_or(part) & part) == 0) observed_.fetch_add(1, std::memory_order_release);
}

void Predicates::each_leaf(const std::function<void(std::size_t, std::span<const Found>, std::uint32_t)>& f) const {
  struct Edge {
    std::uint32_t node, value;
  };
  std::vector<Edge> into(nodes_used_ + 1, Edge{0, 0});
  edges_.each([&](std::uint32_t node, std::uint32_t value, std::uint32_t target) { into[target] = {node, value}; });
  std::vector<Found> found;
  for (std::uint32_t n = 1; n < into.size(); ++n) {
    if ((nodes_[n] & leaf) == 0) continue;
    found.clear();
    std::uint32_t at = n;
    while ((at & root) == 0) {
      const Edge edge = into[at];
      at = edge.node;
      found.push_back({read_of((at & root) != 0 ? roots_[at & ~root] : nodes_[at]), edge.value});
    }
    f(at & ~root, found, nodes_[n] & ~leaf);
  }
}

std::vector<Read> Predicates::reads(std::size_t i, std::span<const Slot> state) {
  std::vector<Read> reads;
  run_(i, state, reads);
  return reads;
}

}  // namespace heddle::actor
