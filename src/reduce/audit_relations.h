// Checks what a system says of its transitions on every reachable state of a small instance.
//
// Wrong relations lose states without a word, so they are not taken on trust: the audit explores the instance in full and
// compares each relation with what happens.
//   can_enable   a step made a transition enabled that was not: the pair must be there
//   dependent    two enabled transitions: where the pair is absent, the second is still enabled after the first, and what the
//                two reach in this order they reach in the other
//   net          while awaiting says so t is disabled, and stays so (and awaited) after every step but those of u
//   invisible    its steps leave the truth of every property as it was
//   truth        where may_change_truth says no, the truth of every property is as it was
#pragma once

#include <string>
#include <vector>

#include "core/budget.h"
#include "core/relations.h"
#include "core/transition_system.h"

namespace heddle {

struct RelationFault {
  std::string relation;       // one of the names above
  std::string first, second;  // names of the transitions; second empty where there is one only
  SlotVector state;           // where it shows
  std::string text;           // one sentence
};

struct RelationAudit {
  std::vector<RelationFault> faults;  // at most one for each relation and pair
  std::size_t states = 0;
  std::size_t pairs = 0;  // pairs of enabled transitions compared
  bool complete = false;  // every reachable state was looked at
};

// Requires relations(), the system's or those given.
RelationAudit audit_relations(const TransitionSystem& system, const Limits& limits = {},
                              const Relations* relations = nullptr);

}  // namespace heddle
