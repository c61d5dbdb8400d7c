// The grammar of .net files, for PEGTL; docs/nets.md shows it to users.
//
//   place a, b 1            transition t: a, 2*b -> c         deadlock_free except done >= 1
//   always x: a + b <= 1    sometimes y: not (a == 0)         bound c 3
//
// Line ends are blanks like any other, and keywords are reserved. So a long condition may be folded anywhere,
// and a transition without outputs does not swallow the next statement. After its keyword a statement never
// backtracks: what is missing is reported where it is missing, with the text in message_of. Include this only
// where .net text is read or printed, since PEGTL is slow to compile.
#pragma once

#include <tao/pegtl.hpp>

namespace heddle::net::grammar {

namespace peg = tao::pegtl;

struct Comment : peg::seq<peg::one<'#'>, peg::until<peg::eolf>> {};
struct Gap : peg::star<peg::sor<peg::space, Comment>> {};
template <typename... Rules>
struct Token : peg::seq<Rules..., Gap> {};

struct WordRest : peg::sor<peg::alnum, peg::one<'_', '\'', '.'>> {};
struct Word : peg::seq<peg::sor<peg::alpha, peg::one<'_'>>, peg::star<WordRest>> {};
template <typename Text>
struct Keyword : Token<Text, peg::not_at<WordRest>> {};

struct KeyPlace : Keyword<TAO_PEGTL_STRING("place")> {};
struct KeyTransition : Keyword<TAO_PEGTL_STRING("transition")> {};
struct KeyAlways : Keyword<TAO_PEGTL_STRING("always")> {};
struct KeySometimes : Keyword<TAO_PEGTL_STRING("sometimes")> {};
struct KeyDeadlockFree : Keyword<TAO_PEGTL_STRING("deadlock_free")> {};
struct KeyExcept : Keyword<TAO_PEGTL_STRING("except")> {};
struct KeyBound : Keyword<TAO_PEGTL_STRING("bound")> {};
struct KeyAnd : Keyword<TAO_PEGTL_STRING("and")> {};
struct KeyOr : Keyword<TAO_PEGTL_STRING("or")> {};
struct KeyNot : Keyword<TAO_PEGTL_STRING("not")> {};
struct KeyTrue : Keyword<TAO_PEGTL_STRING("true")> {};
struct KeyFalse : Keyword<TAO_PEGTL_STRING("false")> {};
struct Reserved : peg::sor<KeyPlace, KeyTransition, KeyAlways, KeySometimes, KeyDeadlockFree, KeyExcept, KeyBound,
                           KeyAnd, KeyOr, KeyNot, KeyTrue, KeyFalse> {};

// Names that are not words, as other tools produce them, go into double quotes.
struct PlainName : peg::seq<peg::not_at<Reserved>, Word> {};
struct QuotedName : peg::plus<peg::not_one<'"', '\r', '\n'>> {};
struct Quote : peg::one<'"'> {};
struct Name : Token<peg::sor<PlainName, peg::seq<Quote, peg::must<QuotedName>, peg::must<Quote>>>> {};
struct Number : peg::plus<peg::digit> {};
struct NumberToken : Token<Number> {};
template <char... Text>
struct Sign : Token<peg::string<Text...>> {};
struct Colon : Sign<':'> {};
struct Comma : Sign<','> {};
struct Arrow : Sign<'-', '>'> {};
struct Times : Sign<'*'> {};
struct Open : Sign<'('> {};
struct Close : Sign<')'> {};
struct Plus : Sign<'+'> {};
struct Minus : Sign<'-'> {};

// The same word in different roles. Each role has its own message.
struct NewPlace : Name {};
struct NewTransition : Name {};
struct NewProperty : Name {};
struct KnownPlace : Name {};
struct Limit : NumberToken {};

struct InhibitorArc : peg::failure {};
struct Arc : peg::sor<peg::seq<NumberToken, peg::must<Times>, peg::must<KnownPlace>>, KnownPlace,
                      peg::if_must<peg::one<'!'>, InhibitorArc>> {};
struct Inputs : peg::opt<peg::list_must<Arc, Comma>> {};
struct Outputs : peg::opt<peg::list_must<Arc, Comma>> {};

struct RelationText : peg::sor<TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="), TAO_PEGTL_STRING("=="),
                               TAO_PEGTL_STRING("!="), TAO_PEGTL_STRING("<"), TAO_PEGTL_STRING(">")> {};
struct RelationToken : Token<RelationText> {};
struct Term : peg::sor<peg::seq<NumberToken, peg::opt<Times, peg::must<KnownPlace>>>, KnownPlace> {};
struct Sum
    : peg::seq<peg::sor<peg::seq<Minus, peg::must<Term>>, Term>, peg::star<peg::sor<Plus, Minus>, peg::must<Term>>> {};
struct Comparison : peg::seq<Sum, peg::must<RelationToken>, peg::must<Sum>> {};
struct Condition;
struct Basic;
struct Negation : peg::seq<KeyNot, peg::must<Basic>> {};
struct Group : peg::seq<Open, peg::must<Condition>, peg::must<Close>> {};
struct Basic : peg::sor<Negation, Group, KeyTrue, KeyFalse, Comparison> {};
struct Conjunction : peg::list_must<Basic, KeyAnd> {};
struct Condition : peg::list_must<Conjunction, KeyOr> {};

struct PlaceStatement
    : peg::seq<KeyPlace, peg::must<NewPlace>, peg::star<Comma, peg::must<NewPlace>>, peg::opt<NumberToken>> {};
struct TransitionStatement
    : peg::seq<KeyTransition, peg::must<NewTransition>, peg::must<Colon>, Inputs, peg::must<Arrow>, Outputs> {};
struct AlwaysStatement : peg::seq<KeyAlways, peg::must<NewProperty>, peg::must<Colon>, peg::must<Condition>> {};
struct SometimesStatement : peg::seq<KeySometimes, peg::must<NewProperty>, peg::must<Colon>, peg::must<Condition>> {};
struct DeadlockFreeStatement : peg::seq<KeyDeadlockFree, peg::opt<KeyExcept, peg::must<Condition>>> {};
struct BoundStatement : peg::seq<KeyBound, peg::must<KnownPlace>, peg::must<Limit>> {};
struct End : peg::eof {};
struct File : peg::seq<peg::opt<peg::utf8::bom>, Gap,
                       peg::star<peg::sor<PlaceStatement, TransitionStatement, AlwaysStatement, SometimesStatement,
                                          DeadlockFreeStatement, BoundStatement>>,
                       peg::must<End>> {};

template <typename Rule>
inline constexpr const char* message_of = nullptr;
template <>
inline constexpr auto message_of<End> =
    "expected a statement; one of place, transition, always, sometimes, deadlock_free, bound begins it";
template <>
inline constexpr auto message_of<NewPlace> =
    "expected a name for the place; keywords and other texts need double quotes";
template <>
inline constexpr auto message_of<NewTransition> = "expected a name for the transition, as in 'transition t: a -> b'";
template <>
inline constexpr auto message_of<NewProperty> = "expected a name for the property, as in 'always mutex: a + b <= 1'";
template <>
inline constexpr auto message_of<KnownPlace> = "expected the name of a place";
template <>
inline constexpr auto message_of<QuotedName> = "expected a name between the quotes";
template <>
inline constexpr auto message_of<Quote> = "expected the closing quote of the name on the same line";
template <>
inline constexpr auto message_of<Colon> = "expected ':' after the name";
template <>
inline constexpr auto message_of<Arrow> = "expected '->' between input and output places; separate places by ','";
template <>
inline constexpr auto message_of<Times> = "expected '*' between the weight and its place, as in '2*a'";
template <>
inline constexpr auto message_of<Arc> = "expected a place after ','";
template <>
inline constexpr auto message_of<InhibitorArc> =
    "inhibitor arcs are not supported; test for emptiness with a complementary place instead";
template <>
inline constexpr auto message_of<Limit> = "expected the number of tokens up to which the place is explored";
template <>
inline constexpr auto message_of<RelationToken> = "expected a comparison here; write <=, <, >=, >, == or !=";
template <>
inline constexpr auto message_of<Term> = "expected a number or the name of a place";
template <>
inline constexpr auto message_of<Sum> = "expected a sum of places and numbers, as in '2*a + b'";
template <>
inline constexpr auto message_of<Basic> = "expected a condition over places, as in 'a + b <= 1'";
template <>
inline constexpr auto message_of<Conjunction> = message_of<Basic>;
template <>
inline constexpr auto message_of<Condition> = message_of<Basic>;
template <>
inline constexpr auto message_of<Close> = "expected ')'; conditions are joined by 'and' and 'or'";

struct Messages {
  template <typename Rule>
  static constexpr const char* message = message_of<Rule>;
  // Only `must` raises: a rule tried as one of several alternatives may fail quietly.
  template <typename Rule>
  static constexpr bool raise_on_failure = false;
};
template <typename Rule>
using Control = peg::must_if<Messages>::control<Rule>;

}  // namespace heddle::net::grammar
