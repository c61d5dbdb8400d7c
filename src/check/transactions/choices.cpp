// A small solver: two watched literals for each clause, first unique implication points, and going back to them.
#include "check/transactions/choices.h"

#include <algorithm>
#include <utility>

namespace heddle::transactions {

std::uint32_t Choices::variable() {
  const auto variable = static_cast<std::uint32_t>(level_.size());
  level_.push_back(0);
  reason_.push_back(none);
  marked_.push_back(0);
  for (int i = 0; i < 2; ++i) {
    value_.push_back(0);
    before_.push_back(0);
    watches_.emplace_back();
  }
  return variable;
}

void Choices::add(std::vector<Literal> clause) {
  back_to(0);
  std::ranges::stable_sort(clause, {}, [this](Literal l) { return value_[l] < 0 ? 1 : 0; });
  const auto open = std::ranges::count_if(clause, [this](Literal l) { return value_[l] >= 0; });
  if (std::ranges::any_of(clause, [this](Literal l) { return value_[l] > 0; })) return;
  if (open == 0) {
    impossible_ = true;
  } else if (open == 1) {
    enqueue(clause.front(), none);
  } else {
    asked_.push_back(static_cast<std::uint32_t>(clauses_.size()));
    clauses_.push_back(std::move(clause));
    watch(asked_.back());
  }
}

void Choices::watch(std::uint32_t clause) {
  watches_[clauses_[clause][0]].push_back(clause);
  watches_[clauses_[clause][1]].push_back(clause);
}

bool Choices::solve() {
  back_to(0);
  looked_ = 0;
  while (!impossible_) {
    const std::uint32_t conflict = propagate();
    if (conflict != none) {
      if (!learn_from(conflict)) impossible_ = true;
    } else if (!decide()) {
      std::ranges::fill(before_, std::uint8_t{0});
      for (const Literal literal : trail_) before_[literal] = 1;
      return true;
    }
  }
  return false;
}

bool Choices::enqueue(Literal literal, std::uint32_t reason) {
  if (value_[literal] != 0) return value_[literal] > 0;
  value_[literal] = 1;
  value_[opposite(literal)] = -1;
  level_[literal >> 1] = level();
  reason_[literal >> 1] = reason;
  trail_.push_back(literal);
  return true;
}

// Returns a clause of which all literals are wrong, if there is one.
std::uint32_t Choices::propagate() {
  while (next_ < trail_.size()) {
    const Literal wrong = opposite(trail_[next_++]);
    std::vector<std::uint32_t>& watching = watches_[wrong];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < watching.size(); ++i) {
      const std::uint32_t number = watching[i];
      std::vector<Literal>& clause = clauses_[number];
      if (clause[0] == wrong) std::swap(clause[0], clause[1]);
      if (value_[clause[0]] <= 0) {
        const auto other = std::find_if(clause.begin() + 2, clause.end(), [this](Literal l) { return value_[l] >= 0; });
        if (other != clause.end()) {
          std::swap(clause[1], *other);
          watches_[clause[1]].push_back(number);
          continue;
        }
      }
      watching[kept++] = number;
      if (enqueue(clause[0], number)) continue;
      while (++i < watching.size()) watching[kept++] = watching[i];
      watching.resize(kept);
      return number;
    }
    watching.resize(kept);
  }
  return none;
}

// Resolves until one literal of the latest level is left: the first unique implication point.
bool Choices::learn_from(std::uint32_t conflict) {
  ++conflicts_;
  if (level() == 0) return false;
  std::vector<Literal> learned = {0};
  std::uint32_t pending = 0, back = 0;
  std::size_t at = trail_.size();
  std::vector<std::uint32_t> marked;
  Literal pivot = none;
  for (std::uint32_t reason = conflict;;) {
    for (const Literal literal : clauses_[reason]) {
      const std::uint32_t variable = literal >> 1;
      if (literal == pivot || marked_[variable] != 0 || level_[variable] == 0) continue;
      marked_[variable] = 1;
      marked.push_back(variable);
      if (level_[variable] == level()) {
        ++pending;
      } else {
        learned.push_back(literal);
        back = std::max(back, level_[variable]);
      }
    }
    do {
      pivot = trail_[--at];
    } while (marked_[pivot >> 1] == 0);
    if (--pending == 0) break;
    reason = reason_[pivot >> 1];
  }
  learned[0] = opposite(pivot);
  for (const std::uint32_t variable : marked) marked_[variable] = 0;
  back_to(back);
  if (learned.size() == 1) return enqueue(learned[0], none);
  // The second watch is of the level that is gone back to.
  const auto latest = std::max_element(learned.begin() + 1, learned.end(),
                                       [this](Literal a, Literal b) { return level_[a >> 1] < level_[b >> 1]; });
  std::swap(learned[1], *latest);
  clauses_.push_back(learned);
  const auto number = static_cast<std::uint32_t>(clauses_.size() - 1);
  watch(number);
  return enqueue(learned[0], number);
}

void Choices::back_to(std::uint32_t to) {
  if (level() <= to) return;
  const std::size_t begin = begins_[to];
  while (trail_.size() > begin) {
    value_[trail_.back()] = value_[opposite(trail_.back())] = 0;
    trail_.pop_back();
  }
  begins_.resize(to);
  next_ = begin;
  looked_ = 0;
}

bool Choices::satisfied(const std::vector<Literal>& clause) const {
  return std::ranges::any_of(clause, [this](Literal l) { return value_[l] > 0; });
}

// Chooses a literal of a clause that has none yet. Returns false if all have one.
bool Choices::decide() {
  for (; looked_ < asked_.size(); ++looked_) {
    const std::vector<Literal>& clause = clauses_[asked_[looked_]];
    if (satisfied(clause)) continue;
    const auto open = [this](Literal l) { return value_[l] == 0; };
    auto best = std::ranges::find_if(clause, [&](Literal l) { return open(l) && before_[l] != 0; });
    if (best == clause.end()) best = std::ranges::find_if(clause, open);
    begins_.push_back(trail_.size());
    enqueue(*best, none);
    return true;
  }
  return false;
}

}  // namespace heddle::transactions
