// Checks the relations that a system states between its transitions, on every reachable state of a small instance.
//
// Wrong relations lose states silently, so the audit explores the instance in full and compares each relation with what
// happens.
//   can_enable   if a step enables a transition that was disabled, the pair is in the relation
//   dependent    if the pair of two enabled transitions is absent, the second is still enabled after the first, and
//                both orders reach the same states
//   net          while `awaiting` says that t awaits u, t is disabled; both stay so after every step but those of u
//   invisible    the steps of an invisible transition leave the truth of every property as it was
//   truth        a step of which may_change_truth says no leaves the truth of every property as it was
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

// REQUIRES: the system has relations, or some are given.
RelationAudit audit_relations(const TransitionSystem& system, const Limits& limits = {},
                              const Relations* relations = nullptr);

}  // namespace heddle
