// What a run did and what it never did: handlers that never happened, messages never sent or received, options never taken,
// properties that look at nothing. A `holds` over a protocol half of which never happens is worth half.
//
// The search counts how often it executed each static transition; a door makes sentences of that and adds what it alone can see
// (Describer::coverage). Only of a complete search does "never" follow from "not here".
//
// Why "never" is exact with reductions
//   partial order   Let t be a step that some run s0 t1 ... tn = t of the full system ends in, and s0 a state the reduced search visits.
//                   If some ti is in the stubborn set of s0, take the first: it commutes to the front, the very same step
//                   with the same messages and choices, and is executed (if it is t, we are done); the rest is a shorter run to t. If none
//                   is, the set's key transition leads to another visited state from which the same run goes on; by
//                   the cycle proviso, which the searches apply whatever is to be preserved, this cannot be all that ever happens: it leads to
//                   a state whose steps are all executed, t1 among them. By induction on n, t is executed somewhere.
//   symmetry        The orbit of a visited state is reachable, so what happens is a step of some member of the class. Counts are
//                   therefore those of a role, never of one process, and options that are names of processes count as one.
//   dead messages   A dropped message is one that no reachable local state of its receiver takes: it would not have been received.
//                   It has arrived all the same.
//   auxiliary data  States that become equal have the same transitions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

struct Coverage {
  struct Transition {
    std::string name;            // "Acceptor::promise"; "loss" and the like for faults the run was to have
    std::uint64_t executed = 0;  // steps of the search, those to known states included
    // Different inputs (fields and messages) a handler was run on, and those it did not reject. Not of nets and faults.
    std::optional<std::uint64_t> tried = {}, accepted = {};
  };
  struct Message {
    std::string name;
    bool has_sender = true, has_receiver = true;  // some handler says that it sends it; that it takes it
    bool sent = false;
    bool arrived = false;        // at a process that exists and is not Byzantine
    std::uint64_t received = 0;  // steps that took it
  };
  // An option that was offered. A choice is the n-th question a handler asks; options are numbered as the handler sees them.
  struct Option {
    std::string transition;
    unsigned choice = 1;  // 1, 2, ...
    unsigned option = 0;  // 0, 1, ...
    bool taken = false;   // by a handler that did not reject in the end
  };
  std::vector<Transition> transitions;
  std::vector<Message> messages;
  std::vector<Option> options;
  std::vector<std::string> blind_properties;  // they have been evaluated and have never read anything
};

class TransitionSystem;
// For doors that have no more to say than how often each transition was executed.
Coverage coverage_by_transition(const TransitionSystem& system, std::span<const std::uint64_t> executed);

}  // namespace heddle
