// Times as gaps between events; those that are covered are skipped by links, as in union-find.
#include "check/monitors/cover.h"

#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::monitors {

std::vector<std::uint32_t> interval_ends(std::span<const Item> items) {
  std::vector<std::uint32_t> ends;
  for (const Item& item : items) {
    if (!item.surely_inside()) continue;
    ends.push_back(item.insert_returned);
    ends.push_back(item.remove_invoked);
  }
  std::ranges::sort(ends);
  const auto repeated = std::ranges::unique(ends);  // `never`
  ends.erase(repeated.begin(), repeated.end());
  return ends;
}

CoveredGaps::CoveredGaps(std::size_t gaps) : next_(gaps + 1) { std::iota(next_.begin(), next_.end(), 0U); }

std::uint32_t CoveredGaps::first_free(std::uint32_t gap) {
  while (next_[gap] != gap) {
    next_[gap] = next_[next_[gap]];
    gap = next_[gap];
  }
  return gap;
}

void CoveredGaps::cover(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t gap = first_free(first); gap <= last; gap = first_free(gap)) next_[gap] = gap + 1;
}

std::vector<Item> shortest_cover(std::span<const Item> items, std::uint32_t from, std::uint32_t to) {
  std::vector<const Item*> inside;
  for (const Item& item : items) {
    if (item.surely_inside() && item.insert_returned < to && item.remove_invoked > from) inside.push_back(&item);
  }
  std::ranges::sort(inside, {}, [](const Item* item) { return item->insert_returned; });
  std::vector<Item> out;
  // Greedy: among the intervals that have begun by now, take the one that ends last.
  std::uint32_t covered = from;
  for (auto next = inside.begin(); covered < to;) {
    const Item* longest = nullptr;
    for (; next != inside.end() && (*next)->insert_returned <= covered; ++next) {
      if (longest == nullptr || (*next)->remove_invoked > longest->remove_invoked) longest = *next;
    }
    if (longest == nullptr || longest->remove_invoked <= covered) break;
    out.push_back(*longest);
    covered = longest->remove_invoked;
  }
  return out;
}

std::optional<Violation> check_empties(const Context& context, const Collection& collection) {
  if (collection.empties.empty()) return {};
  const std::vector<std::uint32_t> ends = interval_ends(collection.items);
  CoveredGaps covered(ends.size() + 1);
  std::size_t steps = 0;
  for (const Item& item : collection.items) {
    if (++steps % 8192 == 0 && !context.budget.check(collection.bytes() + covered.bytes())) return {};
    if (item.surely_inside())
      covered.cover(gap_after(ends, item.insert_returned), gap_before(ends, item.remove_invoked));
  }
  for (const std::uint32_t index : collection.empties) {
    const RecordedOperation& op = context.history.operations[index];
    if (covered.first_free(gap_after(ends, op.invoked)) <= gap_before(ends, op.returned)) continue;
    Violation out{shortest_cover(collection.items, op.invoked, op.returned), {index}, {}};
    std::vector<std::string> names;
    for (const Item& item : out.items) names.push_back(context.name(item.value));
    out.reason = names.size() == 1
                     ? fmt::format("{} found the {} empty while {} was in it the whole time", context.words.remove,
                                   context.words.object, names[0])
                     : fmt::format("{} found the {} empty, but at every moment of it one of {} was inside",
                                   context.words.remove, context.words.object, fmt::join(names, ", "));
    return out;
  }
  return {};
}

}  // namespace heddle::monitors
