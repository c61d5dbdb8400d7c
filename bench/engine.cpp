// Compares the engine with itself in one run: how much of the visited set's raw insert rate a whole search
// reaches, what memoising handlers and compressing states are worth, what a second thread adds, and how the cost
// per state grows with size. It measures the search alone (explore/), below the call that checks models.
//
//   bench_engine            the table of docs/performance.md (minutes)
//   bench_engine --quick    small instances (seconds)
//
// One-thread figures are processor time, which other work on the machine distorts less; the two-thread ratio is
// wall time. Compare ratios: machines are noisy.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "explore/store.h"

namespace {

using namespace heddle;
using Parameters = std::map<std::string, std::string>;

double now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::unique_ptr<TransitionSystem> make(const std::string& name, const Parameters& parameters, bool memoise = true) {
  return make_actor_system(Model(*find_model(name), parameters), {.memoise = memoise});
}

struct Measured {
  SearchResult result;
  double cpu, wall;
  double rate() const { return static_cast<double>(result.counters.transitions) / cpu; }
};

Measured measure(const TransitionSystem& system, const SearchOptions& options = {}) {
  const double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
  Measured m{search(system, options), 0, 0};
  m.cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  m.wall = now(CLOCK_MONOTONIC) - wall;
  return m;
}

// Returns the keys with which a search probes the store, in its order.
std::vector<std::uint64_t> probed_keys(const TransitionSystem& system) {
  const auto initial = system.initial_states();
  TreeStore store(initial[0].size());
  TreeStore::Cursor cursor(store);
  std::vector<std::uint64_t> keys;
  const auto insert = [&](std::uint64_t key) {
    keys.push_back(key);
    store.insert(key, TreeStore::hash(key));
  };
  insert(cursor.load_slots(initial[0]));
  StepBuffer steps;
  for (std::uint32_t n = 1; n <= store.last(); ++n) {
    cursor.load(store.key(n));
    steps.clear();
    system.expand(cursor.slots(), steps);
    for (std::size_t i = 0; i < steps.size(); ++i) insert(cursor.after(steps.changes(i)));
  }
  return keys;
}

// Returns the inserts per second of the bare table, in batches as in the search.
double raw_rate(const std::vector<std::uint64_t>& keys) {
  PairTable table(10);
  constexpr std::size_t batch = 128;
  std::uint64_t hashes[batch];
  const double start = now(CLOCK_PROCESS_CPUTIME_ID);
  for (std::size_t at = 0; at < keys.size(); at += batch) {
    const std::size_t n = std::min(batch, keys.size() - at);
    for (std::size_t i = 0; i < n; ++i) {
      hashes[i] = PairTable::hash(keys[at + i]);
      table.prefetch_index(hashes[i]);
    }
    for (std::size_t i = 0; i < n; ++i) table.prefetch_log(hashes[i]);
    for (std::size_t i = 0; i < n; ++i) table.insert(keys[at + i], hashes[i]);
  }
  return static_cast<double>(keys.size()) / (now(CLOCK_PROCESS_CPUTIME_ID) - start);
}

std::string describe(const std::string& name, const Parameters& parameters) {
  std::string text = name + "(";
  for (const auto& [key, value] : parameters) text += (text.back() == '(' ? "" : ",") + value;
  return text + ")";
}

struct Instance {
  std::string name;
  Parameters parameters;
};

void engine_table(const std::vector<Instance>& instances) {
  std::printf(
      "| protocol | states | transitions | M states/s | M transitions/s | raw inserts M/s | share of raw | B/state | "
      "2 threads |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const Instance& i : instances) {
    const auto system = make(i.name, i.parameters);
    const Measured one = measure(*system);
    const double raw = raw_rate(probed_keys(*system));
    SearchOptions two;
    two.threads = 2;
    const Measured both = measure(*make(i.name, i.parameters), two);
    const Counters& c = one.result.counters;
    std::printf("| %s | %lu | %lu | %.2f | %.2f | %.2f | %.0f %% | %.1f | %.2fx |\n",
                describe(i.name, i.parameters).c_str(), c.states, c.transitions,
                static_cast<double>(c.states) / one.cpu / 1e6, one.rate() / 1e6, raw / 1e6, 100 * one.rate() / raw,
                static_cast<double>(c.store_bytes) / static_cast<double>(c.states), one.wall / both.wall);
    std::fflush(stdout);
  }
}

void switches_table(const std::vector<Instance>& instances) {
  std::printf(
      "\n| protocol | states | without memoised handlers | without tree compression: time | memory "
      "|\n|---|---|---|---|---|\n");
  for (const Instance& i : instances) {
    const Measured usual = measure(*make(i.name, i.parameters));
    const Measured plain = measure(*make(i.name, i.parameters, false));
    SearchOptions flat;
    flat.tree_compression = false;
    const Measured whole = measure(*make(i.name, i.parameters), flat);
    std::printf("| %s | %lu | %.1fx slower | %.1fx slower | %.1fx more |\n", describe(i.name, i.parameters).c_str(),
                usual.result.counters.states, plain.cpu / usual.cpu, whole.cpu / usual.cpu,
                static_cast<double>(whole.result.counters.store_bytes) /
                    static_cast<double>(usual.result.counters.store_bytes));
    std::fflush(stdout);
  }
}

void growth_table(const std::vector<Instance>& instances) {
  std::printf("\n| protocol | states | ns of processor time a state | a transition |\n|---|---|---|---|\n");
  for (const Instance& i : instances) {
    const Measured m = measure(*make(i.name, i.parameters));
    const Counters& c = m.result.counters;
    std::printf("| %s | %lu | %.0f | %.0f |\n", describe(i.name, i.parameters).c_str(), c.states,
                m.cpu / static_cast<double>(c.states) * 1e9, m.cpu / static_cast<double>(c.transitions) * 1e9);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const auto two_phase = [](int n) { return Instance{"two_phase_commit", {{"managers", std::to_string(n)}}}; };
  const auto paxos = [](int p, int a, int l) {
    return Instance{
        "paxos", {{"proposers", std::to_string(p)}, {"acceptors", std::to_string(a)}, {"learners", std::to_string(l)}}};
  };
  const auto abd = [](int c, int s) {
    return Instance{"abd_register", {{"clients", std::to_string(c)}, {"servers", std::to_string(s)}}};
  };
  if (quick) {
    engine_table({two_phase(6), paxos(2, 3, 1)});
    switches_table({two_phase(5), paxos(2, 3, 1)});
    growth_table({two_phase(4), two_phase(5), two_phase(6)});
  } else {
    engine_table({two_phase(8), two_phase(9), paxos(2, 3, 3), paxos(3, 3, 1), abd(3, 2)});
    switches_table({two_phase(6), paxos(2, 3, 1), abd(3, 2)});
    growth_table({two_phase(5), two_phase(6), two_phase(7), two_phase(8), two_phase(9)});
  }
}
