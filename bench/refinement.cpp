// What the abstract object beside a protocol costs: the same search without and with --refines, in turn, in one process.
//
//   bench_refinement            the table of docs/refinement.md
//   bench_refinement --quick    small instances
//
// Processor time, best of several; the ratio is what counts: these machines are noisy.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "explore/search.h"

namespace {

using namespace heddle;
using Parameters = std::map<std::string, std::string>;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Measured {
  std::size_t states = 0;
  double seconds = 1e9;
};

void measure(const std::string& name, const Parameters& parameters, bool refine, Measured& best) {
  Model model(*find_model(name), parameters);
  if (refine) model.refine("qtree", "strict", "corrected");
  const double start = processor_seconds();
  const auto system = make_actor_system(std::move(model));
  const SearchResult result = search(*system);
  best.seconds = std::min(best.seconds, processor_seconds() - start);
  best.states = result.counters.states;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  struct Case {
    std::string model;
    Parameters parameters;
  };
  std::vector<Case> cases = {{"flexible_paxos", {}}, {"paxos", {}}};
  if (!quick) {
    cases = {{"flexible_paxos", {{"rounds", "3"}}},
             {"paxos", {{"messages", "single"}}},
             {"paxos", {{"proposers", "3"}, {"learners", "0"}}},
             {"paxos", {{"proposers", "3"}}}};
  }
  std::printf("%-44s %10s %10s %9s %9s %7s\n", "model", "states", "refined", "s", "refined", "ratio");
  for (const Case& c : cases) {
    Measured without, with;
    for (int i = 0; i < 3; ++i) {
      measure(c.model, c.parameters, false, without);
      measure(c.model, c.parameters, true, with);
    }
    std::string title = c.model;
    for (const auto& [key, value] : c.parameters) title += " " + key + "=" + value;
    std::printf("%-44s %10zu %10zu %9.2f %9.2f %7.2f\n", title.c_str(), without.states, with.states, without.seconds,
                with.seconds, with.seconds / without.seconds);
    std::fflush(stdout);
  }
}
