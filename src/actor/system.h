// The state of the actor door, shared by its files; actor_system.h says what it is for.
//
// Thread-safety: tables are lock-free or locked inside; everything else is fixed after construction.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "actor/actor_system.h"
#include "actor/history.h"
#include "actor/messages.h"
#include "actor/predicates.h"
#include "core/content_table.h"
#include "core/pair_map.h"
#include "core/reserved_array.h"

namespace heddle::actor {

using detail::ProcessInfo;
using detail::RoleInfo;
using detail::TransitionInfo;

// A process's slot: the number of the pair (local state, inbox) in its kind's table. `crashed` marks the local state.
inline constexpr std::uint32_t crashed = std::uint32_t{1} << 31;

// All processes with the same behaviour share their tables, so equal situations of different processes are equal numbers.
struct Kind {
  const RoleInfo* info;
  ContentTable locals;
  PairTable cells;
  PairMap received;  // (cell, message) -> cell after receiving; `blocked` if the channel is full
};
inline constexpr Slot blocked = ~Slot{0};

struct Send {
  std::uint32_t process;
  MessageNumber message;
};

enum class Special : std::uint8_t { Deliver, Lose, Duplicate, Crash, Recover, Byzantine };
inline constexpr std::uint32_t special_count = 6;

// What few outcomes have.
struct Extra {
  enum class Cost : std::uint8_t { None, Crash, Loss, Duplication };
  Cost cost = Cost::None;
  bool send_once = false;             // Byzantine: only where no copy is waiting
  bool crash_group = false;           // all co-located processes go down
  bool recover_group = false;         // ... and come back
  std::uint64_t senders = 0;          // processes whose messages it consumes, a bit each
  std::uint32_t next_ghost = 0;       // 0: unchanged
  std::vector<std::uint32_t> events;  // numbers in History
  std::vector<detail::Spawned> spawned;
  // For spawning steps, what still contains placeholders, and to whom replies go.
  std::vector<MessageNumber> consumed;
  std::string local_with_placeholders;
  std::vector<detail::Sent> sent_with_placeholders;
};

// One thing a process can do in its cell.
struct Outcome {
  Step step;
  Slot next;  // 0: the process is gone
  std::uint32_t send_count;
  const Send* sends;   // ascending in process; sends to oneself are in `next` already
  const Extra* extra;  // usually null
};

// What a handler does with given inputs, for one script of choices.
struct HandlerResult {
  std::uint32_t local = 0;
  std::string local_bytes;
  std::vector<detail::Sent> sent;
  std::vector<std::uint32_t> events;
  std::vector<detail::Spawned> spawned;
  std::vector<detail::HandlerCall::Chosen> choices;
  std::uint32_t ghost = 0;
  bool exited = false;
};

// An outcome with what explanations need.
struct DetailedOutcome {
  Outcome outcome{};
  std::vector<Send> sends;
  std::optional<Extra> extra;
  std::vector<std::uint32_t> consumed;  // inbox entries
  std::vector<detail::HandlerCall::Chosen> choices;
  std::int32_t transition = -1;  // index into the role's transitions, or -1
  Special special{};             // if transition < 0
};

class System final : public TransitionSystem {
 public:
  System(Model model, const ActorOptions& options);
  ~System() override;

  std::vector<SlotVector> initial_states() const override;
  void expand(std::span<const Slot> state, StepBuffer& out) const override;
  std::uint32_t transition_count() const override { return transition_count_; }
  std::string transition_name(std::uint32_t transition) const override;
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override;
  void effects(std::span<const Slot> state, Step step, Effects& out) const override;
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override;
  bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const override;
  std::size_t observed() const override { return predicates_->observed(); }
  std::vector<SymmetryClass> symmetry_classes() const override;
  SlotVector permute(std::span<const Slot> state, const Permutation& permutation) const override;
  std::vector<trace::Lane> lanes() const override;
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override;
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override;
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override;
  std::vector<std::string> growth() const override;
  std::size_t bytes() const override;

 private:
  friend class StateView;

  struct Process {
    const ProcessInfo* info;
    Kind* kind;
    Slot initial;
    std::uint32_t first_transition;
    bool byzantine;
    // Its outcomes by cell, and by (cell, ghost) for transitions that take the ghost variable.
    struct Entry {
      const Outcome* first;
      std::uint32_t count;
    };
    mutable ReservedArray<Entry> outcomes{most_cells};
    struct GhostMemo {
      PairMap numbers;
      std::atomic<std::uint32_t> used{0};
      ReservedArray<Entry> outcomes{most_cells};
    };
    std::unique_ptr<GhostMemo> with_ghost;
    // The effects of the outcomes, by (cell, ghost); only stateless searches ask.
    struct EffectsMemo {
      std::mutex mutex;
      std::unordered_map<std::uint64_t, std::vector<Effects>> lists;
    };
    std::unique_ptr<EffectsMemo> effects = std::make_unique<EffectsMemo>();
    static constexpr std::size_t most_cells = std::size_t{1} << 27;
  };

  // actor_system.cpp
  void check_switches() const;
  void take_first_step(std::uint32_t p, void (*run)(detail::HandlerCall&), SlotVector& state) const;
  void emit(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;
  void emit_extra(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;
  void emit_partitions(std::span<const Slot> state, StepBuffer& out) const;
  Slot receive(std::uint32_t q, Slot cell, MessageNumber message) const;
  std::span<const Outcome> outcomes(std::uint32_t p, Slot cell) const;
  std::span<const Outcome> known_or_computed(Process::Entry& entry, std::uint32_t p, Slot cell,
                                             std::optional<std::uint32_t> ghost) const;
  std::span<const Outcome> ghost_outcomes(std::uint32_t p, Slot cell, std::uint32_t ghost) const;
  Process::Entry keep(std::vector<DetailedOutcome> detailed) const;
  std::uint64_t process_bit(std::uint32_t p) const { return std::uint64_t{1} << (p & 63); }

  // outcomes.cpp
  std::vector<DetailedOutcome> compute_outcomes(std::uint32_t p, Slot cell, std::optional<std::uint32_t> ghost) const;
  void handler_outcomes(std::uint32_t p, Slot cell, std::uint32_t t, std::optional<std::uint32_t> ghost,
                        std::vector<DetailedOutcome>& out) const;
  const std::vector<HandlerResult>& handler_results(std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                                    std::span<const std::uint32_t> consumed, std::uint32_t ghost,
                                                    std::vector<HandlerResult>& scratch) const;
  std::vector<HandlerResult> run_handler(std::uint32_t p, std::uint32_t t, std::uint32_t local,
                                         std::span<const std::uint32_t> consumed, std::uint32_t ghost) const;
  void audit(std::uint32_t p, const TransitionInfo& t, const detail::HandlerCall& first,
             detail::HandlerCall again) const;
  std::vector<std::vector<std::uint32_t>> consumable(std::uint32_t p, Slot cell, const TransitionInfo& t) const;
  void resolve_sends(std::uint32_t p, std::span<const std::uint32_t> consumed, const std::vector<detail::Sent>& sent,
                     std::vector<Send>& out) const;
  Slot make_cell(std::uint32_t p, std::uint32_t local, InboxNumber inbox) const;

  // faults.cpp
  void add_network_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  void add_crash_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  void add_byzantine_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const;
  Slot crash_cell(std::uint32_t p, Slot cell) const;
  Slot recover_cell(std::uint32_t p, Slot cell) const;
  bool apply_spawn(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const;

  // effects.cpp
  std::vector<Effects> compute_effects(std::uint32_t p, Slot cell, std::optional<std::uint32_t> ghost) const;
  std::uint64_t effects_label(std::uint32_t p, const DetailedOutcome& d) const;
  void common_accesses(std::uint32_t p, std::vector<Access>& out) const;

  // symmetry.cpp
  SlotVector rename(std::span<const Slot> state, const std::vector<std::uint32_t>& to) const;

  // properties.cpp
  bool run_predicate(std::size_t i, std::span<const Slot> state, std::vector<Read>& reads) const;

  // describe.cpp
  std::string lane_name(std::uint32_t p) const;
  DetailedOutcome find_outcome(std::span<const Slot> state, std::uint32_t p, Step step) const;
  std::uint32_t process_of_transition(std::uint32_t transition) const;
  trace::Message describe_message(MessageNumber number, std::uint32_t to) const;
  void lane_fields(std::uint32_t p, Slot cell, std::vector<trace::Field>& out) const;
  std::string inbox_json(std::uint32_t p, Slot cell) const;
  std::uint32_t network_lane() const { return static_cast<std::uint32_t>(processes_.size()); }

  std::uint32_t local_of(std::uint32_t p, Slot cell) const { return left_of(processes_[p].kind->cells.key(cell)); }
  InboxNumber inbox_of(std::uint32_t p, Slot cell) const { return right_of(processes_[p].kind->cells.key(cell)); }
  std::string_view local_bytes(std::uint32_t p, Slot cell) const {
    return processes_[p].kind->locals.content(local_of(p, cell) & ~crashed);
  }
  std::uint32_t process_named(const detail::RoleTag* role, std::uint16_t index) const;

  Model model_;
  ActorOptions options_;
  mutable Messages messages_;
  mutable Inboxes inboxes_;
  mutable HistoryTable histories_;
  mutable ContentTable ghosts_;
  mutable ContentTable labels_;  // of steps, for Effects
  std::vector<std::unique_ptr<Kind>> kinds_;
  std::deque<Process> processes_;
  std::uint32_t transition_count_ = 0;
  // Slots after the processes; 0 where the run does without.
  std::uint32_t fault_slot_ = 0, partition_slot_ = 0, ghost_slot_ = 0, history_slot_ = 0, slots_ = 0;
  std::vector<Property> properties_;
  std::unique_ptr<Predicates> predicates_;

  // Memoised handlers: words (process, transition, local, ghost, consumed...) -> results.
  struct HandlerMemo {
    ContentTable keys;
    std::mutex mutex;
    ReservedArray<const std::vector<HandlerResult>*> results;
    std::vector<std::unique_ptr<std::vector<HandlerResult>>> owned;
  };
  mutable HandlerMemo handlers_;

  // Outcome lists live as long as the system.
  struct Kept {
    std::vector<Outcome> outcomes;
    std::vector<Send> sends;
    std::vector<std::unique_ptr<Extra>> extras;
  };
  mutable std::mutex kept_mutex_;
  mutable std::vector<std::unique_ptr<Kept>> kept_;
  mutable std::atomic<std::size_t> kept_bytes_{0};
};

// The fault slot: how often each kind of fault has happened, as its own number plus one.
struct FaultCounts {
  unsigned crashes = 0, losses = 0, duplications = 0, partitions = 0;
  static FaultCounts from(Slot slot) {
    const std::uint32_t v = slot - 1;
    return {v & 255, (v >> 8) & 255, (v >> 16) & 255, v >> 24};
  }
  Slot slot() const { return (crashes | (losses << 8) | (duplications << 16) | (partitions << 24)) + 1; }
};

}  // namespace heddle::actor
