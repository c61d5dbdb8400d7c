// Coverage of a protocol (core/coverage.h), and warnings about it before it runs.
//
// The steps that a search executed tell whether a handler ever happened. Everything else is noted where outcomes
// are computed, which happens once for each cell and costs the hot loop nothing. A cell belongs to a state that
// was reached, and each of its outcomes is a step of some reachable state. An outcome need not be a step of
// *every* state with the cell, so that claim needs an argument in four cases:
//   partitions      The network can always heal, and then the outcome is a step.
//   faults          Each step of a handler that ends in a crash has a counterpart that does not.
//   Byzantine       A message is held back only where a copy of it is waiting.
//   full channels   Where they block, the claim can be false: a message may count as sent, or an option as taken,
//                   that was not.
// So in every case, what is reported as never having happened has not happened.
#include <algorithm>
#include <functional>
#include <set>

#include "actor/system.h"

namespace heddle::actor {
namespace {

std::string full_name(const RoleInfo& role, const TransitionInfo& t) {
  return std::string(role.name) + "::" + std::string(t.name);
}

std::vector<Coverage::Transition::Guard> guards_of(const std::vector<HandlerUse::Guard>& seen) {
  std::vector<Coverage::Transition::Guard> guards;
  for (const HandlerUse::Guard& one : seen) {
    const std::string_view path = one.where.file_name();
    if (path.empty()) continue;
    const std::string_view file = path.substr(path.find_last_of('/') + 1);
    guards.push_back({std::string(file) + ":" + std::to_string(one.where.line()), one.rejected});
  }
  std::ranges::stable_sort(guards, std::greater{}, &Coverage::Transition::Guard::rejected);
  return guards;
}

using Choices = std::map<std::pair<std::size_t, std::uint32_t>, HandlerUse::Choice>;

// Returns, for each option offered by the choice at `place`, whether it was taken.
std::vector<bool> options_at(const Choices& choices, std::size_t place, bool renamed,
                             const std::set<std::size_t>& sizes_of_roles) {
  std::vector<bool> taken;
  for (const auto& [key, choice] : choices) {
    const auto& [position, count] = key;
    // Renaming processes may exchange the answers to questions that are asked of each member in turn. So an
    // option that was taken at one place counts as taken at all of them.
    if (position != place && !(renamed && choices.contains({place, count}))) continue;
    if (taken.size() < count) taken.resize(count);
    const bool any = std::ranges::find(choice.taken, true) != choice.taken.end();
    const bool names = choice.by_name || (renamed && sizes_of_roles.contains(count));
    for (std::size_t o = 0; o < count; ++o) {
      if (names ? any : choice.taken[o]) taken[o] = true;
    }
  }
  return taken;
}

}  // namespace

Coverage System::coverage(std::span<const std::uint64_t> executed, bool renamed) const {
  Coverage all;
  std::set<std::size_t> sizes_of_roles;
  for (const auto& kind : kinds_) sizes_of_roles.insert(model_.run().count(kind->info->tag));

  std::map<std::string, Coverage::Message> messages;
  const auto message = [&](const detail::TypeInfo* type) -> Coverage::Message& {
    const auto [place, is_new] = messages.try_emplace(std::string(type->name));
    if (is_new) place->second = {.name = place->first, .has_sender = false, .has_receiver = false};
    place->second.sent |= messages_.sent(type);
    place->second.arrived |= messages_.arrived(type);
    return place->second;
  };
  for (const RoleInfo* role : model_.roles()) {
    for (const TransitionInfo& t : role->transitions) {
      for (const detail::SendInfo& s : t.sends) message(s.type).has_sender = true;
    }
  }
  for (const auto& kind : kinds_) {
    const auto& handlers = kind->info->transitions;
    std::vector<std::uint64_t> counts(handlers.size());
    for (std::size_t t = 0; t < transitions_.size(); ++t) {
      const StaticTransition& st = transitions_[t];
      if (st.handler < 0 || processes_[st.process].kind != kind.get()) continue;
      counts[static_cast<std::size_t>(st.handler)] += executed[t];
    }
    const bool acts = std::ranges::any_of(kind->members, [&](std::uint32_t p) { return !processes_[p].byzantine; });
    HandlerUse use;
    use.begin_with(kind->use);
    if (acts) note_dropped(*kind, use);
    for (std::size_t h = 0; h < handlers.size(); ++h) {
      const TransitionInfo& t = handlers[h];
      // Model::start_after: every member has taken this step before the first state.
      if (std::ranges::find(model_.first_steps(), t.run) != model_.first_steps().end())
        counts[h] += kind->members.size();
      if (!acts) continue;  // Byzantine processes have no handlers
      const std::string name = full_name(*kind->info, t);
      all.transitions.push_back({name, counts[h], use.tried(h), use.accepted(h), guards_of(use.guards(h))});
      if (t.consumes != nullptr) {
        message(t.consumes).has_receiver = true;
        message(t.consumes).received += counts[h];
      }
      std::set<std::size_t> places;
      const Choices& choices = use.choices(h);
      for (const auto& [key, choice] : choices) places.insert(key.first);
      for (const std::size_t place : places) {
        const std::vector<bool> taken = options_at(choices, place, renamed, sizes_of_roles);
        for (std::size_t o = 0; o < taken.size(); ++o) {
          all.options.push_back({name, static_cast<unsigned>(place + 1), static_cast<unsigned>(o), taken[o]});
        }
      }
    }
  }
  for (auto& [name, one] : messages) all.messages.push_back(std::move(one));

  // Add the faults that the run allows.
  const auto add_fault = [&](bool wanted, const char* name, auto&& is_it) {
    if (!wanted) return;
    Coverage::Transition fault{name};
    for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
      if (is_it(t)) fault.executed += executed[t];
    }
    all.transitions.push_back(std::move(fault));
  };
  const auto special = [&](Special wanted) {
    return [this, wanted](std::uint32_t t) {
      const StaticTransition& st = transitions_[t];
      return t + 2 < transitions_.size() && st.handler < 0 && st.special == wanted;
    };
  };
  add_fault(model_.network.losses > 0, "loss", special(Special::Lose));
  add_fault(model_.network.duplications > 0, "duplication", special(Special::Duplicate));
  add_fault(model_.network.partitions > 0, "partition", [&](std::uint32_t t) { return t + 2 == transitions_.size(); });
  add_fault(model_.faults.crashing(), "crash",
            [&](std::uint32_t t) { return transitions_[t].crashing || special(Special::Crash)(t); });
  add_fault(model_.faults.crashing() && model_.faults.recovery, "recovery", special(Special::Recover));

  for (std::size_t i = 0; i < model_.properties().size(); ++i) {
    const detail::PropertyInfo& p = model_.properties()[i];
    // Deadlock freedom is a claim about every state without steps. It need not read anything.
    if (p.kind == detail::PropertyInfo::Kind::DeadlockFree) continue;
    if (predicates_->reads_nothing(i)) all.blind_properties.push_back(p.name);
  }
  for (const detail::SpecificationInfo& s : model_.specifications()) {
    if (history_slot_ == 0 || !histories_.any_event()) all.blind_properties.push_back(s.name);
  }
  return all;
}

// Reports handlers that wait for a message that nobody can send, judging by signatures alone. All roles of the
// model count as senders, also those without members in this run.
std::vector<std::string> System::warnings() const {
  std::set<std::pair<const detail::TypeInfo*, const detail::RoleTag*>> sent;  // (type, role of the sender)
  for (const RoleInfo* role : model_.roles()) {
    for (const TransitionInfo& t : role->transitions) {
      for (const detail::SendInfo& s : t.sends) sent.emplace(s.type, role->tag);
    }
  }
  std::vector<std::string> sentences;
  for (const auto& kind : kinds_) {
    if (kind->info->transitions.empty()) {
      sentences.push_back(std::string(kind->info->name) + " lists no handler: its processes do nothing");
    }
    for (const TransitionInfo& t : kind->info->transitions) {
      if (t.consumes == nullptr) continue;
      const bool possible = std::ranges::any_of(sent, [&](const auto& one) {
        return one.first == t.consumes && (t.sender == nullptr || one.second == t.sender);
      });
      if (possible) continue;
      sentences.push_back(full_name(*kind->info, t) + " waits for " + std::string(t.consumes->name) + ", which " +
                          (t.sender == nullptr ? "no process" : "no " + std::string(t.sender->name)) +
                          " sends: it will never happen");
    }
  }
  return sentences;
}

}  // namespace heddle::actor
