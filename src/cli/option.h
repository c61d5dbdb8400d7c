// An option of the command line is one row of the option table. Parsing, --help, the tables of docs/cli.md, the man
// pages and the record in a trace come from that row; nothing about an option is written down anywhere else.
//
//   {.names = "--search",
//    .value = "ORDER",
//    .help = "bfs (shortest traces), dfs or random",
//    .places = {{"check", "Search"}},
//    .into = choice(&SearchOptions::order, {{"bfs", Order::BreadthFirst}, {"dfs", Order::DepthFirst}})},
//
// Invariants (check_options)
//   1. A command has at most one option of a name.
//   2. Every row belongs to at least one command.
//   3. Every option with a value says what --help calls that value.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "run/words.h"

namespace heddle::cli {

using run::split;
using run::Values;

// The value that the user gave for an option. Its kind says which member counts: the last text, all texts, or the
// number.
struct GivenValue {
  std::string text = {};
  std::vector<std::string> texts = {};
  std::uint64_t number = 0;
};

// Says what kind of value an option has and which member of which struct it sets.
struct Binding {
  enum class Kind : std::uint8_t { Flag, Text, Texts, Number32, Number64 };

  Kind kind = Kind::Text;
  std::function<void(Arguments&, const GivenValue&)> set = {};  // none: the value is recorded only
  std::function<std::string()> fallback = {};                   // returns the default as a text; empty: there is none
  std::vector<std::string> allowed = {};                        // of a Text; empty: any
  std::optional<std::pair<int, int>> range = {};                // of a number
  bool positive = false;                                        // of a number
  char separator = 0;                                           // of Texts: between several in one argument
  std::string recorded_as = "true";                             // of a Flag, where it is recorded

  Binding one_of(std::vector<std::string> texts) && {
    allowed = std::move(texts);
    return std::move(*this);
  }
  Binding within(int least, int most) && {
    range = {least, most};
    return std::move(*this);
  }
  Binding above_zero() && {
    positive = true;
    return std::move(*this);
  }
  Binding separated_by(char c) && {
    separator = c;
    return std::move(*this);
  }
  Binding known_as(std::string text) && {
    recorded_as = std::move(text);
    return std::move(*this);
  }
};

// Returns the member that a path of pointers leads to.
template <class Struct, class Member>
Member& member_at(Struct& object, Member Struct::* pointer) {
  return object.*pointer;
}
template <class Struct, class Member, class... Path>
auto& member_at(Struct& object, Member Struct::* pointer, Path... path) {
  return member_at(object.*pointer, path...);
}

template <class Struct>
Binding flag(bool Struct::* pointer) {
  return {.kind = Binding::Kind::Flag,
          .set = [pointer](Arguments& a, const GivenValue&) { a.of<Struct>().*pointer = true; }};
}

template <class Struct>
Binding text(std::string Struct::* pointer) {
  return {.set = [pointer](Arguments& a, const GivenValue& given) { a.of<Struct>().*pointer = given.text; },
          .fallback = [pointer] { return Struct{}.*pointer; }};
}

template <class Struct>
Binding texts(std::vector<std::string> Struct::* pointer) {
  return {.kind = Binding::Kind::Texts,
          .set = [pointer](Arguments& a, const GivenValue& given) { a.of<Struct>().*pointer = given.texts; }};
}

// The path may lead to a member of a member: number(&SearchOptions::limits, &Limits::depth).
template <class Struct, class Member, class... Path>
Binding number(Member Struct::* pointer, Path... path) {
  using Number = std::remove_reference_t<decltype(member_at(std::declval<Struct&>(), pointer, path...))>;
  static_assert(std::integral<Number>);
  return {.kind = sizeof(Number) > 4 ? Binding::Kind::Number64 : Binding::Kind::Number32,
          .set =
              [pointer, path...](Arguments& a, const GivenValue& given) {
                member_at(a.of<Struct>(), pointer, path...) = static_cast<Number>(given.number);
              },
          .fallback =
              [pointer, path...] {
                Struct plain{};
                const Number number = member_at(plain, pointer, path...);
                // Both stand for "no limit" or "find out".
                if (number == 0 || number == std::numeric_limits<Number>::max()) return std::string();
                return std::to_string(number);
              }};
}

template <class Struct, class Enum>
Binding choice(Enum Struct::* pointer, const Values<Enum>& values) {
  return {.set = [pointer, values](Arguments& a,
                                   const GivenValue& given) { a.of<Struct>().*pointer = *values.find(given.text); },
          .fallback = [pointer, values] { return values.name(Struct{}.*pointer); },
          .allowed = values.names()};
}

// For options whose values are only in Arguments::recorded.
inline Binding recorded_flag() { return {.kind = Binding::Kind::Flag}; }
inline Binding recorded_text() { return {}; }
inline Binding recorded_texts() { return {.kind = Binding::Kind::Texts}; }

// Says where an option belongs: to which commands, and under which heading of their --help.
struct Place {
  std::string commands = {};  // separated by spaces
  std::string group = {};     // the heading; empty: that of --help itself
  std::string help = {};      // empty: the row's
  std::string manual = {};    // empty: the row's

  bool has(std::string_view command) const;
};

struct Option {
  enum class Recorded : std::uint8_t { Never, IfGiven, Always };

  std::string names = {};   // "-q,--quiet"; without dashes it is an argument, such as MODEL
  std::string value = {};   // what --help calls the value; empty for flags and arguments
  std::string help = {};    // one line, for --help
  std::string manual = {};  // for docs/cli.md; empty: `help`
  std::vector<Place> places = {};
  Binding into = {};
  std::vector<std::string> values = {};  // what docs/cli.md shows as its value; empty: what is allowed, or `value`
  Recorded recorded = Recorded::Never;   // in traces and in the JSON of runs
  bool required = false;
  bool shows_default = false;  // in --help
  std::string excludes = {};   // the option that cannot be given together with this one

  const Place* place_in(std::string_view command) const;  // none: the command does not have it
  std::string name() const;                               // the first long one, without dashes
  bool is_argument() const { return !names.starts_with('-'); }
  bool is_flag() const { return into.kind == Binding::Kind::Flag; }
};

// Throws std::logic_error if rows break an invariant.
void check_options(const std::vector<Option>& options);

}  // namespace heddle::cli
