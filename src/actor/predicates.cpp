// Walks a decision tree for each predicate, and runs the user's code only where the tree ends.
#include "actor/predicates.h"

#include <utility>

namespace heddle::actor {
namespace {

// A system walks two sets of trees in turn: those of its properties and those of its annotations. They were made one
// after the other, so their ids use different caches.
thread_local DecisionTrees::Recent caches[2];

}  // namespace

Predicates::Predicates(std::vector<bool> unwatched, std::vector<const PairTable*> cells, Run run)
    : cells_(std::move(cells)), run_(std::move(run)), unwatched_(std::move(unwatched)), ever_read_(cells_.size()) {}

template <class State>
inline DecisionTrees::Walked Predicates::walk(std::size_t i, const State& state) {
  return trees_.walk(static_cast<std::uint32_t>(i), caches[trees_.id() & 1],
                     [&](std::uint32_t code) { return value(read_of(code), state); });
}

std::uint32_t Predicates::value_of(std::size_t i, std::span<const Slot> state) {
  const DecisionTrees::Walked walked = walk(i, state);
  return walked.known() ? walked.result() : evaluate(i, state, walked);
}

std::uint32_t Predicates::value_of(std::size_t i, const TwoStates& states) {
  const DecisionTrees::Walked walked = walk(i, states);
  if (walked.known()) return walked.result();
  std::vector<Slot> both;
  both.reserve(2 * states.before.size());
  both.insert(both.end(), states.before.begin(), states.before.end());
  both.insert(both.end(), states.before.begin(), states.before.end());
  for (const Change& c : states.changes) both[states.before.size() + c.slot] = c.value;
  return evaluate(i, both, walked);
}

// Evaluates predicate i where its path for `state` ends too early, and lengthens the path by what was read beyond. A
// read is watched before a tree has it, so that no other thread finds a verdict whose reads are not watched.
std::uint32_t Predicates::evaluate(std::size_t i, std::span<const Slot> state, const DecisionTrees::Walked& walked) {
  std::vector<Read> reads;
  const std::uint32_t verdict = run_(i, state, reads);
  std::vector<std::uint32_t> codes;
  codes.reserve(reads.size());
  for (const Read& read : reads) {
    if (codes.size() >= walked.reads && watched(i)) watch(read);
    codes.push_back(code(read));
  }
  trees_.lengthen(walked, codes, [&](std::uint32_t code) { return value(read_of(code), state); }, verdict);
  return verdict;
}

void Predicates::watch(Read read) {
  const auto part = static_cast<std::uint8_t>(1u << static_cast<unsigned>(read.part));
  if ((ever_read_[read.slot].fetch_or(part) & part) == 0) observed_.fetch_add(1, std::memory_order_release);
}

void Predicates::each_leaf(const std::function<void(std::size_t, std::span<const Found>, std::uint32_t)>& f) const {
  std::vector<Found> reads;
  trees_.each_leaf([&](std::uint32_t i, std::span<const DecisionTrees::Found> found, std::uint32_t verdict) {
    reads.clear();
    for (const auto& [what, value] : found) reads.push_back({read_of(what), value});
    f(i, reads, verdict);
  });
}

std::vector<Read> Predicates::reads(std::size_t i, std::span<const Slot> state) {
  std::vector<Read> reads;
  run_(i, state, reads);
  return reads;
}

}  // namespace heddle::actor
