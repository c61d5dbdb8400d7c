// What a run did and what it never did: handlers that never happened, messages never sent or received, options
// never taken, properties that look at nothing. If half of a protocol never happens, `holds` is worth half.
//
// The search counts how often it executed each static transition. A door turns the counts into sentences and adds
// what only the door can see (Describer::coverage). "Never" follows from "not here" only if the search was complete.
//
// Why "never" is exact with reductions
//   partial order   Let s0 be a state that the reduced search visits, and let t be the last step of some run
//                   t1 ... tn = t of the full system from s0. Suppose some ti is in the stubborn set of s0,
//                   and take the first such ti. It commutes to the front as the very same step, with the same
//                   messages and choices, and is executed. If it is t, we are done; otherwise the rest is a
//                   shorter run to t. Suppose now that no ti is in the set. Then the set's key transition
//                   leads to another visited state from which the same run goes on. This cannot repeat
//                   forever: the searches always apply the cycle proviso, which leads to a state whose steps
//                   are all executed, t1 among them. By induction on n, t is executed somewhere.
//   symmetry        The orbit of a visited state is reachable, so what happens is a step of some member of
//                   the class. Counts are therefore those of a role, never of one process, and options that
//                   are names of processes count as one.
//   dead messages   A dropped message is one that no reachable local state of its receiver takes, so it would
//                   not have been received. It counts as arrived, and as an input that was rejected.
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
    std::string name;            // "Acceptor::promise"; or a fault that the run was to have: "loss"
    std::uint64_t executed = 0;  // steps of the search, those to known states included
    // How many different inputs (fields and messages) a handler was run on, and how many of them it did not
    // reject. Nets and faults have neither. Of a quorum that never came together there is none, but there may be
    // guards, which rejected its messages.
    std::optional<std::uint64_t> tried = {}, accepted = {};
    // The guards that rejected inputs, those that did so most often first. A handler with choices runs several times
    // on an input, so an input may be rejected by several.
    struct Guard {
      std::string place;  // "paxos.cpp:41"
      std::uint64_t rejected = 0;
    };
    std::vector<Guard> guards = {};
  };
  struct Message {
    std::string name;
    bool has_sender = true, has_receiver = true;  // some handler declares that it sends it, or that it takes it
    bool sent = false;
    bool arrived = false;        // at a process that exists and is not Byzantine
    std::uint64_t received = 0;  // steps that took it
  };
  // An option that was offered. A choice is the n-th question that a handler asks. Options are numbered as
  // the handler sees them.
  struct Option {
    std::string transition;
    unsigned choice = 1;  // 1, 2, ...
    unsigned option = 0;  // 0, 1, ...
    bool taken = false;   // by a handler that did not reject in the end
  };
  std::vector<Transition> transitions;
  std::vector<Message> messages;
  std::vector<Option> options;
  std::vector<std::string> blind_properties;  // they were evaluated and never read anything
};

class TransitionSystem;
// For doors that know only how often each transition was executed. REQUIRES: executed has an entry for each
// transition.
Coverage coverage_by_transition(const TransitionSystem& system, std::span<const std::uint64_t> executed);

}  // namespace heddle
