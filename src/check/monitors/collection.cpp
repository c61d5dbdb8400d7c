// Pairs insertions with the removals that returned their values, and rejects what no collection can answer.
#include "check/monitors/collection.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/monitors/value_index.h"

namespace heddle::monitors {

Collected collect(const Context& context) {
  const RecordedHistory& history = context.history;
  const Words& words = context.words;
  Collection out;
  out.items.reserve(context.input.part.size() / 2);
  std::vector<std::uint32_t> removals;
  for (const std::uint32_t index : context.input.part) {
    const RecordedOperation& op = history.operations[index];
    if (op.outcome == Outcome::Failed) continue;
    const Role role = context.input.roles[op.function];
    if (role == Role::Insert) {
      if (op.argument == nil) return std::monostate{};
      out.items.push_back({op.argument, index, no_operation, op.invoked, op.returned, never, never});
    } else if (role != Role::Remove) {
      return std::monostate{};
    } else if (op.outcome == Outcome::Unknown) {
      out.open_removals.push_back(index);
    } else if (op.result == nil) {
      out.empties.push_back(index);
    } else {
      removals.push_back(index);
    }
  }

  const ValueIndex item_of(out.items);
  if (!item_of.distinct()) return std::monostate{};
  for (const std::uint32_t index : removals) {
    const RecordedOperation& op = history.operations[index];
    const std::uint32_t number = item_of.find(op.result);
    if (number == ValueIndex::none) {
      return Violation{
          {},
          {index},
          fmt::format("{} returned {}, which was never {}", words.remove, context.name(op.result), words.inserted)};
    }
    Item& item = out.items[number];
    if (item.remove != no_operation) {
      return Violation{
          {item},
          {index},
          fmt::format("{} was {} twice, but {} once", context.name(item.value), words.removed, words.inserted)};
    }
    item.remove = index;
    item.remove_invoked = op.invoked;
    item.remove_returned = op.returned;
    if (op.returned < item.insert_invoked) {
      return Violation{{item},
                       {},
                       fmt::format("{0} of {2} returned before {1} of {2} was invoked", words.remove, words.insert,
                                   context.name(item.value))};
    }
  }
  // A value whose insertion has an unknown outcome and that was never removed can be left out.
  std::erase_if(out.items,
                [](const Item& item) { return item.insert_returned == never && item.remove == no_operation; });
  return out;
}

MonitorResult violated(const Violation& violation) {
  MonitorResult out{Verdict::Violated, violation.operations, violation.reason};
  for (const Item& item : violation.items) {
    for (const std::uint32_t op : {item.insert, item.remove}) {
      if (op != no_operation) out.culprits.push_back(op);
    }
  }
  std::ranges::sort(out.culprits);
  const auto repeated = std::ranges::unique(out.culprits);
  out.culprits.erase(repeated.begin(), repeated.end());
  return out;
}

}  // namespace heddle::monitors
