// Sets: add, remove, contains; values may come and go any number of times. And mutexes, which are sets of one value.
//
// Values do not influence each other, so each value has its history: it is in or out. An add that returned true moves
// it in, an add that returned false saw it in. A remove moves it out or saw it out, likewise. A contains only sees.
// (Abdulla, Grahn, Jonsson, Krishna and Mishra, PLDI 2025, show that sets need no distinct values; the method here is
// ours.) It is lazy: go through the events in time, and move only when an operation is about to return that
// cannot be explained otherwise, with the move that is due first. Moving later never hurts, since every move that is
// possible now and not yet due is possible then; and a pending pair of moves, in and out, can happen at any moment.
// O(n log n).
//
// Operations of unknown outcome: a contains says nothing; an add may have moved the value in once, at any time, or
// not at all, so it is a move that is never due. The answer is complete. There is no answer for histories with an add
// or remove that does not say whether it changed the set (any result but true and false), or with other operations.
#include <algorithm>
#include <array>
#include <queue>

#include <fmt/format.h>

#include "check/monitors/monitors.h"

namespace heddle::monitors {
namespace {

// What an operation does to its value, or knows of it. Moves are used in this order.
enum class Part : std::uint8_t { Move, Maybe, See };

struct Step {
  Value value;
  std::uint32_t operation, invoked, returned;
  bool in;  // the side moved to or seen
  Part part;
};

// Returns nothing for an operation that says nothing about any value. Sets `applies` to false if the monitor does not
// apply to a history with this operation.
std::optional<Step> step(const Input& input, std::uint32_t index, bool mutex, bool& applies) {
  const ValueTable& values = input.history.values;
  const RecordedOperation& op = input.history.operations[index];
  const Role role = input.roles[op.function];
  const bool unknown = op.outcome == Outcome::Unknown;
  if (op.outcome == Outcome::Failed || (unknown && role == Role::Look)) return {};
  const bool boolean = !unknown && values.kind(op.result) == ValueTable::Kind::Boolean;
  if (role == Role::Other || (!unknown && !boolean && !mutex)) {
    applies = false;
    return {};
  }
  Step out{mutex ? nil : op.argument, index, op.invoked, op.returned, role == Role::Insert, Part::Maybe};
  if (role == Role::Look) {
    out.part = Part::See;
    out.in = values.as_boolean(op.result);
  } else if (boolean) {
    // An add that returned false saw it in; the side is the same as for true.
    out.part = values.as_boolean(op.result) ? Part::Move : Part::See;
  } else if (!unknown) {
    out.part = Part::Move;  // a mutex that answers neither true nor false has done it
  }
  return out;
}

// Plays the history of one value.
class Member {
 public:
  // `bytes`: what the caller holds.
  Member(Budget& budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {}

  // Returns the first operation that cannot be explained, as a position in `steps`; nothing if all can.
  // REQUIRES: `steps` are in the order of invocation.
  std::optional<std::size_t> stuck(std::span<const Step> steps) {
    in_ = false;
    left_ = {-1, -1};
    moves_ = {};
    forced_.assign(steps.size(), false);
    known_ = {};
    used_.assign(steps.size(), false);
    returns_.clear();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].returned != never) returns_.emplace_back(steps[i].returned, i);
    }
    std::ranges::sort(returns_);
    std::size_t next = 0;
    for (const auto& [now, i] : returns_) {
      if (++steps_taken_ % 8192 == 0 && !budget_.check(bytes_ + steps.size() * (sizeof(Choice) + 20))) return {};
      for (; next < steps.size() && steps[next].invoked < now; ++next) {
        const Step& step = steps[next];
        if (step.part == Part::See) continue;
        moves_[step.in ? 1 : 0].push({step.part, step.returned, next});
      }
      const Step& step = steps[i];
      if (used_[i]) continue;
      if (step.part == Part::Move) {
        if (in_ == step.in && !move(!step.in, now, i)) return i;
        if (!move(step.in, now, i)) return i;
      } else if (in_ != step.in && left_[step.in ? 1 : 0] < std::int64_t{step.invoked}) {
        if (!move(step.in, now, i)) return i;
      }
      if (none_pending(now)) known_ = {now, in_ ? std::optional(mover_) : std::nullopt};
    }
    return {};
  }

  // Of the last play: true if a step was used as a move or made a move necessary.
  bool needed(std::size_t i) const { return used_[i] || forced_[i]; }
  // The last time at which no move was pending, so that the side was certain; and the step that had moved the value
  // in, if it was in.
  struct Known {
    std::uint32_t time = 0;
    std::optional<std::size_t> mover;
  };
  const Known& known() const { return known_; }
  bool in() const { return in_; }

 private:
  struct Choice {
    Part part;
    std::uint32_t due;
    std::size_t step;
    bool operator>(const Choice& other) const { return std::tie(part, due) > std::tie(other.part, other.due); }
  };

  bool none_pending(std::uint32_t now) {
    for (auto& moves : moves_) {
      while (!moves.empty() && moves.top().due < now) moves.pop();
    }
    return moves_[0].empty() && moves_[1].empty();
  }

  bool move(bool in, std::uint32_t now, std::size_t cause) {
    auto& moves = moves_[in ? 1 : 0];
    while (!moves.empty() && moves.top().due < now) moves.pop();
    if (moves.empty()) return false;
    mover_ = moves.top().step;
    used_[mover_] = true;
    moves.pop();
    forced_[cause] = true;
    left_[in_ ? 1 : 0] = now;
    in_ = in;
    return true;
  }

  Budget& budget_;
  std::size_t bytes_;
  std::size_t steps_taken_ = 0;
  bool in_ = false;
  std::array<std::int64_t, 2> left_{};  // when the value last left the side out, in; -1: never
  std::array<std::priority_queue<Choice, std::vector<Choice>, std::greater<>>, 2> moves_;
  std::vector<bool> used_, forced_;
  Known known_;
  std::size_t mover_ = 0;
  std::vector<std::pair<std::uint32_t, std::size_t>> returns_;
};

std::string reason(const Input& input, const Step& step, bool in, bool mutex) {
  const RecordedOperation& op = input.history.operations[step.operation];
  const auto json = [&](Value value) { return input.history.values.json(value); };
  const std::string_view when = step.part == Part::Move ? "already" : "the whole time";
  const std::string& function = input.history.functions[op.function];
  if (mutex) {
    return fmt::format("{} returned {}, but the mutex was {} {}: no {} is left that can have happened by then",
                       function, json(op.result), in ? "held" : "free", when, in ? "release" : "acquire");
  }
  return fmt::format(
      "{} of {} returned {}, but {} was {} the set {}: no {} of it is left that can have happened by then", function,
      json(op.argument), json(op.result), json(op.argument), in ? "in" : "not in", when, in ? "remove" : "add");
}

// Returns the operations needed to see that `steps` are wrong.
std::vector<std::uint32_t> culprits(std::span<const Step> steps, Member& member, std::size_t stuck) {
  // A step that only saw the value and forced no move is not needed. Adds and removes are needed even if they were not
  // used: the rest alone would not show that no such move is left.
  const auto since = [&](std::uint32_t time, std::optional<std::size_t> before) {
    std::vector<Step> kept;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool within = steps[i].invoked < steps[stuck].returned && steps[i].returned > time;
      if (i == before || (within && (steps[i].part != Part::See || i == stuck || member.needed(i))))
        kept.push_back(steps[i]);
    }
    return kept;
  };
  std::vector<Step> needed = since(0, {});
  // Usually it is enough to begin at the last moment at which it was certain whether the value was in.
  if (needed.size() > 3) {
    std::vector<Step> fewer = since(member.known().time, member.known().mover);
    if (member.stuck(fewer)) needed = std::move(fewer);
  }
  for (std::size_t i = 0; i < needed.size() && needed.size() <= 100;) {
    std::vector<Step> fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (needed[i].part == Part::See && member.stuck(fewer)) {
      needed = std::move(fewer);
    } else {
      ++i;
    }
  }
  std::vector<std::uint32_t> out;
  for (const Step& step : needed) out.push_back(step.operation);
  std::ranges::sort(out);
  return out;
}

std::optional<MonitorResult> check_set_or_mutex(const Input& input, bool mutex) {
  std::vector<Step> steps;
  steps.reserve(input.part.size());
  bool applies = true;
  for (const std::uint32_t index : input.part) {
    if (const auto next = step(input, index, mutex, applies)) steps.push_back(*next);
    if (!applies) return std::nullopt;
  }
  std::ranges::stable_sort(steps, {}, &Step::value);
  Member member(input.budget, steps.capacity() * sizeof(Step));
  for (auto begin = steps.begin(); begin != steps.end();) {
    const auto end = std::find_if(begin, steps.end(), [&](const Step& each) { return each.value != begin->value; });
    const std::span<const Step> own(begin, end);
    const auto stuck = member.stuck(own);
    if (input.budget.stopped() != Budget::Stop::None) return MonitorResult{Verdict::Unknown, {}, {}};
    if (stuck) {
      const std::string why = reason(input, own[*stuck], member.in(), mutex);
      return MonitorResult{Verdict::Violated, culprits(own, member, *stuck), why};
    }
    begin = end;
  }
  return MonitorResult{Verdict::Holds, {}, {}};
}

}  // namespace

std::optional<MonitorResult> check_set(const Input& input) { return check_set_or_mutex(input, false); }
std::optional<MonitorResult> check_mutex(const Input& input) { return check_set_or_mutex(input, true); }

}  // namespace heddle::monitors
