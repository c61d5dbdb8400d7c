// The trace as a picture: a lifeline per lane, time running down, an arrow for every message where it is received.
//
//        proposer 1     acceptor 1
//        │              │
//    1   ● start        │
//        │ Prepare(1) ─▶ acceptor 1
//    2   ├─ Prepare(1) ▶● promise
//        │              │ promised 0 → 1
//
// Messages are asynchronous, so a send is a note under the sender's step, and the arrow leaves the sender's lifeline at
// the moment of the receipt. The lifeline of a crashed process is dashed until it recovers.
// Pure function, thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "report/step_text.h"

namespace heddle::report {

struct PictureOptions {
  int width = 100;
  bool color = false;
  int repeat_header = 60;  // rows after which the names are shown again
};

// Returns nullopt if there are too many lanes for the width.
std::optional<std::string> draw_picture(const trace::Trace& trace, const std::vector<StepText>& steps,
                                        const Glyphs& glyphs, const PictureOptions& options);

}  // namespace heddle::report
