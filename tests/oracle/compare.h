// Compares the program and the oracle on one model: counts, depths and verdicts.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "oracle/oracle_search.h"
#include "support/checked.h"

namespace heddle::oracle {

// Returns what the program says, in the form of Found.
inline std::map<std::string, std::optional<std::size_t>> firsts(const TransitionSystem& system,
                                                                const SearchResult& result) {
  std::map<std::string, std::optional<std::size_t>> out;
  for (const Property& p : system.properties()) out[p.name] = std::nullopt;
  for (const auto* findings : {&result.violations, &result.witnesses}) {
    for (const Finding& f : *findings) out[system.properties()[f.property].name] = f.path.steps.size();
  }
  return out;
}

inline std::string text(const std::map<std::string, std::optional<std::size_t>>& firsts, bool depths = true) {
  std::string out;
  for (const auto& [name, depth] : firsts) {
    out += name + ": " + (!depth ? "-" : depths ? std::to_string(*depth) : "found") + "; ";
  }
  return out;
}

inline std::string figures(std::size_t states, std::size_t transitions, std::size_t deadlocks, bool complete) {
  return std::to_string(states) + " states, " + std::to_string(transitions) + " transitions, " +
         std::to_string(deadlocks) + " deadlocks, " + (complete ? "complete" : "cut off");
}

inline std::string text(const Found& f) {
  if (!f.mistake.empty()) return "error";
  return figures(f.states, f.transitions, f.deadlocks, f.complete) + ", depth " + std::to_string(f.depth) + "; " +
         text(f.first);
}

inline SearchOptions everything(SearchOptions::Order order = SearchOptions::Order::BreadthFirst, unsigned threads = 1) {
  SearchOptions options;
  options.order = order;
  options.threads = threads;
  options.stop_at_violation = false;
  options.limits.seconds = 60;  // a program that never ends is also wrong
  return options;
}

// Runs without reductions, breadth first, not deeper than `depth`: every figure has to be the same.
inline std::string by_program(const Model& model, std::size_t depth) {
  try {
    const auto system = make_actor_system(model);
    SearchOptions options = everything();
    options.limits.depth = static_cast<std::uint32_t>(depth);
    const SearchResult r = search(*system, options);
    return figures(r.counters.states, r.counters.transitions, r.counters.deadlocks, r.complete) + ", depth " +
           std::to_string(r.counters.depth) + "; " + text(firsts(*system, r));
  } catch (const ModelError& error) {
    return std::string("error: ") + error.what();
  }
}

// Runs depth first, or with several threads: depths may differ and are left out.
inline std::string by_program(const Model& model, SearchOptions::Order order, unsigned threads) {
  const auto system = make_actor_system(model);
  const SearchResult r = search(*system, everything(order, threads));
  return figures(r.counters.states, r.counters.transitions, r.counters.deadlocks, r.complete) + "; " +
         text(firsts(*system, r), false);
}
inline std::string without_depths(const Found& f) {
  return figures(f.states, f.transitions, f.deadlocks, f.complete) + "; " + text(f.first, false);
}

// With the reductions `heddle check` uses by default.
inline std::string reduced(const Model& model, const SearchOptions& options) {
  const run::CheckResult r = checked(model, with_plan(run::every_reduction(), options));
  return std::string(r.complete ? "complete" : "cut off") + "; " + text(firsts(*r.system, r.search), false);
}
inline std::string verdicts(const Found& f) {
  return std::string(f.complete ? "complete" : "cut off") + "; " + text(f.first, false);
}

}  // namespace heddle::oracle
