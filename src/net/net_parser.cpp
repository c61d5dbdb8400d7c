// The grammar is in net_grammar.h; this file turns its tree into a net.
#include "net/net_parser.h"

#include <charconv>
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>
#include <unordered_map>
#include <unordered_set>

#include "net/net_grammar.h"

namespace heddle::net {
namespace {

namespace g = grammar;
namespace tree = grammar::peg::parse_tree;
using Node = tree::node;

template <typename Rule>
using Selector = tree::selector<
    Rule, tree::store_content::on<g::PlainName, g::QuotedName, g::Number, g::RelationText>,
    tree::remove_content::on<g::PlaceStatement, g::TransitionStatement, g::AlwaysStatement, g::SometimesStatement,
                             g::DeadlockFreeStatement, g::BoundStatement, g::Inputs, g::Outputs, g::Arc, g::Sum,
                             g::Term, g::Minus, g::Comparison, g::Negation, g::KeyTrue, g::KeyFalse>,
    tree::fold_one::on<g::Conjunction, g::Condition>>;

template <typename Rule>
struct Action : g::peg::nothing<Rule> {};
// Every nested condition passes through Basic. So this bound limits the recursion of parser, reader and evaluation.
template <>
struct Action<g::Basic> : g::peg::limit_depth<max_nesting> {};

class NetReader {
 public:
  explicit NetReader(const std::string& file) : file_(file) {}

  Net read(const Node& root, const g::peg::position& end) {
    for (const auto& statement : root.children) {
      if (statement->is_type<g::PlaceStatement>()) declare_places(*statement);
    }
    if (net_.places.empty()) {
      throw error_at(file_, end.line, end.column, "the net has no place; declare at least one, as in 'place p 1'");
    }
    for (const auto& statement : root.children) read_statement(*statement);
    return std::move(net_);
  }

 private:
  [[noreturn]] void fail(const Node& node, const std::string& message) const {
    const g::peg::position at = node.begin();
    throw error_at(file_, at.line, at.column, message);
  }

  std::uint32_t number(const Node& node) const {
    const std::string_view digits = node.string_view();
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || value > max_tokens) {
      fail(node, "the number is too large; 4294967294 is the largest");
    }
    return value;
  }

  std::uint32_t place(const Node& node) const {
    const auto found = places_.find(node.string_view());
    if (found == places_.end()) {
      fail(node, "unknown place '" + node.string() + "'; declare it with 'place " + node.string() + "'");
    }
    return found->second;
  }

  void declare_places(const Node& statement) {
    const Node& last = *statement.children.back();
    const std::uint32_t tokens = last.is_type<g::Number>() ? number(last) : 0;
    for (const auto& name : statement.children) {
      if (name->is_type<g::Number>()) continue;
      if (!places_.emplace(name->string_view(), static_cast<std::uint32_t>(net_.places.size())).second) {
        fail(*name, "place '" + name->string() + "' is declared twice; remove or rename one");
      }
      net_.places.push_back({name->string(), tokens});
    }
  }

  void read_statement(const Node& node) {
    if (node.is_type<g::TransitionStatement>()) {
      read_transition(node);
    } else if (node.is_type<g::AlwaysStatement>()) {
      add(node, {node.children[0]->string(), Property::Kind::Always, formula(*node.children[1])});
    } else if (node.is_type<g::SometimesStatement>()) {
      add(node, {node.children[0]->string(), Property::Kind::Sometimes, formula(*node.children[1])});
    } else if (node.is_type<g::DeadlockFreeStatement>()) {
      Formula may_stop = node.children.empty() ? Formula::combine(Formula::Kind::Or, {}) : formula(*node.children[0]);
      add(node, {"deadlock_free", Property::Kind::DeadlockFree, std::move(may_stop)});
    } else if (node.is_type<g::BoundStatement>()) {
      const Node& name = *node.children[0];
      add(node, bound(name.string_view(), place(name), number(*node.children[1])));
    }
  }

  void add(const Node& statement, NetProperty property) {
    if (!properties_.insert(property.name).second) {
      fail(statement, "property '" + property.name + "' is declared twice; remove or rename one");
    }
    if (net_.properties.size() == max_properties) {
      fail(statement, "this is property 65 and 64 is the most; join some with 'and'");
    }
    net_.properties.push_back(std::move(property));
  }

  void read_transition(const Node& statement) {
    const Node& name = *statement.children[0];
    if (!transitions_.insert(name.string()).second) {
      fail(name, "transition '" + name.string() + "' is declared twice; remove or rename one");
    }
    net_.transitions.push_back({name.string(), arcs(*statement.children[1]), arcs(*statement.children[2])});
  }

  std::vector<Arc> arcs(const Node& list) const {
    std::vector<Arc> result;
    std::unordered_set<std::uint32_t> seen;
    for (const auto& node : list.children) {
      const Node& name = *node->children.back();
      const Arc arc{place(name), node->children.size() == 2 ? number(*node->children[0]) : 1};
      if (arc.weight == 0) fail(*node, "an arc of weight 0 does nothing; remove it");
      if (!seen.insert(arc.place).second) {
        fail(*node, "place '" + name.string() + "' is listed twice; write one arc with a weight, as in '2*a'");
      }
      result.push_back(arc);
    }
    return result;
  }

  Formula formula(const Node& node) const {
    if (node.is_type<g::Comparison>()) {
      return Formula::compare(sum(*node.children[0]), relation(*node.children[1]), sum(*node.children[2]));
    }
    std::vector<Formula> operands;
    for (const auto& child : node.children) operands.push_back(formula(*child));
    const bool is_or = node.is_type<g::Condition>() || node.is_type<g::KeyFalse>();
    const auto kind = node.is_type<g::Negation>() ? Formula::Kind::Not : is_or ? Formula::Kind::Or : Formula::Kind::And;
    return Formula::combine(kind, std::move(operands));
  }

  static Relation relation(const Node& node) {
    using enum Relation;
    for (const Relation candidate : {Less, LessEqual, Equal, NotEqual, GreaterEqual}) {
      if (to_text(candidate) == node.string_view()) return candidate;
    }
    return Greater;
  }

  // The children alternate between terms and the minus signs before some of them.
  Sum sum(const Node& node) const {
    Sum result;
    std::int64_t sign = 1;
    for (const auto& child : node.children) {
      if (child->is_type<g::Minus>()) {
        sign = -1;
        continue;
      }
      const Node& first = *child->children.front();
      const std::int64_t factor = sign * (first.is_type<g::Number>() ? std::int64_t{number(first)} : 1);
      const Node& last = *child->children.back();
      if (last.is_type<g::Number>()) {
        result.constant += factor;
      } else {
        result.terms.push_back({factor, place(last)});
      }
      sign = 1;
    }
    return result;
  }

  const std::string& file_;
  Net net_;
  std::unordered_map<std::string_view, std::uint32_t> places_;  // the keys are parts of the text being read
  std::unordered_set<std::string> transitions_, properties_;
};

}  // namespace

Net parse_net(std::string_view text, const std::string& file) {
  g::peg::memory_input input(text.data(), text.size(), file);
  try {
    const auto root = tree::parse<g::File, Selector, Action, g::Control>(input);
    return NetReader(file).read(*root, input.position());
  } catch (const g::peg::parse_error& error) {
    const g::peg::position& at = error.positions().front();
    const bool too_deep = error.message().starts_with("maximum parser rule nesting");
    throw error_at(
        file, at.line, at.column,
        too_deep ? "the condition is nested more than 100 levels deep; split the property" : error.message());
  }
}

}  // namespace heddle::net
