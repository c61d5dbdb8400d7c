// Keeps for each thread the stack of statements that it is in.
#include "explain/statement_instances.h"

#include <algorithm>
#include <cassert>

namespace heddle::explain {

void StatementInstances::begin(std::size_t thread) {
  if (thread >= ways_.size()) ways_.resize(thread + 1);
  ways_[thread].clear();
}

std::uint32_t StatementInstances::new_instance(std::uint32_t statement, std::uint32_t parent) {
  assert(inside_.size() == out_.size());
  out_.push_back({statement, parent, parent == nothing ? 0 : inside_[parent].iteration});
  inside_.push_back({});
  return static_cast<std::uint32_t>(out_.size() - 1);
}

void StatementInstances::enter(std::size_t thread, std::uint32_t statement) {
  std::vector<std::uint32_t> to;  // from the body down
  for (std::uint32_t s = statement; s != nothing; s = tree_[s].parent) to.push_back(s);
  std::ranges::reverse(to);
  std::vector<std::uint32_t>& way = ways_.at(thread);
  std::size_t same = 0;
  while (same < to.size() && same < way.size() && out_[way[same]].statement == to[same]) ++same;
  if (same == to.size()) {
    if (same == way.size()) return;
    way.resize(same);
    if (tree_[statement].loop) {
      ++inside_[way.back()].iteration;
      inside_[way.back()].latest = nothing;
    }
    return;
  }
  way.resize(same);
  for (; same < to.size(); ++same) {
    const std::uint32_t order = tree_[to[same]].order;
    if (!way.empty()) {
      Inside& around = inside_[way.back()];
      if (around.latest != nothing && order <= around.latest) ++around.iteration;
      around.latest = order;
    }
    way.push_back(new_instance(to[same], way.empty() ? nothing : way.back()));
  }
}

}  // namespace heddle::explain
