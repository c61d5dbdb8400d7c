// Puts a trace into words before anything is placed: for each step its title, its message arrows and its notes. The
// picture and the list are two ways to lay these out.
//
// Equal messages sent to several receivers become one note, "Prepare(1) ─▶ acceptor 1,2,3".
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "report/glyphs.h"

namespace heddle::report {

struct Arrow {
  std::uint32_t from, to;
  std::string label;
};

struct Note {
  std::uint32_t lane;
  std::string text;
  Style style;
};

struct StepText {
  std::size_t index;  // into trace.steps
  std::uint32_t lane;
  std::string title;
  Marker marker;
  bool lost = false;  // the messages did not arrive
  std::vector<Arrow> arrows;
  std::vector<Note> notes;
};

// Returns at most `most` steps; of a longer trace the beginning and, mainly, the end. Steps are left out between two
// neighbours whose indices do not follow each other.
// REQUIRES: most >= 2.
std::vector<StepText> describe_steps(const trace::Trace& trace, const Glyphs& glyphs, std::size_t most);

// "(steps 101 to 900 are not shown)" if steps are left out right before `steps[i]`; otherwise empty.
std::string gap_before(const std::vector<StepText>& steps, std::size_t i);

// Names of lanes; what they share is said once: "acceptor 1,2, learner 1". Runs of four or more are "acceptor 1-4".
std::string lane_names(const trace::Trace& trace, const std::vector<std::uint32_t>& lanes, bool ascii);

// "chosen = 7", for explanations.
std::string field_phrase(const trace::Field& field, bool ascii);

}  // namespace heddle::report
