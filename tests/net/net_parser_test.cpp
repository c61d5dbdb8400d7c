#include "net/net_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "net/net_printer.h"
#include "random_net.h"

namespace heddle::net::net_parser_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    const Net net = parse_net(text, "x.net");
    return "no error, but:\n" + to_text(net);
  } catch (const ModelError& error) {
    return error.what();
  }
}

bool true_with(const std::string& condition, SlotVector slots) {
  const Net net = parse_net("place a place b place c always x: " + condition, "x.net");
  return holds(net.properties.at(0).formula, slots);
}

TEST(NetParser, ReadsEveryStatement) {
  const Net net = parse_net(R"(# a comment
place p 1   place a, b 2
place c transition t2: p, 2*c -> d   # d is declared below
transition source: -> a
transition sink: a ->
place d
place "two words"
always mutex: a + 2*b - 1 <= -c
sometimes done: d >= 1 and not p == 0 or false
deadlock_free except d > 0
bound c 3)",
                            "x.net");
  const Net expected{
      .places = {{"p", 1}, {"a", 2}, {"b", 2}, {"c", 0}, {"d", 0}, {"two words", 0}},
      .transitions = {{"t2", {{0, 1}, {3, 2}}, {{4, 1}}}, {"source", {}, {{1, 1}}}, {"sink", {{1, 1}}, {}}},
      .properties = {
          {"mutex", Property::Kind::Always,
           Formula::compare({{{1, 1}, {2, 2}}, -1}, Relation::LessEqual, {{{-1, 3}}, 0})},
          {"done", Property::Kind::Sometimes,
           Formula::combine(
               Formula::Kind::Or,
               {Formula::combine(
                    Formula::Kind::And,
                    {Formula::compare({{{1, 4}}, 0}, Relation::GreaterEqual, {{}, 1}),
                     Formula::combine(Formula::Kind::Not, {Formula::compare({{{1, 0}}, 0}, Relation::Equal, {})})}),
                Formula::combine(Formula::Kind::Or, {})})},
          {"deadlock_free", Property::Kind::DeadlockFree, Formula::compare({{{1, 4}}, 0}, Relation::Greater, {})},
          bound("c", 3, 3),
      }};
  EXPECT_EQ(net, expected) << to_text(net);
}

TEST(NetParser, Evaluates) {
  // Slots are markings plus one: a = 0, b = 1, c = max_tokens.
  const SlotVector slots{1, 2, max_tokens + 1};
  EXPECT_TRUE(true_with("a == 0 and b == 1 and c == 4294967294", slots));
  EXPECT_TRUE(true_with("a < b and b > a and a <= 0 and b >= 1 and a != b", slots));
  EXPECT_FALSE(true_with("a < 0", slots));
  EXPECT_FALSE(true_with("b > 1", slots));
  EXPECT_FALSE(true_with("a != 0", slots));
  EXPECT_FALSE(true_with("a >= b", slots));
  EXPECT_FALSE(true_with("b <= a", slots));
  EXPECT_TRUE(true_with("a == 1 or b == 1", slots));
  EXPECT_FALSE(true_with("a == 1 or b == 0", slots));
  EXPECT_TRUE(true_with("true or true and false", slots)) << "and binds tighter than or";
  EXPECT_FALSE(true_with("(true or true) and false", slots));
  EXPECT_TRUE(true_with("not false and not not true", slots));
  EXPECT_TRUE(true_with("1 + b + 2 - 1 == 5 - 2", slots));
  // Beyond 64 bits: max * max, three times.
  EXPECT_TRUE(true_with("4294967294*c + 4294967294*c + 4294967294*c > 0", slots));
  EXPECT_TRUE(true_with("-4294967294*c - 4294967294*c - 4294967294*c < 0", slots));
}

struct Mistake {
  const char* text;
  const char* error;
};

class NetParserMistake : public testing::TestWithParam<Mistake> {};

TEST_P(NetParserMistake, IsReportedWhereItIs) {
  const std::string error = error_of(GetParam().text);
  EXPECT_TRUE(error.starts_with(GetParam().error)) << "expected " << GetParam().error << "\ngot      " << error;
}

INSTANTIATE_TEST_SUITE_P(
    All, NetParserMistake,
    testing::Values(
        Mistake{"", "x.net:1:1: the net has no place; declare"},
        Mistake{"# nothing\n", "x.net:2:1: the net has no place; declare"},
        Mistake{"transition t: ->", "x.net:1:17: the net has no place; declare"},
        Mistake{"place p 1\nplaces q", "x.net:2:1: expected a statement; one of place"},
        Mistake{"place p q", "x.net:1:9: expected a statement"},
        Mistake{"place", "x.net:1:6: expected a name for the place"},
        Mistake{"place and", "x.net:1:7: expected a name for the place"},
        Mistake{"place a,\n  transition t: a ->", "x.net:2:3: expected a name for the place"},
        Mistake{"place a, b, a 1", "x.net:1:13: place 'a' is declared twice"},
        Mistake{"place a\nplace \"a\"", "x.net:2:8: place 'a' is declared twice"},
        Mistake{"place \"a\nb\"", "x.net:1:9: expected the closing quote"},
        Mistake{"place \"\"", "x.net:1:8: expected a name between the quotes"},
        Mistake{"place p 4294967295", "x.net:1:9: the number is too large; 4294967294"},
        Mistake{"place p 99999999999999999999999", "x.net:1:9: the number is too large"},
        Mistake{"place p -1", "x.net:1:9: expected a statement"},
        Mistake{"place p\ntransition t: p, q -> p", "x.net:2:18: unknown place 'q'; declare it with 'place q'"},
        Mistake{"place p\ntransition t: p -> 2*q", "x.net:2:22: unknown place 'q'"},
        Mistake{"place p\ntransition t: p p -> p", "x.net:2:17: expected '->'"},
        Mistake{"place p\ntransition t: 2 p -> p", "x.net:2:17: expected '*'"},
        Mistake{"place p\ntransition t: 0*p -> p", "x.net:2:15: an arc of weight 0"},
        Mistake{"place p\ntransition t: p, 2*p -> p", "x.net:2:18: place 'p' is listed twice"},
        Mistake{"place p\ntransition t: p, -> p", "x.net:2:18: expected a place after ','"},
        Mistake{"place p\ntransition t: !p -> p", "x.net:2:16: inhibitor arcs are not supported"},
        Mistake{"place p\ntransition t p -> p", "x.net:2:14: expected ':' after the name"},
        Mistake{"place p\ntransition : p -> p", "x.net:2:12: expected a name for the transition"},
        Mistake{"place p\ntransition t: p -> p\ntransition t: ->", "x.net:3:12: transition 't' is declared twice"},
        Mistake{"place p\ntransition t: 4294967295*p -> p", "x.net:2:15: the number is too large"},
        Mistake{"place p\nalways p <= 1", "x.net:2:10: expected ':' after the name"},
        Mistake{"place p\nalways x:", "x.net:2:10: expected a condition"},
        Mistake{"place p\nalways x: p", "x.net:2:12: expected a comparison here; write <="},
        Mistake{"place p\nalways x: p = 1", "x.net:2:13: expected a comparison here; write <="},
        Mistake{"place p\nalways x: p <= ", "x.net:2:16: expected a sum"},
        Mistake{"place p\nalways x: p + <= 1", "x.net:2:15: expected a number or the name"},
        Mistake{"place p\nalways x: 2*3 <= 1", "x.net:2:13: expected the name of a place"},
        Mistake{"place p\nalways x: p <= 1 and", "x.net:2:21: expected a condition"},
        Mistake{"place p\nalways x: p <= 1 or q", "x.net:2:22: expected a comparison"},
        Mistake{"place p\nalways x: p <= 1 or q <= 1", "x.net:2:21: unknown place 'q'"},
        Mistake{"place p\nalways x: not", "x.net:2:14: expected a condition"},
        Mistake{"place p\nalways x: (p <= 1", "x.net:2:18: expected ')'"},
        Mistake{"place p\nalways x: ()", "x.net:2:12: expected a condition"},
        Mistake{"place p\nalways x: true\nsometimes x: true", "x.net:3:1: property 'x' is declared twice"},
        Mistake{"place p\ndeadlock_free\ndeadlock_free", "x.net:3:1: property 'deadlock_free' is declared twice"},
        Mistake{"place p\nalways deadlock_free: true", "x.net:2:8: expected a name for the property"},
        Mistake{"place p\nalways \"deadlock_free\": true deadlock_free", "x.net:2:30: property 'deadlock_free' is"},
        Mistake{"place p\ndeadlock_free except", "x.net:2:21: expected a condition"},
        Mistake{"place p\nbound q 1", "x.net:2:7: unknown place 'q'"},
        Mistake{"place p\nbound p", "x.net:2:8: expected the number of tokens"}));

TEST(NetParser, BoundsTheNestingOfConditions) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string text = "place p\nalways x: ";
    for (std::size_t i = 1; i < depth; ++i) text += open;
    text += "p <= 1";
    for (std::size_t i = 1; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_NO_THROW(parse_net(nested(max_nesting, "(", ")"), "x.net"));
  EXPECT_NO_THROW(parse_net(nested(max_nesting, "not ", ""), "x.net"));
  EXPECT_EQ(error_of(nested(max_nesting + 1, "(", ")")),
            "x.net:2:111: the condition is nested more than 100 levels deep; split the property");
  EXPECT_NE(error_of(nested(1'000'000, "not ", "")).find("more than 100 levels"), std::string::npos);
  // Length is not depth.
  std::string chain = "place p\nalways x: p <= 1";
  for (int i = 0; i < 10'000; ++i) chain += " and p <= 1";
  EXPECT_EQ(parse_net(chain, "x.net").properties[0].formula.operands.size(), 10'001U);
}

TEST(NetParser, AllowsSixtyFourProperties) {
  std::string text = "place p\n";
  for (int i = 0; i < 64; ++i) text += "always x" + std::to_string(i) + ": true\n";
  EXPECT_EQ(parse_net(text, "x.net").properties.size(), 64U);
  EXPECT_TRUE(error_of(text + "always y: true").starts_with("x.net:66:1: this is property 65"));
}

TEST(NetParser, ReadsWindowsFiles) {
  EXPECT_EQ(parse_net("\xEF\xBB\xBFplace p 1 # x\r\nplace q\r\n", "x.net").places.size(), 2U);
}

RC_GTEST_PROP(NetParser, ReadsWhatThePrinterPrints, ()) {
  const Net net = random_net();
  try {
    validate(net);
  } catch (const ModelError& error) {
    RC_DISCARD(error.what());  // two equal names
  }
  const std::string text = to_text(net);
  RC_LOG() << text;
  RC_ASSERT(parse_net(text, "random.net") == net);
}

}  // namespace
}  // namespace heddle::net::net_parser_test
