// Fits a tree to a sample of states: joins those clusters of slots that have the fewest combinations together.
#include "core/tree_shape.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

namespace heddle {
namespace {

constexpr std::uint32_t most_clustered = 64;  // slots that change; with more, finding a shape would take too long

// Cuts ranges of `row` recursively at middle(begin, end). A node is numbered after both its children.
template <class Middle>
TreeShape cut(std::span<const std::uint32_t> row, Middle&& middle) {
  TreeShape shape;
  shape.leaves = static_cast<std::uint32_t>(row.size());
  shape.parent.resize(shape.leaves);
  const auto cut_range = [&](auto&& self, std::uint32_t begin, std::uint32_t end) -> std::uint32_t {
    if (end - begin == 1) return row[begin];
    const std::uint32_t at = middle(begin, end);
    assert(begin < at && at < end);
    const std::uint32_t left = self(self, begin, at);
    const std::uint32_t right = self(self, at, end);
    const std::uint32_t node = shape.nodes();
    shape.left.push_back(left);
    shape.right.push_back(right);
    shape.parent.push_back(node);
    shape.parent[left] = shape.parent[right] = node;
    return node;
  };
  if (!row.empty()) cut_range(cut_range, 0, shape.leaves);
  shape.sibling.resize(shape.nodes());
  for (std::uint32_t i = 0; i < shape.left.size(); ++i) {
    shape.sibling[shape.left[i]] = shape.right[i];
    shape.sibling[shape.right[i]] = shape.left[i] | TreeShape::left_sibling;
  }
  return shape;
}

std::uint32_t half(std::uint32_t begin, std::uint32_t end) { return begin + (end - begin + 1) / 2; }

// Which states of the sample agree on some slots: those with the same number.
struct Agreement {
  std::vector<std::uint32_t> number;
  std::uint32_t count = 0;

  // A sample of n that shows n combinations may come from any number of them. The fewer repetitions, the higher the
  // estimate.
  double combinations() const {
    const auto seen = static_cast<double>(count);
    return seen / (1.02 - seen / static_cast<double>(number.size()));
  }
};

// Numbers combinations, by a hash table that is emptied in one step.
class Numbering {
 public:
  explicit Numbering(std::size_t most) : table_(std::bit_ceil(4 * most)) {}

  Agreement both(const Agreement& a, const Agreement& b) {
    Agreement out;
    number(a.number.size(), [&](std::size_t i) { return std::uint64_t{a.number[i]} << 32 | b.number[i]; }, out);
    return out;
  }
  Agreement slot(std::span<const SlotVector> sample, std::uint32_t slot) {
    Agreement out;
    number(sample.size(), [&](std::size_t i) { return std::uint64_t{sample[i][slot]}; }, out);
    return out;
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t round, number;
  };
  template <class KeyOf>
  void number(std::size_t count, KeyOf&& key_of, Agreement& out) {
    ++round_;
    out.number.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t key = key_of(i);
      std::size_t at = (key * 0x9E3779B97F4A7C15u >> 20) & (table_.size() - 1);
      while (table_[at].round == round_ && table_[at].key != key) at = (at + 1) & (table_.size() - 1);
      if (table_[at].round != round_) table_[at] = {key, round_, out.count++};
      out.number[i] = table_[at].number;
    }
  }

  std::vector<Entry> table_;
  std::uint32_t round_ = 0;
};

// Clusters of slots are joined two by two, always those that have the fewest combinations together. Slots that were
// joined early are neighbours.
std::vector<std::uint32_t> clustered(std::vector<std::uint32_t> slots, std::vector<Agreement> agreements,
                                     Numbering& numbering) {
  struct Cluster {
    std::vector<std::uint32_t> slots;
    Agreement agreement;
  };
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < slots.size(); ++i) clusters.push_back({{slots[i]}, std::move(agreements[i])});
  // joint[i][j], j < i: how many combinations clusters i and j have together.
  std::vector<std::vector<std::uint32_t>> joint(clusters.size());
  const auto measure = [&](std::size_t i, std::size_t j) {
    return numbering.both(clusters[i].agreement, clusters[j].agreement).count;
  };
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) joint[i].push_back(measure(i, j));
  }
  while (clusters.size() > 1) {
    std::size_t a = 1, b = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (joint[i][j] < joint[a][b]) a = i, b = j;
      }
    }
    clusters[b].agreement = numbering.both(clusters[b].agreement, clusters[a].agreement);
    clusters[b].slots.insert(clusters[b].slots.end(), clusters[a].slots.begin(), clusters[a].slots.end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(a));
    joint.erase(joint.begin() + static_cast<std::ptrdiff_t>(a));
    for (std::size_t i = a; i < joint.size(); ++i) joint[i].erase(joint[i].begin() + static_cast<std::ptrdiff_t>(a));
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      if (i != b) joint[std::max(i, b)][std::min(i, b)] = measure(i, b);
    }
  }
  return clusters.empty() ? std::vector<std::uint32_t>{} : clusters[0].slots;
}

// The cheapest tree over a row of slots.
class Cuts {
 public:
  // REQUIRES: at least one agreement; these are of the slots of the row.
  Cuts(const std::vector<Agreement>& row, Numbering& numbering)
      : length_(static_cast<std::uint32_t>(row.size())),
        levels_(length_ < 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(length_ - 1)) + 1),
        best_(levels_ + 1, std::vector(length_, std::vector<Best>(length_ + 1))) {
    std::vector combinations(length_, std::vector<double>(length_ + 1, 0));
    for (std::uint32_t begin = 0; begin < length_; ++begin) {
      Agreement range = row[begin];
      for (std::uint32_t end = begin + 1;; ++end) {
        combinations[begin][end] = range.combinations();
        if (end == length_) break;
        range = numbering.both(range, row[end]);
      }
    }
    for (std::uint32_t levels = 0; levels <= levels_; ++levels) {
      for (std::uint32_t size = 1; size <= length_; ++size) {
        for (std::uint32_t begin = 0; begin + size <= length_; ++begin) {
          const std::uint32_t end = begin + size;
          Best& b = best_[levels][begin][end];
          if (size == 1) b.cost = 0;
          if (size == 1 || levels == 0) continue;
          const double own = size == length_ ? 0 : combinations[begin][end];
          for (std::uint32_t middle = begin + 1; middle < end; ++middle) {
            const double cost = own + best_[levels - 1][begin][middle].cost + best_[levels - 1][middle][end].cost;
            if (cost < b.cost) b = {cost, middle};
          }
        }
      }
    }
  }

  double cost() const { return best_[levels_][0][length_].cost; }
  std::uint32_t levels() const { return levels_; }
  std::uint32_t middle(std::uint32_t levels, std::uint32_t begin, std::uint32_t end) const {
    return best_[levels][begin][end].middle;
  }

 private:
  struct Best {
    double cost = std::numeric_limits<double>::infinity();
    std::uint32_t middle = 0;
  };

  std::uint32_t length_, levels_;
  std::vector<std::vector<std::vector<Best>>> best_;  // of at most so many levels of inner nodes, begin, end
};

}  // namespace

TreeShape balanced_shape(std::uint32_t leaves) {
  std::vector<std::uint32_t> row(leaves);
  std::iota(row.begin(), row.end(), 0);
  return cut(row, half);
}

TreeShape fitted_shape(std::uint32_t leaves, std::span<const SlotVector> sample) {
  assert(std::ranges::all_of(sample, [&](const SlotVector& state) { return state.size() == leaves; }));
  Numbering numbering(sample.size());
  std::vector<std::uint32_t> row, constant;
  for (std::uint32_t slot = 0; slot < leaves; ++slot) {
    (numbering.slot(sample, slot).count > 1 ? row : constant).push_back(slot);
  }
  const auto changing = static_cast<std::uint32_t>(row.size());
  if (changing < 2 || changing > most_clustered) {
    row.insert(row.end(), constant.begin(), constant.end());
    return changing == 0 ? balanced_shape(leaves) : cut(row, [&](std::uint32_t begin, std::uint32_t end) {
      return begin < changing && end > changing ? changing : half(begin, end);
    });
  }
  const auto agreements_of = [&](const std::vector<std::uint32_t>& slots) {
    std::vector<Agreement> out;
    for (const std::uint32_t slot : slots) out.push_back(numbering.slot(sample, slot));
    return out;
  };
  // The slot with fewer values comes first: it gets a neighbour, below.
  const auto turn = [&](std::vector<std::uint32_t>& slots) {
    if (numbering.slot(sample, slots.front()).count > numbering.slot(sample, slots.back()).count) {
      std::ranges::reverse(slots);
    }
  };
  std::vector<std::uint32_t> other_row = clustered(row, agreements_of(row), numbering);
  turn(row);
  turn(other_row);
  Cuts cuts(agreements_of(row), numbering);
  if (Cuts other(agreements_of(other_row), numbering); other.cost() < cuts.cost()) {
    cuts = std::move(other);
    row = std::move(other_row);
  }
  // What does not change hangs beside the first slot of the row: a pair of the two is as good as the slot alone.
  row.insert(row.begin(), constant.begin(), constant.end());
  const auto fixed = static_cast<std::uint32_t>(constant.size());
  // Ranges are cut from the top down, so the levels left for a range are known when it is cut.
  std::vector<std::uint32_t> levels_left(std::size_t{changing} * (changing + 1), 0);
  levels_left[changing] = cuts.levels();
  return cut(row, [&](std::uint32_t begin, std::uint32_t end) {
    if (end <= fixed) return half(begin, end);
    if (begin < fixed && end == fixed + 1) return fixed;
    const std::uint32_t from = begin < fixed ? 0 : begin - fixed, to = end - fixed;
    const std::uint32_t levels = levels_left[from * (changing + 1) + to];
    const std::uint32_t middle = cuts.middle(levels, from, to);
    levels_left[from * (changing + 1) + middle] = levels_left[middle * (changing + 1) + to] = levels - 1;
    return fixed + middle;
  });
}

}  // namespace heddle
