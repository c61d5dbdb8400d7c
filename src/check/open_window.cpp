#include "check/open_window.h"

#include <algorithm>
#include <tuple>

namespace heddle {

OpenWindow::OpenWindow(std::span<const RecordedOperation> operations, std::span<const std::uint32_t> part,
                       const Object& object) {
  operations_.reserve(part.size());
  returns_.reserve(part.size());
  std::vector<std::uint32_t> free_slots, last_in_slot, unknown;

  // Open operations, as a heap with the first to return on top.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
  const auto later = std::greater<>();
  const auto end_those_before = [&](std::uint32_t event) {
    while (!open.empty() && open.front().first < event) {
      std::pop_heap(open.begin(), open.end(), later);
      const std::uint32_t number = open.back().second;
      open.pop_back();
      operations_[number].rank = returns();
      free_slots.push_back(operations_[number].bit);
      returns_.push_back(
          {number, static_cast<std::uint32_t>(operations_.size()), static_cast<std::uint32_t>(open.size())});
    }
  };

  for (const std::uint32_t index : part) {
    const RecordedOperation& op = operations[index];
    if (op.outcome == Outcome::Failed) continue;
    const auto number = static_cast<std::uint32_t>(operations_.size());
    if (op.outcome == Outcome::Unknown) {
      if (object.reads_only(op)) continue;
      end_those_before(op.invoked);
      unknown.push_back(number);
      operations_.push_back({index, 0, never, never});
      continue;
    }
    end_those_before(op.invoked);
    if (free_slots.empty()) {
      free_slots.push_back(slots_++);
      last_in_slot.push_back(never);
    }
    const std::uint32_t slot = free_slots.back();
    free_slots.pop_back();
    operations_.push_back({index, slot, 0, last_in_slot[slot]});
    last_in_slot[slot] = number;
    open.emplace_back(op.returned, number);
    std::push_heap(open.begin(), open.end(), later);
  }
  end_those_before(never);

  unknown_ = static_cast<std::uint32_t>(unknown.size());
  const std::size_t words = std::max<std::size_t>(1, (bits() + 63) / 64);
  for (auto* mask : {&known_mask_, &unknown_mask_, &first_alike_, &open_}) mask->assign(words, 0);
  for (std::uint32_t bit = 0; bit < bits(); ++bit) {
    (bit < slots_ ? known_mask_ : unknown_mask_)[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  at_.assign(bits(), never);
  number_unknown(operations, object, unknown);
  if (!returns_.empty()) invoke_until(returns_[0].invoked_before);
}

void OpenWindow::number_unknown(std::span<const RecordedOperation> operations, const Object& object,
                                std::span<const std::uint32_t> unknown) {
  const bool any_process = object.same_for_every_process();
  const auto kind = [&](std::uint32_t number) {
    const RecordedOperation& op = operations[operations_[number].index];
    return std::tuple(op.function, op.key, op.argument, any_process ? 0 : op.process);
  };
  std::vector<std::uint32_t> order(unknown.begin(), unknown.end());
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return kind(a) < kind(b); });
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const std::uint32_t bit = slots_ + i;
    operations_[order[i]].bit = bit;
    if (i == 0 || kind(order[i - 1]) != kind(order[i])) first_alike_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::size_t OpenWindow::bytes() const {
  return operations_.capacity() * sizeof(Operation) + returns_.capacity() * sizeof(Return) +
         at_.capacity() * sizeof(std::uint32_t) + 4 * open_.capacity() * sizeof(std::uint64_t);
}

}  // namespace heddle
