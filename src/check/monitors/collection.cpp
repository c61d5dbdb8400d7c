#include "check/monitors/collection.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

namespace heddle::monitors {
namespace {

MonitorResult out_of_budget() { return {Verdict::Unknown, {}, {}}; }

}  // namespace

std::variant<std::monostate, Collection, Violation> collect(const Context& context) {
  const RecordedHistory& history = context.history;
  const Words& words = context.words;
  Collection out;
  boost::unordered_flat_map<Value, std::uint32_t> item_of;
  item_of.reserve(context.input.part.size() / 2);
  std::vector<std::uint32_t> removals;
  for (const std::uint32_t index : context.input.part) {
    const RecordedOperation& op = history.operations[index];
    if (op.outcome == Outcome::Failed) continue;
    const Role role = context.input.roles[op.function];
    if (role == Role::Insert) {
      if (op.argument == nil) return std::monostate{};
      if (!item_of.emplace(op.argument, static_cast<std::uint32_t>(out.items.size())).second) return std::monostate{};
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

  for (const std::uint32_t index : removals) {
    const RecordedOperation& op = history.operations[index];
    const auto found = item_of.find(op.result);
    if (found == item_of.end()) {
      return Violation{
          {},
          {index},
          fmt::format("{} returned {}, which was never {}", words.remove, context.name(op.result), words.inserted)};
    }
    Item& item = out.items[found->second];
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
  // What may not have been inserted and was not seen was not inserted.
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

std::optional<MonitorResult> decide(const Context& context,
                                    const std::variant<std::monostate, Collection, Violation>& collected,
                                    CollectionCheck check) {
  if (std::holds_alternative<std::monostate>(collected)) return std::nullopt;
  if (const auto* violation = std::get_if<Violation>(&collected)) return violated(*violation);
  const auto& collection = std::get<Collection>(collected);

  std::optional<Violation> violation = check(context, collection);
  if (context.budget.stopped() != Budget::Stop::None) return out_of_budget();
  if (!violation) return MonitorResult{Verdict::Holds, {}, {}};
  if (collection.open_removals.empty()) return violated(*violation);

  Collection eased = collection;
  const std::uint32_t first = context.history.operations[collection.open_removals.front()].invoked;
  for (Item& item : eased.items) {
    if (item.remove == no_operation) item.remove_invoked = first;
  }
  violation = check(context, eased);
  if (context.budget.stopped() != Budget::Stop::None) return out_of_budget();
  if (violation) return violated(*violation);
  return std::nullopt;
}

}  // namespace heddle::monitors
