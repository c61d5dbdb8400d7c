// Priority queues: insert, extract_min (nil of an empty one), every value inserted at most once. Values are integers or
// texts and are their own priority, the least first.
//
// The method is Lee and Mathur's decrease-and-conquer (OOPSLA 2025). Values of lower priority never disturb those of
// higher priority, so values are added in the order of priority, highest first. A value can be extracted exactly at the
// times at which no value of higher priority has to be inside, and at such times all of these can be outside at once
// (cover.h). So a history is linearizable iff, for each value, the time of its extraction is not covered by the
// intervals in which values of higher priority are surely inside. The union of intervals grows with each value: O(n
// log n) for sorting, nearly linear otherwise. Empty answers come last.
//
// Extractions of unknown outcome (open_removals.h): a value that no recorded extraction returned must be out before a
// value of lower priority is whose extraction began when the first was inside. Some such histories get no answer.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/monitors/cover.h"
#include "check/monitors/open_removals.h"

namespace heddle::monitors {
namespace {

constexpr Words priority_queue_words{"priority queue", "insert", "inserted", "extract_min", "extracted"};

// Returns the numbers of the items in the order in which they come out: integers before texts.
std::vector<std::uint32_t> by_priority(const ValueTable& values, std::span<const Item> items) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> integers;
  std::vector<std::pair<std::string_view, std::uint32_t>> texts;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (values.kind(items[i].value) == ValueTable::Kind::Integer) {
      integers.emplace_back(values.as_integer(items[i].value), i);
    } else {
      texts.emplace_back(values.as_text(items[i].value), i);
    }
  }
  std::ranges::sort(integers);
  std::ranges::sort(texts);
  std::vector<std::uint32_t> out;
  out.reserve(items.size());
  for (const auto& [value, i] : integers) out.push_back(i);
  for (const auto& [value, i] : texts) out.push_back(i);
  return out;
}

std::optional<Violation> priority_queue_violation(const Context& context, const Collection& collection) {
  const std::vector<Item>& items = collection.items;
  const std::vector<std::uint32_t> order = by_priority(context.history.values, items);
  const std::vector<std::uint32_t> ends = interval_ends(items);
  CoveredGaps covered(ends.size() + 1);
  for (std::size_t done = 0; done < order.size(); ++done) {
    if (done % 8192 == 0 &&
        !context.budget.check(collection.bytes() + covered.bytes() + order.size() * sizeof(std::uint64_t))) {
      return {};
    }
    const Item& item = items[order[done]];
    const std::uint32_t from = std::max(item.insert_invoked, item.remove_invoked);
    if (item.remove != no_operation &&
        covered.first_free(gap_after(ends, from)) > gap_before(ends, item.remove_returned)) {
      std::vector<Item> higher;
      for (std::size_t k = 0; k < done; ++k) higher.push_back(items[order[k]]);
      Violation out{shortest_cover(higher, from, item.remove_returned), {}, {}};
      std::vector<std::string> names;
      for (const Item& each : out.items) names.push_back(context.name(each.value));
      out.reason =
          names.size() == 1
              ? fmt::format("extract_min returned {} while {}, which comes before it, was inside the whole time",
                            context.name(item.value), names[0])
              : fmt::format(
                    "extract_min returned {}, but at every moment of it one of {}, which come before it, "
                    "was inside",
                    context.name(item.value), fmt::join(names, ", "));
      out.items.push_back(item);
      return out;
    }
    if (item.surely_inside())
      covered.cover(gap_after(ends, item.insert_returned), gap_before(ends, item.remove_invoked));
  }
  return check_empties(context, collection);
}

std::vector<Deadline> priority_queue_deadlines(const Context& context, const Collection& collection) {
  const std::vector<Item>& items = collection.items;
  std::vector<Deadline> out;
  const auto extraction_begins = [&](std::uint32_t i) {
    return std::max(items[i].insert_invoked, items[i].remove_invoked);
  };
  // Extractions of values of lower priority than the current one. An extraction is kept only if it returns before all
  // that begin later, so both times ascend.
  std::map<std::uint32_t, std::uint32_t> first_returns;  // from the beginning of an extraction to its item
  const std::vector<std::uint32_t> order = by_priority(context.history.values, items);
  for (auto next = order.rbegin(); next != order.rend(); ++next) {
    const Item& item = items[*next];
    if (item.remove == no_operation) {
      const auto found = first_returns.upper_bound(item.insert_returned);
      if (found != first_returns.end()) out.push_back({items[found->second].remove_returned, *next, found->second});
      continue;
    }
    const auto after = first_returns.upper_bound(extraction_begins(*next));
    if (after != first_returns.end() && items[after->second].remove_returned < item.remove_returned) continue;
    auto here = first_returns.emplace_hint(after, extraction_begins(*next), *next);
    while (here != first_returns.begin() && items[std::prev(here)->second].remove_returned > item.remove_returned) {
      first_returns.erase(std::prev(here));
    }
  }
  return out;
}

}  // namespace

std::optional<MonitorResult> check_priority_queue(const Input& input) {
  const Context context{input, priority_queue_words};
  const auto collected = collect(context);
  if (const auto* collection = std::get_if<Collection>(&collected)) {
    for (const Item& item : collection->items) {
      const ValueTable::Kind kind = input.history.values.kind(item.value);
      if (kind != ValueTable::Kind::Integer && kind != ValueTable::Kind::Text) return std::nullopt;
    }
  }
  return decide(context, collected, priority_queue_violation, priority_queue_deadlines);
}

}  // namespace heddle::monitors
