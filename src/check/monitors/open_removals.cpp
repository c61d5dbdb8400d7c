// Sorts leftover values by their deadlines and gives the i-th of them to the i-th removal. What that leaves undecided
// is left to the search.
#include "check/monitors/open_removals.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::monitors {
namespace {

constexpr std::uint32_t nobody = ~std::uint32_t{0};

// A leftover value: by when it must be out (`never`: it need not be), and the item or the empty answer that requires
// it.
struct Leftover {
  std::uint32_t time = never;
  std::uint32_t item = nobody, because_of_item = nobody, because_of_empty = nobody;
};

class OpenRemovals {
 public:
  OpenRemovals(const Context& context, const Collection& collection) : context_(context), collection_(collection) {}

  std::optional<MonitorResult> decide(CollectionCheck check, CollectionDeadlines deadlines) {
    find_leftovers(deadlines(context_, collection_));
    if (auto result = too_few()) return violated(*result);

    Collection guess = collection_;
    for (std::size_t i = 0; i < leftovers_.size() && i < collection_.open_removals.size(); ++i) {
      guess.items[leftovers_[i].item].remove_invoked = invoked(i);
    }
    if (!check(context_, guess)) return answer(Verdict::Holds);

    for (const Leftover& leftover : leftovers_) guess.items[leftover.item].remove_invoked = invoked(0);
    const auto violation = check(context_, guess);
    if (violation || stopped()) return stopped() ? answer(Verdict::Unknown) : violated(*violation);
    return std::nullopt;
  }

 private:
  bool stopped() const { return context_.budget.stopped() != Budget::Stop::None; }
  MonitorResult answer(Verdict verdict) const { return {stopped() ? Verdict::Unknown : verdict, {}, {}}; }
  std::uint32_t invoked(std::size_t i) const {
    return context_.history.operations[collection_.open_removals[i]].invoked;
  }

  // Fills leftovers_, sorted by deadline.
  void find_leftovers(const std::vector<Deadline>& deadlines) {
    std::vector<std::uint32_t> number(collection_.items.size(), nobody);
    for (std::uint32_t i = 0; i < collection_.items.size(); ++i) {
      if (collection_.items[i].remove != no_operation) continue;
      number[i] = static_cast<std::uint32_t>(leftovers_.size());
      leftovers_.push_back({.item = i});
    }
    for (const Deadline& deadline : deadlines) {
      leftovers_[number[deadline.item]].time = deadline.time;
      leftovers_[number[deadline.item]].because_of_item = deadline.because_of;
    }
    // A value must be out by the first return of an empty answer that was invoked when it was inside. Operations are in
    // the order of invocation.
    const std::vector<std::uint32_t>& empties = collection_.empties;
    const auto operation = [&](std::uint32_t index) -> const RecordedOperation& {
      return context_.history.operations[index];
    };
    std::vector<std::uint32_t> first_return(empties);
    for (std::size_t i = empties.size(); i-- > 1;) {
      if (operation(first_return[i]).returned < operation(first_return[i - 1]).returned) {
        first_return[i - 1] = first_return[i];
      }
    }
    for (Leftover& leftover : leftovers_) {
      const auto after = std::ranges::upper_bound(empties, collection_.items[leftover.item].insert_returned, {},
                                                  [&](std::uint32_t index) { return operation(index).invoked; });
      if (after == empties.end()) continue;
      const std::uint32_t empty = first_return[static_cast<std::size_t>(after - empties.begin())];
      if (operation(empty).returned >= leftover.time) continue;
      leftover.time = operation(empty).returned;
      leftover.because_of_empty = empty;
    }
    std::ranges::stable_sort(leftovers_, {}, &Leftover::time);
  }

  // The i-th value to be out needs a removal invoked no later than the i-th.
  std::optional<Violation> too_few() const {
    for (std::size_t i = 0; i < leftovers_.size() && leftovers_[i].time != never; ++i) {
      if (i < collection_.open_removals.size() && invoked(i) < leftovers_[i].time) continue;
      Violation out;
      for (std::size_t k = 0; k <= i; ++k) {
        out.items.push_back(collection_.items[leftovers_[k].item]);
        if (leftovers_[k].because_of_empty != nobody) {
          out.operations.push_back(leftovers_[k].because_of_empty);
        } else {
          out.items.push_back(collection_.items[leftovers_[k].because_of_item]);
        }
        if (k < i) out.operations.push_back(collection_.open_removals[k]);
      }
      out.reason =
          i == 0 ? fmt::format("{} was {} and must have been {} again before {}, but it was not", name(0),
                               context_.words.inserted, context_.words.removed, before(0))
                 : fmt::format(
                       "{} values that were {} must have been {} again, the last of them, {}, before {}, but only {} "
                       "{} of unknown outcome can have done that",
                       i + 1, context_.words.inserted, context_.words.removed, name(i), before(i), i,
                       context_.words.remove);
      return out;
    }
    return {};
  }

  std::string name(std::size_t i) const { return context_.name(collection_.items[leftovers_[i].item].value); }
  std::string before(std::size_t i) const {
    if (leftovers_[i].because_of_empty != nobody) {
      return fmt::format("a {} found the {} empty", context_.words.remove, context_.words.object);
    }
    return fmt::format("{} was", context_.name(collection_.items[leftovers_[i].because_of_item].value));
  }

  const Context& context_;
  const Collection& collection_;
  std::vector<Leftover> leftovers_;
};

}  // namespace

std::optional<MonitorResult> decide(const Context& context, const Collected& collected, CollectionCheck check,
                                    CollectionDeadlines deadlines) {
  if (std::holds_alternative<std::monostate>(collected)) return std::nullopt;
  if (const auto* violation = std::get_if<Violation>(&collected)) return violated(*violation);
  const auto& collection = std::get<Collection>(collected);
  if (!collection.open_removals.empty() &&
      std::ranges::any_of(collection.items, [](const Item& item) { return item.remove == no_operation; })) {
    return OpenRemovals(context, collection).decide(check, deadlines);
  }
  const auto violation = check(context, collection);
  if (context.budget.stopped() != Budget::Stop::None) return MonitorResult{Verdict::Unknown, {}, {}};
  return violation ? violated(*violation) : MonitorResult{Verdict::Holds, {}, {}};
}

}  // namespace heddle::monitors
