// The static transitions of a system, and their automatic refinement (Bokor's thesis, chapter 3: quorum split,
// reply split).
//
// A handler of a process is one transition. Splitting turns it into one transition for every set of senders it
// could consume from. The steps stay the same but are told apart more finely, so that a reduction sees who can
// interfere with whom. Sets with a process that can never send to the handler are left out. A reply transition
// answers those it consumed from and nobody else.
#include <algorithm>
#include <numeric>

#include "actor/system.h"

namespace heddle::actor {
namespace {

constexpr std::size_t most_sets = 256;  // of one handler; a handler with more is not split

bool is_reply(const TransitionInfo& t) {
  return t.consumes != nullptr && !t.sends.empty() && t.spawns.empty() &&
         std::ranges::all_of(t.sends, [](const detail::SendInfo& s) { return s.target == detail::Target::Reply; });
}

bool to_be_split(const TransitionInfo& t, Split split) {
  if (t.consumes == nullptr || split == Split::None) return false;
  if (split == Split::Combined) return true;
  return split == Split::Reply ? is_reply(t) : t.quorum != nullptr && !is_reply(t);
}

// Returns all subsets of `size` members, or nothing if there are more than most_sets.
std::vector<std::vector<std::uint32_t>> subsets(const std::vector<std::uint32_t>& members, std::size_t size) {
  std::vector<std::vector<std::uint32_t>> all;
  std::vector<std::uint32_t> chosen;
  const auto choose = [&](auto&& self, std::size_t from) -> void {
    if (all.size() > most_sets) return;
    if (chosen.size() == size) {
      all.push_back(chosen);
      return;
    }
    for (std::size_t i = from; i < members.size(); ++i) {
      chosen.push_back(members[i]);
      self(self, i + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
  if (all.size() > most_sets) all.clear();
  return all;
}

}  // namespace

std::size_t System::threshold(const TransitionInfo& t) const {
  if (t.consumes == nullptr) return 0;
  return t.quorum == nullptr ? 1 : thresholds_.at(&t);
}

// The size of a quorum comes from user code, but is a fact of the model. It is asked for twice, to see that it is.
void System::find_thresholds() {
  for (const auto& kind : kinds_) {
    for (const TransitionInfo& t : kind->info->transitions) {
      if (t.consumes == nullptr || t.quorum == nullptr) continue;
      const CodeName code{"quorum of", kind->info->name, t.name};
      std::size_t size = 0, again = 0;
      run_or_throw<ModelError>(code, [&] { size = t.quorum(model_.run().count(t.sender), model_.run()); });
      run_or_throw<ModelError>(code, [&] { again = t.quorum(model_.run().count(t.sender), model_.run()); });
      if (size != again) {
        throw ModelError(code.text() + " is not a pure function: its size was " + std::to_string(size) + " and then " +
                         std::to_string(again));
      }
      thresholds_.emplace(&t, size);
    }
  }
}

// Finds who may send which type to whom, judging by signatures: the least relation that is closed under replies.
void System::find_channels() {
  const auto count = static_cast<std::uint32_t>(processes_.size());
  for (bool grown = true; std::exchange(grown, false);) {
    for (std::uint32_t p = 0; p < count; ++p) {
      for (const TransitionInfo& t : processes_[p].info->info->transitions) {
        for (const detail::SendInfo& send : t.sends) {
          for (std::uint32_t q = 0; q < count; ++q) {
            bool reaches = processes_[q].info->info->tag == send.role;
            if (send.target == detail::Target::All) reaches &= p != q;
            if (send.target == detail::Target::Reply) {
              // A Byzantine process may answer what nobody asked.
              reaches = processes_[p].byzantine || (can_send(q, p, t.consumes) &&
                                                    (t.sender == nullptr || processes_[q].info->info->tag == t.sender));
            }
            if (reaches) grown |= channels_.emplace(p, q, send.type).second;
          }
        }
      }
    }
  }
}

// Returns the processes from which a handler may consume.
std::vector<std::uint32_t> System::possible_senders(std::uint32_t p, const TransitionInfo& t) const {
  std::vector<std::uint32_t> senders;
  for (std::uint32_t q = 0; q < processes_.size(); ++q) {
    if (t.sender != nullptr && processes_[q].info->info->tag != t.sender) continue;
    if (can_send(q, p, t.consumes)) senders.push_back(q);
  }
  return senders;
}

void System::make_transitions() {
  if (relations_possible()) find_channels();
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    const auto& handlers = processes_[p].info->info->transitions;
    for (std::uint32_t h = 0; h < handlers.size(); ++h) {
      StaticTransition t{.process = p, .handler = static_cast<std::int32_t>(h)};
      processes_[p].first_of_handler.push_back(static_cast<std::uint32_t>(transitions_.size()));
      if (relations_possible() && handlers[h].consumes != nullptr) t.senders = possible_senders(p, handlers[h]);
      if (relations_possible() && to_be_split(handlers[h], options_.split)) {
        for (auto& senders : subsets(t.senders, threshold(handlers[h]))) {
          transitions_.push_back(t);
          transitions_.back().split = true;
          transitions_.back().senders = std::move(senders);
        }
      }
      if (transitions_.size() == processes_[p].first_of_handler.back()) transitions_.push_back(t);
      // A step that ends in a crash is another transition, so that the one that does not crash interferes with few.
      if (!processes_[p].crash_kinds.empty()) {
        t.crashing = true;
        transitions_.push_back(t);
      }
    }
    processes_[p].first_special = static_cast<std::uint32_t>(transitions_.size());
    for (std::uint32_t k = 0; k < special_count; ++k) {
      transitions_.push_back({.process = p, .handler = -1, .special = static_cast<Special>(k)});
    }
  }
  // The network splits; the network heals. These transitions belong to no process.
  transitions_.push_back({.process = network_lane(), .handler = -1});
  transitions_.push_back({.process = network_lane(), .handler = -1});
}

// Returns the transition of which an outcome of process p is a step.
std::uint32_t System::transition_of(std::uint32_t p, const DetailedOutcome& d) const {
  if (d.transition < 0) return processes_[p].first_special + static_cast<std::uint32_t>(d.special);
  const bool crashing = d.extra && d.extra->cost == Extra::Cost::Crash;
  std::uint32_t t = processes_[p].first_of_handler[static_cast<std::size_t>(d.transition)];
  std::vector<std::uint32_t> senders;
  if (transitions_[t].split) {
    for (const std::uint32_t entry : d.consumed) senders.push_back(messages_[entry & ~Inboxes::delivered].sender);
    std::sort(senders.begin(), senders.end());
  }
  for (; transitions_[t].handler == d.transition && transitions_[t].process == p; ++t) {
    if (transitions_[t].crashing != crashing) continue;
    if (!transitions_[t].split || transitions_[t].senders == senders) return t;
  }
  throw ModelError(lane_name(p) + " received " +
                   std::string(messages_[d.consumed[0] & ~Inboxes::delivered].type->name) +
                   " from a process whose handlers do not declare that they send it");
}

}  // namespace heddle::actor
