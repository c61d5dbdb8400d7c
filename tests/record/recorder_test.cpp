#include "heddle/record.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "record/recorded.h"

namespace heddle::recorder_test {
namespace {

using testing::HasSubstr;

// A clock the tests set.
std::int64_t the_time = 0;
std::int64_t set_time() { return the_time; }
std::int64_t ticking_time() { return ++the_time; }

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() { the_time = 0; }
};

TEST_F(RecorderTest, WritesEveryOutcomeAsJepsenDoes) {
  Recorder recorder(ticking_time);
  auto write = recorder.invoke(0, "write", "x", 3);
  auto read = recorder.invoke(1, "read", "x", nullptr);
  write.ok();
  read.ok(3);
  auto cas = recorder.invoke(0, "cas", "x", {3, 4});
  cas.fail();
  auto lost = recorder.invoke(0, "write", "x", 5);
  lost.unknown();
  EXPECT_EQ(written(recorder),
            "{:process 0, :type :invoke, :f :write, :key \"x\", :value 3, :time 1}\n"
            "{:process 1, :type :invoke, :f :read, :key \"x\", :value nil, :time 2}\n"
            "{:process 0, :type :ok, :f :write, :key \"x\", :value 3, :time 3}\n"
            "{:process 1, :type :ok, :f :read, :key \"x\", :value 3, :time 4}\n"
            "{:process 0, :type :invoke, :f :cas, :key \"x\", :value [3 4], :time 5}\n"
            "{:process 0, :type :fail, :f :cas, :key \"x\", :value [3 4], :time 6, :error \"did not happen\"}\n"
            "{:process 0, :type :invoke, :f :write, :key \"x\", :value 5, :time 7}\n"
            "{:process 0, :type :info, :f :write, :key \"x\", :value 5, :time 8}\n");
}

TEST_F(RecorderTest, WritesJsonLines) {
  Recorder recorder(ticking_time);
  auto push = recorder.invoke(2, "push", {nullptr, true, "a\"b"});
  push.ok();
  auto pop = recorder.invoke(2, "pop");
  EXPECT_EQ(written(recorder, Recorder::Format::JsonLines),
            "{\"process\":2,\"type\":\"invoke\",\"f\":\"push\",\"value\":[null,true,\"a\\\"b\"],\"time\":1}\n"
            "{\"process\":2,\"type\":\"ok\",\"f\":\"push\",\"value\":[null,true,\"a\\\"b\"],\"time\":2}\n"
            "{\"process\":2,\"type\":\"invoke\",\"f\":\"pop\",\"value\":null,\"time\":3}\n");
}

// A compare-and-set that failed because it was never sent says nothing about the value.
TEST_F(RecorderTest, AFailedCompareAndSetIsNoAnswer) {
  for (const auto format : {Recorder::Format::Edn, Recorder::Format::JsonLines}) {
    Recorder recorder(ticking_time);
    recorder.invoke(0, "cas", {1, 2}).fail();
    history::ReadOptions options;
    options.failed_cas = history::FailedCas::Mismatch;
    RecordedHistory history;
    history::read_history(written(recorder, format), "h", options, history);
    EXPECT_EQ(history.operations[0].outcome, Outcome::Failed);
  }
}

TEST_F(RecorderTest, AnOperationThatIsForgottenIsUnknown) {
  Recorder recorder(ticking_time);
  {
    auto forgotten = recorder.invoke(0, "write", 1);
  }
  auto replaced = recorder.invoke(1, "write", 2);
  replaced = recorder.invoke(2, "write", 3);
  replaced.ok();
  const ReadBack history(recorder);
  ASSERT_EQ(history.operations.size(), 3u);
  EXPECT_EQ(history.operations[0].outcome, Outcome::Unknown);
  EXPECT_EQ(history.operations[1].outcome, Outcome::Unknown);
  EXPECT_EQ(history.operations[2].outcome, Outcome::Ok);
}

TEST_F(RecorderTest, CompletingTwiceIsAMistake) {
  Recorder recorder;
  auto op = recorder.invoke(0, "read");
  op.ok(1);
  EXPECT_THROW(op.fail(), std::logic_error);
  EXPECT_EQ(ReadBack(recorder).operations[0].outcome, Outcome::Ok);
}

TEST_F(RecorderTest, AfterAnUnknownOutcomeAClientGoesOnAsAFreshProcess) {
  Recorder recorder(ticking_time);
  for (int i = 0; i < 3; ++i) {
    for (std::uint32_t client = 0; client < 2; ++client) {
      auto op = recorder.invoke(client, "write", i);
      client == 1 ? op.unknown() : op.ok();
    }
  }
  const ReadBack history(recorder);
  EXPECT_THAT(history.processes, testing::ElementsAre("0", "1", "3", "5"));
  EXPECT_EQ(history.operations[4].process, 0u);
}

TEST_F(RecorderTest, OverlappingOperationsOfOneClientAreTwoProcesses) {
  Recorder recorder(ticking_time);
  auto first = recorder.invoke(0, "write", 1);
  auto second = recorder.invoke(0, "write", 2);
  second.ok();
  auto third = recorder.invoke(0, "write", 3);  // goes where the second was
  third.ok();
  first.ok();
  const ReadBack history(recorder);
  EXPECT_EQ(history.processes.size(), 2u);
  EXPECT_EQ(history.operations[1].process, history.operations[2].process);
  EXPECT_LT(history.operations[2].returned, history.operations[0].returned);
}

// Two events with one stamp may have happened in either order: they must not order the operations.
TEST_F(RecorderTest, EventsWithOneStampOverlap) {
  Recorder recorder(set_time);
  for (std::uint32_t client = 0; client < 2; ++client) {
    the_time = 1;
    auto before = recorder.invoke(client, "write", 1);
    the_time = 2;
    before.ok();
    auto after = recorder.invoke(client, "write", 2);
    the_time = 3;
    after.ok();
  }
  const ReadBack history(recorder);
  ASSERT_EQ(history.operations.size(), 4u);
  for (const RecordedOperation& a : history.operations) {
    for (const RecordedOperation& b : history.operations) EXPECT_LT(a.invoked, b.returned);
  }
}

TEST_F(RecorderTest, SavingInTheMiddleLeavesOperationsOpen) {
  Recorder recorder(ticking_time);
  auto open = recorder.invoke(0, "write", 1);
  EXPECT_EQ(ReadBack(recorder).operations[0].outcome, Outcome::Unknown);
  open.ok();
  EXPECT_EQ(ReadBack(recorder).operations[0].outcome, Outcome::Ok);
}

// The moment of the cut is when `write` reads the clock; this clock lets other things happen right after that.
Recorder* interrupted = nullptr;
Recorder::Operation* still_open = nullptr;
std::int64_t interrupting_clock() {
  const std::int64_t now = ++the_time;
  if (still_open != nullptr) {
    std::exchange(still_open, nullptr)->ok(1);
    interrupted->invoke(1, "write", 2).ok();
  }
  return now;
}

TEST_F(RecorderTest, WhatHappensWhileSavingIsNotInTheHistory) {
  Recorder recorder(interrupting_clock);
  auto read = recorder.invoke(0, "read");
  interrupted = &recorder;
  still_open = &read;
  EXPECT_EQ(written(recorder), "{:process 0, :type :invoke, :f :read, :value nil, :time 1}\n");
  EXPECT_EQ(ReadBack(recorder).operations.size(), 2u);
  EXPECT_EQ(ReadBack(recorder).operations[0].outcome, Outcome::Ok);
}

TEST_F(RecorderTest, TextThatLooksLikeAKeywordIsText) {
  for (const auto format : {Recorder::Format::Edn, Recorder::Format::JsonLines}) {
    for (const std::string text : {":x", "::x", ":"}) {
      Recorder recorder(ticking_time);
      recorder.invoke(0, "write", text).ok();
      ReadBack history(recorder, format);
      EXPECT_EQ(history.operations[0].argument, history.values.text(text)) << text;
    }
  }
}

TEST_F(RecorderTest, ValuesOfManyTypes) {
  Recorder recorder(ticking_time);
  const auto shown = [&](const Recorder::Value& value) {
    Recorder one(ticking_time);
    auto op = one.invoke(0, "f", value);
    const std::string line = written(one);
    const auto start = line.find(":value ") + 7;
    return line.substr(start, line.rfind(", :time") - start);
  };
  EXPECT_EQ(shown(std::optional<int>{}), "nil");
  EXPECT_EQ(shown(std::optional<int>{7}), "7");
  EXPECT_EQ(shown(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(shown(std::uint8_t{200}), "200");
  EXPECT_EQ(shown(false), "false");
  EXPECT_EQ(shown(static_cast<const char*>(nullptr)), "nil");
  EXPECT_EQ(shown(std::string("12345678")), "\"12345678\"");
  EXPECT_EQ(shown(std::string_view("123456789")), "\"123456789\"");
  EXPECT_EQ(shown(""), "\"\"");
  EXPECT_EQ(shown(std::vector<int>{}), "[]");
  EXPECT_EQ(shown(std::vector<bool>{true, false}), "[true false]");
  EXPECT_EQ(shown(std::set<std::string>{"b", "a"}), "[\"a\" \"b\"]");
  EXPECT_EQ(shown(std::vector<std::vector<int>>{{1}, {2, 3}}), "[[1] [2 3]]");
  EXPECT_EQ(shown(std::string(100'000, 'x')), '"' + std::string(100'000, 'x') + '"');
  EXPECT_EQ(shown("a\x01\n\\"), "\"a\\u0001\\n\\\\\"");
  EXPECT_THROW(shown(std::numeric_limits<std::uint64_t>::max()), std::out_of_range);
}

// Neither format holds bytes that are not UTF-8; a history with them must still be one that can be read, and they must
// differ.
TEST_F(RecorderTest, BytesThatAreNoTextAreWrittenAsHexadecimal) {
  for (const std::string bytes : {"\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xc3"}) {
    for (const auto format : {Recorder::Format::Edn, Recorder::Format::JsonLines}) {
      Recorder recorder(ticking_time);
      auto op = recorder.invoke(0, "write", bytes);
      EXPECT_THAT(written(recorder, format), HasSubstr("[\"bytes\""));
      EXPECT_NO_THROW(ReadBack(recorder, format));
    }
  }
  Recorder recorder(ticking_time);
  auto op = recorder.invoke(0, "write", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82");
  EXPECT_THAT(written(recorder), HasSubstr("\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82\""));
}

TEST_F(RecorderTest, ANameThatIsNoKeywordIsText) {
  Recorder recorder(ticking_time);
  auto op = recorder.invoke(0, "take 2 \"now\"");
  EXPECT_EQ(ReadBack(recorder).functions[0], "take 2 \"now\"");
}

TEST_F(RecorderTest, SaveSaysWhatIsWrong) {
  Recorder recorder;
  const auto message = [&](const std::string& path) -> std::string {
    try {
      recorder.save(path);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("history.txt"), HasSubstr("name it .edn or .jsonl"));
  EXPECT_THAT(message("/nonexistent/history.edn"), HasSubstr("No such file"));
  EXPECT_THAT(message("/dev/full/history.edn"), HasSubstr("cannot write"));
}

TEST_F(RecorderTest, TwoRecordersInOneThreadDoNotMix) {
  auto first = std::make_unique<Recorder>(ticking_time), second = std::make_unique<Recorder>(ticking_time);
  for (int i = 0; i < 10; ++i) {
    first->invoke(0, "first", i).ok();
    second->invoke(0, "second", i).ok();
  }
  first = std::make_unique<Recorder>(ticking_time);
  first->invoke(0, "third", 1).ok();
  EXPECT_EQ(ReadBack(*first).operations.size(), 1u);
  EXPECT_EQ(ReadBack(*second).operations.size(), 10u);
  EXPECT_EQ(ReadBack(*second).functions, std::vector<std::string>{"second"});
}

// A value of any shape, kept alive for the view that records it.
struct Any {
  enum class Kind { Nil, Boolean, Integer, Text, List } kind = Kind::Nil;
  std::int64_t integer = 0;
  std::string text;
  std::vector<Any> list;

  operator Recorder::Value() const {
    switch (kind) {
      case Kind::Nil:
        return nullptr;
      case Kind::Boolean:
        return integer != 0;
      case Kind::Integer:
        return integer;
      case Kind::Text:
        return text;
      case Kind::List:
        return list;
    }
    return nullptr;
  }

  Value in(ValueTable& values) const {
    std::vector<Value> members;
    switch (kind) {
      case Kind::Nil:
        return nil;
      case Kind::Boolean:
        return values.boolean(integer != 0);
      case Kind::Integer:
        return values.integer(integer);
      case Kind::Text:
        return values.text(text);
      case Kind::List:
        for (const Any& member : list) members.push_back(member.in(values));
        return values.list(members);
    }
    return nil;
  }
};

Any random_value(int depth) {
  Any any;
  any.kind = static_cast<Any::Kind>(*rc::gen::inRange(0, depth > 0 ? 5 : 4));
  any.integer = any.kind == Any::Kind::Boolean ? *rc::gen::inRange(0, 2) : *rc::gen::arbitrary<std::int64_t>();
  if (any.kind == Any::Kind::Text) {
    const std::vector<std::string> letters = {"a",
                                              "\"",
                                              "\\",
                                              "\n",
                                              "\r",
                                              "\t",
                                              "\x01",
                                              "\x7f",
                                              " ",
                                              ":",
                                              "\xc3\xa4",
                                              "\xe2\x82\xac",
                                              "\xf0\x9f\x99\x82",
                                              std::string(1, '\0')};
    for (const std::string& letter : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(letters)))
      any.text += letter;
  }
  if (any.kind == Any::Kind::List) {
    const int size = *rc::gen::inRange(0, 4);
    for (int i = 0; i < size; ++i) any.list.push_back(random_value(depth - 1));
  }
  return any;
}

RC_GTEST_PROP(Recorder, ValuesAreReadBackAsTheyWere, ()) {
  const auto format = *rc::gen::element(Recorder::Format::Edn, Recorder::Format::JsonLines);
  const Any key = random_value(1), argument = random_value(3), result = random_value(3);
  Recorder recorder;
  recorder.invoke(0, "f", key, argument).ok(result);
  ReadBack history(recorder, format);
  RC_ASSERT(history.operations.size() == 1u);
  RC_ASSERT(history.operations[0].key == key.in(history.values));
  RC_ASSERT(history.operations[0].argument == argument.in(history.values));
  RC_ASSERT(history.operations[0].result == result.in(history.values));
}

}  // namespace
}  // namespace heddle::recorder_test
