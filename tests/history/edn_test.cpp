// Jepsen's EDN as it occurs: every shape of a file, every kind of value, and what is wrong with broken ones.
#include "history/edn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/reading.h"

namespace heddle::history::edn_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string write_then_read = "0 write(3) ok 3 [0, 1]\n0 read(nil) ok 3 [2, 3]\n";

TEST(Edn, OneMapALine) {
  EXPECT_EQ(read("{:process 0, :type :invoke, :f :write, :value 3}\n"
                 "{:process 0, :type :ok, :f :write, :value 3}\n"
                 "{:process 0, :type :invoke, :f :read, :value nil}\n"
                 "{:process 0, :type :ok, :f :read, :value 3}\n"),
            write_then_read);
}

TEST(Edn, OneVectorOfMapsOrOneList) {
  for (const std::string brackets : {"[]", "()"}) {
    EXPECT_EQ(read(brackets[0] +
                   std::string("{:type :invoke :process 0 :value 3 :f :write}{:process 0 :type :ok :f :write "
                               ":value 3} {:f :read :process 0, :type :invoke} {:process 0 :type :ok :f :read "
                               ":value 3}") +
                   brackets[1]),
              write_then_read);
  }
}

TEST(Edn, TagsCommentsDiscardsAndOtherFieldsAreSkipped) {
  EXPECT_EQ(
      read("; a history\n"
           "#jepsen.history.Op{:index 0, :process 0, :type :invoke, :f :write, :value 3, :extra {:a [1 #{2}]}}\n"
           "#_{:process 0 :type :bogus} #_ #_ 1 2\n"
           "#jepsen.history.Op {:process 0, :type :ok, :f :write, :value #_ 7 3, \"s\" \\}, :node \"n\\\"1\"} ; done\n"
           "{:process :nemesis, :type :info, :f :start, :value #object[foo 0x1 \"x\"]}\n"
           "{:process 0, :type :invoke, :f :read, :value nil}{:process 0, :type :ok, :f :read, :value 3}"),
      write_then_read);
}

TEST(Edn, OutcomesAndTimes) {
  EXPECT_EQ(read("{:process 0, :type :invoke, :f :write, :value 1, :time 10}\n"
                 "{:process 1, :type :invoke, :f :write, :value 2, :time 11}\n"
                 "{:process 2, :type :invoke, :f :write, :value 3, :time 12}\n"
                 "{:process 1, :type :fail, :f :write, :value 2, :time 13}\n"
                 "{:process 0, :type :info, :f :write, :value 1, :error :timeout, :time 14}\n"
                 "{:process 0, :type :invoke, :f :read, :value nil, :time 15}\n"),
            "0 write(1) unknown [0, ...] at 10 to 14\n"
            "1 write(2) failed [1, 3] at 11 to 13\n"
            "2 write(3) unknown [2, ...] at 12\n"
            "0 read(nil) unknown [4, ...] at 15\n");
}

std::string value_of(const std::string& text) {
  const std::string dumped = read("{:process 0 :type :invoke :f :w :value " + text + "}");
  const std::size_t begin = dumped.find('(') + 1;
  return dumped.substr(begin, dumped.rfind(") unknown") - begin);
}

TEST(Edn, Values) {
  EXPECT_EQ(value_of("true"), "true");
  EXPECT_EQ(value_of("-17"), "-17");
  EXPECT_EQ(value_of("+17"), "17");
  EXPECT_EQ(value_of("17N"), "17");
  EXPECT_EQ(value_of("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(value_of("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(value_of("2.0"), "2");
  EXPECT_EQ(value_of("2.50M"), "\"2.5\"");
  EXPECT_EQ(value_of("1/3"), "\"1/3\"");
  EXPECT_EQ(value_of("##NaN"), "\"##NaN\"");
  EXPECT_EQ(value_of(":a/b-c"), ":a/b-c");
  EXPECT_EQ(value_of("sym"), "\"sym\"");
  EXPECT_EQ(value_of("\\a"), "\"a\"");
  EXPECT_EQ(value_of("\\newline"), "\"\\n\"");
  EXPECT_EQ(value_of("\"tab\\t \\u00e9 \\ud83d\\ude00 \\\\\""), "\"tab\\t \u00e9 \U0001f600 \\\\\"");
  EXPECT_EQ(value_of("\"two\nlines\""), "\"two\\nlines\"");
  EXPECT_EQ(value_of("#inst \"2026-01-01\""), "\"2026-01-01\"");
  EXPECT_EQ(value_of("[[:append :x 1] (:r 2 nil)]"), "[[:append :x 1] [:r 2 nil]]");
}

TEST(Edn, SetsAndMapsHaveNoOrder) {
  EXPECT_EQ(value_of("#{3 1 :b 2 :a \"x\"}"), "[1 2 3 \"x\" :a :b]");
  EXPECT_EQ(value_of("{:b 2, :a 1}"), "[[:a 1] [:b 2]]");
  RecordedHistory history;
  read_history(
      "{:process 0 :type :invoke :f :w :value #{10 9 [1] [0]}}{:process 1 :type :invoke :f :w :value #{[0] [1] 9 10}}",
      "h", {}, history);
  EXPECT_EQ(history.operations[0].argument, history.operations[1].argument);
}

TEST(Edn, KeysOfPorcupine) {
  EXPECT_EQ(read("{:process 0, :type :invoke, :f :append, :key \"k\", :value \"x 0 0 y\"}\n"
                 "{:process 0, :type :ok, :f :append, :key \"k\", :value \"x 0 0 y\"}\n"),
            "0 append(\"k\": \"x 0 0 y\") ok \"x 0 0 y\" [0, 1]\n");
}

TEST(Edn, IndependentKeysAreFoundOut) {
  const std::string text =
      "{:process 0, :type :invoke, :f :read, :value [7 nil]}\n"
      "{:process 1, :type :invoke, :f :cas, :value [7 [1 2]]}\n"
      "{:process 0, :type :ok, :f :read, :value [7 1]}\n"
      "{:process 1, :type :ok, :f :cas, :value [7 [1 2]]}\n";
  EXPECT_EQ(read(text), "0 read(7: nil) ok 1 [0, 2]\n1 cas(7: [1 2]) ok [1 2] [1, 3]\n");
  EXPECT_EQ(read(text, {.keyed = false}), "0 read([7 nil]) ok [7 1] [0, 2]\n1 cas([7 [1 2]]) ok [7 [1 2]] [1, 3]\n");
}

TEST(Edn, PairsOfOldAndNewAreNoKeys) {
  const std::string text =
      "{:process 0, :type :invoke, :f :cas, :value [1 2]}\n{:process 0, :type :ok, :f :cas, :value [1 2]}\n";
  EXPECT_EQ(read(text), "0 cas([1 2]) ok [1 2] [0, 1]\n");
  EXPECT_EQ(read("{:process 0, :type :invoke, :f :write, :value [1 2]}\n"), "0 write([1 2]) unknown [0, ...]\n");
  EXPECT_EQ(read("{:process 0, :type :invoke, :f :write, :value [1 2]}\n", {.keyed = true}),
            "0 write(1: 2) unknown [0, ...]\n");
}

TEST(Edn, KeyedHistoriesHavePairsOnly) {
  EXPECT_THAT(
      complaint(
          "{:process 0, :type :invoke, :f :write, :value [1 2]}\n{:process 1, :type :invoke, :f :write, :value 3}",
          {.keyed = true}),
      StartsWith("h:2:1: the value of this write is no pair [key value]"));
}

TEST(Edn, AFailedCompareAndSet) {
  const std::string text =
      "{:process 0, :type :invoke, :f :cas, :value [1 2]}\n{:process 0, :type :fail, :f :cas, :value [1 2]}\n"
      "{:process 0, :type :invoke, :f :cas, :value [1 2]}\n{:process 0, :type :fail, :f :cas, :error :no-leader}\n"
      "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :fail, :f :write, :value 1}\n";
  EXPECT_EQ(read(text, {.failed_cas = FailedCas::Ignored}),
            "0 cas([1 2]) failed [0, 1]\n0 cas([1 2]) failed [2, 3]\n0 write(1) failed [4, 5]\n");
  // The default, of the program too. An error is another reason than a mismatch.
  EXPECT_EQ(read(text), "0 cas([1 2]) ok false [0, 1]\n0 cas([1 2]) failed [2, 3]\n0 write(1) failed [4, 5]\n");
}

TEST(Edn, CutOffAnywhereIsAnErrorAtTheUnfinishedForm) {
  const std::string whole =
      "[{:process 0, :type :invoke, :f :write, :value [1 \"a\"]}\n"
      " {:process 0, :type :ok, :f :write, :value [1 \"a\"]}]";
  ASSERT_EQ(complaint(whole), "");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_THAT(complaint(whole.substr(0, size)), testing::MatchesRegex("h:[12]:[0-9]+: .*")) << whole.substr(0, size);
  }
  EXPECT_THAT(complaint(whole.substr(0, whole.size() - 6)), StartsWith("h:2:"));
  EXPECT_THAT(complaint(whole.substr(0, whole.size() - 6)), HasSubstr("cut off"));
}

TEST(Edn, WhatCannotBe) {
  const std::string invoke = "{:process 0, :type :invoke, :f :write, :value 1}\n";
  EXPECT_THAT(complaint(invoke + invoke), StartsWith("h:2:1: process 0 has two open operations: the write of line 1"));
  EXPECT_THAT(complaint("{:process 4, :type :ok, :f :write, :value 1}"),
              StartsWith("h:1:1: a completion without an invocation: process 4"));
  EXPECT_THAT(complaint("{:process 0, :type :maybe, :f :write, :value 1}"),
              StartsWith("h:1:20: the :type :maybe is unknown; it is one of invoke, ok, fail, info"));
  EXPECT_THAT(complaint(invoke + "{:process 0, :type :ok, :f :read, :value 1}"),
              StartsWith("h:2:1: process 0 completes read, but its invocation in line 1 is of write"));
  EXPECT_THAT(complaint("{:process 0, :type :invoke, :f :get, :key 1}{:process 0, :type :ok, :f :get, :key 2}"),
              HasSubstr("the key is 2, but its invocation in line 1 has 1"));
  EXPECT_THAT(complaint("{:process 0, :f :write, :value 1}"), StartsWith("h:1:1: this map has no :type"));
  EXPECT_THAT(complaint("{:process 0, :type :invoke, :f :write, :process 1}"),
              StartsWith("h:1:40: :process stands twice in this map"));
  EXPECT_THAT(complaint("{:process 0, :type :invoke, :f :write, :value}"),
              StartsWith("h:1:40: a map with a key that has no value"));
  EXPECT_THAT(complaint("{:process 0, :type :invoke, :f :write, :value 99999999999999999999}"),
              StartsWith("h:1:47: the number does not fit into 64 bits"));
  EXPECT_THAT(complaint("{:process 0, :type :invoke, :f :write, :value [1 2)}"),
              StartsWith("h:1:51: ')' where ']' is expected"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :write :value \"\\q\"}"),
              StartsWith("h:1:45: an unknown escape"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :write :value \"\\ud800\"}"),
              HasSubstr("four hexadecimal digits"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :write :value \"\xff\"}"),
              StartsWith("h:1:45: the byte 0xff is not UTF-8"));
  EXPECT_THAT(complaint("{:process 0} 7"), HasSubstr("h:1:1: this map has no :type"));
  EXPECT_THAT(complaint("[]"), HasSubstr("there is no operation in this file"));
  EXPECT_THAT(complaint("  \n"), HasSubstr("h:1:1: the file is empty"));
  EXPECT_THAT(complaint("hello\nworld"), HasSubstr("none of the known formats"));
}

TEST(Edn, ColumnsCountCharacters) {
  EXPECT_THAT(complaint("{:process 0, :x \"\u00e9\u00e9\", :type :maybe, :f :write, :value 1}"),
              StartsWith("h:1:29: the :type"));
}

TEST(Edn, NestingHasALimit) {
  const auto nested = [](std::size_t depth) {
    return "{:process 0 :type :invoke :f :w :value " + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(complaint(nested(100)), "");
  EXPECT_THAT(complaint(nested(102)), HasSubstr("nested deeper than 100"));
  EXPECT_THAT(complaint(nested(200)), HasSubstr("nested deeper than 128"));
  EXPECT_THAT(complaint(nested(1000000)), HasSubstr("nested deeper than 128"));
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :w :value " + std::string(1000000, '#') + "}"),
              HasSubstr("h:1:"));
  std::string tags;
  for (int i = 0; i < 100000; ++i) tags += "#t ";
  EXPECT_THAT(complaint("{:process 0 :type :invoke :f :w :value " + tags + "1}"), HasSubstr("nested deeper than 100"));
  std::string discards;
  for (int i = 0; i < 100000; ++i) discards += "#_";
  EXPECT_THAT(complaint(discards), HasSubstr("without a form to discard"));
}

TEST(Edn, ABudgetStopsReading) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += "{:process " + std::to_string(i) + " :type :invoke :f :w :value " + std::to_string(i) + "}\n";
  Budget budget({.bytes = 1 << 16});
  RecordedHistory history;
  EXPECT_THROW(read_history(text, "h", {.budget = &budget}, history), ReadingStopped);
  EXPECT_LT(history.operations.size(), 10000u);
}

}  // namespace
}  // namespace heddle::history::edn_test
