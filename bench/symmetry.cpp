// Measures symmetry: states, time, gain and efficiency without it, with whole processes renamed (the naive
// scheme), and with roles renamed. It measures the search alone (explore/ with reduce/symmetry.h).
//
//   bench_symmetry MODEL [NAME=VALUE ...] [--threads N] [--runs N] [--reduced-only]
//
// Times are the least processor time of several runs, each with a fresh system, because machines are noisy.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "processor_seconds.h"
#include "reduce/symmetry.h"

int main(int argc, char** argv) {
  using namespace heddle;
  if (argc < 2 || find_model(argv[1]) == nullptr) {
    fmt::print(stderr, "usage: bench_symmetry MODEL [NAME=VALUE ...] [--threads N] [--runs N] [--reduced-only]\n");
    return 2;
  }
  std::map<std::string, std::string> parameters;
  SearchOptions options;
  options.stop_at_violation = false;
  int runs = 3;
  bool plain = true;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) {
      options.threads = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (argument == "--runs" && i + 1 < argc) {
      runs = std::stoi(argv[++i]);
    } else if (argument == "--reduced-only") {
      plain = false;
    } else if (const auto equals = argument.find('='); equals != std::string::npos) {
      parameters[argument.substr(0, equals)] = argument.substr(equals + 1);
    }
  }
  double states = 0, cost = 0;
  fmt::print("{:<10} {:>12} {:>13} {:>9} {:>8} {:>8} {:>9} {:>7} {:>6}  {}\n", "symmetry", "states", "transitions",
             "seconds", "us/state", "factor", "gain", "effic.", "cost", "verdict");
  for (const char* scheme : {"none", "processes", "roles"}) {
    const bool reduced = std::strcmp(scheme, "none") != 0;
    if (!reduced && !plain) continue;
    SearchResult best;
    best.seconds = 1e300;
    SymmetryGain gain;
    bool exact = true;
    for (int run = 0; run < runs; ++run) {
      ActorOptions actor;
      if (std::strcmp(scheme, "processes") == 0) actor.symmetry = ActorOptions::Symmetry::Processes;
      const auto system = make_actor_system(Model(*find_model(argv[1]), parameters), actor);
      const Symmetry symmetry(*system);
      SearchOptions with = options;
      if (reduced) with.canonicalizer = [&] { return symmetry.canonicalizer(); };
      const double begin = processor_seconds();
      SearchResult result = search(*system, with);
      result.seconds = processor_seconds() - begin;
      const auto found = static_cast<double>(result.counters.states);
      if (!reduced) states = found;
      if (reduced) gain = symmetry_gain(symmetry.classes(), states, found);
      exact = exact && symmetry.exact();
      if (result.seconds < best.seconds) best = std::move(result);
    }
    const double each = best.seconds * 1e6 / static_cast<double>(best.counters.states);
    if (!reduced) cost = each;
    fmt::print("{:<10} {:>12} {:>13} {:>9.3f} {:>8.3f} {:>8.0f} {:>8.2f}x {:>6.1f}% {:>5.2f}x  {}{}\n", scheme,
               best.counters.states, best.counters.transitions, best.seconds, each, gain.factor, gain.gain,
               100 * gain.efficiency, plain ? each / cost : 0,
               best.verdict == Verdict::Holds      ? "holds"
               : best.verdict == Verdict::Violated ? "violated"
                                                   : "unknown",
               exact ? "" : " (several representatives for some orbits)");
  }
  return 0;
}
