// Files of one enormous line: as good as any other where they are right, and an error at once where they are not. Slow,
// because a hundred megabytes are written and read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/reading.h"

namespace heddle::history::one_line_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t size = 100'000'000;

TEST(OneLine, SlowEventsOnOneLine) {
  const std::string event =
      "{:process 0, :type :invoke, :f :write, :value 1} {:process 0, :type :ok, :f :write, :value 1} ";
  std::string text = "[";
  text.reserve(size + 100);
  while (text.size() < size) text += event;
  const std::size_t operations = (text.size() - 1) / event.size();
  RecordedHistory history;
  read_history(text + "]", "h", {}, history);
  EXPECT_EQ(history.operations.size(), operations);
  EXPECT_LT(history.values.bytes(), 1000u);
  EXPECT_THAT(complaint(text), StartsWith("h:1:1: the vector that begins here is not closed"));
  EXPECT_THAT(complaint(text + "{:process 0, :type :what, :f :f}]"),
              StartsWith("h:1:" + std::to_string(text.size() + 20) + ": the :type"));
}

TEST(OneLine, SlowOneValue) {
  const std::string filler(size, 'x');
  EXPECT_EQ(complaint("{:process 0, :type :invoke, :f :write, :value \"" + filler + "\"}"), "");
  EXPECT_THAT(complaint("{:process 0, :type :invoke, :f :write, :value \"" + filler), HasSubstr("cut off"));
  EXPECT_THAT(complaint("{\"process\": 0, \"type\": \"invoke\", \"f\": \"w\", \"value\": \"" + filler),
              HasSubstr("cut off"));
  EXPECT_THAT(complaint("0\t:invoke\t:write\t\"" + filler), HasSubstr("not closed"));
  EXPECT_THAT(complaint(filler), HasSubstr("none of the known formats"));
}

TEST(OneLine, SlowOpenBrackets) {
  const std::string brackets(size, '[');
  EXPECT_THAT(complaint("{:process 0 :value " + brackets), HasSubstr("nested deeper than 128"));
  EXPECT_THAT(complaint(brackets, {.format = Format::Edn}), StartsWith("h:1:2: an event is expected here"));
  EXPECT_THAT(complaint(brackets, {.format = Format::Json}), StartsWith("h:1:"));
}

}  // namespace
}  // namespace heddle::history::one_line_test
