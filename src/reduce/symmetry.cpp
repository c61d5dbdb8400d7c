#include "reduce/symmetry.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <stdexcept>

#include "core/facets/assumptions.h"
#include "core/facets/symmetries.h"
#include "core/reserved_array.h"
#include "reduce/audit_symmetry.h"

namespace heddle {
namespace {

constexpr std::size_t most_members = 64;
using Members = std::array<std::uint64_t, most_members>;  // one number for each member
using Places = std::array<std::uint8_t, most_members>;

std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return x ^ (x >> 29);
}

}  // namespace

// What is known of a slot value: the members it mentions, its fingerprint without regard to names, and a mark for each
// member: the fingerprint as seen from that member. Marks are made to be added up, so different kinds of slots give
// different marks.
struct Symmetry::Row {
  std::uint64_t mentioned = 0;
  std::uint64_t plain = 0;
  std::uint64_t* marks = nullptr;
  // The value after each renaming, by the number of the renaming; 0: not known yet. Null if the group is large or the
  // value mentions no member.
  std::uint32_t* images = nullptr;
};

// What all threads share.
struct Symmetry::Tables {
  Tables(const TransitionSystem& sys, const Options& o) : system(sys), options(o) {
    if (sys.symmetries() == nullptr) return;
    const Symmetries& s = *sys.symmetries();
    const auto initial = sys.initial_states();
    slots = initial.empty() ? 0 : initial[0].size();
    for (SymmetryClass& c : s.symmetry_classes()) {
      if (member_slots.size() + c.members.size() > most_members) continue;
      class_begin.push_back(member_slots.size());
      for (const auto& m : c.members) member_slots.push_back(m);
      classes.push_back(std::move(c));
    }
    class_begin.push_back(member_slots.size());
    members = member_slots.size();
    stride = (members + 3) / 4 * 4;

    // Slots that correspond to each other share a table of rows; every other slot has its own.
    const std::size_t no_table = ~std::size_t{0};
    table_of.assign(slots, no_table);
    std::size_t count = 0;
    for (const SymmetryClass& c : classes) {
      for (std::size_t k = 0; k < c.members[0].size(); ++k) {
        for (const auto& m : c.members) table_of[m[k]] = count;
        ++count;
      }
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      if (table_of[slot] == no_table && s.mentions_members(slot)) table_of[slot] = count++;
      if (table_of[slot] != no_table) looked_at.push_back(slot);
    }
    for (std::size_t t = 0; t < count; ++t) rows.emplace_back(most_values);

    identity.resize(slots);
    for (std::uint32_t slot = 0; slot < slots; ++slot) identity[slot] = slot;
    exchanges.resize(members * members);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (std::size_t a = class_begin[c]; a < class_begin[c + 1]; ++a) {
        for (std::size_t b = class_begin[c]; b < a; ++b) {
          std::vector<std::uint32_t> to = identity;
          for (std::size_t k = 0; k < member_slots[a].size(); ++k)
            std::swap(to[member_slots[a][k]], to[member_slots[b][k]]);
          exchanges[a * members + b] = exchanges[b * members + a] = s.renaming(to);
        }
      }
    }
    // Renamings that are not in the group have taken some numbers.
    const double order = symmetry_gain(classes, 1, 1).factor;
    if (order <= most_images) images = static_cast<std::uint32_t>(order) + s.renaming(identity) + 1;
  }

  // Returns the renamed value of a slot; `row` is that of the value.
  Slot renamed(const Row& row, std::uint32_t slot, Slot value, std::uint32_t renaming) const {
    if (row.images == nullptr || renaming >= images) return system.symmetries()->renamed(slot, value, renaming);
    std::atomic_ref image(row.images[renaming]);
    Slot known = image.load(std::memory_order_relaxed);
    if (known == 0) {
      known = system.symmetries()->renamed(slot, value, renaming);
      image.store(known, std::memory_order_relaxed);
    }
    return known;
  }

  static constexpr std::size_t most_values = std::size_t{1} << 28;
  static constexpr double most_images = 128;

  const Row& row(std::uint32_t slot, Slot value) {
    static const Row absent{0, 0, no_marks(), nullptr};
    if (value == 0) return absent;
    auto& table = rows[table_of[slot]];
    if (value >= table.capacity()) throw TableFull();
    std::atomic_ref entry(table[value]);
    const Row* known = entry.load(std::memory_order_acquire);
    if (known != nullptr) [[likely]]
      return *known;
    return compute(slot, value, entry);
  }

  const Row& compute(std::uint32_t slot, Slot value, std::atomic_ref<const Row*> entry) {
    std::vector<std::uint64_t> marks(slots, 0);
    auto block = std::make_unique<std::uint64_t[]>(stride + (images + 1) / 2);
    Row row;
    row.plain = system.symmetries()->fingerprint(slot, value, marks);
    row.marks = block.get();
    const std::uint64_t salt = scramble(table_of[slot] + 1);
    for (std::size_t m = 0; m < members; ++m) {
      for (std::size_t k = 0; k < member_slots[m].size(); ++k) {
        const std::uint64_t mark = marks[member_slots[m][k]];
        if (mark == 0) continue;
        row.mentioned |= std::uint64_t{1} << m;
        row.marks[m] += scramble(mark + salt * (k + 1));
      }
    }
    if (images != 0 && row.mentioned != 0) row.images = reinterpret_cast<std::uint32_t*>(block.get() + stride);
    std::lock_guard lock(mutex);
    if (const Row* known = entry.load(std::memory_order_acquire); known != nullptr) return *known;
    kept.push_back(std::move(block));
    kept_rows.push_back(std::make_unique<Row>(row));
    row_bytes.fetch_add(sizeof(Row) + (stride + (images + 1) / 2) * sizeof(std::uint64_t), std::memory_order_relaxed);
    entry.store(kept_rows.back().get(), std::memory_order_release);
    return *kept_rows.back();
  }

  static std::uint64_t* no_marks() {
    static Members zeros{};
    return zeros.data();
  }

  const TransitionSystem& system;
  const Options options;
  std::size_t slots = 0, members = 0, stride = 0;
  std::uint32_t images = 0;  // length of Row::images
  std::vector<SymmetryClass> classes;
  std::vector<std::size_t> class_begin;  // members are numbered class by class
  std::vector<std::vector<std::uint32_t>> member_slots;
  std::vector<std::size_t> table_of;     // by slot
  std::vector<std::uint32_t> looked_at;  // slots that may mention members
  std::vector<std::uint32_t> identity;
  std::vector<std::uint32_t> exchanges;  // renamings of two members
  std::vector<ReservedArray<const Row*>> rows;
  std::mutex mutex;
  std::vector<std::unique_ptr<std::uint64_t[]>> kept;
  std::vector<std::unique_ptr<Row>> kept_rows;
  std::atomic<std::size_t> row_bytes{0};
  std::atomic<bool> exact{true};
};

class Symmetry::Search final : public Canonicalizer {
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
        return;
      }
    }
    if (const std::uint64_t moved = places_from_order(); moved != 0) replace(state, moved);
  }

 private:
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
    return static_cast<std::uint64_t>(product + 0.5);
  }

  // --- Applying an order.

  // Sets place_ from order_; returns which members move.
  std::uint64_t places_from_order() {
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < t_.members; ++i) {
      place_[order_[i]] = static_cast<std::uint8_t>(i);
      if (order_[i] != i) moved |= std::uint64_t{1} << i;
    }
    return moved;
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
  }

  void replace(SlotVector& state, std::uint64_t moved) {
    image(state, moved, image_);
    if (checker_ && (++renamed_ <= first_checks || renamed_ % t_.options.check_every == 0)) check(state, image_);
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
