// Says how well a step of the model fits a recorded one, and shows a step in a line. The two sides number their lanes
// differently, so lanes are compared by name.
// Thread-safe: only reads.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace heddle::explain {

class StepMatch {
 public:
  // REQUIRES: both outlive this object.
  StepMatch(const std::vector<trace::Lane>& recorded, const std::vector<trace::Lane>& now)
      : recorded_(recorded), now_(now) {}

  // True if lane, kind, transition and received messages fit.
  bool fits(const trace::Step& recorded, const trace::Step& now) const;
  // True if everything that the recorded step sent is sent now, too. A trace that names no messages says nothing.
  bool sends(const trace::Step& recorded, const trace::Step& now) const;
  // Returns in what the recorded state differs from the one now, a phrase: "acceptor 1's promised is 5 in the trace and 0
  // in the model". Empty if all fields that both have agree.
  std::string difference(const std::vector<trace::Field>& recorded, const std::vector<trace::Field>& now) const;
  // Higher is closer. Steps that fit are compared by choices, sent messages, operations and changes; others by lane and
  // name.
  int likeness(const trace::Step& recorded, const trace::Step& now) const;

 private:
  bool same_lane(std::uint32_t recorded, std::uint32_t now) const;
  bool same_message(const trace::Message& recorded, const trace::Message& now) const;
  bool same_messages(const std::vector<trace::Message>& recorded, const std::vector<trace::Message>& now) const;

  const std::vector<trace::Lane>& recorded_;
  const std::vector<trace::Lane>& now_;
};

// "acceptor 2: promise, receiving Prepare(ballot=1) from proposer 1".
std::string step_phrase(const trace::Step& step, const std::vector<trace::Lane>& lanes);

}  // namespace heddle::explain
