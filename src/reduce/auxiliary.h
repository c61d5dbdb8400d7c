// States that differ in auxiliary data only are stored once. The literature calls this selective hashing, a part of
// decomposition-based stateful search (Saissi, Bokor, Suri, SRDS 2013).
//
// If the data is really auxiliary, states with and without it are bisimilar. So a state without its auxiliary data can
// stand for all states that differ from it only in that data. What is stored is itself a state, and searches, partial
// order reduction and symmetry need not know. There are two ways to leave the data out.
//   ActorOptions::forget_auxiliary   The door never keeps it. Costs nothing; for searches.
//   ForgetAuxiliary                  A system that keeps it is searched through this canonicalizer. For any door, and
//                                    for tests.
// In the first way a path has lost its auxiliary data, and recall_finding finds a path with the data. In the second way
// the search finds such a path.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/facets/forgetting.h"
#include "explore/reduction.h"
#include "explore/search.h"

namespace heddle {

class ForgetAuxiliary final : public Canonicalizer {
 public:
  explicit ForgetAuxiliary(const TransitionSystem& system) : forgetting_(system.forgetting()) {}
  void canonical(SlotVector& state) override {
    if (forgetting_ != nullptr) forgetting_->forget_auxiliary(state);
  }

 private:
  const Forgetting* forgetting_;
};

// Finds a path of `full` for a path of `forgetful`, which is the same model, built with the same options, but without
// auxiliary data or dead messages. The path of `full` has the same transitions, takes the same messages and makes the
// same choices, goes through states that are the same but for what is left out (core/facets/partial_states.h), and ends
// in a state that right_end accepts. Returns nothing if there is no such path: then something depends on what was left
// out after all, and no verdict about `forgetful` counts.
using RightEnd = std::function<bool(std::span<const Slot> end)>;
std::optional<Path> recall_auxiliary(const TransitionSystem& full, const TransitionSystem& forgetful, const Path& path,
                                     const RightEnd& right_end = {});
// Does the same with an end that is in `full` what was found: a violation of the property, or a witness.
std::optional<Path> recall_finding(const TransitionSystem& full, const TransitionSystem& forgetful,
                                   const Finding& finding);

}  // namespace heddle
