// Evaluates formulas without overflow, and checks that a net makes sense.
#include "net/net.h"

#include <algorithm>
#include <unordered_set>

namespace heddle::net {
namespace {

// A factor times a marking fills 64 bits, so a sum of them needs more. With 128 bits no formula that fits
// into memory overflows.
__extension__ using Wide = __int128;

Wide value(const Sum& sum, std::span<const Slot> slots) {
  Wide total = sum.constant;
  for (const Sum::Term& term : sum.terms) total += static_cast<Wide>(term.factor) * (slots[term.place] - 1);
  return total;
}

bool compare(Wide left, Relation relation, Wide right) {
  switch (relation) {
    case Relation::Less:
      return left < right;
    case Relation::LessEqual:
      return left <= right;
    case Relation::Equal:
      return left == right;
    case Relation::NotEqual:
      return left != right;
    case Relation::GreaterEqual:
      return left >= right;
    case Relation::Greater:
      return left > right;
  }
  return false;
}

void collect_places(const Formula& formula, std::vector<std::uint32_t>& out) {
  for (const Sum* sum : {&formula.left, &formula.right}) {
    for (const Sum::Term& term : sum->terms) out.push_back(term.place);
  }
  for (const Formula& operand : formula.operands) collect_places(operand, out);
}

void require(bool condition, const std::string& complaint) {
  if (!condition) throw ModelError("net: " + complaint);
}

template <typename Named>
void validate_names(const std::vector<Named>& things, const std::string& what) {
  std::unordered_set<std::string_view> names;
  for (const Named& thing : things) {
    require(!thing.name.empty(), "a " + what + " has no name; name it");
    require(thing.name.find_first_of("\"\r\n") == std::string::npos,
            what + " '" + thing.name + "' has a quote or line end in its name; rename it");
    require(names.insert(thing.name).second, "two " + what + "s are called '" + thing.name + "'; rename one");
  }
}

void validate_arcs(const Net& net, const Transition& transition, const std::vector<Arc>& arcs) {
  std::unordered_set<std::uint32_t> seen;
  for (const Arc& arc : arcs) {
    const std::string of = "an arc of transition '" + transition.name + "' ";
    require(arc.place < net.places.size(), of + "names a place that does not exist; add the place");
    require(arc.weight >= 1 && arc.weight <= max_tokens, of + "has a weight outside 1 to 4294967294; change it");
    require(seen.insert(arc.place).second,
            of + "repeats place '" + net.places[arc.place].name + "'; add up the weights");
  }
}

void validate_shape(const Formula& formula, const std::string& property) {
  const std::size_t size = formula.operands.size();
  const bool right_size = formula.kind == Formula::Kind::Compare ? size == 0
                          : formula.kind == Formula::Kind::Not   ? size == 1
                                                                 : size != 1;
  require(right_size, "a formula of property '" + property + "' has too many or too few operands");
  for (const Sum* sum : {&formula.left, &formula.right}) {
    for (const Sum::Term& term : sum->terms) {
      require(term.factor >= -std::int64_t{max_tokens} && term.factor <= std::int64_t{max_tokens},
              "a factor of property '" + property + "' is beyond 4294967294; scale the comparison down");
    }
  }
  for (const Formula& operand : formula.operands) validate_shape(operand, property);
}

bool is_bound(const Net& net, const NetProperty& property) {
  const Formula& formula = property.formula;
  if (formula.left.terms.size() != 1 || formula.right.constant < 0 || formula.right.constant > max_tokens) return false;
  const std::uint32_t place = formula.left.terms[0].place;
  return place < net.places.size() &&
         property == bound(net.places[place].name, place, static_cast<std::uint32_t>(formula.right.constant));
}

}  // namespace

std::string_view to_text(Relation relation) {
  switch (relation) {
    case Relation::Less:
      return "<";
    case Relation::LessEqual:
      return "<=";
    case Relation::Equal:
      return "==";
    case Relation::NotEqual:
      return "!=";
    case Relation::GreaterEqual:
      return ">=";
    case Relation::Greater:
      return ">";
  }
  return "?";
}

Formula Formula::compare(Sum left, Relation relation, Sum right) {
  return {Kind::Compare, {}, std::move(left), std::move(right), relation};
}

NetProperty bound(std::string_view place_name, std::uint32_t place, std::uint32_t tokens) {
  return {"bound " + std::string(place_name), Property::Kind::Bound,
          Formula::compare({{{1, place}}, 0}, Relation::LessEqual, {{}, tokens})};
}

void validate(const Net& net) {
  require(!net.places.empty(), "there is no place; declare at least one");
  require(net.properties.size() <= max_properties, "there are more than 64 properties; join some with 'and'");
  validate_names(net.places, "place");
  validate_names(net.transitions, "transition");
  validate_names(net.properties, "property");
  for (const Place& place : net.places) {
    require(place.tokens <= max_tokens, "place '" + place.name + "' starts with more than 4294967294 tokens; lower it");
  }
  for (const Transition& transition : net.transitions) {
    validate_arcs(net, transition, transition.inputs);
    validate_arcs(net, transition, transition.outputs);
  }
  for (const NetProperty& property : net.properties) {
    validate_shape(property.formula, property.name);
    require(property.kind != Property::Kind::Bound || is_bound(net, property),
            "property '" + property.name + "' is no bound on one place; make it with bound()");
    require(property.kind != Property::Kind::Finally,
            "property '" + property.name + "' is of a kind that nets do not have; use deadlock_free");
    require(property.kind != Property::Kind::DeadlockFree || property.name == "deadlock_free",
            "property '" + property.name + "' must be called 'deadlock_free'; rename it");
    for (const std::uint32_t place : places_of(property.formula)) {
      require(place < net.places.size(), "property '" + property.name + "' names a place that does not exist");
    }
  }
}

bool holds(const Formula& formula, std::span<const Slot> slots) {
  const auto operand_holds = [&](const Formula& operand) { return holds(operand, slots); };
  switch (formula.kind) {
    case Formula::Kind::Compare:
      return compare(value(formula.left, slots), formula.relation, value(formula.right, slots));
    case Formula::Kind::Not:
      return !holds(formula.operands.front(), slots);
    case Formula::Kind::And:
      return std::ranges::all_of(formula.operands, operand_holds);
    case Formula::Kind::Or:
      return std::ranges::any_of(formula.operands, operand_holds);
  }
  return false;
}

std::vector<std::uint32_t> places_of(const Formula& formula) {
  std::vector<std::uint32_t> places;
  collect_places(formula, places);
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  return places;
}

ModelError error_at(std::string_view file, std::size_t line, std::size_t column, std::string_view message) {
  std::string text(file);
  text += ':' + std::to_string(line) + ':' + std::to_string(column) + ": ";
  return ModelError(text += message);
}

}  // namespace heddle::net
