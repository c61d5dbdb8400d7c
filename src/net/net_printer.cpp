// Prints each part of a net in the grammar's own words.
#include "net/net_printer.h"

#include "net/net_grammar.h"

namespace heddle::net {
namespace {

std::string quoted(const std::string& name) {
  namespace peg = grammar::peg;
  peg::memory_input input(name.data(), name.size(), "");
  const bool is_word = peg::parse<peg::seq<grammar::PlainName, peg::eof>>(input);
  return is_word ? name : '"' + name + '"';
}

std::string place_name(const Net& net, std::uint32_t place) { return quoted(net.places[place].name); }

std::string print(const Net& net, const std::vector<Arc>& arcs) {
  std::string text;
  for (const Arc& arc : arcs) {
    if (!text.empty()) text += ", ";
    if (arc.weight != 1) text += std::to_string(arc.weight) + '*';
    text += place_name(net, arc.place);
  }
  return text;
}

std::string print(const Net& net, const Sum& sum) {
  std::string text;
  const auto add_sign = [&text](bool negative) {
    if (text.empty()) {
      text += negative ? "-" : "";
    } else {
      text += negative ? " - " : " + ";
    }
  };
  for (const Sum::Term& term : sum.terms) {
    add_sign(term.factor < 0);
    const std::int64_t size = term.factor < 0 ? -term.factor : term.factor;
    if (size != 1) text += std::to_string(size) + '*';
    text += place_name(net, term.place);
  }
  if (sum.constant != 0 || text.empty()) {
    add_sign(sum.constant < 0);
    text += std::to_string(sum.constant < 0 ? -sum.constant : sum.constant);
  }
  return text;
}

std::string print(const Net& net, const Formula& formula) {
  using Kind = Formula::Kind;
  if (formula.kind == Kind::Compare) {
    return print(net, formula.left) + ' ' + std::string(to_text(formula.relation)) + ' ' + print(net, formula.right);
  }
  if (formula.kind == Kind::Not) return "not (" + print(net, formula.operands.front()) + ')';
  if (formula.operands.empty()) return formula.kind == Kind::And ? "true" : "false";
  std::string text;
  for (const Formula& operand : formula.operands) {
    if (!text.empty()) text += formula.kind == Kind::And ? " and " : " or ";
    // `a and (b and c)` keeps its parentheses: it means the same as `a and b and c`, but it is another tree.
    const bool bare = operand.kind == Kind::Compare || operand.kind == Kind::Not || operand.operands.empty() ||
                      (operand.kind == Kind::And && formula.kind == Kind::Or);
    text += bare ? print(net, operand) : '(' + print(net, operand) + ')';
  }
  return text;
}

std::string print(const Net& net, const NetProperty& property) {
  switch (property.kind) {
    case Property::Kind::Always:
      return "always " + quoted(property.name) + ": " + print(net, property.formula);
    case Property::Kind::Sometimes:
      return "sometimes " + quoted(property.name) + ": " + print(net, property.formula);
    case Property::Kind::Bound:
      return "bound " + place_name(net, property.formula.left.terms.front().place) + ' ' +
             std::to_string(property.formula.right.constant);
    case Property::Kind::DeadlockFree: {
      const bool never = property.formula == Formula::combine(Formula::Kind::Or, {});
      return never ? "deadlock_free" : "deadlock_free except " + print(net, property.formula);
    }
    case Property::Kind::Finally:
      break;  // not in the language of nets
  }
  return "";
}

}  // namespace

std::string to_text(const Net& net) {
  std::string text;
  for (const Place& place : net.places) {
    text += "place " + quoted(place.name);
    if (place.tokens != 0) text += ' ' + std::to_string(place.tokens);
    text += '\n';
  }
  for (const Transition& transition : net.transitions) {
    const std::string inputs = print(net, transition.inputs), outputs = print(net, transition.outputs);
    text += "transition " + quoted(transition.name) + ": " + inputs + (inputs.empty() ? "->" : " ->");
    text += (outputs.empty() ? "" : " " + outputs) + '\n';
  }
  for (const NetProperty& property : net.properties) text += print(net, property) + '\n';
  return text;
}

}  // namespace heddle::net
