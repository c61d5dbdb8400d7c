// What the monitors of queue, stack and priority queue share: values that are put in once and taken out at most once.
//
// A history in which no value is inserted twice is a set of items. An item is an insertion and the removal that
// returned its value. If such a history is linearizable, it stays so when all operations of some values are left out.
// So a few items that contradict each other are a proof by themselves. An item that was never removed counts as
// removed after everything else (`never`). An insertion of unknown outcome happened if its value was removed;
// otherwise it can be left out.
//
// Removals of unknown outcome: open_removals.h.
// Thread-safe: no state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "check/monitors/monitors.h"

namespace heddle::monitors {

inline constexpr std::uint32_t no_operation = ~std::uint32_t{0};

struct Item {
  Value value = nil;
  std::uint32_t insert = no_operation, remove = no_operation;
  // Event numbers, or `never`.
  std::uint32_t insert_invoked = 0, insert_returned = never;
  std::uint32_t remove_invoked = never, remove_returned = never;

  // True if there is a time at which the value must have been inside: between the insertion's return and the removal's
  // invocation. Otherwise the item does not affect the others: it can be inserted and removed in one instant.
  bool surely_inside() const { return insert_returned < remove_invoked; }
};

struct Collection {
  std::vector<Item> items;                   // in the order of the insertions' invocations
  std::vector<std::uint32_t> empties;        // removals that found nothing
  std::vector<std::uint32_t> open_removals;  // of unknown outcome, in the order of their invocations
  std::size_t bytes() const { return items.capacity() * sizeof(Item) + empties.capacity() * sizeof(std::uint32_t); }
};

// How a data type speaks of its operations in reasons: "dequeue", "dequeued".
struct Words {
  std::string_view object, insert, inserted, remove, removed;
};

// Why a history is not linearizable: all operations of `items`, and further `operations`, are culprits.
struct Violation {
  std::vector<Item> items;
  std::vector<std::uint32_t> operations;
  std::string reason;
};

struct Context {
  const Input& input;
  const Words& words;
  const RecordedHistory& history = input.history;
  Budget& budget = input.budget;

  std::string name(Value value) const { return history.values.json(value); }
};

// Returns the items of the input; or a violation, if a value was removed that was never inserted, or twice, or too
// early; or nothing, if a value was inserted twice, or nil was inserted, or there are operations other than
// insertions and removals.
using Collected = std::variant<std::monostate, Collection, Violation>;
Collected collect(const Context& context);

MonitorResult violated(const Violation& violation);

}  // namespace heddle::monitors
