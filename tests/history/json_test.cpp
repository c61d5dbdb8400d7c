// JSON histories: lines and arrays, other names of fields, values, and what is wrong with broken ones.
#include "history/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/reading.h"

namespace heddle::history::json_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string write_then_read = "0 write(3) ok 3 [0, 1]\n0 read(nil) ok 3 [2, 3]\n";

TEST(Json, LinesArraysAndStreams) {
  const std::string events[] = {R"({"process": 0, "type": "invoke", "f": "write", "value": 3})",
                                R"({"process":0,"type":"ok","f":"write","value":3})",
                                R"({"process": 0, "type": "invoke", "f": "read", "value": null})",
                                R"({"process":0,"type":"ok","f":"read","value":3})"};
  EXPECT_EQ(read(events[0] + "\n" + events[1] + "\r\n\n" + events[2] + "\n" + events[3] + "\n"), write_then_read);
  EXPECT_EQ(read(events[0] + events[1] + events[2] + events[3]), write_then_read);
  EXPECT_EQ(read("[" + events[0] + ",\n" + events[1] + "," + events[2] + " , " + events[3] + "]\n"), write_then_read);
  EXPECT_THAT(complaint("[" + events[0] + events[1] + "]"), StartsWith("h:1:60: a comma or ']' is expected"));
  EXPECT_THAT(complaint("[" + events[0] + ",\n" + events[1]),
              HasSubstr("h:1:1: the array that begins here is not closed"));
}

// Not a trace: the name of that format is a value here.
TEST(Json, AValueThatIsTheNameOfAnotherFormat) {
  EXPECT_EQ(read(R"({"process": 0, "type": "invoke", "f": "write", "value": "heddle-trace"})"),
            "0 write(\"heddle-trace\") unknown [0, ...]\n");
}

TEST(Json, OtherNamesOfFieldsAndTypes) {
  EXPECT_EQ(read(R"({"client": "a", "event": "call", "op": "write", "k": "x", "argument": 3, "ts": 5}
                    {"client": "a", "event": "return", "result": true, "ts": 9}
                    {"thread": 2, "kind": ":invoke", "operation": ":read", "key": "x"}
                    {"thread": 2, "kind": "timeout"})"),
            "a write(\"x\": 3) ok true [0, 1] at 5 to 9\n2 read(\"x\": nil) unknown [2, ...]\n");
}

TEST(Json, TheNemesisAndUnknownFieldsAreLeftOut) {
  RecordedHistory history;
  const ReadSummary summary = read_history(
      R"({"process": "nemesis", "type": "info", "f": "start", "node": {"a": [1e999]}}
         {"process": ":nemesis", "type": "info"}
         {"process": 1, "type": "invoke", "f": "read", "node": {"deep": [1, {"x": 99999999999999999999}]}, "index": 3})",
      "h", {}, history);
  EXPECT_EQ(summary.nemesis_events, 2u);
  EXPECT_EQ(summary.format, Format::Json);
  EXPECT_EQ(dump(history), "1 read(nil) unknown [0, ...]\n");
}

std::string value_of(const std::string& text) {
  const std::string dumped = read(R"({"process": 0, "type": "invoke", "f": "w", "value": )" + text + "}");
  const std::size_t begin = dumped.find('(') + 1;
  return dumped.substr(begin, dumped.rfind(") unknown") - begin);
}

TEST(Json, Values) {
  EXPECT_EQ(value_of("true"), "true");
  EXPECT_EQ(value_of("-17"), "-17");
  EXPECT_EQ(value_of("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(value_of("2.0"), "2");
  EXPECT_EQ(value_of("2.50"), "\"2.5\"");
  EXPECT_EQ(value_of(R"("\u00e9\n")"), "\"\u00e9\\n\"");
  EXPECT_EQ(value_of(R"(":append")"), ":append");
  EXPECT_EQ(value_of(R"("::append")"), "\":append\"");
  EXPECT_EQ(value_of(R"(":not a keyword")"), "\":not a keyword\"");
  EXPECT_EQ(value_of(R"([1, [2, null], []])"), "[1 [2 nil] []]");
  EXPECT_EQ(value_of(R"({"b": 2, "a": {"c": []}})"), R"([["a" [["c" []]]] ["b" 2]])");
}

TEST(Json, WhatCannotBe) {
  const std::string invoke = R"({"process": 0, "type": "invoke", "f": "write", "value": 1})";
  EXPECT_THAT(complaint(invoke + "\n" + invoke), StartsWith("h:2:1: process 0 has two open operations"));
  EXPECT_THAT(complaint(R"({"process": 0, "type": "ok", "f": "write"})"),
              StartsWith("h:1:1: a completion without an invocation"));
  EXPECT_THAT(complaint(R"({"process": 0, "type": "maybe", "f": "write"})"),
              StartsWith("h:1:1: the type \"maybe\" is unknown"));
  EXPECT_THAT(complaint(R"({"process": 0, "f": "write"})"), StartsWith("h:1:1: this object has no \"type\""));
  EXPECT_THAT(complaint(R"({"type": "invoke", "f": "write"})"), StartsWith("h:1:1: this object has no \"process\""));
  EXPECT_THAT(complaint(R"({"process": 0, "type": "invoke", "f": 7})"), StartsWith("h:1:1: this object has no \"f\""));
  EXPECT_THAT(complaint(invoke.substr(0, invoke.size() - 3)), HasSubstr("cut off"));
  EXPECT_THAT(complaint(invoke + "\n[[1]]", {.format = Format::Json}), StartsWith("h:2:"));
  EXPECT_THAT(complaint(invoke + "\n7", {.format = Format::Json}), HasSubstr("an event is an object, not a number"));
  EXPECT_THAT(complaint(R"({"process": 0, "type": "invoke", "f": "w", "value": 99999999999999999999})"),
              HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(complaint(R"({"process": 0, "type": "invoke", "f": "w", "value": 9223372036854775808})"),
              HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(complaint("{\"process\": 0, \"type\": \"invoke\", \"f\": \"\xc3(\"}"),
              StartsWith("h:1:40: the byte 0xc3 is not UTF-8"));
  EXPECT_THAT(complaint(R"({"process": 0, "type": "invoke" "f": "w"})"), StartsWith("h:1:33: malformed JSON"));
  const std::string deep(1000000, '[');
  EXPECT_THAT(complaint(R"({"process": 0, "type": "invoke", "f": "w", "value": )" + deep),
              HasSubstr("nested deeper than 100"));
}

}  // namespace
}  // namespace heddle::history::json_test
