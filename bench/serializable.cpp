// How reading and checking histories of transactions grow, and what the one costs against the other, in one run.
//
//   bench_serializable [--quick | --large]
//
// The histories are list-append as Jepsen generates it: 10 clients, four operations a transaction, 20 keys at a time,
// 50 elements a key. They are strictly serializable; a second row has a lost update now and then. "flat" is a history
// of writes of one register with as many bytes, read by the reader of `heddle lin`.
//
// Registers: 10 clients, up to four reads and writes of 20 keys, by a store that executes one transaction after the
// other, by one of snapshots, and by one that reads and writes as it comes (tests/support/register_stores.h).
//
// "memory" is what the process holds at most while it checks, as a multiple of what it holds after reading, the text of the
// file apart. Times are processor time of one thread. Compare ratios: machines are noisy.
#include <malloc.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "check/transactions/check_transactions.h"
#include "history/read_history.h"
#include "history/transactions.h"
#include "support/register_stores.h"

namespace {

using namespace heddle;

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// A store that executes each transaction at once, between its invocation and its return.
class Store {
 public:
  explicit Store(bool loses) : loses_(loses) {}

  std::string run(std::size_t transactions) {
    std::string out;
    constexpr int clients = 10;
    std::vector<std::string> pending(clients);
    std::vector<bool> busy(clients, false);
    std::size_t begun = 0, open = 0;
    while (begun < transactions || open > 0) {
      const auto client = static_cast<std::size_t>(random_() % clients);
      if (busy[client]) {
        out += pending[client];
        busy[client] = false;
        --open;
      } else if (begun < transactions) {
        event(out, pending[client], client);
        busy[client] = true;
        ++begun;
        ++open;
      }
    }
    return out;
  }

 private:
  struct Key {
    std::string list;
    int next = 1;
  };

  void event(std::string& out, std::string& completion, std::size_t client) {
    const std::string head = "{:process " + std::to_string(client) + ", :type ";
    std::string asked, answered;
    for (int i = 0; i < 4; ++i) {
      const std::size_t number = first_ + random_() % 20;
      while (keys_.size() <= number) keys_.emplace_back();
      Key& key = keys_[number];
      const std::string name = std::to_string(number);
      if (random_() % 2 == 0) {
        asked += "[:r " + name + " nil] ";
        answered += "[:r " + name + " [" + key.list + "]] ";
        continue;
      }
      const std::string element = std::to_string(key.next);
      if (key.next++ % 50 == 0) ++first_;
      const std::string append = "[:append " + name + " " + element + "] ";
      asked += append;
      answered += append;
      if (loses_ && random_() % 5000 == 0) continue;  // it was acknowledged, and is not there
      key.list += (key.list.empty() ? "" : " ") + element;
    }
    out += head + ":invoke, :f :txn, :value [" + asked + "], :time " + std::to_string(time_) + ", :index " +
           std::to_string(time_) + "}\n";
    ++time_;
    completion = head + ":ok, :f :txn, :value [" + answered + "], :time " + std::to_string(time_) + "}\n";
  }

  std::mt19937_64 random_{1};
  bool loses_;
  std::vector<Key> keys_;
  std::size_t first_ = 0, time_ = 0;
};

std::string flat(std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i) {
    const std::string head = "{:process " + std::to_string(i % 10) + ", :type ";
    const std::string rest = ", :f :write, :value " + std::to_string(i) + ", :time " + std::to_string(i) + "}\n";
    out += head + ":invoke" + rest + head + ":ok" + rest;
  }
  return out;
}

// What the process holds now (VmRSS), or held at most (VmHWM), in bytes.
double resident(const char* what) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == what && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}
// From now on the most is counted again.
void reset_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

struct Measured {
  double reading = 0, checking = 0;
  double memory = 0;  // while checking, as a multiple of what is held after reading
  std::size_t bytes = 0, kept = 0;
  Verdict verdict = Verdict::Unknown;
};

Measured measure(const std::string& text, const Level& level) {
  Measured m;
  m.bytes = text.size();
  ::malloc_trim(0);
  const double before = resident("VmRSS:");
  double start = now();
  TransactionHistory history;
  history::read_transactions(text, "generated", {}, history);
  m.reading = now() - start;
  m.kept = history.bytes();
  const double held = resident("VmRSS:") - before;
  reset_peak();
  start = now();
  m.verdict = check_transactions(history, {.asked = level}).verdict;
  m.checking = now() - start;
  m.memory = (resident("VmHWM:") - before) / held;
  return m;
}

double reading_flat(std::size_t bytes) {
  const std::string text = flat(bytes);
  const double start = now();
  RecordedHistory history;
  history::read_history(text, "generated", {}, history);
  return now() - start;
}

void measure_registers(std::size_t most) {
  constexpr const char* stores[] = {"serial", "snapshots", "broken"};
  std::printf("registers\n%12s %10s %20s %10s %10s %8s  %s\n", "transactions", "store", "level", "checking s",
              "exponent", "steps", "verdict");
  for (const auto store : {testing::Store::Serial, testing::Store::Snapshot, testing::Store::Broken}) {
    for (const Isolation isolation : {Isolation::Serializable, Isolation::SnapshotIsolation}) {
      double before = 0;
      for (std::size_t n = 1'000; n <= most; n *= 10) {
        const TransactionHistory history = testing::register_history({.store = store, .transactions = n});
        Budget budget(Limits{.seconds = 120});
        const double start = now();
        const TransactionsResult result = check_transactions(history, {.asked = {isolation}, .budget = &budget});
        const double seconds = now() - start;
        std::printf("%12zu %10s %20s %10.3f %10.2f %8zu  %s\n", n, stores[static_cast<int>(store)],
                    std::string(name(isolation)).c_str(), seconds, before > 0 ? std::log10(seconds / before) : 0,
                    static_cast<std::size_t>(result.steps), std::string(name(result.verdict)).c_str());
        std::fflush(stdout);
        before = seconds;
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const bool large = argc > 1 && std::strcmp(argv[1], "--large") == 0;
  measure_registers(quick ? 10'000 : 100'000);
  const std::size_t most = quick ? 100'000 : large ? 10'000'000 : 1'000'000;
  for (const bool loses : {false, true}) {
    std::printf("%s\n%12s %8s %10s %10s %10s %10s %10s %8s %10s  %s\n",
                loses ? "with lost appends" : "strictly serializable", "transactions", "MB", "reading s", "checking s",
                "check/read", "read/flat", "kept MB", "memory", "exponent", "verdict of strict-serializable");
    double before = 0;
    for (std::size_t n = 10'000; n <= most; n *= 10) {
      const std::string text = Store(loses).run(n);
      const Measured m = measure(text, {Isolation::Serializable, Respects::RealTime});
      const double flat_seconds = loses ? 0 : reading_flat(m.bytes);
      const double all = m.reading + m.checking;
      std::printf("%12zu %8.1f %10.3f %10.3f %10.2f %10.2f %10.1f %8.2f %10.2f  %s\n", n,
                  static_cast<double>(m.bytes) / 1e6, m.reading, m.checking, m.checking / m.reading,
                  loses ? 0 : m.reading / flat_seconds, static_cast<double>(m.kept) / 1e6, m.memory,
                  before > 0 ? std::log10(all / before) : 0, std::string(name(m.verdict)).c_str());
      std::fflush(stdout);
      before = all;
    }
  }
}
