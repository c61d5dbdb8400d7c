// Are a model's exclusions safe? LiViola takes an excluded message as it comes and does not permute it, which is right
// only if the moment it is received makes no difference to clients (scheduler.h).
//
// Checked on the instance at hand, exactly: the histories, up to commuting events, of all runs are compared with those
// of the runs in which an excluded message is received as soon as it is there. A history that only the former have is
// the witness, and among several one that is not linearizable.
#pragma once

#include <cstddef>
#include <optional>

#include "core/budget.h"
#include "stateless/receive_graph.h"

namespace heddle::schedule {

struct ExclusionReport {
  bool any = false;       // something is excluded that is ever received
  bool complete = false;  // all runs were looked at
  std::size_t histories = 0, lost = 0, lost_violations = 0;
  std::optional<Path> witness;
  bool witness_violates = false;
  std::string stopped_by;
};

ExclusionReport verify_exclusions(ReceiveGraph& graph, const Limits& limits);

}  // namespace heddle::schedule
