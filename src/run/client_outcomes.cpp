// Searches the program in which every call is one step, and collects the outcomes of its final states.
#include "run/client_outcomes.h"

#include <fmt/format.h>

#include "reduce/reduced_search.h"
#include "run/errors.h"

namespace heddle::run {

std::vector<std::set<std::string>> sequential_outcomes(const std::shared_ptr<const native::Image>& image,
                                                       native::SystemOptions options, const Limits& limits) {
  options.calls = native::Calls::Atomic;
  options.admitted = nullptr;
  options.leaks = false;  // the search itself looks for them
  std::vector<std::set<std::string>> outcomes(options.clients.size());
  native::System system(image, std::move(options));
  SearchOptions search;
  search.threads = 1;
  search.limits = limits;
  search.stop_at_violation = false;
  search.on_deadlock = [&](std::span<const Slot> state) {
    if (auto found = system.outcome(state)) outcomes[system.client(state)].insert(*std::move(found));
  };
  ReductionReport report;
  const SearchResult result = reduced_search(system, search, {}, report);
  if (!result.exhausted) {
    throw Stopped(fmt::format("{}, while the calls of clients were made one at a time", result.stopped_by));
  }
  return outcomes;
}

}  // namespace heddle::run
