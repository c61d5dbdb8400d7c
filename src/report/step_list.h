// The trace as a list, one line per step (up to three on a narrow terminal), for traces with more lanes than fit side
// by side.
//
//    2  acceptor 1  ● promise  Prepare(1) ◀─ proposer 1; promised 0 → 1; Promise(1) ─▶ proposer 1
//
// Pure function, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"
#include "report/step_text.h"

namespace heddle::report {

std::string list_steps(const trace::Trace& trace, const std::vector<StepText>& steps, const Glyphs& glyphs, int width,
                       bool color);

}  // namespace heddle::report
