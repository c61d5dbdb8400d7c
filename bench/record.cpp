// Measures what recording an operation costs, compared with the two clock reads that any recording needs: the
// counter `clock_reads` is the time of one recorded operation as a multiple of one bare read of the steady clock.
// Several threads share one recorder.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

#include "heddle/record.h"

namespace {

// Returns the processor time of this thread, because the machine may be busy with something else.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Returns the seconds of one bare clock read, the least of several rounds.
double bare_clock_read() {
  static const double seconds = [] {
    double least = 1;
    for (int round = 0; round < 20; ++round) {
      constexpr int reads = 100'000;
      const double start = now();
      for (int i = 0; i < reads; ++i) benchmark::DoNotOptimize(std::chrono::steady_clock::now());
      least = std::min(least, (now() - start) / reads);
    }
    return least;
  }();
  return seconds;
}

// An iteration has 1000 operations, so that it takes much longer than reading the time. A recorder keeps all it
// gets, so the number of iterations is fixed.
constexpr int batch = 1000;

std::unique_ptr<heddle::Recorder> recorder;

void bare_clock(benchmark::State& state) {
  for (auto _ : state) {
    for (int k = 0; k < batch; ++k) benchmark::DoNotOptimize(std::chrono::steady_clock::now());
  }
  state.counters["per_operation"] =
      benchmark::Counter(batch, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Operation>
void record(benchmark::State& state, Operation operation) {
  if (state.thread_index() == 0) recorder = std::make_unique<heddle::Recorder>();
  const auto client = static_cast<std::uint32_t>(state.thread_index());
  std::int64_t i = 0;
  double start = 0;
  for (auto _ : state) {
    if (i == 0) start = now();
    for (int k = 0; k < batch; ++k) operation(*recorder, client, ++i);
  }
  const double each = (now() - start) / static_cast<double>(i);
  state.counters["per_operation"] = benchmark::Counter(each, benchmark::Counter::kAvgThreads);
  state.counters["clock_reads"] = benchmark::Counter(each / bare_clock_read(), benchmark::Counter::kAvgThreads);
  if (state.thread_index() == 0) recorder.reset();
}

void integers(benchmark::State& state) {
  record(state, [](heddle::Recorder& into, std::uint32_t client, std::int64_t i) {
    auto op = into.invoke(client, "write", "x", i);
    op.ok();
  });
}

void result(benchmark::State& state) {
  record(state, [](heddle::Recorder& into, std::uint32_t client, std::int64_t i) {
    auto op = into.invoke(client, "read", "x", nullptr);
    op.ok(i);
  });
}

void long_text(benchmark::State& state) {
  record(state, [](heddle::Recorder& into, std::uint32_t client, std::int64_t) {
    auto op = into.invoke(client, "write", "a key of 24 characters..", "and a value of 32 characters....");
    op.ok();
  });
}

void pair(benchmark::State& state) {
  record(state, [](heddle::Recorder& into, std::uint32_t client, std::int64_t i) {
    auto op = into.invoke(client, "cas", "x", {i, i + 1});
    op.ok();
  });
}

BENCHMARK(bare_clock)->Iterations(2000);
BENCHMARK(integers)->Iterations(2000)->Threads(1)->Threads(2);
BENCHMARK(result)->Iterations(2000)->Threads(1)->Threads(2);
BENCHMARK(long_text)->Iterations(1000)->Threads(1)->Threads(2);
BENCHMARK(pair)->Iterations(1000)->Threads(1)->Threads(2);

}  // namespace
