// Is auxiliary data really auxiliary? The audit of a decomposition (docs: heddle/auxiliary.h).
//
//   AuxiliaryAudit r = audit_auxiliary(*system, AuxiliaryAudit::Kind::Full);
//   if (r.mismatch) std::cout << r.mismatch->text;
//
// `system` keeps auxiliary data and says by forget_auxiliary() what that is. The claim behind it: two states that are equal
// without auxiliary data have the same enabled transitions, each leading to states that are equal without it, and the same truth
// of every property. For every class of such states the audit keeps a *signature*, the set of pairs (transition, class of the
// successor) and the truth of the properties, and compares. The state without auxiliary data, which a search explores in the place
// of them all, is one of the class.
//   Full      visits every state with its auxiliary data. If it is complete and finds nothing, the claim is proved, for this
//             instance of the model.
//   Shallow   goes on from one state of each class, as the search with selective hashing does, and looks at a state it does not
//             go on from once. Can miss what only lies behind such a state.
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

  // Two runs to states that should do the same, and what they do differently. One run, twice, if the difference is to the same
  // state without its auxiliary data.
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
  // One line: what was compared and what that says.
  std::string summary() const;
};

AuxiliaryAudit audit_auxiliary(const TransitionSystem& system, AuxiliaryAudit::Kind kind, const Limits& limits = {});

// Which fields could be declared auxiliary? Tries them one after the other, each together with those found before, by a full audit
// in which the field is forgotten as well. What comes out, taken together, saves states and is proved for this instance; it costs up
// to two searches a field, so take a small one. C++ code cannot be read from here, so there is no answer for all
// instances: declare the field Auxiliary<T>, and the compiler says who reads it.
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
