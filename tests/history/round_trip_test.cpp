// What is written is read back as the same history, in every format, from every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "history/input_file.h"
#include "history/random_history.h"
#include "history/reading.h"
#include "history/write_history.h"

namespace heddle::history::round_trip_test {
namespace {

void expect_round_trip(Format format, bool keyed) {
  RecordedHistory history;
  random_history(history, keyed);
  const std::string text = write_history(history, format);
  std::string expected = dump(history);
  RecordedHistory again;
  const bool pairs = format == Format::JepsenLog && keyed;
  const ReadSummary summary = read_history(text, "h", {.keyed = pairs}, again);
  RC_ASSERT(summary.format == format);
  if (format == Format::JepsenLog) {  // which has no times
    for (RecordedOperation& o : history.operations) o.invoked_time = o.returned_time = -1;
    expected = dump(history);
  }
  RC_ASSERT(dump(again) == expected);
  RC_ASSERT(write_history(again, format) == text);
}

RC_GTEST_PROP(RoundTrip, Edn, ()) { expect_round_trip(Format::Edn, *rc::gen::arbitrary<bool>()); }
RC_GTEST_PROP(RoundTrip, Json, ()) { expect_round_trip(Format::Json, *rc::gen::arbitrary<bool>()); }
RC_GTEST_PROP(RoundTrip, JepsenLog, ()) { expect_round_trip(Format::JepsenLog, *rc::gen::arbitrary<bool>()); }

RC_GTEST_PROP(RoundTrip, ThroughAllFormats, ()) {
  RecordedHistory history;
  random_history(history, true);
  std::string text = write_history(history, Format::Edn);
  const std::string first = text;
  for (const Format format : {Format::Json, Format::Edn}) {
    RecordedHistory next;
    read_history(text, "h", {.keyed = false}, next);
    text = write_history(next, format);
  }
  RC_ASSERT(text == first);
}

RC_GTEST_PROP(SubHistory, KeepsTheOrderOfWhatIsLeft, ()) {
  RecordedHistory history;
  random_history(history, true);
  std::vector<std::uint32_t> part;
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    if (*rc::gen::arbitrary<bool>()) part.push_back(i);
  }
  RecordedHistory sub;
  sub_history(history, part, sub);
  RC_ASSERT(sub.operations.size() == part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    const RecordedOperation& a = history.operations[part[i]];
    RC_ASSERT(edn(sub, sub.operations[i].argument) == edn(history, a.argument));
    RC_ASSERT(sub.operations[i].outcome == a.outcome);
    for (std::size_t j = 0; j < part.size(); ++j) {
      const RecordedOperation& b = history.operations[part[j]];
      RC_ASSERT((sub.operations[i].returned < sub.operations[j].invoked) == (a.returned < b.invoked));
    }
  }
}

TEST(RoundTrip, AMismatchIsAFailureInEveryFormat) {
  const std::string text =
      "{:process 0, :type :invoke, :f :cas, :value [1 2]}\n{:process 0, :type :fail, :f :cas, :value [1 2]}\n";
  for (const Format format : {Format::Edn, Format::Json, Format::JepsenLog}) {
    RecordedHistory history, again;
    read_history(text, "h", {.failed_cas = FailedCas::Mismatch}, history);
    read_history(write_history(history, format), "h", {.failed_cas = FailedCas::Mismatch}, again);
    EXPECT_EQ(dump(again), "0 cas([1 2]) ok false [0, 1]\n");
  }
}

TEST(RoundTrip, NamesThatAreNoIntegersAreNumberedInLogs) {
  RecordedHistory history;
  read_history(R"({"process": "a b", "type": "invoke", "f": "read"}{"process": 7, "type": "invoke", "f": "read"})", "h",
               {}, history);
  EXPECT_EQ(read(write_history(history, Format::JepsenLog)),
            "0 read(nil) unknown [0, ...]\n1 read(nil) unknown [1, ...]\n");
}

TEST(RoundTrip, WhatAFormatCannotSayIsAnError) {
  RecordedHistory history;
  read_history("{:process 0 :type :invoke :f :read :key 1}{:process 1 :type :invoke :f :read}", "h", {}, history);
  EXPECT_THROW(write_history(history, Format::JepsenLog), HistoryError);
  EXPECT_THROW(write_history(history, Format::Trace), HistoryError);
}

TEST(Formats, AreKnownByNameAndEnding) {
  EXPECT_EQ(format_named("porcupine"), Format::Edn);
  EXPECT_EQ(format_named("jsonl"), Format::Json);
  EXPECT_EQ(format_named("yaml"), std::nullopt);
  EXPECT_EQ(format_of_file("a/b.edn"), Format::Edn);
  EXPECT_EQ(format_of_file("a.edn/b"), std::nullopt);
  EXPECT_EQ(format_of_file("history.txt"), Format::JepsenLog);
}

TEST(InputFile, SaysWhatItCannotRead) {
  EXPECT_THROW(InputFile("/nowhere/at/all"), HistoryError);
  EXPECT_THROW(InputFile("/"), HistoryError);
}

}  // namespace
}  // namespace heddle::history::round_trip_test
