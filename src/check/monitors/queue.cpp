// Queues: enqueue, dequeue (nil of an empty one), every value enqueued at most once.
//
// Henzinger, Sezgin and Vafeiadis (CONCUR 2013) show that a history is linearizable unless two values contradict each
// other or an empty answer is contradicted. Value b overtook a if a's enqueue returned before b's enqueue was invoked
// and b's dequeue returned before a's dequeue was invoked. For each b that is one comparison with the latest dequeue
// of all values enqueued before it; one sweep in the order of time finds it, in O(n log n). Empty answers: cover.h.
//
// Dequeues of unknown outcome (open_removals.h): a value that no recorded dequeue returned must be out before the first
// value that was enqueued after it. Which values have to be out, and by when, does not depend on which others are. So
// there is always an answer without empty answers, and mostly with them.
#include <algorithm>

#include <fmt/format.h>

#include "check/monitors/cover.h"
#include "check/monitors/open_removals.h"

namespace heddle::monitors {
namespace {

constexpr Words queue_words{"queue", "enqueue", "enqueued", "dequeue", "dequeued"};

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

std::optional<Violation> queue_violation(const Context& context, const Collection& collection) {
  if (auto violation = check_order(context, collection)) return violation;
  return check_empties(context, collection);
}

// A value that was enqueued after an item must not be out before it.
std::vector<Deadline> queue_deadlines(const Context&, const Collection& collection) {
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
  return out;
}

}  // namespace

std::optional<MonitorResult> check_queue(const Input& input) {
  const Context context{input, queue_words};
  return decide(context, collect(context), queue_violation, queue_deadlines);
}

}  // namespace heddle::monitors
