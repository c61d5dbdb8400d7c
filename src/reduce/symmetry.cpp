// Sorts members by fingerprints, and tries permutations only among those that tie.
#include "reduce/symmetry.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "core/facets/assumptions.h"
#include "core/facets/symmetries.h"
#include "reduce/audit_symmetry.h"
#include "reduce/symmetry_tables.h"

namespace heddle {

class Symmetry::Search final : public Canonicalizer {
  using Members = Tables::Members;
  using Places = std::array<std::uint8_t, Tables::most_members>;
  static std::uint64_t scramble(std::uint64_t x) { return Tables::scramble(x); }

 public:
  Search(Tables& tables, bool checks) : t_(tables), rows_(tables.slots), to_(tables.identity) {
    if (checks && tables.options.check_every != 0) checker_ = std::make_unique<Search>(tables, false);
    known_.resize(known_size);
  }

  void canonical(SlotVector& state) override {
    if (t_.members == 0) return;
    colour(state);
    sort();
    if (any_ties_ && !all_ties_are_twins(state)) {
      refine();
      sort();
      find_twins(state);
      if (const std::uint64_t tries = arrangements(); tries > t_.options.most_tries) {
        t_.exact.store(false, std::memory_order_relaxed);
        descend(state);
      } else if (tries > 1) {
        least(state);
        assert(is_canonical(state));  // 1
        return;
      }
    }
    if (const std::uint64_t moved = places_from_order(); moved != 0) replace(state, moved);
    assert(is_canonical(state));  // 1
  }

 private:
  // Whether the representative of `state` is `state`: looked at in the sample that is compared anyway.
  bool is_canonical(const SlotVector& state) {
    if (!checker_ || !is_sampled() || !t_.exact.load(std::memory_order_relaxed)) return true;
    SlotVector again = state;
    checker_->canonical(again);
    return again == state;
  }
  bool is_sampled() const { return renamed_ <= first_checks || renamed_ % t_.options.check_every == 0; }

  // --- Colours.

  void colour(const SlotVector& state) {
    Members& sum = colours_;
    for (std::size_t m = 0; m < t_.stride; ++m) sum[m] = 0;
    for (const std::uint32_t slot : t_.looked_at) {
      const Row& row = t_.row(slot, state[slot]);
      rows_[slot] = &row;
      if (row.mentioned == 0) continue;
      const std::uint64_t* marks = row.marks;
      for (std::size_t m = 0; m < t_.stride; ++m) sum[m] += marks[m];
    }
    for (std::size_t m = 0; m < t_.members; ++m) {
      std::uint64_t own = 0;
      for (const std::uint32_t slot : t_.member_slots[m]) {
        own = scramble(own * 0x9E3779B97F4A7C15u + rows_[slot]->plain + scramble(rows_[slot]->marks[m]));
      }
      own_[m] = own;
    }
  }

  // A member's own slots are compared first: a step changes few of them, so most members keep their order, and few
  // different renamings occur.
  bool before(std::size_t a, std::size_t b) const {
    return own_[a] != own_[b] ? own_[a] < own_[b] : colours_[a] < colours_[b];
  }
  bool tied(std::size_t a, std::size_t b) const { return own_[a] == own_[b] && colours_[a] == colours_[b]; }

  // Members are a graph whose edges say how the slots of one member mention the other. The colour of a member becomes
  // that of its neighbourhood, until the number of colours stays the same (Weisfeiler, Leman).
  void refine() {
    std::size_t colours = count_colours();
    for (std::size_t round = 0; round < t_.members; ++round) {
      Members next{}, old;
      for (std::size_t m = 0; m < t_.members; ++m) old[m] = scramble(own_[m] + colours_[m]);
      for (std::size_t a = 0; a < t_.members; ++a) {
        std::uint64_t sum = 0;
        for (std::size_t b = 0; b < t_.members; ++b) {
          if (a == b) continue;
          const std::uint64_t edge = mention(a, b) * 3 + scramble(mention(b, a)) * 5;
          sum += scramble(scramble(edge + 1) + old[b]);
        }
        next[a] = scramble(scramble(old[a]) + sum);
      }
      colours_ = next;
      const std::size_t now = count_colours();
      if (now == colours) break;
      colours = now;
    }
  }

  std::uint64_t mention(std::size_t by, std::size_t of) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t slot : t_.member_slots[by]) sum += rows_[slot]->marks[of];
    return sum;
  }

  std::size_t count_colours() const {
    Members sorted;
    for (std::size_t m = 0; m < t_.members; ++m) sorted[m] = scramble(own_[m] + colours_[m]);
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(t_.members);
    std::sort(sorted.begin(), end);
    return static_cast<std::size_t>(std::unique(sorted.begin(), end) - sorted.begin());
  }

  // --- Order and ties. order_[i] is the member that goes to place i; a run of equal colours begins where tie_[i] is i.

  void sort() {
    any_ties_ = false;
    for (std::size_t c = 0; c < t_.classes.size(); ++c) {
      const std::size_t begin = t_.class_begin[c], end = t_.class_begin[c + 1];
      for (std::size_t i = begin; i < end; ++i) {
        std::size_t j = i;
        for (; j > begin && before(i, order_[j - 1]); --j) order_[j] = order_[j - 1];
        order_[j] = static_cast<std::uint8_t>(i);
      }
      tie_[begin] = static_cast<std::uint8_t>(begin);
      for (std::size_t i = begin + 1; i < end; ++i) {
        const bool ties = tied(order_[i], order_[i - 1]);
        tie_[i] = ties ? tie_[i - 1] : static_cast<std::uint8_t>(i);
        any_ties_ |= ties;
      }
    }
  }

  bool twins(const SlotVector& state, std::size_t a, std::size_t b) const {
    const std::uint64_t both = std::uint64_t{1} << a | std::uint64_t{1} << b;
    const std::uint32_t exchange = t_.exchanges[a * t_.members + b];
    const auto &slots_a = t_.member_slots[a], &slots_b = t_.member_slots[b];
    const auto image = [&](std::uint32_t slot) {
      return (rows_[slot]->mentioned & both) == 0 ? state[slot] : t_.renamed(*rows_[slot], slot, state[slot], exchange);
    };
    for (std::size_t k = 0; k < slots_a.size(); ++k) {
      if (rows_[slots_a[k]]->plain != rows_[slots_b[k]]->plain || image(slots_a[k]) != state[slots_b[k]] ||
          image(slots_b[k]) != state[slots_a[k]]) {
        return false;
      }
    }
    for (const std::uint32_t slot : t_.looked_at) {
      if ((rows_[slot]->mentioned & both) == 0 || std::find(slots_a.begin(), slots_a.end(), slot) != slots_a.end() ||
          std::find(slots_b.begin(), slots_b.end(), slot) != slots_b.end()) {
        continue;
      }
      if (image(slot) != state[slot]) return false;
    }
    return true;
  }

  bool all_ties_are_twins(const SlotVector& state) const {
    for (std::size_t i = 1; i < t_.members; ++i) {
      if (tie_[i] != i && !twins(state, order_[i - 1], order_[i])) return false;
    }
    return true;
  }

  // twin_[i]: the first place of the tie whose member is a twin of the one at place i.
  void find_twins(const SlotVector& state) {
    for (std::size_t i = 0; i < t_.members; ++i) {
      twin_[i] = static_cast<std::uint8_t>(i);
      for (std::size_t j = tie_[i]; j < i; ++j) {
        if (twin_[j] != j || !twins(state, order_[j], order_[i])) continue;
        twin_[i] = static_cast<std::uint8_t>(j);
        break;
      }
    }
  }

  // Returns how many arrangements of tied members there are, up to twins; the largest number if there are too many.
  std::uint64_t arrangements() const {
    double product = 1;
    Places seen{};  // how often a twin has come already
    for (std::size_t i = 0; i < t_.members; ++i) {
      product *= static_cast<double>(i - tie_[i] + 1) / ++seen[twin_[i]];
      if (product > 1e15) return ~std::uint64_t{0};
    }
    return static_cast<std::uint64_t>(std::llround(product));
  }

  // --- Applying an order.

  // Sets place_ from order_; returns which members move.
  std::uint64_t places_from_order() {
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < t_.members; ++i) {
      place_[order_[i]] = static_cast<std::uint8_t>(i);
      if (order_[i] != i) moved |= std::uint64_t{1} << i;
    }
    // A renaming: the places are a permutation. Then all that have moved to another place have moved away from theirs.
    assert(is_permutation());
    return moved;
  }

  bool is_permutation() const {
    for (std::size_t m = 0; m < t_.members; ++m) {
      if (order_[place_[m]] != m) return false;
    }
    return true;
  }

  std::uint32_t renaming_number() {
    // With up to 16 members an arrangement fits into a word, and a small direct-mapped cache knows its number.
    if (t_.members > 16) return number_slowly();
    std::uint64_t key = 0;
    for (std::size_t m = 0; m < t_.members; ++m) key |= std::uint64_t{place_[m]} << (4 * m);
    Known& known = known_[scramble(key) % known_size];
    if (known.key != key || known.number == 0) known = {key, number_slowly()};
    return known.number;
  }
  std::uint32_t number_slowly() {
    for (std::size_t m = 0; m < t_.members; ++m) move_slots(m);
    return t_.system.symmetries()->renaming(to_);
  }
  void move_slots(std::size_t m) {
    const auto &from = t_.member_slots[m], &target = t_.member_slots[place_[m]];
    assert(from.size() == target.size());
    for (std::size_t k = 0; k < from.size(); ++k) to_[from[k]] = target[k];
  }

  // Sets `out` to `state` renamed by place_.
  void image(const SlotVector& state, std::uint64_t moved, SlotVector& out) {
    const std::uint32_t number = renaming_number();
    out.assign(state.begin(), state.end());
    for (const std::uint32_t slot : t_.looked_at) {
      if ((rows_[slot]->mentioned & moved) != 0) out[slot] = t_.renamed(*rows_[slot], slot, state[slot], number);
    }
    values_.clear();
    for (std::uint64_t rest = moved; rest != 0; rest &= rest - 1) {
      const auto m = static_cast<std::size_t>(std::countr_zero(rest));
      for (const std::uint32_t slot : t_.member_slots[m]) values_.push_back(out[slot]);
    }
    std::size_t next = 0;
    for (std::uint64_t rest = moved; rest != 0; rest &= rest - 1) {
      const auto m = static_cast<std::size_t>(std::countr_zero(rest));
      for (const std::uint32_t slot : t_.member_slots[place_[m]]) out[slot] = values_[next++];
    }
    assert(next == values_.size());
  }

  void replace(SlotVector& state, std::uint64_t moved) {
    image(state, moved, image_);
    ++renamed_;
    if (checker_ && is_sampled()) check(state, image_);
    state.swap(image_);
  }

  // Sets `state` to the least of all arrangements: every tie goes through the distinct sequences of its twins.
  void least(SlotVector& state) {
    best_.clear();
    const Places sorted = order_;
    Places twin = twin_;
    try_ties(state, 0, sorted, twin);
    if (checker_ && best_ != state && ++renamed_ % t_.options.check_every == 0) check(state, best_);
    state.swap(best_);
  }

  void try_ties(const SlotVector& state, std::size_t begin, const Places& sorted, Places& twin) {
    if (begin == t_.members) {
      image(state, places_from_order(), image_);
      if (best_.empty() || image_ < best_) best_ = image_;
      return;
    }
    std::size_t end = begin + 1;
    while (end < t_.members && tie_[end] == begin) ++end;
    const auto first = twin.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = twin.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(first, last);
    do {
      // A place of the sequence that wants twin x takes the next unused member among those like x.
      Places used{};
      for (std::size_t i = begin; i < end; ++i) {
        std::size_t skip = used[twin[i]]++;
        std::size_t from = twin[i];
        while (twin_[from] != twin[i] || skip-- > 0) ++from;
        order_[i] = sorted[from];
      }
      try_ties(state, end, sorted, twin);
    } while (std::next_permutation(first, last));
  }

  // For too many arrangements: sorts, then exchanges tied members as long as that makes the state less.
  void descend(SlotVector& state) {
    if (const std::uint64_t moved = places_from_order(); moved != 0) {
      image(state, moved, image_);
      state = image_;
    }
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < t_.members; ++i) order_[i] = static_cast<std::uint8_t>(i);
      for (const std::uint32_t slot : t_.looked_at) rows_[slot] = &t_.row(slot, state[slot]);
      for (std::size_t i = 0; i < t_.members && !better; ++i) {
        for (std::size_t j = tie_[i]; j < i && !better; ++j) {
          std::swap(order_[i], order_[j]);
          image(state, places_from_order(), image_);
          std::swap(order_[i], order_[j]);
          if (!(image_ < state)) continue;
          state = image_;
          better = true;
        }
      }
    }
    for (std::size_t i = 0; i < t_.members; ++i) order_[i] = static_cast<std::uint8_t>(i);
  }

  // --- A sample of states is compared with their representatives.

  void check(const SlotVector& state, const SlotVector& representative) {
    const auto text = difference(t_.system, *checker_, state, representative);
    if (!text || !t_.exact.load(std::memory_order_relaxed) || is_mistaken(t_.system)) return;
    throw NotSymmetric(
        "the model is not symmetric, so symmetry reduction would be unsound: " + *text +
        ". Ids have no order: look for Model::id with a fixed position, for loops over members that break off, "
        "for the first message of a quorum, or run without symmetry");
  }

  static constexpr std::uint64_t first_checks = 32;
  static constexpr std::size_t known_size = 1024;
  struct Known {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };

  Tables& t_;
  std::vector<const Row*> rows_;  // of the state at hand
  alignas(64) Members colours_{};
  Members own_{};
  Places order_{}, place_{}, tie_{}, twin_{};
  bool any_ties_ = false;
  std::vector<std::uint32_t> to_;
  std::vector<Known> known_;
  SlotVector image_, best_;
  std::vector<Slot> values_;
  std::unique_ptr<Search> checker_;
  std::uint64_t renamed_ = 0;
};

Symmetry::Symmetry(const TransitionSystem& system) : Symmetry(system, Options{}) {}
Symmetry::Symmetry(const TransitionSystem& system, const Options& options)
    : tables_(std::make_unique<Tables>(system, options)) {
  if (system.varying_length() && !tables_->classes.empty()) {
    throw std::logic_error("symmetry is defined for states of one length only");
  }
}
Symmetry::~Symmetry() = default;

std::unique_ptr<Canonicalizer> Symmetry::canonicalizer() const { return std::make_unique<Search>(*tables_, true); }
const std::vector<SymmetryClass>& Symmetry::classes() const { return tables_->classes; }
bool Symmetry::exact() const { return tables_->exact.load(std::memory_order_relaxed); }
std::size_t Symmetry::bytes() const { return tables_->row_bytes.load(std::memory_order_relaxed); }

SymmetryGain symmetry_gain(const std::vector<SymmetryClass>& classes, double states, double reduced_states) {
  SymmetryGain g;
  for (const SymmetryClass& c : classes) {
    for (std::size_t i = 2; i <= c.members.size(); ++i) g.factor *= static_cast<double>(i);
  }
  if (reduced_states > 0) g.gain = states / reduced_states;
  g.efficiency = g.gain / g.factor;
  return g;
}

}  // namespace heddle
