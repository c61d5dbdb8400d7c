// Finds the smallest block of the statement tree around two actions, and unites and compares blocks.
#include "explain/code_blocks.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace heddle::explain {
namespace {

// From the body of the method to the action's own statement.
std::vector<std::uint32_t> way_down(const RecordedExecution& execution, std::uint32_t action) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = execution.actions[action].instance; i != nothing; i = execution.instances[i].parent) {
    out.push_back(i);
  }
  std::ranges::reverse(out);
  assert(!out.empty());
  return out;
}

}  // namespace

CodeBlock CodeBlocks::around(const RecordedExecution& execution, std::uint32_t from, std::uint32_t to) const {
  const std::vector<std::uint32_t> a = way_down(execution, from), b = way_down(execution, to);
  const auto statement = [&](std::uint32_t instance) { return execution.instances[instance].statement; };
  assert(a[0] == b[0]);
  std::size_t k = 0;  // the deepest instance that both are in
  while (k + 1 < a.size() && k + 1 < b.size() && a[k + 1] == b[k + 1]) ++k;
  // One end is the condition of the statement that the other is in, or both are the same: the statement itself.
  if (k + 1 == a.size() || k + 1 == b.size()) return {statement(a[k]), statement(a[k])};
  const RecordedExecution::Instance &in_a = execution.instances[a[k + 1]], &in_b = execution.instances[b[k + 1]];
  if (in_a.iteration != in_b.iteration) return {statement(a[k]), statement(a[k])};
  const bool in_order = (*tree_)[in_a.statement].order <= (*tree_)[in_b.statement].order;
  return in_order ? CodeBlock{in_a.statement, in_b.statement} : CodeBlock{in_b.statement, in_a.statement};
}

bool CodeBlocks::holds(const CodeBlock& block, std::uint32_t statement) const {
  const std::uint32_t parent = (*tree_)[block.first].parent;
  while (statement != nothing && (*tree_)[statement].parent != parent) statement = (*tree_)[statement].parent;
  if (statement == nothing) return false;
  if (parent == nothing) return statement == block.first;  // bodies of functions have no order
  const std::uint32_t order = (*tree_)[statement].order;
  return (*tree_)[block.first].order <= order && order <= (*tree_)[block.last].order;
}

bool CodeBlocks::contains(const CodeBlock& larger, const CodeBlock& smaller) const {
  return holds(larger, smaller.first) && holds(larger, smaller.last);
}

// Returns false if the blocks have nothing in common. Blocks of a tree that overlap have the same parent, or one
// contains the other.
bool CodeBlocks::merge(CodeBlock& into, const CodeBlock& other) const {
  if (contains(into, other)) return true;
  if (contains(other, into)) {
    into = other;
    return true;
  }
  if (!holds(into, other.first) && !holds(into, other.last)) return false;
  const auto order = [&](std::uint32_t statement) { return (*tree_)[statement].order; };
  if (order(other.first) < order(into.first)) into.first = other.first;
  if (order(other.last) > order(into.last)) into.last = other.last;
  return true;
}

void CodeBlocks::normalise(Repair& repair) const {
  for (std::size_t i = 0; i < repair.size();) {
    bool merged = false;
    for (std::size_t j = i + 1; j < repair.size() && !merged; ++j) {
      if (!merge(repair[i], repair[j])) continue;
      repair.erase(repair.begin() + static_cast<std::ptrdiff_t>(j));
      merged = true;
    }
    // What has grown may overlap with one that it was compared with before.
    i = merged ? 0 : i + 1;
  }
  std::ranges::sort(repair);
}

bool CodeBlocks::subsumes(const Repair& larger, const Repair& smaller) const {
  return std::ranges::all_of(smaller, [&](const CodeBlock& one) {
    return std::ranges::any_of(larger, [&](const CodeBlock& other) { return contains(other, one); });
  });
}

bool CodeBlocks::add_minimal(std::vector<Repair>& minimal, Repair repair) const {
  if (std::ranges::any_of(minimal, [&](const Repair& one) { return subsumes(repair, one); })) return false;
  std::erase_if(minimal, [&](const Repair& one) { return subsumes(one, repair); });
  minimal.push_back(std::move(repair));
  return true;
}

std::size_t CodeBlocks::statements_in(const Repair& repair) const {
  std::size_t out = 0;
  for (std::uint32_t s = 0; s < tree_->size(); ++s) {
    if (std::ranges::any_of(repair, [&](const CodeBlock& block) { return holds(block, s); })) ++out;
  }
  return out;
}

std::vector<std::uint32_t> CodeBlocks::intervals(const RecordedExecution& execution, const Repair& repair) const {
  std::vector<std::uint32_t> block_of(tree_->size(), nothing);  // of statements that are members of blocks themselves
  for (std::uint32_t b = 0; b < repair.size(); ++b) {
    const std::uint32_t parent = (*tree_)[repair[b].first].parent;
    for (std::uint32_t s = 0; s < tree_->size(); ++s) {
      if ((*tree_)[s].parent == parent && holds(repair[b], s)) block_of[s] = b;
    }
  }
  struct Run {  // of a block: in which instance of its parent
    std::uint32_t block = nothing, invocation = 0, parent = nothing, iteration = 0;
    bool operator==(const Run&) const = default;
  };
  std::vector<Run> runs(execution.threads);  // the latest of each thread
  std::vector<std::uint32_t> latest(execution.threads, 0), out;
  out.reserve(execution.actions.size());
  std::uint32_t count = 0;
  for (const Action& action : execution.actions) {
    Run run;
    for (std::uint32_t i = action.instance; i != nothing; i = execution.instances[i].parent) {
      const RecordedExecution::Instance& instance = execution.instances[i];
      const std::uint32_t block = block_of[instance.statement];
      if (block != nothing) run = {block, action.invocation, instance.parent, instance.iteration};
    }
    if (run.block == nothing || run != runs[action.thread]) latest[action.thread] = count++;
    runs[action.thread] = run;
    out.push_back(latest[action.thread]);
  }
  return out;
}

}  // namespace heddle::explain
