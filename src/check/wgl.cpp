// The search over configurations: a window of open operations moves over the returns, and visited configurations are
// hashed.
#include "check/wgl.h"

#include <algorithm>
#include <bit>

#include "check/configuration_table.h"
#include "check/open_window.h"

namespace heddle {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

constexpr std::size_t most_furthest = 64, most_longest = 8;
// How often the object is called between two looks at the budget.
constexpr std::size_t budget_interval = 4096;

template <std::size_t Words>
class Search {
 public:
  Search(std::span<const RecordedOperation> operations, OpenWindow& window, Object& object, SearchGuard& guard,
         const WglOptions& options)
      : operations_(operations),
        window_(window),
        object_(object),
        guard_(guard),
        options_(options),
        table_(writer_masks(window)),
        bits_(window.words(), 0),
        tried_(window.words(), 0),
        stored_(window.words(), 0) {}

  WglResult run() {
    state_ = object_.initial();
    levels_.push_back({0, next_checkpoint(0)});
    for (;;) {
      const Visit visit = this->visit();
      if (visit == Visit::Complete) return holds();
      if (visit == Visit::OutOfBudget) return unknown();
      const Next next = this->next();
      if (next == Next::Exhausted) return violated();
      if (next == Next::OutOfBudget) return unknown();
    }
  }

 private:
  enum class Visit { Open, Complete, OutOfBudget };
  enum class Next { Taken, Exhausted, OutOfBudget };
  // The operations placed, as a tree: following `parent` gives an order, last operation first.
  struct Placed {
    std::uint32_t parent, operation;
  };
  // Something left to try: to place `operation` in `configuration`, which leads to `state`. In held_, an alternative
  // without an operation stands for all operations of unknown outcome that the configuration may use.
  struct Alternative {
    std::uint32_t configuration, operation;
    Object::State state;
  };
  // A configuration whose operations of unknown outcome have not been tried yet.
  struct Postponed {
    std::uint32_t used, rank, configuration;
    // On top of the heap is a configuration that has used the fewest, since it may dominate others; among these, the
    // one that is furthest.
    bool operator<(const Postponed& other) const { return used != other.used ? used > other.used : rank < other.rank; }
  };
  // A stretch of the search: the alternatives from `base` on belong to it; configurations that reach the rank
  // `checkpoint` are held back.
  struct Level {
    std::size_t base;
    std::uint32_t checkpoint;
    std::vector<Postponed> postponed = {};
  };

  // Bits of the table in which alike configurations agree. In the table the bits of operations that only read are
  // inverted: it is better to have placed more of them, but to have used fewer of unknown outcome. So in both cases a
  // subset dominates.
  static std::vector<std::uint64_t> writer_masks(const OpenWindow& window) {
    std::vector<std::uint64_t> masks(window.words());
    for (std::size_t w = 0; w < masks.size(); ++w) masks[w] = window.writer_mask(w);
    return masks;
  }
  std::size_t words() const { return Words != 0 ? Words : bits_.size(); }
  static std::uint64_t bit_in_word(std::uint32_t bit) { return std::uint64_t{1} << bit % 64; }

  Object::State apply(Object::State state, std::uint32_t number) {
    ++work_;
    return object_.apply(state, operations_[window_.operation(number).index]);
  }

  // Visits the configuration in rank_, state_, bits_ and path_: places what can be placed at once, and lists what else
  // there is to try unless the configuration is known.
  // REQUIRES: the window is at rank_.
  Visit visit() {
    if (configurations_ >= options_.most_configurations || !room()) return Visit::OutOfBudget;
    const std::size_t before = placed_.size();
    children_.clear();
    std::fill_n(tried_.begin(), words(), 0);
    for (bool again = true; again;) {
      again = false;
      pass_returns();
      if (rank_ == window_.returns()) return Visit::Complete;
      for (std::size_t w = 0; w < words(); ++w) {
        std::uint64_t candidates = window_.open(w) & ~(window_.unknown_mask(w) | bits_[w] | tried_[w]);
        tried_[w] |= candidates;
        for (; candidates != 0; candidates &= candidates - 1) {
          const auto bit = static_cast<std::uint32_t>(w * 64 + std::countr_zero(candidates));
          const std::uint32_t number = window_.at(bit);
          const Object::State after = apply(state_, number);
          if (after == Object::impossible) continue;
          if (after == state_ && window_.operation(number).reads_only) {
            place(number);
            again = true;
          } else {
            children_.push_back({0, number, after});
          }
        }
      }
    }
    for (std::size_t w = 0; w < words(); ++w) stored_[w] = bits_[w] ^ window_.reader_mask(w);
    const std::uint32_t number = table_.insert({rank_, state_, path_}, stored_.data());
    if (number == none) {
      placed_.resize(before);
      return Visit::Open;
    }
    ++configurations_;
    ++spent_;
    note_furthest();
    list_children(number);
    return Visit::Open;
  }

  void place(std::uint32_t number) {
    const std::uint32_t bit = window_.operation(number).bit;
    bits_[bit / 64] |= bit_in_word(bit);
    placed_.push_back({path_, number});
    path_ = static_cast<std::uint32_t>(placed_.size() - 1);
  }

  void pass_returns() {
    for (; rank_ < window_.returns(); ++rank_) {
      const std::uint32_t bit = window_.operation(window_.returning(rank_)).bit;
      if ((bits_[bit / 64] & bit_in_word(bit)) == 0) return;
      bits_[bit / 64] &= ~bit_in_word(bit);
      tried_[bit / 64] &= ~bit_in_word(bit);
      window_.forward();
    }
  }

  // The last in the list is tried first: the operation that returns first is the likeliest to be next.
  void list_children(std::uint32_t configuration) {
    const bool hold = rank_ >= levels_.back().checkpoint;
    auto& list = hold ? held_ : alternatives_;
    if (unknown_candidates_exist()) {
      if (hold) {
        held_.push_back({configuration, none, 0});
      } else {
        postpone(configuration);
      }
    }
    if (children_.size() > 1) {
      std::ranges::sort(children_, [&](const Alternative& a, const Alternative& b) {
        return window_.operation(a.operation).rank > window_.operation(b.operation).rank;
      });
    }
    for (const Alternative& child : children_) list.push_back({configuration, child.operation, child.state});
  }

  // Bits of the operations of unknown outcome to try: of those alike only the first that is unused.
  std::uint64_t unknown_candidates(std::size_t w) const {
    const std::uint64_t carried = w > 0 ? bits_[w - 1] >> 63 : 0;
    return window_.open(w) & window_.unknown_mask(w) & ~bits_[w] & (bits_[w] << 1 | carried | window_.first_alike(w));
  }
  bool unknown_candidates_exist() const {
    if (window_.unknown_operations() == 0) return false;
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < words(); ++w) any |= unknown_candidates(w);
    return any != 0;
  }
  void list_unknown(std::uint32_t configuration) {
    for (std::size_t w = words(); w-- > 0;) {
      for (std::uint64_t candidates = unknown_candidates(w); candidates != 0; candidates &= candidates - 1) {
        const std::uint32_t number = window_.at(static_cast<std::uint32_t>(w * 64 + std::countr_zero(candidates)));
        const Object::State after = apply(state_, number);
        if (after != Object::impossible && after != state_) alternatives_.push_back({configuration, number, after});
      }
    }
  }

  void postpone(std::uint32_t configuration) {
    std::uint32_t used = 0;
    for (std::size_t w = 0; w < words(); ++w) {
      used += static_cast<std::uint32_t>(std::popcount(table_.bits(configuration)[w] & window_.unknown_mask(w)));
    }
    auto& postponed = levels_.back().postponed;
    postponed.push_back({used, table_[configuration].rank, configuration});
    std::push_heap(postponed.begin(), postponed.end());
  }

  void go_to(std::uint32_t configuration) {
    const auto& from = table_[configuration];
    window_.move_to(from.rank);
    rank_ = from.rank;
    path_ = from.path;
    state_ = from.state;
    const std::uint64_t* bits = table_.bits(configuration);
    for (std::size_t w = 0; w < words(); ++w) bits_[w] = bits[w] ^ window_.reader_mask(w);
  }

  // Goes to the next configuration to visit.
  Next next() {
    for (;;) {
      auto& postponed = levels_.back().postponed;
      const bool known_tried = alternatives_.size() == levels_.back().base;
      const bool drained = known_tried && postponed.empty();
      if (!held_.empty() && (drained || spent_ > allowance())) {
        pass_checkpoint(drained);
        continue;
      }
      if (drained) {
        if (levels_.size() == 1) return Next::Exhausted;
        levels_.pop_back();
        spent_ = 0;
        continue;
      }
      if (known_tried) {
        std::pop_heap(postponed.begin(), postponed.end());
        const std::uint32_t configuration = postponed.back().configuration;
        postponed.pop_back();
        go_to(configuration);
        if (!room()) return Next::OutOfBudget;
        list_unknown(configuration);
        continue;
      }
      const Alternative taken = alternatives_.back();
      alternatives_.pop_back();
      go_to(taken.configuration);
      state_ = taken.state;
      place(taken.operation);
      return Next::Taken;
    }
  }

  // From here on the alternatives held back are explored. If nothing else is left of the stretch, everything before is
  // forgotten. Otherwise the rest of the stretch is taken up again only if all that was held back fails.
  void pass_checkpoint(bool drained) {
    const std::uint32_t checkpoint = next_checkpoint(levels_.back().checkpoint);
    if (!drained) {
      levels_.push_back({alternatives_.size(), checkpoint});
    } else {
      levels_.back().checkpoint = checkpoint;
      if (levels_.size() == 1) forget();
    }
    for (const Alternative& held : held_) {
      if (held.operation == none) {
        postpone(held.configuration);
      } else {
        alternatives_.push_back(held);
      }
    }
    held_.clear();
    spent_ = 0;
  }

  std::uint32_t next_checkpoint(std::uint32_t rank) const {
    const std::uint32_t last = window_.returns(), longest = 3 * options_.stretch;
    if (options_.stretch == 0 || last - rank <= longest) return last;
    for (std::uint32_t r = rank + options_.stretch; r < rank + longest; ++r) {
      if (window_.quiescent(r)) return r;
    }
    return rank + longest;
  }
  std::size_t allowance() const { return std::size_t{3} * options_.stretch * options_.patience; }

  // Keeps only the configurations held back, the orders that led to them, and the orders that got furthest.
  void forget() {
    std::vector<std::uint32_t> kept;
    for (Alternative& a : held_) {
      if (kept.empty() || kept.back() != a.configuration) kept.push_back(a.configuration);
      a.configuration = static_cast<std::uint32_t>(kept.size() - 1);
    }
    table_.keep(kept);

    constexpr std::uint32_t dead = none;
    std::vector<std::uint32_t> renamed(placed_.size() - settled_, dead);
    const auto mark = [&](std::uint32_t path) {
      while (path != none && path >= settled_ && renamed[path - settled_] == dead) {
        renamed[path - settled_] = 0;
        path = placed_[path].parent;
      }
    };
    const auto rename = [&](std::uint32_t path) {
      return path == none || path < settled_ ? path : renamed[path - settled_];
    };
    for (std::uint32_t i = 0; i < table_.size(); ++i) mark(table_[i].path);
    for (const std::uint32_t path : furthest_) mark(path);
    std::uint32_t to = settled_;
    for (std::uint32_t from = settled_; from < placed_.size(); ++from) {
      if (renamed[from - settled_] == dead) continue;
      placed_[to] = {rename(placed_[from].parent), placed_[from].operation};
      renamed[from - settled_] = to++;
    }
    for (std::uint32_t i = 0; i < table_.size(); ++i) table_.set_path(i, rename(table_[i].path));
    for (std::uint32_t& path : furthest_) path = rename(path);
    placed_.resize(to);
    settled_ = to;
  }

  // Returns false if the budget does not allow the search to go on. A visit adds at most one element for each open
  // operation.
  bool room() {
    const std::size_t more = window_.bits() + 1;
    std::size_t growth = 0;
    if (table_.about_to_grow()) growth += table_.bytes();
    growth += grown(placed_, more) + grown(alternatives_, more) + grown(held_, more);
    if (growth == 0 && work_ < budget_interval) return true;
    work_ = 0;
    // Numbers have 32 bits.
    if (placed_.size() + more >= none || table_.size() >= none - 1) guard_.out_of_memory();
    // The object's tables may double before the next check.
    if (!guard_.check(bytes(), growth + object_.bytes())) return false;
    reserve(placed_, more);
    reserve(alternatives_, more);
    reserve(held_, more);
    return true;
  }
  template <typename T>
  static std::size_t grown(const std::vector<T>& list, std::size_t more) {
    return list.capacity() - list.size() < more ? std::max(2 * list.capacity(), more) * sizeof(T) : 0;
  }
  template <typename T>
  static void reserve(std::vector<T>& list, std::size_t more) {
    if (list.capacity() - list.size() < more) list.reserve(std::max(2 * list.capacity(), list.size() + more));
  }
  std::size_t bytes() const {
    return window_.bytes() + table_.bytes() + object_.bytes() + placed_.capacity() * sizeof(Placed) +
           (alternatives_.capacity() + held_.capacity()) * sizeof(Alternative) + levels_.capacity() * sizeof(Level) +
           (window_.unknown_operations() > 0 ? 2 * table_.size() * sizeof(Postponed) : 0);
  }

  void note_furthest() {
    if (rank_ < furthest_rank_) return;
    if (rank_ > furthest_rank_) furthest_.clear();
    furthest_rank_ = rank_;
    if (furthest_.size() < most_furthest) furthest_.push_back(path_);
  }

  std::vector<std::uint32_t> order(std::uint32_t path) const {
    std::vector<std::uint32_t> result;
    for (; path != none; path = placed_[path].parent) {
      result.push_back(window_.operation(placed_[path].operation).index);
    }
    std::ranges::reverse(result);
    return result;
  }

  WglResult holds() const {
    WglResult result;
    result.verdict = Verdict::Holds;
    result.linearization = order(path_);
    result.configurations = configurations_;
    return result;
  }
  WglResult unknown() const {
    WglResult result;
    result.configurations = configurations_;
    return result;
  }
  WglResult violated() const {
    WglResult result;
    result.verdict = Verdict::Violated;
    result.configurations = configurations_;
    result.stuck = window_.operation(window_.returning(furthest_rank_)).index;
    for (const std::uint32_t path : furthest_) {
      // Leaves out an order that another one extends.
      const auto extends = [&](std::uint32_t other) {
        if (other == path) return false;
        while (other != none && other != path && (path == none || other > path)) other = placed_[other].parent;
        return other == path;
      };
      if (std::ranges::none_of(furthest_, extends)) result.longest.push_back(order(path));
    }
    std::ranges::stable_sort(result.longest, std::greater<>(), [](const auto& order) { return order.size(); });
    if (result.longest.size() > most_longest) result.longest.resize(most_longest);
    return result;
  }

  std::span<const RecordedOperation> operations_;
  OpenWindow& window_;
  Object& object_;
  SearchGuard& guard_;
  WglOptions options_;

  ConfigurationTable<Words> table_;
  std::vector<Placed> placed_;
  std::uint32_t settled_ = 0;  // placed_ before this is not looked at again when forgetting
  std::vector<Alternative> alternatives_, held_, children_;
  std::vector<Level> levels_;
  std::size_t spent_ = 0, work_ = 0, configurations_ = 0;

  std::uint32_t rank_ = 0, path_ = none;
  Object::State state_ = Object::impossible;
  std::vector<std::uint64_t> bits_, tried_, stored_;

  std::uint32_t furthest_rank_ = 0;
  std::vector<std::uint32_t> furthest_;
};

}  // namespace

WglResult wgl(std::span<const RecordedOperation> operations, std::span<const std::uint32_t> part, Object& object,
              SearchGuard& guard, const WglOptions& options) {
  OpenWindow window(operations, part, object);
  switch (window.words()) {
    case 1:
      return Search<1>(operations, window, object, guard, options).run();
    case 2:
      return Search<2>(operations, window, object, guard, options).run();
    default:
      return Search<0>(operations, window, object, guard, options).run();
  }
}

}  // namespace heddle
