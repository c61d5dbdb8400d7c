// What the edges of a cycle rest on: pairs of versions that were seen, inferred, or chosen.
#include <algorithm>

#include "check/transactions/version_search.h"

namespace heddle::transactions {

// Says of a step which key it is about, whether its order is inferred, and which pair it assumes, if it does.
std::optional<OpenPair> VersionSearch::derive(CycleStep& step) const {
  step.assumed = false;
  step.key = step.inferred = never;
  if (step.kind != Dependency::WriteWrite && step.kind != Dependency::ReadWrite) return std::nullopt;
  std::optional<OpenPair> found;
  std::uint32_t inferred = never;
  for (const TransactionOperation& op : history_.operations_of(step.from)) {
    const std::uint32_t index = open_of_key_[op.key];
    OpenPair pair{index, step.from, step.to};
    if (step.kind == Dependency::WriteWrite) {
      if (op.action != TransactionAction::Write) continue;
      if (lists_ && is_seen(step, op)) return std::nullopt;
      if (index == never || !is_open(index, step.from) || !is_open(index, step.to)) continue;
    } else {
      if (op.action != TransactionAction::Read) continue;
      if (lists_) {  // what comes behind a list that was read is never a matter of choice
        if (index != never || overwrites(step, op)) return std::nullopt;
        continue;
      }
      if (index == never || !is_open(index, step.to)) continue;
      if (op.what == nothing) {
        step.key = op.key;
        return std::nullopt;
      }
      pair.first = history_.writer(op.what);
      if (pair.first == step.to || !is_open(index, pair.first)) continue;
    }
    if (seen_.contains(key_of(pair))) {
      step.key = op.key;
      step.inferred = never;
      return std::nullopt;
    }
    if (const auto at = inferred_at_.find(key_of(pair)); at != inferred_at_.end()) {
      inferred = std::min(inferred, at->second);
      step.key = inferred == at->second ? op.key : step.key;
    } else if (!found || !is_decided(*found)) {
      if (is_decided(pair) || are_neighbours(pair)) found = pair;
    }
  }
  if (inferred != never) {
    step.inferred = inferred;
    return std::nullopt;
  }
  if (!found) return std::nullopt;
  step.assumed = true;
  step.key = dependencies_.open_keys()[found->open].key;
  return found;
}

bool VersionSearch::is_decided(const OpenPair& pair) const {
  const auto at = variables_.find(key_of(pair.first < pair.second ? pair : reversed(pair)));
  return at != variables_.end() && choices_.is_chosen(literal_of(at->second, pair));
}

// Only neighbours have an edge where the order was chosen.
bool VersionSearch::are_neighbours(const OpenPair& pair) const {
  const OpenKey& open = dependencies_.open_keys()[pair.open];
  if (!open.chosen) return false;
  const auto at =
      std::ranges::lower_bound(open.writers, place_[pair.first], {}, [this](std::uint32_t t) { return place_[t]; });
  return at != open.writers.end() && at + 1 != open.writers.end() && at[1] == pair.second;
}

bool VersionSearch::is_open(std::uint32_t index, std::uint32_t transaction) const {
  return std::ranges::binary_search(original_[index], transaction);
}

// True if the order of what both have appended to the key was seen.
bool VersionSearch::is_seen(const CycleStep& step, const TransactionOperation& op) const {
  const std::uint32_t place = history_.position(op.what);
  const std::vector<std::uint32_t>& order = history_.order(op.key);
  if (place == never) return false;
  if (place + 1 < order.size()) return history_.writer(order[place + 1]) == step.to;
  const std::uint32_t index = open_of_key_[op.key];
  return index != never && is_open(index, step.to);
}

bool VersionSearch::overwrites(const CycleStep& step, const TransactionOperation& read) const {
  const std::vector<std::uint32_t>& order = history_.order(read.key);
  return read.what < order.size() && history_.writer(order[read.what]) == step.to;
}

}  // namespace heddle::transactions
