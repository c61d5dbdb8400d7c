// Jepsen's text: all shapes that loggers give a line, and lines that are none of the history.
#include "history/jepsen_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/reading.h"

namespace heddle::history::jepsen_log_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(JepsenLog, EveryShapeOfALine) {
  const std::string prefixes[] = {"INFO  jepsen.util - ",
                                  "INFO [2026-01-01 10:00:00,123] jepsen worker 0 - jepsen.util ",
                                  "2026-01-01 10:00:00,123{GMT}\tINFO\t[jepsen worker 0] jepsen.util: ", ""};
  for (const std::string& prefix : prefixes) {
    EXPECT_EQ(read(prefix + "10\t:invoke\t:cas\t[1 2]\n" + prefix + "10\t:ok\t:cas\t[1 2]\r\n" + prefix +
                   "3\t:invoke\t:read\tnil\n" + prefix + "3\t:ok\t:read\t\"a b\""),
              "10 cas([1 2]) ok [1 2] [0, 1]\n3 read(nil) ok \"a b\" [2, 3]\n")
        << prefix;
  }
}

TEST(JepsenLog, OutcomesThatAreNotKnown) {
  EXPECT_EQ(read("0\t:invoke\t:write\t3\n0\t:info\t:write\t:timed-out\n"
                 "1\t:invoke\t:write\t3\n1\t:info\t:write\t3\tindeterminate: Command failed (timeout)\n"
                 "2\t:invoke\t:write\t3\n2\t:fail\t:write\t3\t[:not-leader \"n1\"]\n"),
            "0 write(3) unknown [0, ...]\n1 write(3) unknown [1, ...]\n2 write(3) failed [2, 3]\n");
}

TEST(JepsenLog, AFailedCompareAndSetWithAReasonIsNoMismatch) {
  EXPECT_EQ(read("0\t:invoke\t:cas\t[1 2]\n0\t:fail\t:cas\t[1 2]\n1\t:invoke\t:cas\t[1 2]\n1\t:fail\t:cas\t[1 "
                 "2]\t:no-leader\n",
                 {.failed_cas = FailedCas::Mismatch}),
            "0 cas([1 2]) ok false [0, 1]\n1 cas([1 2]) failed [2, 3]\n");
}

TEST(JepsenLog, OtherLinesAreCounted) {
  RecordedHistory history;
  const ReadSummary summary = read_history(
      "INFO  jepsen.core - Running test:\n {:name \"x\"}\nINFO  jepsen.util - :nemesis\t:info\t:start\tnil\n"
      "INFO  jepsen.core - took 3 :seconds\n\nINFO  jepsen.util - 0\t:invoke\t:read\tnil\n",
      "h", {}, history);
  EXPECT_EQ(summary.format, Format::JepsenLog);
  EXPECT_EQ(summary.other_lines, 3u);
  EXPECT_EQ(summary.nemesis_events, 1u);
  EXPECT_EQ(dump(history), "0 read(nil) unknown [0, ...]\n");
}

// A value that is not there yet is not nil, and a log that only lacks its last newline is whole.
TEST(JepsenLog, ALastLineWithoutItsValueIsCutOff) {
  const std::string before = "0\t:invoke\t:write\t3\n0\t:ok\t:write\t3\n";
  const std::string reading = before + "1\t:invoke\t:read\tnil\n1\t:ok\t:read";
  for (const char* end : {"", "\t", " ", "\r"}) {
    EXPECT_THAT(complaint(reading + end), StartsWith("h:4:1: this line has no value and does not end, so the file "
                                                     "seems to be cut off"))
        << end;
  }
  EXPECT_THAT(complaint(before + "1\t:invoke\t:write"), HasSubstr("cut off"));
  const std::string whole = "0 write(3) ok 3 [0, 1]\n1 read(nil) ok ";
  EXPECT_EQ(read(reading + "\t3"), whole + "3 [2, 3]\n");
  EXPECT_EQ(read(reading + "\tnil"), whole + "nil [2, 3]\n");
  EXPECT_EQ(read(reading + "\n"), whole + "nil [2, 3]\n");
  // Lines of its kind have no value in this file, and those of the nemesis need none.
  EXPECT_EQ(read("0\t:invoke\t:write\t3\n0\t:ok\t:write\n1\t:invoke\t:write\t4\n1\t:ok\t:write"),
            "0 write(3) ok nil [0, 1]\n1 write(4) ok nil [2, 3]\n");
  EXPECT_EQ(read(before + ":nemesis\t:info\t:start"), "0 write(3) ok 3 [0, 1]\n");
}

TEST(JepsenLog, WhatCannotBe) {
  const std::string prefix = "INFO  jepsen.util - ";
  EXPECT_THAT(complaint(prefix + "0\t:invoke\t:read\tnil\n" + prefix + "0\t:okay\t:read\tnil\n"),
              StartsWith("h:2:23: the type :okay is unknown"));
  EXPECT_THAT(complaint(prefix + "0\t:invoke\t:write\t[1\n"), StartsWith("h:1:38: what begins here is not closed"));
  EXPECT_THAT(complaint(prefix + "0\t:invoke\n"), HasSubstr("the line ends after the type"));
  EXPECT_THAT(complaint(prefix + "0\t:ok\t:read\tnil\n"), StartsWith("h:1:21: a completion without an invocation"));
  EXPECT_THAT(complaint("INFO nothing\n", {.format = Format::JepsenLog}),
              HasSubstr("there is no operation in this file"));
}

}  // namespace
}  // namespace heddle::history::jepsen_log_test
