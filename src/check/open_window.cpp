// Computes in one pass over a history which operations are open at each return, and gives each its bit.
#include "check/open_window.h"

#include <algorithm>
#include <tuple>

namespace heddle {

namespace {

// The free slots, and for every slot the operation that had it last.
struct Slots {
  std::vector<std::uint32_t> free, last;

  std::uint32_t take() {
    if (free.empty()) {
      free.push_back(static_cast<std::uint32_t>(last.size()));
      last.push_back(never);
    }
    const std::uint32_t slot = free.back();
    free.pop_back();
    return slot;
  }
};

}  // namespace

OpenWindow::OpenWindow(std::span<const RecordedOperation> operations, std::span<const std::uint32_t> part,
                       const Object& object) {
  operations_.reserve(part.size());
  returns_.reserve(part.size());
  Slots writers, readers;
  std::vector<std::uint32_t> unknown;

  // Open operations, as a heap with the first to return on top.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
  const auto later = std::greater<>();
  const auto end_those_before = [&](std::uint32_t event) {
    while (!open.empty() && open.front().first < event) {
      std::pop_heap(open.begin(), open.end(), later);
      const std::uint32_t number = open.back().second;
      open.pop_back();
      Operation& op = operations_[number];
      op.rank = returns();
      (op.reads_only ? readers : writers).free.push_back(op.bit);
      returns_.push_back(
          {number, static_cast<std::uint32_t>(operations_.size()), static_cast<std::uint32_t>(open.size())});
    }
  };

  for (const std::uint32_t index : part) {
    const RecordedOperation& op = operations[index];
    if (op.outcome == Outcome::Failed) continue;
    const bool reads_only = object.reads_only(op);
    if (op.outcome == Outcome::Unknown && reads_only) continue;
    end_those_before(op.invoked);
    const auto number = static_cast<std::uint32_t>(operations_.size());
    if (op.outcome == Outcome::Unknown) {
      unknown.push_back(number);
      operations_.push_back({index, 0, never, never, false});
      continue;
    }
    Slots& slots = reads_only ? readers : writers;
    const std::uint32_t slot = slots.take();
    operations_.push_back({index, slot, 0, slots.last[slot], reads_only});
    slots.last[slot] = number;
    open.emplace_back(op.returned, number);
    std::push_heap(open.begin(), open.end(), later);
  }
  end_those_before(never);

  writer_slots_ = static_cast<std::uint32_t>(writers.last.size());
  reader_slots_ = static_cast<std::uint32_t>(readers.last.size());
  unknown_ = static_cast<std::uint32_t>(unknown.size());
  for (Operation& op : operations_) {
    if (op.reads_only) op.bit += writer_slots_;
  }
  const std::size_t words = std::max<std::size_t>(1, (bits() + 63) / 64);
  for (auto* mask : {&writer_mask_, &reader_mask_, &unknown_mask_, &first_alike_, &open_}) mask->assign(words, 0);
  for (std::uint32_t bit = 0; bit < bits(); ++bit) {
    auto& mask = bit < writer_slots_                   ? writer_mask_
                 : bit < writer_slots_ + reader_slots_ ? reader_mask_
                                                       : unknown_mask_;
    mask[bit / 64] |= std::uint64_t{1} << bit % 64;
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
    const std::uint32_t bit = writer_slots_ + reader_slots_ + i;
    operations_[order[i]].bit = bit;
    if (i == 0 || kind(order[i - 1]) != kind(order[i])) first_alike_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::size_t OpenWindow::bytes() const {
  return operations_.capacity() * sizeof(Operation) + returns_.capacity() * sizeof(Return) +
         at_.capacity() * sizeof(std::uint32_t) + 5 * open_.capacity() * sizeof(std::uint64_t);
}

}  // namespace heddle
