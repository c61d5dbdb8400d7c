// Checks whether a model's exclusions are safe. LiViola takes an excluded message as it comes and does not permute it.
// That is right only if the moment of its receipt makes no difference to clients (scheduler.h).
//
// The check is exact for the instance at hand. It compares the histories of all runs, up to commuting events, with the
// histories of the runs in which an excluded message is received as soon as it is there. The witness is a history that
// the latter runs do not have, preferably one that is not linearizable.
#pragma once

#include <cstddef>
#include <optional>

#include "core/budget.h"
#include "stateless/receive_graph.h"

namespace heddle::schedule {

struct ExclusionReport {
  bool any = false;       // some excluded message is ever received
  bool complete = false;  // all runs were looked at
  std::size_t histories = 0, lost = 0, lost_violations = 0;
  std::optional<Path> witness;
  bool witness_violates = false;
  std::string stopped_by;
};

ExclusionReport verify_exclusions(ReceiveGraph& graph, const Limits& limits);

}  // namespace heddle::schedule
