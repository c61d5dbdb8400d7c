// The data of the actor door about what a process can do in its situation: kinds of processes with their tables, static
// transitions, and the outcomes of handlers and faults.
//
// An outcome consists of numbers in tables, which belong to a Kind or to the System (system.h). Outcomes are computed
// once for a situation and kept (outcomes.cpp), so they are small: an Extra holds what few outcomes have.
// Plain data: constant once it is in a table, so threads share it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "actor/dead_messages.h"
#include "actor/handler_use.h"
#include "actor/messages.h"
#include "core/content_table.h"
#include "core/pair_map.h"
#include "core/relations.h"
#include "core/reserved_array.h"
#include "core/transition_system.h"
#include "core/user_code.h"
#include "heddle/detail/handler_call.h"
#include "heddle/detail/model_info.h"

namespace heddle::actor {

using detail::ProcessInfo;
using detail::RoleInfo;
using detail::TransitionInfo;

// A process's slot is the number of the pair (local state, inbox) in its kind's table.
//
// All processes with the same behaviour share their tables, so equal situations of different processes are equal
// numbers.
struct Kind {
  const RoleInfo* info;
  ContentTable locals;
  PairTable cells;
  // (cell, message) -> cell after receiving; `blocked` if the channel is full
  std::unique_ptr<PairMap> received = std::make_unique<PairMap>();
  std::unique_ptr<DeadMessages> dead;           // null: none are dropped
  std::vector<std::uint32_t> members;           // processes
  std::size_t first_transition = 0;             // of its transitions, among those of all kinds
  HandlerUse use;                               // what its handlers have been seen to do
  ReservedArray<MessageNumber> whoever_sent;    // by message: the one that stands for all with its content
  std::set<const detail::TypeInfo*> by_sender;  // types of messages whose sender some handler asks for
};
inline constexpr Slot blocked = ~Slot{0};

struct Send {
  std::uint32_t process;
  MessageNumber message;
};

enum class Special : std::uint8_t { Deliver, Lose, Duplicate, Crash, Recover, Byzantine };
inline constexpr std::uint32_t special_count = 6;

// A static transition of the system: a handler of one process, all of it or for one set of senders (splits.cpp), or
// something that happens to a process.
struct StaticTransition {
  std::uint32_t process;
  std::int32_t handler;  // index into the role's transitions; -1: `special` says what it is
  Special special{};
  bool crashing = false;                    // the handler's steps that end in a crash
  bool split = false;                       // consumes from exactly `senders`
  std::vector<std::uint32_t> senders = {};  // those it may consume from
};

// The most processes that one step can spawn. Beyond, placeholders would be equal to ids of members.
inline constexpr std::size_t most_spawned_at_once = detail::last_placeholder - detail::most_spawned_members + 1;

// A step that spawns processes. Their ids are not known until the step is applied to a state: placeholders stand for
// them.
struct Spawning {
  std::vector<detail::Spawned> spawned;
  detail::Bytes local;  // of the process that spawns, after the step
  std::vector<detail::Sent> sent;
  std::vector<detail::Event> events;
  detail::Bytes ghost;  // empty: not taken
  bool exits = false;
  std::vector<MessageNumber> consumed;  // replies go to their senders
  BitSet remembered;                    // processes whose ids this step leaves behind
};

// The data that few outcomes have.
struct Extra {
  enum class Cost : std::uint8_t { None, Crash, Loss, Duplication };
  Cost cost = Cost::None;
  bool send_once = false;                    // Byzantine: only where no copy is waiting
  bool crash_group = false;                  // all co-located processes go down
  bool recover_group = false;                // ... and come back
  bool of_machine = false;                   // a step of the machine: its first process that exists takes it
  std::uint32_t senders = 0;                 // machines whose messages have to cross the network now, a bit each
  std::uint32_t failure = 0;                 // the handler failed: a number in System::failures_
  std::uint32_t next_ghost = 0;              // 0: unchanged
  std::uint32_t calls = 0;                   // on the abstract object: a number in AbstractObject
  std::uint32_t situation = 0;               // the calls depend on more than the process (linearization_points.cpp)
  bool looks_around = false;                 // the calls depend on other processes
  bool only_calls = false;                   // there is nothing else in this Extra
  std::vector<std::uint32_t> events;         // numbers in History
  std::shared_ptr<const Spawning> spawning;  // if there is one, it has the events
};

// One thing a process can do in its cell.
struct Outcome {
  Step step;
  Slot next;  // 0: the process is gone
  std::uint32_t send_count;
  const Send* sends;   // ascending in process; sends to itself are already in `next`
  const Extra* extra;  // usually null
};

// Runs a handler as user code; `rejected` says whether the handler rejects this input, and by which guard. That
// exception is the most frequent of all and is caught where it costs least, before it leaves the user's code.
inline std::optional<UserFailure> run_transition(const RoleInfo& role, const TransitionInfo& transition,
                                                 detail::HandlerCall& call, std::optional<detail::Rejected>& rejected) {
  return run_user_code({"handler", role.name, transition.name}, [&] {
    try {
      transition.run(call);
    } catch (const detail::Rejected& guard) {
      rejected = guard;
    }
  });
}

// The result of a handler with given inputs, for one script of choices.
struct HandlerResult {
  std::uint32_t local = 0;
  std::vector<detail::Sent> sent;
  std::vector<std::uint32_t> events;
  std::shared_ptr<const Spawning> spawning;  // if there is one, it has everything but the choices
  std::vector<detail::HandlerCall::Chosen> choices;
  std::uint32_t ghost = 0;
  std::uint32_t calls = 0, situation = 0;  // as in Extra
  bool looks_around = false;
  bool exited = false;
  std::uint32_t failure = 0;  // as in Extra; then only the choices mean something
};

// An outcome with everything that explanations need.
struct DetailedOutcome {
  Outcome outcome{};
  std::vector<Send> sends;
  std::optional<Extra> extra;
  std::vector<std::uint32_t> consumed;  // inbox entries
  std::uint32_t place = 0;              // of what is lost or duplicated, in a queue: from its front
  std::vector<MessageNumber> own;       // what it sends to itself, already in `outcome.next`
  // If the machine may crash: everything the step would send, and the cell before it has sent anything to itself.
  std::vector<Send> all_sends;
  Slot before_sending = 0;
  std::vector<detail::HandlerCall::Chosen> choices;
  std::int32_t transition = -1;  // index into the role's transitions, or -1
  Special special{};             // if transition < 0
};

}  // namespace heddle::actor
