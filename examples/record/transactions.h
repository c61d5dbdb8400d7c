// The same workload for every store with transactions: clients that append to lists and read them, several in a
// transaction. Everything is recorded, for `heddle serializable`.
//
//   return transactions<PostgresSession>(argc, argv);      // main of a client program; --help lists the options
//
// A session is a connection. It is a class with a constructor from Options, with static create(options, keys), which
// makes empty lists, and with
//   void begin();
//   void append(const std::string& key, std::int64_t element);
//   std::vector<std::int64_t> read(const std::string& key);
//   void commit();
//   void rollback();
// Each throws Aborted if nothing of the transaction will ever be seen by others, and any other exception if it may be.
//
// Besides random load there are scripts: a few transactions whose statements are interleaved as the textbooks do it. So
// what a level allows does happen, however fast or slow the machine is: the first round is alone with the store, and no
// statement of a script waits for another session of it.
#pragma once

#include <heddle/record.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace example {

struct Aborted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string where;      // of an embedded store: its file
  std::string isolation;  // that transactions ask for
  std::string broken;     // what the client does wrong on purpose
  unsigned clients = 8;
  std::int64_t operations = 2'000;  // transactions of random load
  unsigned keys = 5;                // in use at a time
  unsigned rounds = 3;              // of the scripts
  unsigned seed = 1;
  double seconds = 300;  // then the run ends, however many transactions were done
  std::string history = "history.edn";
};

struct Counts {
  std::atomic<std::int64_t> started{0}, ok{0}, failed{0}, unknown{0};
};

// A connection that records what is done with it.
template <class Session>
class Client {
 public:
  Client(std::uint32_t number, const Options& options, heddle::Recorder& recorder, Counts& counts)
      : number_(number), options_(options), recorder_(recorder), counts_(counts) {}

  // Each returns whether the transaction goes on. What follows one that has ended does nothing.
  bool begin() {
    if (session_ == nullptr) session_ = std::make_unique<Session>(options_);
    recorded_.emplace(recorder_.transaction(number_));
    return step([&] { session_->begin(); });
  }
  bool append(const std::string& key, std::int64_t element) {
    return step([&] {
      recorded_->append(key, element);
      session_->append(key, element);
    });
  }
  bool read(const std::string& key) {
    return step([&] { recorded_->read(key, session_->read(key)); });
  }
  void commit() {
    step([&] {
      session_->commit();
      recorded_->ok();
      recorded_.reset();
      ++counts_.ok;
    });
  }

  void abort() {
    if (!recorded_) return;
    session_->rollback();
    recorded_->fail();
    ++counts_.failed;
    recorded_.reset();
  }

 private:
  template <class Statement>
  bool step(Statement statement) {
    if (!recorded_) return false;
    try {
      statement();
      return true;
    } catch (const Aborted&) {
      recorded_->fail();
      ++counts_.failed;
      recorded_.reset();
      session_->rollback();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "client %u: %s\n", number_, error.what());
      recorded_->unknown();
      ++counts_.unknown;
      recorded_.reset();
      session_.reset();
    }
    return false;
  }

  const std::uint32_t number_;
  const Options& options_;
  heddle::Recorder& recorder_;
  Counts& counts_;
  std::unique_ptr<Session> session_;
  std::optional<heddle::Recorder::Transaction> recorded_;
};

// Lists are read as a whole, so others take their place after a while.
constexpr std::int64_t transactions_on_the_same_lists = 200;

inline std::string list_of_load(std::int64_t transaction, unsigned number) {
  return "l" + std::to_string(transaction / transactions_on_the_same_lists) + "-" + std::to_string(number);
}

template <class Session>
void load(std::uint32_t number, const Options& options, std::chrono::steady_clock::time_point end,
          heddle::Recorder& recorder, Counts& counts) {
  constexpr unsigned longest = 4;
  std::mt19937 random(options.seed * 1000 + number);
  Client<Session> client(number, options, recorder, counts);
  while (std::chrono::steady_clock::now() < end) {
    const std::int64_t transaction = counts.started++;
    if (transaction >= options.operations) return;
    bool goes_on = client.begin();
    for (unsigned left = 1 + random() % longest; left > 0; --left) {
      const std::string key = list_of_load(transaction, random() % options.keys);
      const bool reads = random() % 2 == 0;
      if (goes_on) goes_on = reads ? client.read(key) : client.append(key, transaction * longest + left);
    }
    client.commit();
  }
}

// What two sessions, a and b, do with the lists x and y, one statement after the other: r reads, w appends, c commits,
// a aborts. At last x and y are read.
constexpr const char* scripts[] = {
    "arx bwx bwy bc ary ac",          // read skew: does a see half of b?
    "arx ary brx bry awx bwy ac bc",  // write skew: both read both and write one
    "arx brx awx ac bwx bc",          // lost update: both read x and then append to it
    "awx brx aa bc",                  // aborted read: does b see what a takes back?
};
constexpr std::uint32_t sessions_of_a_script = 3;

inline std::string list_of_script(std::int64_t script, char name) {
  return "s" + std::to_string(script) + "-" + std::string(1, name);
}

template <class Session>
void run_script(const std::string& steps, std::int64_t number, std::vector<Client<Session>>& clients) {
  std::vector<bool> has_begun(clients.size(), false);
  std::istringstream words(steps);
  for (std::string step; words >> step;) {
    const auto session = static_cast<std::size_t>(step[0] - 'a');
    Client<Session>& client = clients[session];
    if (!has_begun[session]) client.begin();
    has_begun[session] = true;
    if (step[1] == 'c') {
      client.commit();
    } else if (step[1] == 'a') {
      client.abort();
    } else {
      const std::string key = list_of_script(number, step[2]);
      step[1] == 'r' ? client.read(key) : client.append(key, static_cast<std::int64_t>(session) + 1);
    }
  }
  Client<Session>& last = clients.back();
  last.begin();
  last.read(list_of_script(number, 'x'));
  last.read(list_of_script(number, 'y'));
  last.commit();
}

template <class Session>
void run_scripts(unsigned round, std::vector<Client<Session>>& clients) {
  auto number = static_cast<std::int64_t>(round * std::size(scripts));
  for (const char* script : scripts) run_script(script, number++, clients);
}

inline std::vector<std::string> all_lists(const Options& options) {
  std::vector<std::string> out;
  for (std::int64_t first = 0; first < options.operations; first += transactions_on_the_same_lists) {
    for (unsigned key = 0; key < options.keys; ++key) out.push_back(list_of_load(first, key));
  }
  for (std::int64_t number = 0; number < static_cast<std::int64_t>(options.rounds * std::size(scripts)); ++number) {
    for (const char name : {'x', 'y'}) out.push_back(list_of_script(number, name));
  }
  return out;
}

inline Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help" || i + 1 == argc) {
      std::printf(
          "usage: %s [--where FILE] [--isolation LEVEL] [--broken HOW] [--clients 8] [--operations 2000] [--keys 5] "
          "[--rounds 3] [--seed 1] [--seconds 300] [--history history.edn]\n",
          argv[0]);
      std::exit(name == "--help" ? 0 : 3);
    }
    const char* value = argv[i + 1];
    if (name == "--where") {
      options.where = value;
    } else if (name == "--isolation") {
      options.isolation = value;
    } else if (name == "--broken") {
      options.broken = value;
    } else if (name == "--clients") {
      options.clients = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--operations") {
      options.operations = std::stoll(value);
    } else if (name == "--keys") {
      options.keys = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--rounds") {
      options.rounds = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--seed") {
      options.seed = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--seconds") {
      options.seconds = std::stod(value);
    } else if (name == "--history") {
      options.history = value;
    } else {
      throw std::runtime_error("unknown option " + name + "; try --help");
    }
  }
  if (options.keys == 0 || options.clients == 0) throw std::runtime_error("--keys and --clients must be above 0");
  return options;
}

template <class Session>
int transactions(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  Session::create(options, all_lists(options));
  heddle::Recorder recorder;
  Counts counts;
  const auto start = std::chrono::steady_clock::now();
  const auto end =
      start + std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.seconds));
  std::vector<Client<Session>> actors;
  for (std::uint32_t i = 0; i < sessions_of_a_script; ++i)
    actors.emplace_back(options.clients + i, options, recorder, counts);
  if (options.rounds > 0) run_scripts(0, actors);
  std::vector<std::thread> threads;
  if (options.operations > 0) {
    for (unsigned number = 0; number < options.clients; ++number)
      threads.emplace_back([&, number] { load<Session>(number, options, end, recorder, counts); });
  }
  for (unsigned round = 1; round < options.rounds; ++round) run_scripts(round, actors);
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  recorder.save(options.history);
  std::printf("recorded %lld transactions in %.1f s: %lld ok, %lld failed, %lld unknown; wrote %s\n",
              static_cast<long long>(counts.ok + counts.failed + counts.unknown), took.count(),
              static_cast<long long>(counts.ok), static_cast<long long>(counts.failed),
              static_cast<long long>(counts.unknown), options.history.c_str());
  return counts.ok > 0 ? 0 : 3;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 3;
}

}  // namespace example
