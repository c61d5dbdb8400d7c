#include "report/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::report::values_test {
namespace {

using testing::ElementsAre;

TEST(Values, PrintAsPeopleWriteThem) {
  EXPECT_EQ(value_phrase("null"), "none");
  EXPECT_EQ(value_phrase(R"("say \"hi\"")"), R"("say \"hi\"")");
  EXPECT_EQ(value_phrase(R"({"n":1,"v":null})"), "{n=1, v=none}");
  EXPECT_EQ(value_phrase(R"([1,[],{}])"), "[1, [], {}]");
  EXPECT_EQ(value_phrase(R"(["idle","two words","none","1","","node 2","node x 2"])"),
            R"([idle, "two words", "none", "1", "", node 2, "node x 2"])");
  EXPECT_EQ(value_phrase(R"("\u001b[31m")"), R"("\x1b[31m")");
  EXPECT_EQ(value_phrase("\"é\"", true), R"("\u00e9")");
  EXPECT_EQ(value_phrase(""), "none");
  EXPECT_EQ(value_phrase("{not json"), "{not json");
}

TEST(Values, MessagesLookLikeCalls) {
  const auto phrase = [](const std::string& type, const std::string& body) {
    return message_phrase({type, 0, 1, body});
  };
  EXPECT_EQ(phrase("Prepare", R"({"n":1})"), "Prepare(1)");
  EXPECT_EQ(phrase("Accept", R"({"n":1,"v":null})"), "Accept(n=1, v=none)");
  EXPECT_EQ(phrase("Accept", R"({"proposal":{"n":1,"v":{"x":2}}})"), "Accept(n=1, v={x=2})");
  EXPECT_EQ(phrase("Accept", R"({"proposal":{}})"), "Accept({})");
  EXPECT_EQ(phrase("Ack", "{}"), "Ack");
  EXPECT_EQ(phrase("Ack", ""), "Ack");
  EXPECT_EQ(phrase("Pair", "[1,2]"), "Pair([1, 2])");
  EXPECT_EQ(phrase("Odd", "{oops"), "Odd({oops)");
}

TEST(Values, OperationsLookLikeCalls) {
  EXPECT_EQ(operation_phrase(R"({"op":"write","value":1})"), "write(1)");
  EXPECT_EQ(operation_phrase(R"({"value":[1],"op":"cas","old":0})"), "cas(value=[1], old=0)");
  EXPECT_EQ(operation_phrase(R"({"op":"read"})"), "read");
  EXPECT_EQ(operation_phrase(R"({"op":"read","value":null})"), "read");
  EXPECT_EQ(operation_phrase(R"({"kind":"get","key":0,"value":"nobody"})"), "get(0)");
  EXPECT_EQ(operation_phrase(R"({"kind":"put","key":0,"value":"client 2"})"), "put(key=0, value=client 2)");
  EXPECT_EQ(operation_phrase(R"({"kind":"write","client":"client 1"})"), "write(client 1)");
  EXPECT_EQ(operation_phrase(R"({"value":null})"), "none");
  EXPECT_EQ(operation_phrase(R"({"op":3,"x":1})"), "{op=3, x=1}");
  EXPECT_EQ(operation_phrase("\"ok\""), "ok");
  EXPECT_EQ(choice_phrase(R"([1,"a b"])"), "1, \"a b\"");
}

TEST(Values, CallsLookLikeCallsInsideOtherValues) {
  EXPECT_EQ(message_phrase({"Request", 0, 1, R"({"operation":{"op":"write","value":1},"client":"client 1"})"}),
            "Request(operation=write(1), client=client 1)");
  EXPECT_EQ(message_phrase({"Query", 0, 1, R"({"operation":{"op":"read","value":null}})"}), "Query(read)");
  EXPECT_EQ(value_phrase(R"([[{"op":"write","value":1},{"value":null}]])"), "[[write(1), {value=none}]]");
}

TEST(Values, AnAnswerToAWriteMayTellNothing) {
  const std::string write = R"({"op":"write","value":1})", read = R"({"op":"read","value":null})";
  EXPECT_TRUE(says_nothing(write, R"({"value":null})"));
  EXPECT_TRUE(says_nothing(write, R"({"value":"nobody"})"));
  EXPECT_TRUE(says_nothing(write, "{}"));
  EXPECT_FALSE(says_nothing(write, R"({"value":0})"));
  EXPECT_FALSE(says_nothing(read, R"({"value":null})"));
  EXPECT_FALSE(says_nothing(R"({"kind":"get","key":3})", "null"));
  EXPECT_FALSE(says_nothing(R"({"writes":true,"value":1})", "null"));
  EXPECT_FALSE(says_nothing("{oops", "null"));
}

TEST(Values, DiffsNameWhatChanged) {
  const auto phrases = [](const std::string& name, const std::string& before, const std::string& after) {
    return diff_phrases({0, name, before, after}, "→");
  };
  EXPECT_THAT(phrases("promised", "0", "1"), ElementsAre("promised 0 → 1"));
  EXPECT_THAT(phrases("", "0", "1"), ElementsAre("0 → 1"));
  EXPECT_THAT(phrases("log", "[1,2]", "[1,2,3]"), ElementsAre("log [1, 2] → [1, 2, 3]"));
  const std::string ten = "1,2,3,4,5,6,7,8,9,10";
  EXPECT_THAT(phrases("log", "[" + ten + "]", "[" + ten + ",11,12]"), ElementsAre("log + 11, 12"));
  EXPECT_THAT(phrases("log", "[0," + ten + "]", "[" + ten + "]"), ElementsAre("log - 0"));
  EXPECT_THAT(phrases("", "[0," + ten + "]", "[" + ten + "]"), ElementsAre("- 0"));
  // Neither grown nor shrunk: said in full.
  EXPECT_THAT(phrases("log", "[0," + ten + "]", "[" + ten + ",0]"),
              ElementsAre("log [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] → [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]"));
  EXPECT_THAT(phrases("s", R"({"term":1,"same":"xxxxxxxxxxxxxxxxxxxx","old":1})",
                      R"({"term":2,"same":"xxxxxxxxxxxxxxxxxxxx","new":3})"),
              ElementsAre("s.term 1 → 2", "s + new=3", "s - old"));
  EXPECT_THAT(phrases("x", "{oops", "1"), ElementsAre("x {oops → 1"));
}

TEST(Values, ShorteningKeepsTheClosingBracket) {
  EXPECT_EQ(shorten_phrase("Accept(n=1, v=none)", 19, "…"), "Accept(n=1, v=none)");
  EXPECT_EQ(shorten_phrase("Accept(n=1, v=none)", 14, "…"), "Accept(n=1,…)");
  EXPECT_EQ(shorten_phrase("Accept(n=1, v=none)", 7, "…"), "Accept…");
  EXPECT_EQ(shorten_phrase("a long name", 6, "…"), "a lon…");
}

}  // namespace
}  // namespace heddle::report::values_test
