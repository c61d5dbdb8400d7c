// Explores a small model in full: its states as texts, and the result of the search.
#pragma once

#include <set>
#include <string>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "explore/search.h"

namespace heddle {

struct Explored {
  SearchResult result;
  std::set<std::string> finals;                // lane fields (inboxes left out) of states without a step
  std::set<std::string> locals;                // the same for every state
  std::set<std::string> locals_without_flags;  // the same without whether a process is up
};

inline std::string local_text(const TransitionSystem& system, std::span<const Slot> state, bool crash_flags = true) {
  const auto lanes = system.describer().lanes();
  std::string out;
  for (const trace::Field& f : system.describer().describe_state(state)) {
    if (f.name != "inbox" && (crash_flags || f.name != "up"))
      out += lanes[f.lane].name + "." + f.name + "=" + f.value + " ";
  }
  return out;
}

inline Explored explore(const TransitionSystem& system, SearchOptions options = {}) {
  Explored e;
  options.on_state = [&](std::span<const Slot> s) {
    e.locals.insert(local_text(system, s));
    e.locals_without_flags.insert(local_text(system, s, false));
  };
  options.on_deadlock = [&](std::span<const Slot> s) { e.finals.insert(local_text(system, s)); };
  e.result = search(system, options);
  return e;
}

inline Explored explore(Model model, const ActorOptions& actor = {}, SearchOptions options = {}) {
  const auto system = make_actor_system(std::move(model), actor);
  return explore(*system, std::move(options));
}

// Returns how many of `texts` contain `part`.
inline std::size_t count_with(const std::set<std::string>& texts, std::string_view part) {
  std::size_t n = 0;
  for (const std::string& t : texts) n += t.find(part) != std::string::npos;
  return n;
}

}  // namespace heddle
