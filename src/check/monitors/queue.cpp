// Queues: enqueue, dequeue (nil of an empty one), every value enqueued at most once.
//
// Henzinger, Sezgin and Vafeiadis (CONCUR 2013) show that a history is linearizable unless two values contradict each other or an
// empty answer is contradicted: b overtook a if a's enqueue returned before b's was invoked and b's dequeue returned before
// a's was invoked. For each b that is one comparison with the latest dequeue of all values enqueued before it; one sweep in
// the order of time finds it, in O(n log n). Empty answers: cover.h.
//
// Dequeues of unknown outcome: a value that nobody was seen to dequeue and that others overtook must have been taken by one
// of them, before the first that overtook it was out. Who needs that, and until when, does not depend on who else is taken, so
// assigning the dequeues by deadline decides it. Only with empty answers too is there a choice that this does not explore: at which
// moment of the answer the queue was empty. The first possible moment is tried; no answer is given if that does not work
// but it would with enough dequeues.
#include <algorithm>

#include <fmt/format.h>

#include "check/monitors/cover.h"
#include "check/monitors/monitors.h"

namespace heddle::monitors {
namespace {

constexpr Words words{"queue", "enqueue", "enqueued", "dequeue", "dequeued"};

std::string overtaking(const Context& context, const Item& a, const Item& b) {
  return fmt::format(
      "{0} was enqueued before {1}, yet {1} was dequeued first: enqueue of {0} returned before enqueue of {1} started, "
      "and {2}",
      context.name(a.value), context.name(b.value),
      a.remove == no_operation ? fmt::format("{} was never dequeued", context.name(a.value))
                               : fmt::format("dequeue of {} returned before dequeue of {} started",
                                             context.name(b.value), context.name(a.value)));
}

std::optional<Violation> check_order(const Context& context, const Collection& collection) {
  const std::vector<Item>& items = collection.items;
  std::vector<std::uint32_t> by_return(items.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) by_return[i] = i;
  std::ranges::sort(by_return, {}, [&](std::uint32_t i) { return items[i].insert_returned; });
  const Item* last_out = nullptr;  // of those whose enqueue returned before the current one was invoked
  auto next = by_return.begin();
  for (const Item& item : items) {
    if ((&item - items.data()) % 8192 == 0 && !context.budget.check(collection.bytes() + by_return.size() * 4))
      return {};
    for (; next != by_return.end() && items[*next].insert_returned < item.insert_invoked; ++next) {
      if (last_out == nullptr || items[*next].remove_invoked > last_out->remove_invoked) last_out = &items[*next];
    }
    if (last_out != nullptr && item.remove_returned < last_out->remove_invoked) {
      return Violation{{*last_out, item}, {}, overtaking(context, *last_out, item)};
    }
  }
  return {};
}

std::optional<Violation> check(const Context& context, const Collection& collection) {
  if (auto violation = check_order(context, collection)) return violation;
  return check_empties(context, collection);
}

// The items left over with the time by which each must be out, so that no other overtakes it.
struct Deadline {
  std::uint32_t time;
  std::uint32_t item;
  std::uint32_t overtaker;
};

std::vector<Deadline> deadlines_by_order(const Collection& collection) {
  std::vector<Deadline> out;
  const std::vector<Item>& items = collection.items;
  // first_out[i]: of the items from i on, the one whose dequeue returned first.
  std::vector<std::uint32_t> first_out(items.size());
  for (std::size_t i = items.size(); i-- > 0;) {
    const auto self = static_cast<std::uint32_t>(i);
    const bool last = i + 1 == items.size();
    first_out[i] = last || items[i].remove_returned < items[first_out[i + 1]].remove_returned ? self : first_out[i + 1];
  }
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (items[i].remove != no_operation) continue;
    const auto after = std::ranges::upper_bound(items, items[i].insert_returned, {}, &Item::insert_invoked);
    if (after == items.end()) continue;
    const std::uint32_t overtaker = first_out[static_cast<std::size_t>(after - items.begin())];
    if (items[overtaker].remove != no_operation) out.push_back({items[overtaker].remove_returned, i, overtaker});
  }
  std::ranges::sort(out, {}, &Deadline::time);
  return out;
}

std::optional<MonitorResult> decide_with_open_dequeues(const Context& context, const Collection& collection) {
  const auto unknown = [] { return MonitorResult{Verdict::Unknown, {}, {}}; };
  // What is wrong whatever the open dequeues did.
  Collection eased = collection;
  const auto invoked = [&](std::size_t i) { return context.history.operations[collection.open_removals[i]].invoked; };
  for (Item& item : eased.items) {
    if (item.remove == no_operation) item.remove_invoked = invoked(0);
  }
  auto violation = check(context, eased);
  if (context.budget.stopped() != Budget::Stop::None) return unknown();
  if (violation) return violated(*violation);

  // The i-th value to be out needs the i-th dequeue at the latest.
  const std::vector<Deadline> deadlines = deadlines_by_order(collection);
  for (std::size_t i = 0; i < deadlines.size(); ++i) {
    if (i < collection.open_removals.size() && invoked(i) < deadlines[i].time) continue;
    Violation out;
    for (std::size_t k = 0; k <= i; ++k) {
      out.items.push_back(collection.items[deadlines[k].item]);
      out.items.push_back(collection.items[deadlines[k].overtaker]);
      if (k < i) out.operations.push_back(collection.open_removals[k]);
    }
    out.reason =
        i == 0 ? overtaking(context, out.items[0], out.items[1])
               : fmt::format(
                     "{} values were overtaken by later ones and never seen again, but only {} dequeue{} of unknown "
                     "outcome can have taken them before",
                     i + 1, i, i == 1 ? "" : "s");
    return violated(out);
  }
  if (collection.empties.empty()) return MonitorResult{Verdict::Holds, {}, {}};

  // Where each empty answer can be first, as far as values seen to be dequeued are concerned.
  std::vector<Item> seen;
  std::ranges::copy_if(collection.items, std::back_inserter(seen),
                       [](const Item& item) { return item.remove != no_operation; });
  const std::vector<std::uint32_t> ends = interval_ends(seen);
  CoveredGaps covered(ends.size() + 1);
  for (const Item& item : seen) {
    if (item.surely_inside())
      covered.cover(gap_after(ends, item.insert_returned), gap_before(ends, item.remove_invoked));
  }
  std::vector<std::uint32_t> moments;
  for (const std::uint32_t index : collection.empties) {
    const RecordedOperation& op = context.history.operations[index];
    const std::uint32_t gap = covered.first_free(gap_after(ends, op.invoked));
    moments.push_back(std::max(op.invoked, gap == 0 ? 0 : ends[gap - 1]));
  }
  std::ranges::sort(moments);
  // A value that is in by such a moment (it is the time just after that event) must be out by then.
  std::vector<std::uint32_t> until;
  auto by_order = deadlines;
  std::ranges::sort(by_order, {}, &Deadline::item);
  auto known = by_order.begin();
  for (std::uint32_t i = 0; i < collection.items.size(); ++i) {
    const Item& item = collection.items[i];
    if (item.remove != no_operation) continue;
    std::uint32_t time = never;
    if (known != by_order.end() && known->item == i) time = (known++)->time;
    const auto moment = std::ranges::lower_bound(moments, item.insert_returned);
    if (moment != moments.end()) time = std::min(time, *moment + 1);
    if (time != never) until.push_back(time);
  }
  std::ranges::sort(until);
  if (!context.budget.check(2 * collection.bytes())) return unknown();
  for (std::size_t i = 0; i < until.size(); ++i) {
    if (i >= collection.open_removals.size() || invoked(i) >= until[i]) return std::nullopt;
  }
  return MonitorResult{Verdict::Holds, {}, {}};
}

}  // namespace

std::optional<MonitorResult> check_queue(const Input& input) {
  const Context context{input, words};
  const auto collected = collect(context);
  const auto* collection = std::get_if<Collection>(&collected);
  if (collection == nullptr || collection->open_removals.empty()) return decide(context, collected, check);
  return decide_with_open_dequeues(context, *collection);
}

}  // namespace heddle::monitors
