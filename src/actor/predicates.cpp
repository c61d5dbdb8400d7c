#include "actor/predicates.h"

namespace heddle::actor {

Predicates::Predicates(std::size_t count, std::vector<const PairTable*> cells, Run run)
    : cells_(std::move(cells)), run_(std::move(run)), nodes_used_(static_cast<std::uint32_t>(count)) {}

bool Predicates::holds(std::size_t i, std::span<const Slot> state) {
  auto node = static_cast<std::uint32_t>(i + 1);
  for (;;) {
    const std::uint32_t code = std::atomic_ref(nodes_[node]).load(std::memory_order_acquire);
    if (code == leaf_true || code == leaf_false) return code == leaf_true;
    if (code == 0) break;
    node = edges_.get(node, value(read_of(code), state), [&] { return ++nodes_used_; });
  }
  // The path ends at `node`: evaluate, and lengthen it by what was read beyond.
  std::vector<Read> reads;
  const bool verdict = run_(i, state, reads);
  std::lock_guard lock(mutex_);
  node = static_cast<std::uint32_t>(i + 1);
  for (const Read& read : reads) {
    std::atomic_ref(nodes_[node]).store(code(read), std::memory_order_release);
    node = edges_.get(node, value(read, state), [&] { return ++nodes_used_; });
  }
  std::atomic_ref(nodes_[node]).store(verdict ? leaf_true : leaf_false, std::memory_order_release);
  return verdict;
}

std::vector<Read> Predicates::reads(std::size_t i, std::span<const Slot> state) {
  std::vector<Read> reads;
  run_(i, state, reads);
  return reads;
}

}  // namespace heddle::actor
