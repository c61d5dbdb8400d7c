// Compares the inputs and outputs of each pair of transitions.
#include "net/net_relations.h"

#include <map>
#include <set>

namespace heddle::net {
namespace {

// Returns what firing adds to each place that it touches.
std::map<std::uint32_t, std::int64_t> effect_of(const Transition& t) {
  std::map<std::uint32_t, std::int64_t> effect;
  for (const Arc& a : t.inputs) effect[a.place] -= a.weight;
  for (const Arc& a : t.outputs) effect[a.place] += a.weight;
  return effect;
}

}  // namespace

Relations relations_of(const Net& net) {
  Relations r(net.transitions.size());
  const std::vector<std::uint32_t> filler = only_fillers(net);
  std::vector<std::vector<std::uint32_t>> needing(net.places.size());
  for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
    for (const Arc& a : net.transitions[t].inputs) needing[a.place].push_back(t);
  }
  for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
    for (const auto& [place, tokens] : effect_of(net.transitions[t])) {
      for (const std::uint32_t u : needing[place]) {
        if (tokens > 0) r.can_enable.add(t, u);
        if (tokens < 0 && t != u) {
          r.dependent.add(t, u);
          r.dependent.add(u, t);
        }
      }
    }
    std::set<std::uint32_t> necessary;
    for (const Arc& a : net.transitions[t].inputs) {
      if (filler[a.place] != nobody && filler[a.place] != t) necessary.insert(filler[a.place]);
    }
    for (const std::uint32_t u : necessary) r.net.push_back({t, u});
    const bool starts = net.transitions[t].inputs.empty(), completes = net.transitions[t].outputs.empty();
    r.priority[t] = starts ? 3 : completes ? 1 : 2;
  }
  return r;
}

std::vector<std::uint32_t> only_fillers(const Net& net) {
  std::vector<std::uint32_t> filler(net.places.size(), nobody);
  std::vector<bool> several(net.places.size());
  for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
    for (const auto& [place, tokens] : effect_of(net.transitions[t])) {
      if (tokens <= 0) continue;
      several[place] = several[place] || filler[place] != nobody;
      filler[place] = several[place] ? nobody : t;
    }
  }
  return filler;
}

}  // namespace heddle::net
