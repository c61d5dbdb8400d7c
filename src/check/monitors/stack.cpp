// Stacks: push, pop (nil of an empty one), every value pushed at most once.
//
// A linearization gives each value the span from its push to its pop, and no two spans may cross. The method is Lee and
// Mathur's decrease-and-conquer (OOPSLA 2025), with our own argument for the order of work:
//   1. A value whose push and pop overlap can be pushed and popped in one instant. It is left out.
//   2. At all times at which no value is surely inside, the stack can be empty, at all of them at once (cover.h). A
//      *component* is the time between two such times. In it the stack is never empty, so it has one lowest value,
//      which is pushed first and popped last: its push was invoked before the component begins and its pop returned
//      after the component ends. If several values qualify, any will do, for it can be put outside the others' spans.
//      If none qualifies, the history is not linearizable.
//   3. The lowest values are taken out. Where only they were inside, the component falls apart into smaller components,
//      and so on.
// Components only shrink, so a value that is once early enough (or late enough) stays so. Each value is found to be
// early once, late once and taken out once, and each gap in time opens once. With a range-minimum tree for each of
// these the method is O(n log n).
//
// Pops of unknown outcome (open_removals.h): a value that no recorded pop returned must be out before a value that was
// surely below it is. Some such histories get no answer.
#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/monitors/cover.h"
#include "check/monitors/open_removals.h"

namespace heddle::monitors {
namespace {

constexpr Words stack_words{"stack", "push", "pushed", "pop", "popped"};

// Finds small keys in ranges of positions; keys are taken away one by one.
class KeyTree {
 public:
  explicit KeyTree(std::span<const std::uint32_t> keys)
      : leaves_(std::bit_ceil(std::max<std::size_t>(keys.size(), 1))) {
    tree_.assign(2 * leaves_, none);
    std::ranges::copy(keys, tree_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t node = leaves_; node-- > 1;) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  }

  // Takes away a key at a position in [first, last] that is at most `bound`, and returns the position; `none` if
  // there is no such key.
  std::uint32_t take(std::uint32_t first, std::uint32_t last, std::uint32_t bound) {
    std::size_t low = first + leaves_, high = last + leaves_ + 1, found = 0;
    for (; low < high && found == 0; low /= 2, high /= 2) {
      if ((low & 1) != 0) {
        if (tree_[low] <= bound) found = low;
        ++low;
      }
      if (found == 0 && (high & 1) != 0) {
        --high;
        if (tree_[high] <= bound) found = high;
      }
    }
    if (found == 0) return none;
    while (found < leaves_) found = tree_[2 * found] <= bound ? 2 * found : 2 * found + 1;
    const auto position = static_cast<std::uint32_t>(found - leaves_);
    tree_[found] = none;
    while ((found /= 2) > 0) tree_[found] = std::min(tree_[2 * found], tree_[2 * found + 1]);
    return position;
  }

  std::size_t bytes() const { return tree_.size() * sizeof(std::uint32_t); }
  static constexpr std::uint32_t none = never;

 private:
  std::size_t leaves_;
  std::vector<std::uint32_t> tree_;
};

// Counts how many values cover each gap. A gap that becomes free is reported once.
class CoverTree {
 public:
  // counts[g]: how many values cover gap g. A gap with count 0 is not reported.
  explicit CoverTree(std::span<const std::uint32_t> counts)
      : leaves_(std::bit_ceil(std::max<std::size_t>(counts.size(), 1))) {
    least_.assign(2 * leaves_, reported);
    pending_.assign(2 * leaves_, 0);
    for (std::size_t g = 0; g < counts.size(); ++g) {
      if (counts[g] > 0) least_[leaves_ + g] = static_cast<std::int32_t>(counts[g]);
    }
    for (std::size_t node = leaves_; node-- > 1;) least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
  }

  void uncover(std::uint32_t first, std::uint32_t last) { add(1, 0, leaves_ - 1, first, last); }

  // Appends the gaps of [first, last] that nothing covers any more, ascending.
  void take_free(std::uint32_t first, std::uint32_t last, std::vector<std::uint32_t>& out) {
    take(1, 0, leaves_ - 1, first, last, 0, out);
  }

  std::size_t bytes() const { return 2 * least_.size() * sizeof(std::int32_t); }

 private:
  // This stays above zero whatever is subtracted: there are fewer than 2^30 values.
  static constexpr std::int32_t reported = std::int32_t{1} << 30;

  // least_[node] is the minimum below the node without the pending_ of its proper ancestors. The recursion is as deep
  // as the tree.
  void add(std::size_t node, std::size_t begin, std::size_t end, std::size_t first, std::size_t last) {
    if (last < begin || end < first) return;
    if (first <= begin && end <= last) {
      --least_[node];
      --pending_[node];
      return;
    }
    const std::size_t middle = (begin + end) / 2;
    add(2 * node, begin, middle, first, last);
    add(2 * node + 1, middle + 1, end, first, last);
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) + pending_[node];
  }

  void take(std::size_t node, std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
            std::int32_t above, std::vector<std::uint32_t>& out) {
    if (last < begin || end < first || least_[node] + above > 0) return;
    if (begin == end) {
      out.push_back(static_cast<std::uint32_t>(begin));
      least_[node] = reported;
      return;
    }
    const std::size_t middle = (begin + end) / 2;
    take(2 * node, begin, middle, first, last, above + pending_[node], out);
    take(2 * node + 1, middle + 1, end, first, last, above + pending_[node], out);
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) + pending_[node];
  }

  std::size_t leaves_;
  std::vector<std::int32_t> least_, pending_;
};

// Returns values of which one is inside at every time of a component although none of them can be the lowest. Returns
// nothing if there is no such component, or if the budget is used up.
std::vector<Item> without_lowest(std::span<const Item> all, Budget& budget) {
  std::vector<Item> items;
  std::ranges::copy_if(all, std::back_inserter(items), &Item::surely_inside);
  std::ranges::sort(items, {}, &Item::insert_returned);
  const std::vector<std::uint32_t> ends = interval_ends(items);

  // Item i covers the gaps [begins[i], stops[i]]; begins is ascending, so the items of a component are a range.
  std::vector<std::uint32_t> begins, stops, early, late, counts(ends.size() + 2);
  for (const Item& item : items) {
    begins.push_back(gap_after(ends, item.insert_returned));
    stops.push_back(gap_before(ends, item.remove_invoked));
    early.push_back(item.insert_invoked);
    late.push_back(never - item.remove_returned);  // 0 for `never`: late enough for every component
    ++counts[begins.back()];
    --counts[stops.back() + 1];
  }
  for (std::size_t g = 1; g < counts.size(); ++g) counts[g] += counts[g - 1];
  KeyTree not_early(early), not_late(late);
  CoverTree cover(counts);
  std::vector<bool> is_early(items.size()), is_late(items.size());
  const std::size_t bytes =
      items.size() * (sizeof(Item) + 4 * sizeof(std::uint32_t)) + not_early.bytes() + not_late.bytes() + cover.bytes();

  struct Component {
    std::uint32_t first, last;  // gaps
  };
  std::vector<Component> components;
  // The maximal runs of gaps between free ones.
  const auto split = [&](std::uint32_t first, std::uint32_t last, std::span<const std::uint32_t> free) {
    std::uint32_t begin = first;
    for (const std::uint32_t gap : free) {
      if (begin < gap) components.push_back({begin, gap - 1});
      begin = gap + 1;
    }
    if (begin <= last) components.push_back({begin, last});
  };
  std::vector<std::uint32_t> free, lowest;
  for (std::uint32_t g = 0; g <= ends.size(); ++g) {
    if (counts[g] == 0) free.push_back(g);
  }
  split(0, static_cast<std::uint32_t>(ends.size()), free);

  for (std::size_t steps = 0; !components.empty(); ++steps) {
    if (steps % 1024 == 0 && !budget.check(bytes)) return {};
    const Component component = components.back();
    components.pop_back();
    const auto first = static_cast<std::uint32_t>(std::ranges::lower_bound(begins, component.first) - begins.begin());
    const auto last = static_cast<std::uint32_t>(std::ranges::upper_bound(begins, component.last) - begins.begin()) - 1;
    const std::uint32_t begin = ends[component.first - 1], end = ends[component.last];
    lowest.clear();
    for (std::uint32_t i; (i = not_early.take(first, last, begin)) != KeyTree::none;) {
      is_early[i] = true;
      if (is_late[i]) lowest.push_back(i);
    }
    for (std::uint32_t i; (i = not_late.take(first, last, never - end)) != KeyTree::none;) {
      is_late[i] = true;
      if (is_early[i]) lowest.push_back(i);
    }
    if (lowest.empty()) {
      // Items taken out before do not belong to it: they do not cover this component any more.
      std::vector<Item> rest;
      for (std::uint32_t i = first; i <= last; ++i) {
        if (!is_early[i] || !is_late[i]) rest.push_back(items[i]);
      }
      return shortest_cover(rest, begin, end);
    }
    for (const std::uint32_t i : lowest) cover.uncover(begins[i], stops[i]);
    free.clear();
    cover.take_free(component.first, component.last, free);
    split(component.first, component.last, free);
  }
  return {};
}

// Leaves out items that the contradiction does not need. The values form a chain, usually of two or three.
std::vector<Item> minimal(std::vector<Item> items, Budget& budget) {
  if (items.size() > 100) return items;
  for (std::size_t i = 0; i < items.size();) {
    std::vector<Item> fewer = items;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (without_lowest(fewer, budget).empty()) {
      ++i;
    } else {
      items = std::move(fewer);
    }
  }
  return items;
}

std::optional<Violation> stack_violation(const Context& context, const Collection& collection) {
  std::vector<Item> items = without_lowest(collection.items, context.budget);
  if (context.budget.stopped() != Budget::Stop::None) return {};
  if (items.empty()) return check_empties(context, collection);
  items = minimal(std::move(items), context.budget);
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(context.name(item.value));
  Violation out{items, {}, {}};
  if (items.size() == 2) {
    out.reason = fmt::format(
        "{0} was below {1}, yet popped first: push of {0} returned before push of {1} started, which returned before "
        "pop of {0} "
        "started, and {2}",
        names[0], names[1],
        items[1].remove == no_operation
            ? fmt::format("{} was never popped", names[1])
            : fmt::format("pop of {} returned before pop of {} started", names[0], names[1]));
  } else {
    out.reason = fmt::format(
        "one of {0} was in the stack all the time, but none of them can have been the lowest all that time: each was "
        "pushed after another was inside, or popped before another was",
        fmt::join(names, ", "));
  }
  return out;
}

// A value is surely below another if its push returned before the other's push was invoked and its pop was invoked
// after the other's push returned.
std::vector<Deadline> stack_deadlines(const Context&, const Collection& collection) {
  const std::vector<Item>& items = collection.items;
  std::vector<std::uint32_t> by_return(items.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) by_return[i] = i;
  std::ranges::sort(by_return, {}, [&](std::uint32_t i) { return items[i].insert_returned; });
  // Values pushed so far and popped later, by the invocation of their pop. A value is kept only if its pop returned
  // before the pops of all values with a later invocation, so both times ascend.
  std::map<std::uint32_t, std::uint32_t> below;
  std::vector<Deadline> out;
  auto next = by_return.begin();
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    for (; next != by_return.end() && items[*next].insert_returned < items[i].insert_invoked; ++next) {
      const Item& item = items[*next];
      if (item.remove == no_operation) continue;
      const auto after = below.upper_bound(item.remove_invoked);
      if (after != below.end() && items[after->second].remove_returned < item.remove_returned) continue;
      const auto here = below.emplace_hint(after, item.remove_invoked, *next);
      while (here != below.begin() && items[std::prev(here)->second].remove_returned > item.remove_returned) {
        below.erase(std::prev(here));
      }
    }
    if (items[i].remove != no_operation) continue;
    const auto found = below.upper_bound(items[i].insert_returned);
    if (found != below.end()) out.push_back({items[found->second].remove_returned, i, found->second});
  }
  return out;
}

}  // namespace

std::optional<MonitorResult> check_stack(const Input& input) {
  const Context context{input, stack_words};
  return decide(context, collect(context), stack_violation, stack_deadlines);
}

}  // namespace heddle::monitors
