// Measures what the abstract object beside a protocol costs: the same search without and with --refines, in turn,
// in one process.
//
//   bench_refinement            the table of docs/refinement-figures.md
//   bench_refinement --quick    small instances
//   bench_refinement N          N repetitions instead of 15
//
// Times are processor time. Compare ratios, because machines are noisy: the two searches alternate, and each
// ratio is that of two runs one after the other. The table has the median of all ratios and the quartiles around
// it; the seconds are medians.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "processor_seconds.h"
#include "run/check.h"
#include "run/doors.h"

namespace {

using namespace heddle;
using Parameters = std::map<std::string, std::string>;

struct Measured {
  std::size_t states = 0;
  double seconds = 0;
};

Measured measure(const std::string& name, const Parameters& parameters, bool refine) {
  run::RunSettings settings{.parameters = parameters};
  if (refine) settings.switches["refines"] = "qtree";
  const run::Instance instance = run::open(name).instance(settings);
  run::Listener nobody;
  run::CheckRequest request;
  request.plan = {};
  request.explain = false;
  const double start = processor_seconds();
  const run::CheckResult result = run::check(instance, request, nobody);
  return {result.counters.states, processor_seconds() - start};
}

double part(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::llround(fraction * static_cast<double>(values.size() - 1)))];
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const int repetitions = quick ? 3 : argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
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
  std::printf("%-44s %10s %10s %9s %9s %7s %13s\n", "model", "states", "refined", "s", "refined", "ratio", "quarters");
  for (const Case& c : cases) {
    std::vector<double> without, with, ratios;
    Measured plain = measure(c.model, c.parameters, false), refined;
    for (int i = 0; i < repetitions; ++i) {
      plain = measure(c.model, c.parameters, false);
      refined = measure(c.model, c.parameters, true);
      without.push_back(plain.seconds);
      with.push_back(refined.seconds);
      ratios.push_back(refined.seconds / plain.seconds);
    }
    std::string title = c.model;
    for (const auto& [key, value] : c.parameters) title += " " + key + "=" + value;
    std::printf("%-44s %10zu %10zu %9.3f %9.3f %7.2f %6.2f..%.2f\n", title.c_str(), plain.states, refined.states,
                part(without, 0.5), part(with, 0.5), part(ratios, 0.5), part(ratios, 0.25), part(ratios, 0.75));
    std::fflush(stdout);
  }
}
