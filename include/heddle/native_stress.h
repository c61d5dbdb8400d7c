// The other side of heddle/native.h for `heddle check --stress`: the same harness, compiled as it is, runs a client on
// real threads again and again. Heddle reads from standard output how often each outcome came, and judges.
//
//   input    threads; for each thread its number of calls; for each call its method and four arguments
//   output   lines "count outcome": how often an outcome came since the last line about it; "hangs" if a run does not
//            end
//
// Before each call a thread dawdles for a random, short time: other schedules come up than when all run at full speed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace heddle::native_program::stress {

struct Call {
  int numbers[5] = {};  // method and arguments
};

struct State {
  std::vector<std::vector<Call>> client;
  std::vector<std::thread> threads;
  std::vector<std::string> results;  // by thread
  std::vector<std::uint32_t> made;   // calls of each thread
  std::atomic<std::uint32_t> ready{0};
  std::atomic<std::uint64_t> runs{0};
  std::uint64_t seed = 1;
};
inline State state;
inline thread_local std::uint32_t self = 0;
inline thread_local std::uint64_t dice = 1;

inline std::uint64_t roll() {  // xorshift64
  dice ^= dice << 13;
  dice ^= dice >> 7;
  dice ^= dice << 17;
  return dice;
}

inline void dawdle() {
  const std::uint64_t how = roll() % 16;
  if (how == 0) std::this_thread::yield();
  for (volatile std::uint64_t i = roll() % (how < 8 ? 8 : 200); i > 0;) i = i - 1;
}

inline const Call& call() { return state.client[self - 1][state.made[self - 1]]; }

// The process ends if a run takes this long; it has waited for ever, or nearly.
inline constexpr double most_seconds_of_a_run = 3;

inline void watch() {
  std::uint64_t seen = 0;
  auto since = std::chrono::steady_clock::now();
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto now = std::chrono::steady_clock::now();
    if (const std::uint64_t runs = state.runs.load(); runs != seen) {
      seen = runs;
      since = now;
    } else if (std::chrono::duration<double>(now - since).count() > most_seconds_of_a_run) {
      std::printf("hangs\n");
      std::fflush(stdout);
      ::_exit(0);
    }
  }
}

inline bool read_client() {
  const auto number = [](int& out) { return std::scanf("%d", &out) == 1; };
  int threads = 0;
  if (!number(threads) || threads < 1 || threads > 8) return false;
  state.client.resize(static_cast<std::size_t>(threads));
  for (auto& thread : state.client) {
    int calls = 0;
    if (!number(calls) || calls < 1 || calls > 16) return false;
    thread.resize(static_cast<std::size_t>(calls));
    for (Call& one : thread) {
      for (int& each : one.numbers) {
        if (!number(each)) return false;
      }
    }
  }
  return true;
}

inline void tell(std::map<std::string, std::uint64_t>& counts) {
  for (const auto& [outcome, count] : counts) {
    std::printf("%llu %s\n", static_cast<unsigned long long>(count), outcome.c_str());
  }
  std::fflush(stdout);
  counts.clear();
}

// Arguments: seconds and seed.
inline int main(int argc, char** argv, int (*run)()) {
  if (argc < 3 || !read_client()) return 2;
  const double seconds = std::strtod(argv[1], nullptr);
  dice = std::strtoull(argv[2], nullptr, 10) * 2 + 1;
  std::thread(watch).detach();
  std::map<std::string, std::uint64_t> counts;
  const auto begin = std::chrono::steady_clock::now();
  auto told = begin;
  for (;;) {
    state.seed = roll();
    state.ready = 0;
    state.results.assign(state.client.size(), "");
    state.made.assign(state.client.size(), 0);
    run();
    state.threads.clear();
    state.runs.fetch_add(1);
    std::string outcome;
    for (std::size_t t = 0; t < state.results.size(); ++t) outcome += (t == 0 ? "" : " | ") + state.results[t];
    ++counts[outcome];
    const auto now = std::chrono::steady_clock::now();
    const bool over = std::chrono::duration<double>(now - begin).count() >= seconds;
    if (over || std::chrono::duration<double>(now - told).count() > 0.1) {
      tell(counts);
      told = now;
    }
    if (over) ::_exit(0);
  }
}

}  // namespace heddle::native_program::stress

extern "C" {
inline unsigned __heddle_choose(unsigned alternatives) {
  return static_cast<unsigned>(heddle::native_program::stress::roll() % alternatives);
}
inline void __heddle_lock_word(const volatile void*, unsigned long) {}
inline int __heddle_client(std::uint32_t what) {
  namespace stress = heddle::native_program::stress;
  return what == 0 ? static_cast<int>(stress::state.client.size()) : stress::call().numbers[what - 2];
}
inline std::uint32_t __heddle_spawn(void* (*function)(void*), void* argument) {
  namespace stress = heddle::native_program::stress;
  const auto number = static_cast<std::uint32_t>(stress::state.threads.size() + 1);
  stress::state.threads.emplace_back([=] {
    stress::self = number;
    stress::dice = (stress::state.seed ^ number * 0x9e3779b97f4a7c15) | 1;
    // All begin together.
    stress::state.ready.fetch_add(1);
    while (stress::state.ready.load() < stress::state.client.size()) std::this_thread::yield();
    function(argument);
  });
  return number;
}
inline void __heddle_atomic_begin(std::uint32_t) {}
inline void __heddle_atomic_end(void) {}
inline void __heddle_await(bool) {}
inline bool __heddle_ended(std::uint32_t thread) {
  heddle::native_program::stress::state.threads[thread - 1].join();
  return true;
}
inline void __heddle_joined(std::uint32_t) {}
inline bool __heddle_call_begin(void) {
  namespace stress = heddle::native_program::stress;
  if (stress::state.made[stress::self - 1] == stress::state.client[stress::self - 1].size()) return false;
  stress::dawdle();
  return true;
}
inline void __heddle_call_end(void) {
  namespace stress = heddle::native_program::stress;
  ++stress::state.made[stress::self - 1];
}
inline void __heddle_result(const char* text, std::size_t size) {
  namespace stress = heddle::native_program::stress;
  std::string& results = stress::state.results[stress::self - 1];
  if (!results.empty()) results += ", ";
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] == '\n') {
      results += "\\n";
    } else {
      results += text[i];
    }
  }
}
}
