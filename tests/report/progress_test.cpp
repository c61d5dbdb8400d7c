#include "report/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/utf8.h"

namespace heddle::report::progress_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Sink {
  std::vector<std::string> writes;
  ProgressOptions options(bool terminal) {
    return {.terminal = terminal, .width = 100, .write = [this](std::string_view text) { writes.emplace_back(text); }};
  }
};

Counters counters(std::uint64_t states, std::uint64_t queue) {
  Counters out;
  out.states = states;
  out.queue = queue;
  out.depth = 23;
  return out;
}

TEST(Progress, ShortRunsShowNothing) {
  Sink sink;
  {
    Progress progress(sink.options(true));
    for (double t = 0; t < 2; t += 0.5) progress.update(counters(1000, 10), t, 1 << 20);
  }
  EXPECT_THAT(sink.writes, IsEmpty());
}

TEST(Progress, QuietShowsNothing) {
  Sink sink;
  ProgressOptions options = sink.options(false);
  options.quiet = true;
  Progress progress(options);
  progress.update(counters(1000, 10), 100, 0);
  EXPECT_THAT(sink.writes, IsEmpty());
}

TEST(Progress, ATerminalLineIsRewrittenAndErased) {
  Sink sink;
  Progress progress(sink.options(true));
  progress.update(counters(100000, 5000), 1.5, 0);
  progress.update(counters(150000, 6000), 2, 3250586);
  progress.update(counters(200000, 7000), 2.5, 3250586);
  progress.finish();
  progress.finish();
  EXPECT_THAT(sink.writes,
              ElementsAre("\r\x1b[K2.00 s: 150k states, 100k/s, depth 23, queue 6.00k, 3.1 MiB",
                          "\r\x1b[K2.50 s: 200k states, 100k/s, depth 23, queue 7.00k, 3.1 MiB", "\r\x1b[K"));
}

TEST(Progress, ATerminalLineNeverWraps) {
  Sink sink;
  ProgressOptions options = sink.options(true);
  options.width = 30;
  Progress progress(options);
  progress.update(counters(150000, 6000), 2, 3250586);
  ASSERT_EQ(sink.writes.size(), 1U);
  EXPECT_EQ(display_width(sink.writes[0].substr(4)), 29);
}

TEST(Progress, PlainLinesComeAtGrowingIntervals) {
  Sink sink;
  std::vector<double> times;
  {
    Progress progress(sink.options(false));
    for (double t = 0.5; t <= 300; t += 0.5) {
      const std::size_t before = sink.writes.size();
      progress.update(counters(static_cast<std::uint64_t>(1000 * t), 1), t, 0);
      if (sink.writes.size() > before) times.push_back(t);
    }
  }
  EXPECT_THAT(times, ElementsAre(2, 6, 14, 30, 62, 122, 182, 242));
  for (const std::string& line : sink.writes) {
    EXPECT_THAT(line, EndsWith("\n"));
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    EXPECT_THAT(line, HasSubstr(" 1.00k/s"));
  }
}

TEST(Progress, ASearchThatIsMadeAgainHasARateOfItsOwn) {
  Sink sink;
  Progress progress(sink.options(false));
  progress.update(counters(100000, 10), 10, 0);
  progress.update(counters(900000, 10), 40, 0);
  sink.writes.clear();
  progress.update(counters(1000, 10), 0.5, 0);
  progress.update(counters(5000, 10), 2.5, 0);
  EXPECT_THAT(sink.writes, ElementsAre(HasSubstr("5.00k states, 2.00k/s")));
}

TEST(Progress, AnEstimateNeedsAShrinkingQueue) {
  Sink sink;
  Progress progress(sink.options(true));
  // The queue grows until 10 s, then shrinks by 100 a second while 1,000 states a second are found.
  const auto queue = [](double t) { return t < 10 ? 1000 + 100 * t : 2000 - 100 * (t - 10); };
  for (double t = 0; t <= 20; t += 0.5) {
    progress.update(counters(static_cast<std::uint64_t>(1000 * t), static_cast<std::uint64_t>(queue(t))), t, 0);
    const std::string& last = sink.writes.empty() ? std::string() : sink.writes.back();
    if (t < 13) {
      EXPECT_THAT(last, Not(HasSubstr("~"))) << t;
    } else if (t > 13) {
      EXPECT_THAT(last, HasSubstr("~")) << t;
    }
  }
  // 1,000 states are queued, gone after 10 s, in which 10,000 more are found.
  EXPECT_THAT(sink.writes.back(), EndsWith(", shrinking: ~10k states to go"));
}

}  // namespace
}  // namespace heddle::report::progress_test
