// A door for tests: threads with registers over shared cells and locks, sequentially consistent. Every instruction is
// one step.
//
//   using enum Instruction::Op;
//   // r0 = x0; assert r0 != 1   ||   x0 = 1
//   Program p{.threads = {{{Load, 0, 0}, {Assert, 0, 0, 1}}, {{Store, 0, 0, 1}}}};
//   ThreadSystem system(p);
//
// It has the core of a TransitionSystem, Events and Threads, and nothing else: an engine that needs more has to say so.
// Any list of instructions is a program: jumps beyond an end go to that end, values are taken modulo their number, and
// an unlock by a thread that does not hold the lock does nothing. Backward jumps cost fuel, so that programs end,
// unless they spin.
//
// A failed assertion ends its thread, stays in the failure slot, and makes the property of assertions false.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "core/coverage.h"
#include "core/facets/describer.h"
#include "core/facets/events.h"
#include "core/facets/threads.h"
#include "core/failure_properties.h"
#include "core/transition_system.h"
#include "support/long_run.h"  // heddle::testing beside GoogleTest's

namespace heddle::testing {

struct Instruction {
  enum class Op : std::uint8_t {
    Load,           // reg = cell
    Store,          // cell = value
    StoreRegister,  // cell = reg + value
    Add,            // cell += value
    Cas,            // if cell == value { cell = reg; reg = 1 } else reg = 0
    Lock,           // waits
    TryLock,        // reg = 1 if it could be taken, 0 otherwise
    Unlock,
    Choose,   // reg = 0, 1, ...
    Skip,     // if reg == value, over the next `distance` instructions
    Back,     // if reg != value, `distance` instructions back
    Assert,   // reg != value
    Private,  // does nothing that others could see
    Spawn,    // starts thread `target`, unless it has been started
  };
  Op op = Op::Load;
  std::uint32_t target = 0;    // a cell, a lock or a thread
  std::uint32_t reg = 0;       // the register that is read or written
  std::uint32_t value = 0;     // stored, added, compared with or chosen below
  std::uint32_t distance = 1;  // of a jump
};

struct Program {
  static constexpr std::uint32_t registers = 2;
  std::vector<std::vector<Instruction>> threads;
  std::uint32_t cells = 2, locks = 2, values = 3;  // at most 8 values
  std::uint32_t fuel = 2;                          // backward jumps of one thread
  std::uint32_t asleep = 0;                        // so many threads, the last ones, wait to be spawned
  bool spins = false;                              // backward jumps cost nothing: the program may have cycles
  bool watches_in_passing = false;                 // with properties of states on the way
  std::uint32_t wanted = 1;                        // a value that properties are about
};

inline std::string text_of(const Program& p, const Instruction& i) {
  const std::string r = "r" + std::to_string(i.reg % Program::registers);
  const std::string cell = "x" + std::to_string(i.target % p.cells);
  const std::string mutex = "m" + std::to_string(i.target % p.locks);
  const std::string v = std::to_string(i.value % p.values), d = std::to_string(i.distance);
  switch (i.op) {
    case Instruction::Op::Load:
      return r + " = " + cell;
    case Instruction::Op::Store:
      return cell + " = " + v;
    case Instruction::Op::StoreRegister:
      return cell + " = " + r + " + " + v;
    case Instruction::Op::Add:
      return cell + " += " + v;
    case Instruction::Op::Cas:
      return r + " = cas(" + cell + ", " + v + ", " + r + ")";
    case Instruction::Op::Lock:
      return "lock " + mutex;
    case Instruction::Op::TryLock:
      return r + " = try_lock " + mutex;
    case Instruction::Op::Unlock:
      return "unlock " + mutex;
    case Instruction::Op::Choose:
      return r + " = choose";
    case Instruction::Op::Skip:
      return "if " + r + " == " + v + " skip " + d;
    case Instruction::Op::Back:
      return "if " + r + " != " + v + " back " + d;
    case Instruction::Op::Assert:
      return "assert " + r + " != " + v;
    case Instruction::Op::Private:
      return "private";
    case Instruction::Op::Spawn:
      return "spawn " + std::to_string(i.target % p.threads.size());
  }
  return "";
}

inline std::ostream& operator<<(std::ostream& out, const Program& p) {
  for (const auto& thread : p.threads) {
    out << "{ ";
    for (const Instruction& i : thread) out << text_of(p, i) << "; ";
    out << "} ";
  }
  return out << "fuel " << p.fuel << " wanted " << p.wanted << (p.watches_in_passing ? " watched" : "")
             << (p.spins ? " spins" : "") << (p.asleep > 0 ? " asleep " + std::to_string(p.asleep) : "");
}

class ThreadSystem final : public TransitionSystem, private Describer, private Events, private Threads {
 public:
  explicit ThreadSystem(Program program) : program_(std::move(program)) {
    for (const auto& thread : program_.threads) {
      first_.push_back(transitions_);
      transitions_ += static_cast<std::uint32_t>(thread.size());
    }
    properties_ = {{assertion_property, Property::Kind::Always},
                   {"threads end", Property::Kind::DeadlockFree},
                   {"x0 finally", Property::Kind::Finally}};
    if (!program_.watches_in_passing) return;
    properties_.push_back({"x0 and x1 meet", Property::Kind::Sometimes});
    properties_.push_back({"x0 and x1 differ", Property::Kind::Always});
  }

  std::vector<SlotVector> initial_states() const override {
    SlotVector state(failure_slot() + 1, 1);
    for (std::uint32_t t = 0; t < count(); ++t) {
      Local local(0, program_.fuel);
      local.asleep = sleeps_first(t);
      state[t] = local.slot();
    }
    return {state};
  }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    for (std::uint32_t t = 0; t < count(); ++t) steps_of(state, t, out);
  }
  bool execute(std::span<const Slot> state, Step step, SlotVector& to) const override {
    if (step.transition >= transitions_) return false;
    StepBuffer steps;
    steps_of(state, thread_of(step), steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps.step(i) != step) continue;
      to = apply_changes(state, steps.changes(i));
      return true;
    }
    return false;
  }
  std::uint32_t transition_count() const override { return transitions_; }
  std::string transition_name(std::uint32_t transition) const override {
    const std::uint32_t t = thread_of({transition, 0});
    const std::uint32_t at = transition - first_[t];
    return std::to_string(t) + "." + std::to_string(at) + " " + text_of(program_, program_.threads[t][at]);
  }
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override {
    const std::uint32_t t = thread_of(step);
    const Action action = act(state, t, step.detail);
    out.push_back({t, Access::Kind::Write});
    out.insert(out.end(), action.accesses.begin(), action.accesses.end());
  }
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t) const override {
    const std::uint32_t x = cell(state, 0), y = cell(state, 1);
    bool ended = true;
    for (std::uint32_t t = 0; t < count(); ++t) ended &= Local(state[t]).asleep || at_end(Local(state[t]), t);
    const bool truth[] = {state[failure_slot()] == 1, ended, x != program_.wanted, x == program_.wanted && y == x,
                          x != y || x == 0};
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < properties_.size(); ++i) bits |= std::uint64_t{truth[i]} << i;
    return bits;
  }
  std::size_t bytes() const override { return 0; }
  const Describer& describer() const override { return *this; }
  const Events* events() const override { return this; }
  const Threads* threads() const override { return this; }

  const Program& program() const { return program_; }

 private:
  // The state of a thread, which is the whole of its slot.
  struct Local {
    std::uint32_t at = 0, fuel = 0;
    std::uint32_t registers[Program::registers] = {};
    bool failed = false, asleep = false;
    explicit Local(std::uint32_t at_, std::uint32_t fuel_) : at(at_), fuel(fuel_) {}
    explicit Local(Slot s)
        : at((s - 1) & 0xFF),
          fuel((s - 1) >> 8 & 0xF),
          failed(((s - 1) >> 16 & 1) != 0),
          asleep(((s - 1) >> 31 & 1) != 0) {
      for (std::uint32_t r = 0; r < Program::registers; ++r) registers[r] = (s - 1) >> (17 + 3 * r) & 7;
    }
    Slot slot() const {
      Slot s = at | fuel << 8 | (failed ? 1u : 0u) << 16 | (asleep ? 1u : 0u) << 31;
      for (std::uint32_t r = 0; r < Program::registers; ++r) s |= registers[r] << (17 + 3 * r);
      return s + 1;
    }
  };
  // The effects of one step of a thread.
  struct Action {
    Local next;
    std::vector<Change> changes;   // of other slots than its own
    std::vector<Access> accesses;  // to other slots than its own
    bool blocked = false, safe = false, disables_others = false;
    explicit Action(const Local& local) : next(local) {}
  };

  std::uint32_t count() const { return static_cast<std::uint32_t>(program_.threads.size()); }
  bool sleeps_first(std::uint32_t t) const { return t + std::min(program_.asleep, count() - 1) >= count(); }
  std::uint32_t cell_slot(std::uint32_t target) const { return count() + target % program_.cells; }
  std::uint32_t lock_slot(std::uint32_t target) const { return count() + program_.cells + target % program_.locks; }
  std::uint32_t failure_slot() const { return count() + program_.cells + program_.locks; }
  std::uint32_t cell(std::span<const Slot> state, std::uint32_t target) const { return state[cell_slot(target)] - 1; }
  bool at_end(const Local& local, std::uint32_t t) const {
    return local.failed || local.at >= program_.threads[t].size();
  }
  std::uint32_t thread_of(Step step) const {
    std::uint32_t t = 0;
    while (t + 1 < count() && first_[t + 1] <= step.transition) ++t;
    return t;
  }
  std::uint32_t choices(const Instruction& i) const {
    return i.op == Instruction::Op::Choose ? i.value % (program_.values - 1) + 2 : 1;
  }

  // REQUIRES: the thread has not ended.
  Action act(std::span<const Slot> state, std::uint32_t t, std::uint32_t choice) const {
    using enum Instruction::Op;
    const Local local(state[t]);
    const Instruction& i = program_.threads[t][local.at];
    Action a(local);
    a.next.at = local.at + 1;
    std::uint32_t& reg = a.next.registers[i.reg % Program::registers];
    const std::uint32_t value = i.value % program_.values;
    const std::uint32_t data = cell_slot(i.target), mutex = lock_slot(i.target);
    const auto write = [&](std::uint32_t slot, Slot content) {
      a.accesses.push_back({slot, Access::Kind::Write});
      a.changes.push_back({slot, content});
    };
    const auto read = [&](std::uint32_t slot) { a.accesses.push_back({slot, Access::Kind::Read}); };
    // Nobody begins before being spawned.
    if (local.at == 0 && sleeps_first(t)) read(t);
    switch (i.op) {
      case Load:
        read(data);
        reg = cell(state, i.target);
        break;
      case Store:
        write(data, value + 1);
        break;
      case StoreRegister:
        write(data, (reg + value) % program_.values + 1);
        break;
      case Add:
        write(data, (cell(state, i.target) + value) % program_.values + 1);
        break;
      case Cas:
        // A compare-and-swap that fails has only read.
        if (cell(state, i.target) == value) {
          write(data, reg + 1);
          reg = 1;
        } else {
          read(data);
          reg = 0;
        }
        break;
      case Lock:
        a.blocked = state[mutex] != 1;
        if (a.blocked) {
          read(mutex);
        } else {
          write(mutex, t + 2);
          a.disables_others = true;
        }
        break;
      case TryLock:
        if (state[mutex] == 1) {
          write(mutex, t + 2);
          a.disables_others = true;
          reg = 1;
        } else {
          read(mutex);
          reg = 0;
        }
        break;
      case Unlock:
        // Nobody but the holder changes who holds it.
        if (state[mutex] == t + 2) write(mutex, 1);
        a.safe = a.changes.empty();
        break;
      case Spawn:
        if (Local child(state[i.target % count()]); child.asleep) {
          child.asleep = false;
          write(i.target % count(), child.slot());
        } else {
          read(i.target % count());
        }
        break;
      case Instruction::Op::Private:
        a.safe = true;
        break;
      case Choose:
        reg = choice;
        a.safe = true;
        break;
      case Skip:
        if (reg == value) a.next.at += i.distance;
        a.safe = true;
        break;
      case Back:
        if (reg != value && (program_.spins || local.fuel > 0)) {
          a.next.at = local.at - std::min(local.at, i.distance);
          if (!program_.spins) --a.next.fuel;
        }
        a.safe = true;
        break;
      case Assert:
        a.safe = reg != value;
        if (reg == value) {
          a.next = local;
          a.next.failed = true;
          a.accesses.push_back({failure_slot(), Access::Kind::Append});
          a.changes.push_back({failure_slot(), ((state[failure_slot()] - 1) | 1u << t) + 1});
        }
        break;
    }
    a.next.at = std::min(a.next.at, static_cast<std::uint32_t>(program_.threads[t].size()));
    return a;
  }

  // Events
  void effects(std::span<const Slot> state, Step step, Effects& out) const override {
    out = {};
    out.process = thread_of(step);
    out.label = std::uint64_t{step.transition} << 32 | step.detail;
    footprint(state, step, out.accesses);
    out.disables_others = act(state, out.process, step.detail).disables_others;
  }
  bool steps_of(std::span<const Slot> state, std::uint32_t t, StepBuffer& out) const override {
    const Local local(state[t]);
    if (local.asleep || at_end(local, t)) return true;
    for (std::uint32_t choice = 0; choice < choices(program_.threads[t][local.at]); ++choice) {
      const Action a = act(state, t, choice);
      if (a.blocked) break;
      out.begin({first_[t] + local.at, choice});
      if (a.next.slot() != state[t]) out.change(t, a.next.slot());
      for (const Change& c : a.changes) out.change(c.slot, c.value);
    }
    return true;
  }
  // Threads
  std::uint32_t thread_count(std::span<const Slot>) const override { return count(); }
  bool pending(std::span<const Slot> state, std::uint32_t t, PendingAction& out) const override {
    out = {};
    const Local local(state[t]);
    if (local.asleep || at_end(local, t)) return false;
    const Action a = act(state, t, 0);
    out = {.steps = {},
           .accesses = a.accesses,
           .blocked = a.blocked,
           .safe = a.safe,
           .disables_others = a.disables_others};
    if (a.blocked) return true;
    for (std::uint32_t choice = 0; choice < choices(program_.threads[t][local.at]); ++choice)
      out.steps.push_back({first_[t] + local.at, choice});
    return true;
  }
  std::uint64_t local_state(std::span<const Slot> state, std::uint32_t t) const override { return state[t]; }
  // Describer
  std::vector<trace::Lane> lanes() const override {
    std::vector<trace::Lane> out;
    for (std::uint32_t t = 0; t < count(); ++t) {
      const std::string name = "thread " + std::to_string(t);
      out.push_back({name, "Thread", name});
    }
    out.push_back({"memory", "Memory", "memory"});
    return out;
  }
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override {
    std::vector<trace::Field> out;
    for (std::uint32_t t = 0; t < count(); ++t) {
      const Local local(state[t]);
      out.push_back({t, "at", std::to_string(local.at)});
      out.push_back({t, "fuel", std::to_string(local.fuel)});
      out.push_back({t, "failed", local.failed ? "true" : "false"});
      out.push_back({t, "asleep", local.asleep ? "true" : "false"});
      for (std::uint32_t r = 0; r < Program::registers; ++r)
        out.push_back({t, "r" + std::to_string(r), std::to_string(local.registers[r])});
    }
    for (std::uint32_t c = 0; c < program_.cells; ++c)
      out.push_back({count(), "x" + std::to_string(c), std::to_string(cell(state, c))});
    for (std::uint32_t l = 0; l < program_.locks; ++l) {
      const Slot holder = state[lock_slot(l)];
      out.push_back({count(), "m" + std::to_string(l), holder == 1 ? "null" : std::to_string(holder - 2)});
    }
    return out;
  }
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override {
    trace::Step out;
    out.lane = thread_of(step);
    out.name = transition_name(step.transition);
    if (choices(program_.threads[out.lane][step.transition - first_[out.lane]]) > 1)
      out.choice = "[" + std::to_string(step.detail) + "]";
    const auto before = describe_state(from), after = describe_state(to);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].value != after[i].value)
        out.diffs.push_back({before[i].lane, before[i].name, before[i].value, after[i].value});
    }
    return out;
  }
  std::vector<trace::Field> describe_property(std::size_t, std::span<const Slot> state) const override {
    return describe_state(state);
  }
  Coverage coverage(std::span<const std::uint64_t> executed, bool) const override {
    return coverage_by_transition(*this, executed);
  }

  Program program_;
  std::vector<std::uint32_t> first_;  // of the transitions of a thread
  std::uint32_t transitions_ = 0;
  std::vector<Property> properties_;
};

}  // namespace heddle::testing
