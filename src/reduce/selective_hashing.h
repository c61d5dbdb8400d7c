// Selective hashing (decomposition-based stateful search; Saissi, Bokor, Suri, SRDS 2013): states that differ in auxiliary data
// only are stored once.
//
// A sound decomposition is a bisimulation, so a state without its auxiliary data can stand for all that have some: what is stored
// is itself a state, and searches, partial order reduction and symmetry need not know. There are two ways to it.
//   ActorOptions::forget_auxiliary   the door never keeps auxiliary data. Costs nothing; for searches.
//   ForgetAuxiliary                  a system that keeps it, searched through this canonicalizer. For any door, and for tests.
// By the first a path has lost its auxiliary data; recall_auxiliary finds it again. By the second the search does.
#pragma once

#include <optional>

#include "explore/reduction.h"
#include "explore/search.h"

namespace heddle {

class ForgetAuxiliary final : public Canonicalizer {
 public:
  explicit ForgetAuxiliary(const TransitionSystem& system) : system_(system) {}
  void canonical(SlotVector& state) override { system_.forget_auxiliary(state); }

 private:
  const TransitionSystem& system_;
};

// `forgetful` is the same model as `full`, built with the same options, but keeps no auxiliary data; `path` is one of its paths. The path of `full` by the
// same transitions that goes through the same states but for auxiliary data. None if there is no such path: then something
// depends on auxiliary data after all, and no verdict of `forgetful` is worth anything.
// The states of the two systems have nothing to do with each other as numbers, and their steps may be numbered differently (two
// messages that differ in auxiliary data are one message for `forgetful`): states and steps are compared as described.
std::optional<Path> recall_auxiliary(const TransitionSystem& full, const TransitionSystem& forgetful, const Path& path);

}  // namespace heddle
