// Computes the levels of the Foata normal form in one pass, and sums up hashes of actions with their levels.
#include "explain/trace_hash.h"

#include <xxhash.h>

#include <algorithm>
#include <vector>

namespace heddle::explain {
namespace {

std::uint64_t hash_of(const std::vector<std::uint64_t>& words, std::uint64_t seed) {
  return XXH3_64bits_withSeed(words.data(), words.size() * sizeof words[0], seed);
}

// Of each instance: the statements and iterations from the body to it. Parents come before their children.
std::vector<std::uint64_t> ways(const RecordedExecution& execution) {
  std::vector<std::uint64_t> out;
  for (const RecordedExecution::Instance& one : execution.instances) {
    out.push_back(hash_of({one.parent == explain::nothing ? 0 : out[one.parent], one.statement, one.iteration}, 1));
  }
  return out;
}

}  // namespace

TraceHash trace_hash(const ConflictGraph& graph) {
  const RecordedExecution& execution = graph.execution();
  std::vector<ConflictEdge> edges(graph.covering().begin(), graph.covering().end());
  std::ranges::sort(edges, {}, &ConflictEdge::to);
  const std::vector<std::uint64_t> way = ways(execution);
  std::vector<std::uint64_t> level(execution.actions.size(), 0), thread_level(execution.threads, 0);
  TraceHash sum = {0, 0};
  auto edge = edges.begin();
  for (std::uint32_t i = 0; i < execution.actions.size(); ++i) {
    const Action& action = execution.actions[i];
    if (action.kind != Action::Kind::Data && graph.real_time() == RealTime::Ignored) continue;
    level[i] = thread_level[action.thread] + 1;
    for (; edge != edges.end() && edge->to <= i; ++edge) {
      if (edge->to == i) level[i] = std::max(level[i], level[edge->from] + 1);
    }
    thread_level[action.thread] = level[i];
    std::vector<std::uint64_t> words = {level[i], static_cast<std::uint64_t>(action.kind), action.thread,
                                        action.invocation,
                                        action.instance == explain::nothing ? 0 : way[action.instance]};
    std::vector<std::array<std::uint64_t, 4>> accesses;
    for (const DataAccess& x : action.accesses) accesses.push_back({x.object, x.begin, x.end, x.write});
    std::ranges::sort(accesses);
    for (const auto& access : accesses) words.insert(words.end(), access.begin(), access.end());
    sum[0] += hash_of(words, 2);
    sum[1] += hash_of(words, 3);
  }
  return sum;
}

}  // namespace heddle::explain
