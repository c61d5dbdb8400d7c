// Random nets for RapidCheck: few places and small weights, so that markings meet and arcs overlap; names that need
// quoting.
#pragma once

#include <rapidcheck.h>

#include <set>

#include "net/net.h"

namespace heddle::net {

inline std::vector<Arc> random_arcs(std::uint32_t places) {
  std::vector<Arc> arcs;
  for (std::uint32_t place = 0; place < places; ++place) {
    const auto weight = *rc::gen::weightedElement<std::uint32_t>({{6, 0}, {4, 1}, {2, 2}, {1, 3}});
    if (weight > 0) arcs.push_back({place, weight});
  }
  return arcs;
}

inline Sum random_sum(std::uint32_t places) {
  Sum sum;
  const auto count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    sum.terms.push_back({*rc::gen::element<std::int64_t>(-max_tokens, -2, -1, 0, 1, 2, 3, max_tokens),
                         *rc::gen::inRange<std::uint32_t>(0, places)});
  }
  sum.constant = *rc::gen::inRange<std::int64_t>(-3, 4);
  return sum;
}

inline Formula random_formula(std::uint32_t places, int depth) {
  using Kind = Formula::Kind;
  const Kind kind = depth == 0 ? Kind::Compare : *rc::gen::element(Kind::Compare, Kind::Not, Kind::And, Kind::Or);
  if (kind == Kind::Compare) {
    const auto relation = static_cast<Relation>(*rc::gen::inRange(0, 6));
    return Formula::compare(random_sum(places), relation, random_sum(places));
  }
  std::vector<Formula> operands(kind == Kind::Not ? 1 : *rc::gen::element<std::size_t>(0, 2, 3));
  for (Formula& operand : operands) operand = random_formula(places, depth - 1);
  return Formula::combine(kind, std::move(operands));
}

inline std::string random_name(std::size_t index) {
  const auto style =
      *rc::gen::element<std::string>("p", "a'", "_x.y", "two words ", "and", "true", "place", "1", "#", "\xC3\xA4");
  // Keywords are tried bare too; one index each keeps the names apart.
  const bool bare = style == "and" || style == "true" || style == "place";
  return bare && index % 3 == 0 ? style + std::string(index / 3, '_') : style + std::to_string(index);
}

inline NetProperty random_property(const Net& net, std::size_t index) {
  using Kind = Property::Kind;
  const auto places = static_cast<std::uint32_t>(net.places.size());
  if (index < places && *rc::gen::inRange(0, 4) == 0) {
    const auto place = static_cast<std::uint32_t>(index);
    return bound(net.places[place].name, place, *rc::gen::element<std::uint32_t>(0, 1, 7, max_tokens));
  }
  const Formula formula = random_formula(places, 3);
  if (index == 0 && *rc::gen::arbitrary<bool>()) return {"deadlock_free", Kind::DeadlockFree, formula};
  return {random_name(index), *rc::gen::element(Kind::Always, Kind::Sometimes), formula};
}

inline Net random_net() {
  Net net;
  const auto places = *rc::gen::inRange<std::uint32_t>(1, 6);
  for (std::uint32_t i = 0; i < places; ++i) {
    net.places.push_back({random_name(i), *rc::gen::element<std::uint32_t>(0, 0, 1, 1, 2, 5)});
  }
  const auto transitions = *rc::gen::inRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < transitions; ++i) {
    std::vector<Arc> inputs = random_arcs(places), outputs = random_arcs(places);
    net.transitions.push_back({random_name(i), std::move(inputs), std::move(outputs)});
  }
  const auto properties = *rc::gen::inRange<std::size_t>(0, 4);
  for (std::size_t i = 0; i < properties; ++i) net.properties.push_back(random_property(net, i));
  return net;
}

}  // namespace heddle::net
