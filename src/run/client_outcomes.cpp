#include "run/client_outcomes.h"

#include <fmt/format.h>

#include "core/model_error.h"
#include "reduce/reduced_search.h"

namespace heddle::run {

std::vector<std::set<std::string>> sequential_outcomes(const std::shared_ptr<const native::Image>& image,
                                                       native::SystemOptions options) {
  options.calls = native::Calls::Atomic;
  options.admitted = nullptr;
  options.leaks = false;  // the search itself looks for them
  std::vector<std::set<std::string>> outcomes(options.clients.size());
  native::System system(image, std::move(options));
  SearchOptions search;
  search.threads = 1;
  search.stop_at_violation = false;
  search.on_deadlock = [&](std::span<const Slot> state) {
    if (auto found = system.outcome(state)) outcomes[system.client(state)].insert(*std::move(found));
  };
  ReductionReport report;
  const SearchResult result = reduced_search(system, search, {}, report);
  if (!result.exhausted) {
    throw ModelError(fmt::format("the calls of clients, made one at a time, could not be searched to the end: {}",
                                 result.stopped_by));
  }
  return outcomes;
}

}  // namespace heddle::run
