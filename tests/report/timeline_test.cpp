#include "report/timeline.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "golden.h"

namespace heddle::report::timeline_test {
namespace {

std::vector<TimelineBar> stale_read() {
  return {{"process 0", "write(3)", 0, 2, false, false},
          {"process 1", "read → 3", 1, 4, false, false},
          {"process 0", "write(4) ?", 3, 0, true, false},
          {"process 2", "read → nil", 5, 6, false, true}};
}

TEST(Timeline, StaleRead) { expect_golden("timeline", draw_timeline(stale_read())); }
TEST(Timeline, InAscii) { expect_golden("timeline_ascii", draw_timeline(stale_read(), {.ascii = true})); }
TEST(Timeline, InColor) { expect_golden("timeline_color", draw_timeline(stale_read(), {.color = true})); }
TEST(Timeline, TextsAreShortened) { expect_golden("timeline_45", draw_timeline(stale_read(), {.width = 45})); }
TEST(Timeline, TooNarrowIsAList) { expect_golden("timeline_30", draw_timeline(stale_read(), {.width = 30})); }
TEST(Timeline, NothingIsNothing) { EXPECT_EQ(draw_timeline({}), ""); }

// Beginnings and ends keep their order from left to right, whatever the texts are: what overlaps is drawn overlapping.
RC_GTEST_PROP(Timeline, OrderIsKept, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<std::uint32_t> moments(2 * count);
  std::iota(moments.begin(), moments.end(), 0);
  for (std::size_t i = moments.size(); i > 1; --i)
    std::swap(moments[i - 1], moments[*rc::gen::inRange<std::size_t>(0, i)]);
  std::vector<TimelineBar> bars;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [begin, end] = std::minmax(moments[2 * i], moments[2 * i + 1]);
    const std::string text(*rc::gen::inRange<std::size_t>(1, 12), 'x');
    bars.push_back({"row " + std::to_string(i), text, begin, end, false, false});
  }
  std::istringstream rows(draw_timeline(bars, {.width = 200, .ascii = true}));
  std::vector<std::size_t> cell(2 * count);
  std::string row;
  for (const TimelineBar& bar : bars) {
    RC_ASSERT(std::getline(rows, row));
    RC_ASSERT(row.find("+ " + bar.text + " ") != row.npos);
    cell[bar.begin] = row.find('+');
    cell[bar.end] = row.rfind('+');
  }
  RC_ASSERT(std::ranges::is_sorted(cell));
  RC_ASSERT(std::ranges::adjacent_find(cell) == cell.end());
}

}  // namespace
}  // namespace heddle::report::timeline_test
