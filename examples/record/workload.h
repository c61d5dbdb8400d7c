// The same workload for every key-value store: clients that get, set and compare-and-set a few keys. Each
// client has a thread and a connection. Everything is recorded.
//
//   return workload<RedisStore>(argc, argv);      // main of a client program; --help lists the options
//
// A store is a class with a constructor from a port, and
//   std::optional<std::int64_t> get(const std::string& key);
//   void set(const std::string& key, std::int64_t value);
//   bool compare_and_set(const std::string& key, std::int64_t old_value, std::int64_t new_value);
// Each throws NotSent if the server cannot have seen the request, and any other exception if it may have.
// Values are unique: a read names the write it saw.
#pragma once

#include <heddle/record.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace example {

struct NotSent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::chrono::seconds request_timeout{2};

struct Options {
  std::vector<int> ports;  // of the members of a cluster; each client talks to one of them
  unsigned clients = 16;
  std::int64_t operations = 10'000;
  unsigned keys = 5;
  unsigned seed = 1;
  unsigned pause = 0;    // milliseconds that a client rests between two operations
  double seconds = 300;  // then the run ends, however many operations were done
  std::string history = "history.edn";
};

struct Counts {
  std::atomic<std::int64_t> started{0}, ok{0}, failed{0}, unknown{0};
};

// Runs one client until all operations are started or the time is over. It compares with the last value it
// saw of a key.
template <class Store>
void client(std::uint32_t number, const Options& options, std::chrono::steady_clock::time_point end,
            heddle::Recorder& recorder, Counts& counts) {
  std::mt19937 random(options.seed * 1000 + number);
  std::vector<std::optional<std::int64_t>> seen(options.keys);
  std::unique_ptr<Store> store;
  for (;;) {
    if (std::chrono::steady_clock::now() >= end) return;
    if (store == nullptr) {  // without a connection nothing is asked, so nothing is recorded
      try {
        store = std::make_unique<Store>(options.ports[number % options.ports.size()]);
      } catch (const std::exception&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        continue;
      }
    }
    if (options.pause > 0) std::this_thread::sleep_for(std::chrono::milliseconds(options.pause));
    const std::int64_t value = ++counts.started;  // unique
    if (value > options.operations) return;
    const auto which = random() % options.keys;
    const std::string key = "k" + std::to_string(which);
    const auto dice = random() % 10;
    const bool compares = dice >= 8 && seen[which].has_value();
    auto op = dice < 5   ? recorder.invoke(number, "read", key, nullptr)
              : compares ? recorder.invoke(number, "cas", key, {*seen[which], value})
                         : recorder.invoke(number, "write", key, value);
    try {
      if (dice < 5) {
        const auto result = store->get(key);
        op.ok(result);
        seen[which] = result;
      } else if (compares) {
        const bool swapped = store->compare_and_set(key, *seen[which], value);
        op.ok(swapped);
        seen[which] = swapped ? std::optional(value) : std::nullopt;
      } else {
        store->set(key, value);
        op.ok();
        seen[which] = value;
      }
      ++counts.ok;
    } catch (const NotSent&) {
      op.fail();
      ++counts.failed;
      store.reset();
    } catch (const std::exception&) {
      op.unknown();
      ++counts.unknown;
      store.reset();
    }
  }
}

inline Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help" || i + 1 == argc) {
      std::printf(
          "usage: %s --port N [--port N ...] [--clients 16] [--operations 10000] [--keys 5] [--seed 1] [--pause 0] "
          "[--seconds 300] "
          "[--history history.edn]\n",
          argv[0]);
      std::exit(name == "--help" ? 0 : 3);
    }
    const char* value = argv[i + 1];
    if (name == "--port") {
      options.ports.push_back(std::stoi(value));
    } else if (name == "--clients") {
      options.clients = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--operations") {
      options.operations = std::stoll(value);
    } else if (name == "--keys") {
      options.keys = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--seed") {
      options.seed = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--pause") {
      options.pause = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--seconds") {
      options.seconds = std::stod(value);
    } else if (name == "--history") {
      options.history = value;
    } else {
      throw std::runtime_error("unknown option " + name + "; try --help");
    }
  }
  if (options.ports.empty()) throw std::runtime_error("--port is missing; try --help");
  if (options.keys == 0 || options.clients == 0) throw std::runtime_error("--keys and --clients must be above 0");
  return options;
}

template <class Store>
int workload(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  heddle::Recorder recorder;
  Counts counts;
  const auto start = std::chrono::steady_clock::now();
  const auto end =
      start + std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.seconds));
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < options.clients; ++number)
    threads.emplace_back([&, number] { client<Store>(number, options, end, recorder, counts); });
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  recorder.save(options.history);
  std::printf("recorded %lld operations of %u clients in %.1f s: %lld ok, %lld failed, %lld unknown; wrote %s\n",
              static_cast<long long>(counts.ok + counts.failed + counts.unknown), options.clients, took.count(),
              static_cast<long long>(counts.ok), static_cast<long long>(counts.failed),
              static_cast<long long>(counts.unknown), options.history.c_str());
  return counts.ok > 0 ? 0 : 3;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 3;
}

}  // namespace example
