// Selective hashing (decomposition-based stateful search; Saissi, Bokor, Suri, SRDS 2013): states that differ in auxiliary data
// only are stored once.
//
// A sound decomposition is a bisimulation, so a state without its auxiliary data can stand for all that have some: what is stored
// is itself a state, and searches, partial order reduction and symmetry need not know. There are two ways to it.
//   ActorOptions::forget_auxiliary   the door never keeps auxiliary data. Costs nothing; for searches.
//   ForgetAuxiliary                  a system that keeps it, searched through this canonicalizer. For any door, and for tests.
// By the first a path has lost its auxiliary data; recall_finding finds it again. By the second the search does.
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

// `forgetful` is the same model as `full`, built with the same options, but leaves out auxiliary data or dead messages; `path` is one
// of its paths. The path of `full` by the same transitions that take the same messages and make the same choices, through states that are the
// same but for what is left out (core/facets/partial_states.h), to a state that right_end accepts. None if there is no such path: then
// something depends on what was left out after all, and no verdict of `forgetful` is worth anything.
using RightEnd = std::function<bool(std::span<const Slot> end)>;
std::optional<Path> recall_auxiliary(const TransitionSystem& full, const TransitionSystem& forgetful, const Path& path,
                                     const RightEnd& right_end = {});
// ... to a state that is, in `full`, what was found: a violation of the property, or a witness.
std::optional<Path> recall_finding(const TransitionSystem& full, const TransitionSystem& forgetful,
                                   const Finding& finding);

}  // namespace heddle
