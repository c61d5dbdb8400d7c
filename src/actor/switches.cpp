// Applies the switches of a run: refuses combinations (docs/network.md), finds the processes of each machine, and
// says what a fault costs.
#include <algorithm>
#include <map>
#include <set>

#include "actor/system.h"

namespace heddle::actor {
namespace {

void check_network(const Network& net) {
  if (net.traffic != Network::Traffic::M && net.order != Network::Order::Multiset) {
    throw ModelError(
        "the traffic models RM and GRM are defined for multiset channels only; drop --network or --traffic");
  }
  if (net.order == Network::Order::Soup && (net.losses > 0 || net.duplications > 0 || net.capacity > 0)) {
    throw ModelError("in a message soup every message stays for ever: loss, duplication and capacity do not apply");
  }
  if (net.when_full == Network::WhenFull::Overwrite && net.capacity == 0) {
    throw ModelError("--when-full says what happens in a full channel, but none is ever full; give --capacity N, too");
  }
  if (net.when_full == Network::WhenFull::Overwrite && net.order != Network::Order::Fifo) {
    throw ModelError(
        "--when-full overwrite drops the newest message of a channel, but only in FIFO a channel has a newest one; add "
        "--network fifo, or use --when-full block");
  }
}

// Returns a process of the role that a switch names.
const ProcessInfo& member_of(const Model& model, const std::string& role, const std::string& option) {
  std::set<std::string> names;
  for (const ProcessInfo& p : model.processes()) {
    if (p.info->tag->name == role) return p;
    names.insert(std::string(p.info->tag->name));
  }
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(name);
  throw ModelError(option + ": " + model.name() + " has no role '" + role + "'; it has: " + list);
}

void check_faults(const Model& model) {
  const Network& net = model.network;
  const Faults& faults = model.faults;
  std::vector<unsigned> bounds{faults.crashes, net.losses, net.duplications, net.partitions};
  for (const auto& [role, most] : faults.crashes_of) bounds.push_back(most);
  if (std::ranges::any_of(bounds, [](unsigned most) { return most > 100; })) {
    throw ModelError("at most 100 faults of one kind in a run");
  }
  if (faults.crashes > 0 && !faults.crashes_of.empty()) {
    throw ModelError("--crashes N bounds the crashes of all processes, --crashes ROLE=N those of a role; give either");
  }
  if (faults.recovery && !faults.crashing()) {
    throw ModelError("--recovery is for processes that have crashed, but none does; give --crashes N, too");
  }
  for (const auto& [role, most] : faults.crashes_of) member_of(model, role, "--crashes");
  for (const auto& [role, count] : faults.byzantine) {
    const std::size_t members = model.run().count(member_of(model, role, "--byzantine").info->tag);
    if (count > members) {
      throw ModelError("--byzantine: " + role + " has only " + std::to_string(members) + " members");
    }
  }
}

}  // namespace

// Combinations that have no meaning are refused, never ignored.
void System::check_switches() const {
  if (model_.processes().empty()) throw ModelError(model_.name() + " has no processes; call Model::add in .build");
  if (model_.processes().size() > 4096) throw ModelError(model_.name() + " has more than 4096 processes");
  check_network(model_.network);
  check_faults(model_);
  for (const ProcessInfo& p : model_.processes()) {
    for (const TransitionInfo& t : p.info->transitions) {
      const std::string where = std::string(p.info->name) + "::" + std::string(t.name);
      if (t.ghost && !model_.ghost_info()) {
        throw ModelError(where + " takes a Ghost, but the model has none; call Model::ghost in .build");
      }
      if (!t.spawns.empty() && model_.faults.crashing()) {
        throw ModelError("explicit crashes cannot be combined with Spawn, which " + where +
                         " takes; run without --crashes");
      }
      if (t.consumes != nullptr) continue;
      for (const detail::SendInfo& s : t.sends) {
        if (s.target == detail::Target::Reply) throw ModelError(where + " replies but consumes no message");
      }
    }
  }
}

void System::find_machines() {
  std::map<std::size_t, std::vector<std::uint32_t>> groups;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) groups[processes_[p].info->group].push_back(p);
  for (const auto& [group, members] : groups) {
    for (const std::uint32_t p : members) {
      processes_[p].machine = machines_;
      for (const std::uint32_t q : members) {
        if (q != p) processes_[p].companions.push_back(q);
      }
    }
    ++machines_;
  }
  if (model_.network.partitions > 0 && machines_ > 16) {
    throw ModelError(
        "partitions are explored for at most 16 processes or groups of co-located ones (every split of them "
        "is tried); this run has " +
        std::to_string(machines_));
  }
}

void System::allow_faults() {
  const Faults& faults = model_.faults;
  losses_ = budget_.add(model_.network.losses);
  duplications_ = budget_.add(model_.network.duplications);
  partitions_ = budget_.add(model_.network.partitions);
  if (faults.crashes > 0) {
    const FaultBudget::Kind crashes = budget_.add(faults.crashes);
    for (Process& p : processes_) p.crash_kinds = {crashes};
  }
  for (const auto& [role, most] : faults.crashes_of) {
    const FaultBudget::Kind crashes = budget_.add(most);
    std::set<std::uint32_t> machines;
    for (const Process& p : processes_) {
      if (p.info->info->tag->name == role) machines.insert(p.machine);
    }
    for (Process& p : processes_) {
      if (machines.contains(p.machine)) p.crash_kinds.push_back(crashes);
    }
  }
}

Slot System::faults_after(Slot counts, std::uint32_t p, Extra::Cost cost) const {
  switch (cost) {
    case Extra::Cost::Crash:
      return budget_.after(counts, processes_[p].crash_kinds);
    case Extra::Cost::Loss:
      return budget_.after(counts, std::span(&losses_, 1));
    case Extra::Cost::Duplication:
      return budget_.after(counts, std::span(&duplications_, 1));
    case Extra::Cost::None:
      break;
  }
  return counts;
}

}  // namespace heddle::actor
