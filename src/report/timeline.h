// Overlapping operations as a picture: a row per process, time to the right.
//
//   process 0  ├ write(3) ┤
//   process 1         ├ read → 3 ┤
//   process 2                      ├ read → nil ┤  ✗
//
// Only the order of beginnings and ends is drawn, not durations: an operation is as wide as its text, or as wide as
// what happened meanwhile. An operation that never returned is open to the right. Texts are shortened if the width
// does not suffice. If that is not enough, there is one line per operation with the numbers of its beginning and end.
// Pure function, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

struct TimelineBar {
  std::string row;          // "process 0". REQUIRES: bars of one row do not overlap
  std::string text;         // printable
  std::uint32_t begin = 0;  // moments, in any numbering; all distinct
  std::uint32_t end = 0;
  bool open = false;  // did not end; `end` means nothing
  bool bad = false;   // the operation that cannot be explained
};

struct TimelineOptions {
  int width = 100;
  bool ascii = false;
  bool color = false;
};

// Draws the rows in the order of their first bars. Returns nothing without bars.
std::string draw_timeline(const std::vector<TimelineBar>& bars, const TimelineOptions& options = {});

}  // namespace heddle::report
