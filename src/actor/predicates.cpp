#include "actor/predicates.h"

namespace heddle::actor {
namespace {

// A thread's own copy of the edges it walked last, direct-mapped: most walks repeat one made a moment ago. `owner` tells
// whose edges they are.
struct EdgeCache {
  static constexpr unsigned bits = 12;
  struct Edge {
    std::uint64_t key;
    std::uint32_t target;  // 0: empty
  };
  std::uint64_t owner = 0;
  std::vector<Edge> edges;

  Edge& at(std::uint64_t key) { return edges[(key * 0x9E3779B97F4A7C15u) >> (64 - bits)]; }
  void belong_to(std::uint64_t id) {
    if (owner == id) return;
    owner = id;
    edges.assign(std::size_t{1} << bits, Edge{0, 0});
  }
};
// A system has two trees that are walked in turn, of its properties and of its annotations, made one after the other.
thread_local EdgeCache caches[2];

std::atomic<std::uint64_t> next_id{1};

}  // namespace

Predicates::Predicates(std::vector<bool> unwatched, std::vector<const PairTable*> cells, Run run)
    : id_(next_id++),
      cells_(std::move(cells)),
      run_(std::move(run)),
      unwatched_(std::move(unwatched)),
      ever_read_(cells_.size()),
      nodes_used_(static_cast<std::uint32_t>(unwatched_.size())) {}

std::uint32_t Predicates::value_of(std::size_t i, std::span<const Slot> state) {
  EdgeCache& cache = caches[id_ & 1];
  cache.belong_to(id_);
  auto node = static_cast<std::uint32_t>(i + 1);
  for (;;) {
    const std::uint32_t code = std::atomic_ref(nodes_[node]).load(std::memory_order_acquire);
    if ((code & leaf) != 0) return code & ~leaf;
    if (code == 0) break;
    const std::uint32_t read = value(read_of(code), state);
    EdgeCache::Edge& edge = cache.at(make_pair_key(node, read));
    if (edge.key != make_pair_key(node, read) || edge.target == 0) {
      edge = {make_pair_key(node, read), edges_.get(node, read, [&] { return ++nodes_used_; })};
    }
    node = edge.target;
  }
  // The path ends at `node`: evaluate, and lengthen it by what was read beyond.
  std::vector<Read> reads;
  const std::uint32_t verdict = run_(i, state, reads);
  std::lock_guard lock(mutex_);
  node = static_cast<std::uint32_t>(i + 1);
  for (const Read& read : reads) {
    const auto part = static_cast<std::uint8_t>(1u << static_cast<unsigned>(read.part));
    if (!unwatched_[i] && (ever_read_[read.slot].fetch_or(part) & part) == 0) {
      observed_.fetch_add(1, std::memory_order_release);
    }
    std::atomic_ref(nodes_[node]).store(code(read), std::memory_order_release);
    node = edges_.get(node, value(read, state), [&] { return ++nodes_used_; });
  }
  std::atomic_ref(nodes_[node]).store(leaf | verdict, std::memory_order_release);
  return verdict;
}

std::vector<Read> Predicates::reads(std::size_t i, std::span<const Slot> state) {
  std::vector<Read> reads;
  run_(i, state, reads);
  return reads;
}

}  // namespace heddle::actor
