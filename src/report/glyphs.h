// The characters pictures are drawn with, in Unicode and in ASCII. All are one cell wide in every terminal font we
// know; that is why a lost message is ↯ and not the two-celled emoji.
// Constant tables, thread-safe.
#pragma once

#include <string_view>

#include "report/canvas.h"

namespace heddle::report {

struct Glyphs {
  bool ascii;
  std::string_view lifeline, lifeline_down;  // a process that is up, and one that has crashed
  std::string_view leaves_right, leaves_left, line, crossing, head_right, head_left;
  std::string_view to;       // in a text: message ─▶ receiver
  std::string_view from;     // in a text: message ◀─ sender
  std::string_view becomes;  // before → after
  std::string_view ellipsis;
  std::string_view invoke, respond;
  std::string_view good, bad;
};

const Glyphs& glyphs(bool ascii);

// The mark of a kind of step on its lifeline. Kinds that this version does not know look like plain steps.
struct Marker {
  std::string_view glyph;
  Style style;
  bool fault;  // the environment does it to the process; not a step of the process
};

Marker marker(std::string_view kind, bool ascii);

}  // namespace heddle::report
