// Audits whether the data that a model declares auxiliary really is (docs: heddle/auxiliary.h).
//
//   AuxiliaryAudit r = audit_auxiliary(*system, AuxiliaryAudit::Kind::Full);
//   if (r.mismatch) std::cout << r.mismatch->text;
//
// `system` keeps auxiliary data; its forget_auxiliary() says what that is. The claim is this: two states that are equal
// without auxiliary data have the same enabled transitions, each transition leads to states that are equal without
// auxiliary data, and every property has the same truth in both. For every class of such states the audit keeps a
// *signature*, the set of pairs (transition, class of the successor) and the truth of the properties. It compares the
// signatures of all members. The state without auxiliary data, which a search explores instead of them all, is one of
// the members.
//   Full      visits every state with its auxiliary data. If it is complete and finds nothing, the claim is proved for
//             this instance of the model.
//   Shallow   goes on from one state of each class, as the search without auxiliary data does, and only compares the
//             other states. Can miss what lies behind those.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/transition_system.h"
#include "explore/search.h"

namespace heddle {

struct AuxiliaryAudit {
  enum class Kind : std::uint8_t { Full, Shallow };

  // Two runs to states that should do the same, and what they do differently. Both runs are the same if a state differs
  // from itself without its auxiliary data.
  struct Mismatch {
    Path first, second;
    std::string difference;  // one sentence
    std::string text;        // everything, for people
  };

  Kind kind = Kind::Full;
  std::uint64_t states = 0;   // compared
  std::uint64_t classes = 0;  // of states that are equal without auxiliary data
  bool complete = false;      // no budget ran out
  std::string stopped_by;
  std::optional<Mismatch> mismatch;  // the first found; the first path is a shortest one in a full audit

  bool proves() const { return kind == Kind::Full && complete && !mismatch; }
  // Says in one line what was compared and what follows.
  std::string summary() const;
};

AuxiliaryAudit audit_auxiliary(const TransitionSystem& system, AuxiliaryAudit::Kind kind, const Limits& limits = {});

// Finds fields that could be declared auxiliary. Tries one field after the other, each together with those found
// before, by a full audit that treats the field as auxiliary data. The fields found, taken together, save states and
// are proved for this instance. This costs up to two searches a field, so take a small instance. The audit cannot read
// C++ code, so it proves nothing for all instances: declare the field Auxiliary<T>, and the compiler says who reads it.
struct AuxiliaryCandidate {
  std::string part;
  std::uint64_t classes_before = 0, classes_after = 0;  // states that are told apart with it and without it
};
struct AuxiliaryInference {
  std::vector<AuxiliaryCandidate> candidates;
  bool complete = false;  // the budget, one for all trials, was enough
};
AuxiliaryInference infer_auxiliary(const TransitionSystem& system, const Limits& limits = {});

}  // namespace heddle
