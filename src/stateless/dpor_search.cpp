// The table of algorithms, and the translation of options and results.
#include "stateless/dpor_search.h"

#include <stdexcept>

#include "stateless/dpor.h"
#include "stateless/optimal_dpor.h"
#include "stateless/source_dpor.h"

namespace heddle {
namespace {

struct Algorithm {
  SearchOptions::Dpor dpor;
  const char* name;
  StatelessResult (*run)(const TransitionSystem&, const StatelessOptions&);
};

constexpr Algorithm algorithms[] = {{SearchOptions::Dpor::Source, "source-DPOR", source_dpor},
                                    {SearchOptions::Dpor::Optimal, "optimal DPOR", optimal_dpor},
                                    {SearchOptions::Dpor::Classic, "DPOR", dpor}};

const Algorithm& find_algorithm(SearchOptions::Dpor dpor) {
  for (const Algorithm& a : algorithms) {
    if (a.dpor == dpor) return a;
  }
  throw std::logic_error("dpor_search: an algorithm is missing in the table");
}

// "source-DPOR: 18 runs, 2 given up half-way"
std::string note_of(const Algorithm& algorithm, const StatelessResult& r) {
  std::string note = std::string(algorithm.name) + ": " + std::to_string(r.executions) + " run" +
                     (r.executions == 1 ? "" : "s") + " to the end";
  if (r.blocked > 0) note += ", " + std::to_string(r.blocked) + " given up half-way";
  return note;
}

}  // namespace

std::string conflicts_with_dpor(const SearchOptions& options) {
  using Store = SearchOptions::Store;
  if (options.threads > 1) return "--search dpor uses one thread; drop --threads";
  if (options.store == Store::HashCompact || options.store == Store::Bitstate)
    return "--search dpor stores no states; drop --store";
  if (options.selective_push) return "--spos is about the stack of --search dfs";
  if (options.selector || options.canonicalizer)
    return "--search dpor is a partial order reduction of its own and remembers no states; drop --reduce";
  return {};
}

SearchResult dpor_search(const TransitionSystem& system, const SearchOptions& options) {
  if (const std::string why = conflicts_with_dpor(options); !why.empty()) throw ModelError(why);
  const Algorithm& algorithm = find_algorithm(options.dpor);
  StatelessOptions stateless;
  stateless.limits = options.limits;
  stateless.cut_off_long_runs = options.limits.depth != Limits{}.depth;
  stateless.stop_at_violation = options.stop_at_violation;
  stateless.progress = options.progress;
  stateless.on_deadlock = options.on_deadlock;
  StatelessResult r = algorithm.run(system, stateless);
  r.note = note_of(algorithm, r);
  return std::move(static_cast<SearchResult&>(r));
}

}  // namespace heddle
