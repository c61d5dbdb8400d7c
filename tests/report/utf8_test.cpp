#include "report/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/canvas.h"

namespace heddle::report::utf8_test {
namespace {

using testing::ElementsAre;

TEST(Utf8, InvalidBytesAreReplacedOneByOne) {
  EXPECT_EQ(repair_utf8("a\xff\xc3z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
  EXPECT_EQ(repair_utf8("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(repair_utf8("\xed\xa0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(repair_utf8("é漢🙂"), "é漢🙂");
}

TEST(Utf8, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(printable("a\n\t\x1b[2J\x7f"), "a\\n\\t\\x1b[2J\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");
  EXPECT_EQ(printable("é→"), "é→");
  EXPECT_EQ(printable("é→", true), "\\u00e9\\u2192");
}

TEST(Utf8, WidthCountsCells) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("→é"), 2);
  EXPECT_EQ(display_width("漢字"), 4);
  EXPECT_EQ(display_width("e\xcc\x81"), 1);  // e with a combining accent
}

TEST(Utf8, ShortenCutsBetweenCharacters) {
  EXPECT_EQ(shorten("漢字漢", 6), "漢字漢");
  EXPECT_EQ(shorten("漢字漢", 5), "漢字…");
  EXPECT_EQ(shorten("漢字漢", 4), "漢…");
  EXPECT_EQ(shorten("abc", 1), "…");
  EXPECT_EQ(shorten("abc", 0), "");
}

TEST(Utf8, WrapBreaksAtSpacesButNotAfterArrowsOrBeforeNumbers) {
  EXPECT_THAT(wrap("one two three", 8), ElementsAre("one two", "  three"));
  EXPECT_THAT(wrap("abcdefghij", 4), ElementsAre("abcd", "  ef", "  gh", "  ij"));
  EXPECT_THAT(wrap("Promise(1) ─▶ proposer 2", 16), ElementsAre("Promise(1)", "  ─▶ proposer 2"));
  EXPECT_THAT(wrap("Promise(1) ─▶ proposer 2", 23), ElementsAre("Promise(1)", "  ─▶ proposer 2"));
  EXPECT_THAT(wrap("", 10), ElementsAre(""));
  // No line ends in a space, also where none of the spaces is a good place to break.
  EXPECT_THAT(wrap("a 1 2222", 4), ElementsAre("a 1", "  22", "  22"));
  EXPECT_THAT(wrap("abc  ", 10), ElementsAre("abc"));
}

RC_GTEST_PROP(Utf8, WrappedLinesFitAndLoseOnlySpaces, (const std::string& bytes)) {
  const std::string text = printable(bytes);
  const int width = *rc::gen::inRange(6, 30);
  std::string joined;
  for (const std::string& line : wrap(text, width)) {
    RC_ASSERT(display_width(line) <= width);
    joined += line;
  }
  const auto without_spaces = [](std::string all) {
    std::erase(all, ' ');
    return all;
  };
  RC_ASSERT(without_spaces(joined) == without_spaces(text));
}

TEST(Canvas, WideCharactersTakeTwoCellsAndNothingLeavesTheSheet) {
  Canvas canvas(6);
  const int row = canvas.add_row();
  EXPECT_EQ(canvas.put(row, 0, "漢|"), 3);
  canvas.put(row, 4, "字漢");
  EXPECT_EQ(canvas.str(false), "漢| 字\n");
}

TEST(Canvas, StylesAreEscapedOncePerRun) {
  Canvas canvas(10);
  const int row = canvas.add_row();
  canvas.put(row, 0, "ab", Style::Fault);
  canvas.put(row, 4, "c", Style::Fault);
  canvas.put(row, 5, "d");
  EXPECT_EQ(canvas.str(true), "\x1b[31mab  c\x1b[0md\n");
  EXPECT_EQ(canvas.str(false), "ab  cd\n");
}

}  // namespace
}  // namespace heddle::report::utf8_test
