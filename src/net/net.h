// Place/transition nets as plain data: the readers produce them, and NetSystem runs them.
//
// A transition is enabled when every input place holds at least the arc's weight in tokens. Firing takes
// those tokens and then puts the output arcs' weights. Properties compare linear sums of markings.
//
// Invariants (`validate` checks them; the readers report the same mistakes with a position)
//   1. There is at least one place. The names of the places differ, and so do those of the transitions and of
//      the properties.
//   2. Each list of arcs names a place at most once, with a weight of 1 to max_tokens.
//   3. There are at most 64 properties: TransitionSystem::evaluate answers with one bit for each. A property of kind
//      Bound is made by bound(); one of kind DeadlockFree is called deadlock_free.
// Thread-safe as long as nobody writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/transition_system.h"

namespace heddle::net {

// A slot holds the marking plus one, so the largest 32-bit number stands for this many tokens.
inline constexpr std::uint32_t max_tokens = 0xFFFF'FFFE;
inline constexpr std::size_t max_properties = 64;

struct Place {
  std::string name;
  std::uint32_t tokens = 0;  // initially
  friend bool operator==(const Place&, const Place&) = default;
};

struct Arc {
  std::uint32_t place = 0;
  std::uint32_t weight = 1;
  friend bool operator==(const Arc&, const Arc&) = default;
};

struct Transition {
  std::string name;
  std::vector<Arc> inputs, outputs;
  friend bool operator==(const Transition&, const Transition&) = default;
};

// factor * marking + ... + constant
struct Sum {
  struct Term {
    std::int64_t factor = 1;  // |factor| <= max_tokens
    std::uint32_t place = 0;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::vector<Term> terms;
  std::int64_t constant = 0;
  friend bool operator==(const Sum&, const Sum&) = default;
};

enum class Relation : std::uint8_t { Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater };

// As written in a file: "<=".
std::string_view to_text(Relation relation);

struct Formula {
  // `true` is the empty conjunction, `false` the empty disjunction.
  enum class Kind : std::uint8_t { Compare, Not, And, Or };
  Kind kind = Kind::And;
  std::vector<Formula> operands;  // Compare: none; Not: one; And, Or: any number but one
  Sum left, right;                // Compare only
  Relation relation = Relation::Equal;

  static Formula compare(Sum left, Relation relation, Sum right);
  static Formula combine(Kind kind, std::vector<Formula> operands) { return {kind, std::move(operands), {}, {}, {}}; }
  friend bool operator==(const Formula&, const Formula&) = default;
};

struct NetProperty {
  std::string name;
  Property::Kind kind = Property::Kind::Always;
  Formula formula;
  friend bool operator==(const NetProperty&, const NetProperty&) = default;
};

// `bound PLACE tokens`: states in which the place holds more are not continued.
NetProperty bound(std::string_view place_name, std::uint32_t place, std::uint32_t tokens);

struct Net {
  std::vector<Place> places;
  std::vector<Transition> transitions;
  std::vector<NetProperty> properties;
  friend bool operator==(const Net&, const Net&) = default;
};

// Throws ModelError if an invariant above is broken.
void validate(const Net& net);

// Returns whether the formula is true when place p holds slots[p] - 1 tokens. REQUIRES: every place of the
// formula has a slot.
bool holds(const Formula& formula, std::span<const Slot> slots);

// Returns the places that a formula looks at, ascending, each once.
std::vector<std::uint32_t> places_of(const Formula& formula);

// Returns the error "file:line:column: message". All complaints of the readers have this form.
ModelError error_at(std::string_view file, std::size_t line, std::size_t column, std::string_view message);

}  // namespace heddle::net
