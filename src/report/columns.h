// Decides where the columns of the picture stand.
//
// Text starts at its own lifeline and may run over the lifelines to the right, so a column can be narrower than its
// text. Only the last column cannot, and an arrow between neighbours cannot leave the gap between them. So the last
// column and the arrows get their room first, and the rest is shared under an even limit. When that is uncomfortably
// little, lanes that take no part in the trace are left out. When it is too little to read, there is no picture and
// the caller prints a list.
// Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::report {

struct LaneNeed {
  int text = 0;     // cells that its name, titles and notes take right of the lifeline
  int to_next = 0;  // cells that arrows to or from the next lane need between the two lifelines
  bool takes_part = false;
  bool always_drawn = true;  // false: left out silently if it takes no part, like the network mostly
};

struct Columns {
  static constexpr int absent = -1;
  std::vector<int> lifeline;  // by lane: its cell, or absent
  std::vector<std::uint32_t> left_out;
};

// Places the lifelines between `begin` and `end`; nullopt if even the lanes that take part do not fit.
std::optional<Columns> lay_out(const std::vector<LaneNeed>& needs, int begin, int end);

}  // namespace heddle::report
