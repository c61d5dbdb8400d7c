// Which code should have been atomic: the root cause of results that a class cannot have when its calls are made one at
// a time (Cirisci 2022, chapter 2.3).
//
//   const RootCause cause = root_cause({.file = "queue.cpp"}, budget);
//   cause.repairs[0].blocks           "Queue::pop, lines 45 to 46"
//
// A client that fails is searched for. Its executions are collected (client_executions.h), the repairs that rule out
// all bad ones are computed (explain/eliminators.h, repair_oracle.h) and ranked by the good ones that they rule out,
// too. Then the best one is tried: the program is searched again with its blocks as atomic sections. What still fails
// is added to the bad executions, and a better repair is computed, until this client and every other one of the run is
// without violation. A repair that makes a thread wait for ever is rejected. If all are, whole methods take the place
// of their blocks: a section that is a whole call waits where the call would wait if calls were made one at a time.
//
// The loop ends, because each round adds executions that the repairs so far do not rule out, and there is a largest
// repair: every method atomic.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "explain/repair_oracle.h"
#include "run/client_executions.h"
#include "run/native_door.h"
#include "run/switches.h"

namespace heddle::run {

struct RootCauseRequest {
  std::string file;
  Switches switches = {};
  ExecutionLimits executions = {};
  std::size_t most_repairs = 1'000;
  bool verify = true;
  std::function<void(const std::string&)> says = {};  // what is being done, a sentence
  // Gets the executions of the first client that fails, as text (executions_text.h). None: nobody wants them.
  std::function<void(const std::string& bad, const std::string& good)> executions_text = {};
};

// A run of statements that shall be atomic.
struct AtomicBlock {
  std::string function, file;
  std::uint32_t first_line = 0, last_line = 0;
  std::string where() const;  // "pop:45-46", as --atomic takes it
};

struct ExplainedRepair {
  enum class Standing : std::uint8_t {
    NotTried,
    Verified,  // no client of the run fails with it
    Rejected,  // a thread waits for ever with it
  };
  std::vector<AtomicBlock> blocks;
  std::size_t excluded_good = 0, statements = 0;
  std::uint32_t rank = 1;
  Standing standing = Standing::NotTried;
  std::string why = {};  // it was rejected
};

// What happens at a place of the cycle of conflicts. Calls and returns are there where a return comes before a call.
struct CycleEvent {
  enum class Kind : std::uint8_t { Read, Write, Call, Return };
  Kind kind = Kind::Read;
  std::uint32_t thread = 0;  // of the client, from 0
  std::string call = {};     // "pop()"
  std::string file = {};     // of an access
  std::uint32_t line = 0;
};
struct CyclePlace {
  CycleEvent event;
  std::vector<std::uint32_t> conflicts;  // numbers of the conflicts that it is part of
};
struct CycleConflict {
  CycleEvent from, to;
};

struct RootCause {
  enum class Outcome : std::uint8_t {
    NothingToRepair,  // no client fails
    Explained,
    NotExplained,  // something fails, and no atomic section is the answer: `why`
    Stopped,       // by the budget
  };
  enum class Source : std::uint8_t { Program, Trace, Files };
  Source source = Source::Program;
  Outcome outcome = Outcome::Stopped;
  std::string why = {};              // a sentence
  std::string property = {};         // that fails
  std::string violation = {};        // of NotExplained: what a run of it shows, as parts of a sentence; may be empty
  std::string client = {};           // whose executions are explained
  std::string bad = {}, good = {};   // how many executions were compared: ExecutionCount::text
  std::size_t compared_clients = 1;  // whose executions these are
  std::size_t bad_outcomes = 0;
  bool cycles = false;  // runs that come back to a state were left out
  std::vector<ExplainedRepair> repairs = {};
  bool all_repairs = true;   // there are no others
  std::uint32_t rounds = 0;  // of search and repair
  std::string also_fails =
      {};                   // a property that some client violates with the best repair and without it; usually none
  std::size_t clients = 0;  // that the best one was verified on
  std::string clients_text = {};       // which ones
  std::uint64_t states = 0;            // of all searches
  std::vector<CyclePlace> cycle = {};  // in the order of the execution
  std::vector<CycleConflict> conflicts = {};
  std::string stopped_by = {};  // of Stopped: the reason, as a closing line has it
};

// What a finding shows: "thread 1 writes n at n.cpp:5 while thread 2 reads n at n.cpp:7; nothing orders them". May be
// empty.
std::string violation_text(const native::System& system, const Path& path, std::size_t property);
// Why no atomic section is the answer to a violation of this property, a sentence.
std::string why_no_section(const std::string& property);
std::string why_serializable(const Program& program);
// Throws ModelError if the program has no harness.
void need_harness(const Program& program, const std::string& file);
// "pop()". `invocation` is the number in a recorded_run of the client.
std::string call_text(const native::Client& client, const native::Harness& harness, std::uint32_t invocation);

// Throws UsageError and ModelError like open_program.
RootCause root_cause(const RootCauseRequest& request, Budget& budget);

}  // namespace heddle::run
