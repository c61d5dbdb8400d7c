// Follows conflicts from thread to thread until they close a cycle. Ways that can only lead to what is known are given
// up.
#include "explain/eliminators.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <utility>

namespace heddle::explain {
namespace {

class Cycles {
 public:
  Cycles(const ConflictGraph& graph, const CodeBlocks& blocks, const EliminatorOptions& options)
      : graph_(graph), blocks_(blocks), options_(options), threads_(graph.execution().threads) {
    assert(threads_ <= 64);
    if (options.edges.empty()) return;
    given_.resize(std::size_t{threads_} * threads_);
    for (const ConflictEdge& edge : options.edges)
      given_[thread(edge.from) * threads_ + thread(edge.to)].push_back(edge);
    for (auto& edges : given_) std::ranges::sort(edges);
  }

  Eliminators run() {
    std::vector<ConflictEdge> starts;
    for (first_thread_ = 0; first_thread_ < threads_ && !stopped_; ++first_thread_) {
      starts.clear();
      for (std::uint32_t u = first_thread_ + 1; u < threads_; ++u) {
        const auto some = edges(first_thread_, u);
        starts.insert(starts.end(), some.begin(), some.end());
      }
      // Late sources first: what they lead to, they close with the shortest segments.
      std::ranges::sort(starts, std::greater());
      visits_.assign(threads_, {});
      for (const ConflictEdge& edge : starts) follow(edge, {});
    }
    Eliminators out{.repairs = {}, .cycles = {}, .complete = !stopped_};
    out.repairs = std::move(minimal_);
    std::ranges::sort(out.repairs);
    for (const Repair& repair : out.repairs) out.cycles.push_back(proofs_.at(repair));
    return out;
  }

 private:
  std::uint32_t thread(std::uint32_t action) const { return graph_.execution().actions[action].thread; }

  std::span<const ConflictEdge> edges(std::uint32_t from, std::uint32_t to) const {
    if (!given_.empty()) return given_[std::size_t{from} * threads_ + to];
    return graph_.frontier(from, to);
  }

  bool go_on() {
    if (!stopped_ && options_.go_on && ++asked_ % 64 == 0 && !options_.go_on()) stopped_ = true;
    return !stopped_;
  }

  // What must be atomic if the cycle so far, which needs `atomic`, enters a thread at `enter` and leaves it at `leave`.
  // Returns false if that subsumes a repair that is known.
  bool link(std::uint32_t enter, std::uint32_t leave, Repair& atomic) const {
    if (leave >= enter) return true;
    atomic.push_back(blocks_.around(graph_.execution(), leave, enter));
    blocks_.normalise(atomic);
    return std::ranges::none_of(minimal_, [&](const Repair& known) { return blocks_.subsumes(atomic, known); });
  }

  // Whether a cycle came to the thread before, no later in it, needing nothing that this one does not need. Whatever
  // closes this one closes that one, too.
  bool known(std::uint32_t in, std::uint32_t enter, const Repair& atomic) {
    const auto covers = [&](const Visit& a, std::uint32_t at, const Repair& needs) {
      return a.enter <= at && blocks_.subsumes(needs, a.atomic);
    };
    std::vector<Visit>& visits = visits_[in];
    if (std::ranges::any_of(visits, [&](const Visit& one) { return covers(one, enter, atomic); })) return true;
    const Visit visit{enter, atomic};
    std::erase_if(visits, [&](const Visit& one) { return covers(visit, one.enter, one.atomic); });
    visits.push_back(visit);
    return false;
  }

  // The cycle has taken the conflict and is in the thread of its target now.
  void follow(const ConflictEdge& edge, const Repair& atomic) {
    if (!go_on()) return;
    const std::uint32_t enter = edge.to, in = thread(enter);
    const auto leaves = [&](const ConflictEdge& one) { return thread(one.from) == in; };
    if (in != first_thread_ && (std::ranges::any_of(cycle_, leaves) || known(in, enter, atomic))) return;
    cycle_.push_back(edge);
    if (in == first_thread_) {
      close(enter, atomic);
    } else {
      for (std::uint32_t next = first_thread_; next < threads_; ++next) {
        if (next != in) leave(enter, edges(in, next), atomic);
      }
    }
    cycle_.pop_back();
  }

  // The shortest segments come first: they give the smallest repairs.
  void leave(std::uint32_t enter, std::span<const ConflictEdge> ways, const Repair& atomic) {
    const auto from = [](const ConflictEdge& way) { return way.from; };
    const auto after = std::ranges::lower_bound(ways, enter, {}, from);
    if (given_.empty()) {
      if (after != ways.end()) follow(*after, atomic);
    } else {
      for (auto way = after; way != ways.end(); ++way) follow(*way, atomic);
    }
    for (auto way = after; way != ways.begin() && !stopped_;) {
      if ((--way)->from < graph_.first_of_invocation(enter)) break;
      Repair more = atomic;
      if (link(enter, way->from, more)) follow(*way, more);
    }
  }

  void close(std::uint32_t enter, const Repair& atomic) {
    const std::uint32_t leave = cycle_.front().from;
    if (leave < enter && leave < graph_.first_of_invocation(enter)) return;
    Repair repair = atomic;
    if (!link(enter, leave, repair)) return;
    assert(!repair.empty());  // conflicts and program order lead forwards, so something leads back
    if (!blocks_.add_minimal(minimal_, repair)) return;
    proofs_.insert_or_assign(std::move(repair), cycle_);
    if (minimal_.size() >= options_.most) stopped_ = true;
  }

  const ConflictGraph& graph_;
  const CodeBlocks& blocks_;
  const EliminatorOptions& options_;
  const std::uint32_t threads_;
  std::vector<std::vector<ConflictEdge>> given_;
  std::uint32_t first_thread_ = 0;  // the lowest of the cycle
  // Of the cycles from first_thread_ that were followed: where they entered a thread, and what they needed.
  struct Visit {
    std::uint32_t enter;
    Repair atomic;
  };
  std::vector<std::vector<Visit>> visits_;  // by thread; none covers another
  ConflictCycle cycle_;
  std::vector<Repair> minimal_;
  std::map<Repair, ConflictCycle> proofs_;
  std::uint64_t asked_ = 0;
  bool stopped_ = false;
};

}  // namespace

Eliminators eliminators(const ConflictGraph& graph, const CodeBlocks& blocks, const EliminatorOptions& options) {
  return Cycles(graph, blocks, options).run();
}

}  // namespace heddle::explain
