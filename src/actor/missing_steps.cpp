// Why a process cannot take a step: the message it waits for has not come, or a guard is false.
//
// Each handler that has no step is run once more on everything that it could consume now, and says where it rejects
// that (heddle/handler.h, require). What rejects is asked of one state only, so nothing is kept.
#include <algorithm>
#include <set>

#include "actor/system.h"

namespace heddle::actor {
namespace {

constexpr std::size_t most_tries = 200;  // sets of messages that a handler is run on

std::string place_text(const std::source_location& where) {
  const std::string_view path = where.file_name();
  if (path.empty()) return "a choice has no options";
  return "the guard at " + std::string(path.substr(path.find_last_of('/') + 1)) + ":" + std::to_string(where.line()) +
         " is false";
}

}  // namespace

std::vector<MissingStep> System::missing_steps(std::span<const Slot> state) const {
  std::vector<MissingStep> missing;
  if (failed(state)) return missing;
  StepBuffer steps;
  expand(state, steps);
  std::set<std::pair<std::uint32_t, std::uint32_t>> enabled;  // (process, handler)
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::uint32_t transition = steps.step(i).transition;
    if (transition + 2 >= transition_count() || transitions_[transition].handler < 0) continue;
    enabled.emplace(transitions_[transition].process, static_cast<std::uint32_t>(transitions_[transition].handler));
  }
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (state[p] == 0 || processes_[p].byzantine) continue;
    if ((local_of(p, state[p]) & crashed) != 0) {
      missing.push_back({p, "", "it is down"});
      continue;
    }
    const auto& handlers = processes_[p].info->info->transitions;
    for (std::uint32_t t = 0; t < handlers.size(); ++t) {
      if (!enabled.contains({p, t})) missing.push_back({p, std::string(handlers[t].name), why_missing(state, p, t)});
    }
  }
  return missing;
}

std::string System::why_missing(std::span<const Slot> state, std::uint32_t p, std::uint32_t t) const {
  const TransitionInfo& transition = processes_[p].info->info->transitions[t];
  const auto sets = consumable(p, state[p], transition);
  if (sets.empty() && transition.consumes == nullptr) return "what has been delivered has to be received first";
  if (sets.empty()) {
    const std::string type(transition.consumes->name);
    std::set<std::uint32_t> senders;
    for (const std::uint32_t entry : inboxes_[inbox_of(p, state[p])]) {
      const Messages::Record& m = messages_[entry & ~Inboxes::delivered];
      if (m.type != transition.consumes) continue;
      if (transition.sender == nullptr || processes_[m.sender].info->info->tag == transition.sender)
        senders.insert(m.sender);
    }
    const std::size_t wanted = threshold(transition);
    if (senders.empty()) {
      return wanted > 1 ? "0 of " + std::to_string(wanted) + " " + type + " have arrived"
                        : "no " + type + " has arrived";
    }
    if (senders.size() < wanted) {
      return std::to_string(senders.size()) + " of " + std::to_string(wanted) + " " + type + " have arrived";
    }
    return type + " is there, but others come first, or it has not been delivered";
  }
  const std::uint32_t ghost = transition.ghost ? state[ghost_slot_] : 0;
  std::vector<std::source_location> guards;
  bool accepted = false;
  for (std::size_t i = 0; i < sets.size() && i < most_tries; ++i) {
    std::vector<MessageNumber> messages;
    for (const std::uint32_t entry : sets[i]) messages.push_back(entry & ~Inboxes::delivered);
    accepted |= !run_handler(p, t, local_of(p, state[p]), messages, ghost, &guards).empty();
  }
  std::vector<std::string> places;
  for (const std::source_location& where : guards) {
    std::string text = place_text(where);
    if (std::ranges::find(places, text) == places.end()) places.push_back(std::move(text));
  }
  if (accepted || places.empty()) {
    return "it could go on, but the network is divided or full, or there is no room for new processes";
  }
  std::string out;
  for (const std::string& one : places) out += (out.empty() ? "" : ", or ") + one;
  return out;
}

}  // namespace heddle::actor
