// Combines and ranks repairs by explain/repair_oracle.h, and describes their blocks and cycles.
#include "run/repair_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::run {
namespace {

using explain::Repair;

// "pop" of "Stack::pop"
std::string without_class(const std::string& function) {
  const auto colons = function.rfind("::");
  return colons == function.npos ? function : function.substr(colons + 2);
}

// Whether the action writes a byte that the other one accesses.
bool writes_what(const explain::Action& action, const explain::Action& other) {
  return std::ranges::any_of(action.accesses, [&](const explain::DataAccess& x) {
    return x.write && std::ranges::any_of(other.accesses, [&](const explain::DataAccess& y) {
             return x.object == y.object && x.begin < y.end && y.begin < x.end;
           });
  });
}

}  // namespace

std::string AtomicBlock::where() const {
  return first_line == last_line ? fmt::format("{}:{}", without_class(function), first_line)
                                 : fmt::format("{}:{}-{}", without_class(function), first_line, last_line);
}

RepairSearch::Added RepairSearch::add_bad(explain::RecordedExecution execution, CallText calls) {
  if (!budget_.check(0)) return Added::Stopped;
  const explain::ConflictGraph graph(execution, real_time_);
  if (!known_.insert(explain::trace_hash(graph)).second) return Added::Known;
  explain::Eliminators found =
      eliminators(graph, blocks_, {.most = most_, .go_on = [&] { return budget_.check(0); }, .edges = {}});
  complete_ &= found.complete;
  if (found.repairs.empty()) return found.complete ? Added::Serializable : Added::Stopped;
  bad_.push_back({std::move(execution), std::move(calls), std::move(found)});
  return Added::Yes;
}

void RepairSearch::add_good(std::vector<explain::RecordedExecution> executions) {
  good_executions_.push_back(std::make_unique<std::vector<explain::RecordedExecution>>(std::move(executions)));
  for (const explain::RecordedExecution& one : *good_executions_.back()) good_.emplace_back(one, real_time_);
}

bool RepairSearch::compute() {
  // Many executions have the same repairs.
  std::set<std::vector<Repair>> different;
  for (const BadExecution& one : bad_) different.insert(one.eliminators.repairs);
  std::vector<std::vector<Repair>> choices(different.begin(), different.end());
  std::ranges::stable_sort(choices, {}, &std::vector<Repair>::size);
  const explain::CombinedRepairs all = explain::combined(choices, blocks_, most_, [&] { return budget_.check(0); });
  if (!budget_.check(0)) return false;
  complete_ &= all.complete;
  ranked_ = explain::ranked(all.repairs, good_, blocks_);
  return true;
}

bool RepairSearch::add_larger() {
  std::vector<Repair> larger;
  for (const explain::RankedRepair& one : ranked_) {
    Repair& whole = larger.emplace_back();
    for (const explain::CodeBlock& block : one.repair) {
      std::uint32_t body = block.first;
      while (tree_[body].parent != explain::nothing) body = tree_[body].parent;
      whole.push_back({body, body});
    }
  }
  Repair& all = larger.emplace_back();
  for (const BadExecution& bad : bad_) {
    for (const auto& instance : bad.execution.instances) {
      if (instance.parent == explain::nothing) all.push_back({instance.statement, instance.statement});
    }
  }
  for (Repair& one : larger) {
    blocks_.normalise(one);
    if (std::ranges::find(ranked_, one, &explain::RankedRepair::repair) != ranked_.end()) continue;
    std::vector<Repair> repairs;
    for (const explain::RankedRepair& known : ranked_) repairs.push_back(known.repair);
    repairs.push_back(one);
    ranked_ = explain::ranked(repairs, good_, blocks_);
    return true;
  }
  return false;
}

std::vector<AtomicBlock> RepairSearch::blocks_of(const Repair& repair) const {
  std::vector<AtomicBlock> out;
  for (const explain::CodeBlock& block : repair) {
    const explain::CodeStatement &first = tree_[block.first], &last = tree_[block.last];
    AtomicBlock one{first.function, first.file, first.first_line, last.last_line};
    // Instantiations of a template are one source.
    const auto same = [&](const AtomicBlock& other) { return other.file == one.file && other.where() == one.where(); };
    if (std::ranges::none_of(out, same)) {
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::string RepairSearch::text_of(const Repair& repair) const {
  std::string out;
  for (const AtomicBlock& block : blocks_of(repair)) out += (out.empty() ? "" : ", ") + block.where();
  return out;
}

void RepairSearch::draw_cycle(const Repair& repair, RootCause& out) const {
  const BadExecution* shown = nullptr;
  std::size_t which = 0;
  const auto cost = [](const BadExecution& bad, std::size_t i) {
    return std::pair(bad.eliminators.cycles[i].size(), bad.execution.actions.size());
  };
  for (const BadExecution& bad : bad_) {
    for (std::size_t i = 0; i < bad.eliminators.repairs.size(); ++i) {
      if (!blocks_.subsumes(repair, bad.eliminators.repairs[i])) continue;
      if (shown == nullptr || cost(bad, i) < cost(*shown, which)) {
        shown = &bad;
        which = i;
      }
    }
  }
  out.conflicts.clear();
  out.cycle.clear();
  if (shown == nullptr) return;
  std::map<std::uint32_t, CyclePlace> places;  // by action
  const auto& actions = shown->execution.actions;
  for (const explain::ConflictEdge& edge : shown->eliminators.cycles[which]) {
    const auto number = static_cast<std::uint32_t>(out.conflicts.size());
    const bool from_writes = writes_what(actions[edge.from], actions[edge.to]);
    const bool to_writes = writes_what(actions[edge.to], actions[edge.from]);
    out.conflicts.push_back({event(*shown, edge.from, from_writes), event(*shown, edge.to, to_writes)});
    for (const bool to : {false, true}) {
      CyclePlace& place = places[to ? edge.to : edge.from];
      place.event = to ? out.conflicts.back().to : out.conflicts.back().from;
      place.conflicts.push_back(number);
    }
  }
  for (auto& [at, place] : places) out.cycle.push_back(std::move(place));
}

CycleEvent RepairSearch::event(const BadExecution& bad, std::uint32_t number, bool writes) const {
  using enum CycleEvent::Kind;
  const explain::Action& action = bad.execution.actions[number];
  CycleEvent out{.thread = action.thread, .call = bad.calls(action.invocation)};
  if (action.kind != explain::Action::Kind::Data) {
    out.kind = action.kind == explain::Action::Kind::Call ? Call : Return;
    return out;
  }
  out.kind = writes ? Write : Read;
  const explain::CodeStatement& statement = tree_[bad.execution.instances[action.instance].statement];
  const bool known = action.file != explain::nothing && action.line != 0;
  out.file = known ? files_[action.file] : statement.file;
  out.line = known ? action.line : statement.first_line;
  return out;
}

}  // namespace heddle::run
