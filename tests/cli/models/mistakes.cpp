// Every mistake a model's code can make, one for each value of a parameter.
#include <heddle/heddle.h>
#include <heddle/refinement.h>

#include <unistd.h>

#include <cassert>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace heddle;

std::string mistake;

struct Server;
struct Ping {
  int n = 0;
};
struct Pong {
  int n = 0;
};

// Its destructor would stop an exception that leaves an assertion.
struct Cleanup {
  std::vector<int> numbers{1, 2};
  ~Cleanup() { numbers.clear(); }
};

// What lies above is looked at again, so that no compiler makes a loop of it.
int deeper(const volatile char* above) {
  volatile char room[1000];
  room[0] = above[0];
  return deeper(room) + room[0];
}
void throws_anyway() noexcept(false) { throw std::runtime_error("boom"); }
void may_not_throw() noexcept { throws_anyway(); }

int wrong(int n) {
  const Cleanup cleanup;
  volatile int zero = n - n;
  std::vector<int> two(2);
  if (mistake == "assert") assert(n < 2 && "small");
  if (mistake == "index") return two[static_cast<std::size_t>(n + 5)];
  if (mistake == "optional") return *std::optional<int>();
  if (mistake == "division" || mistake == "slow_division") {
    if (mistake == "slow_division") std::this_thread::sleep_for(std::chrono::seconds(1));
    return 7 / zero;
  }
  if (mistake == "null") return *reinterpret_cast<volatile int*>(static_cast<std::uintptr_t>(8 + zero));
  if (mistake == "recursion") {
    const volatile char start = 1;
    return deeper(&start);
  }
  if (mistake == "exit") std::exit(0);
  if (mistake == "_exit") ::_exit(0);
  if (mistake == "quick_exit") std::quick_exit(0);
  if (mistake == "abort") std::abort();
  if (mistake == "fork") ::fork();
  if (mistake == "fork_and_exit" && ::fork() == 0) ::_exit(0);
  if (mistake == "vfork" && ::vfork() == 0) ::_exit(0);
  if (mistake == "thread_exit") std::thread([] { std::exit(0); }).join();
  if (mistake == "thread_null") {
    std::thread([] { *reinterpret_cast<volatile int*>(std::uintptr_t{8}) = 1; }).join();
  }
  if (mistake == "throw_bytes") throw std::runtime_error("boom \xff");
  if (mistake == "throw") throw std::runtime_error("boom");
  if (mistake == "throw_int") throw 7;
  if (mistake == "noexcept") may_not_throw();
  if (mistake == "heap") {
    int* volatile p = new int(1);  // volatile: clang leaves out blocks that nobody looks at
    delete p;
    delete p;
  }
  if (mistake == "close_all") {
    for (int descriptor = 0; descriptor < 100; ++descriptor) ::close(descriptor);
  }
  if (mistake == "ignored_signal") {
    std::signal(SIGSEGV, SIG_IGN);
    return *reinterpret_cast<volatile int*>(static_cast<std::uintptr_t>(8 + zero));
  }
  if (mistake == "terminated") std::raise(SIGTERM);
  if (mistake == "alarm") std::raise(SIGALRM);
  if (mistake == "rand") return std::rand() % 1000;
  if (mistake == "coin") return std::rand() / 64 % 2;
  if (mistake == "static") {
    static int calls = 0;
    return ++calls;
  }
  if (mistake == "clock") {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<int>(now.tv_nsec);
  }
  if (mistake == "uninitialised") {
    // Not the first 16 bytes: malloc itself writes there, so they are often the same in each run.
    int* fresh = static_cast<int*>(std::malloc(sizeof(int) * 8));
    const int value = fresh[6];
    std::free(fresh);
    return value;
  }
  if (mistake == "uninitialised_block" || mistake == "uninitialised_large" || mistake == "uninitialised_or_zero") {
    const std::size_t size = mistake == "uninitialised_large" ? 2000 : 400;
    volatile int* fresh = static_cast<int*>(std::malloc(size));
    const int value = mistake == "uninitialised_or_zero" ? (fresh[60] != 0 ? 1 : 0) : fresh[60] % 3;
    std::free(const_cast<int*>(fresh));
    return value;
  }
  if (mistake == "print") {
    std::cout << "hello from cout\n";
    std::printf("hello from printf\n");
  }
  return 0;
}

struct Client {
  int sent = 0;
  int got = 0;
  void ask(To<Server, Ping> out) {
    require(sent < 3);
    out.send({sent});
    ++sent;
  }
  void answer(const Pong& p) { got += p.n; }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::answer>;
};

struct Server {
  int seen = 0;
  void serve(const Ping& p, Reply<Pong> out) {
    int n = 0;
    // Blocks of all sizes are filled for the first run of a handler only.
    if (p.n == 2 || mistake.starts_with("uninitialised_")) n = wrong(p.n);
    ++seen;
    out.send({n});
  }
  static constexpr auto transitions = heddle::transitions<&Server::serve>;
};

// An abstract object, whose own code may fail.
struct Tally {
  int value = 0;
  void reach(int seen) {
    if (mistake == "object") assert(seen < 2);
    if (mistake == "object_throws" && seen == 2) throw std::out_of_range("map::at");
    if (mistake == "object_exit" && seen == 2) std::exit(0);
    value = seen;
  }
};

// What is wrong with it is the sequential specification, or nothing.
struct Operation {
  int by = 0;
};
struct Cell {
  int value = 0;
  int apply(const Operation& operation) {
    if (mistake == "specification") assert(value == 0);
    if (mistake == "specification_throws" && value == 1) throw std::out_of_range("map::at");
    if (mistake == "specification_throws_int" && value == 1) throw 7;
    volatile int divisor = 1 - value;
    [[maybe_unused]] volatile int quotient = 0;
    if (mistake == "specification_division") quotient = 7 / divisor;
    value += operation.by;
    return value;
  }
};
struct Counter {
  int value = 0;
  int left = 2;
  void begin(Invoke<Operation> invoke) {
    require(left == 2);
    --left;
    invoke({1});
  }
  void go_on(Return<int> result, Invoke<Operation> invoke) {
    require(left == 1);
    --left;
    result(++value);
    invoke({1});
  }
  void end(Return<int> result) {
    require(left == 0 && value == 1);
    result(++value);
  }
  static constexpr auto transitions = heddle::transitions<&Counter::begin, &Counter::go_on, &Counter::end>;
};

const Register mistakes({.name = "mistakes",
                         .summary = "one for each value of a parameter",
                         .parameters = {{"clients", 1, 1, 3, "that ask"},
                                        {"mistake",
                                         {"none",
                                          "assert",
                                          "index",
                                          "optional",
                                          "division",
                                          "slow_division",
                                          "null",
                                          "recursion",
                                          "exit",
                                          "_exit",
                                          "quick_exit",
                                          "abort",
                                          "fork",
                                          "fork_and_exit",
                                          "vfork",
                                          "thread_exit",
                                          "thread_null",
                                          "throw_bytes",
                                          "build_loop",
                                          "object",
                                          "object_exit",
                                          "object_throws",
                                          "close_all",
                                          "ignored_signal",
                                          "terminated",
                                          "alarm",
                                          "throw",
                                          "throw_int",
                                          "noexcept",
                                          "heap",
                                          "rand",
                                          "coin",
                                          "static",
                                          "clock",
                                          "uninitialised",
                                          "uninitialised_block",
                                          "uninitialised_large",
                                          "uninitialised_or_zero",
                                          "print",
                                          "property",
                                          "property_division",
                                          "property_throws",
                                          "property_static",
                                          "finally",
                                          "finally_division",
                                          "build",
                                          "build_division"},
                                         "which"}},
                         .build = [](Model& m) {
                           mistake = m.run().text("mistake");
                           if (mistake == "build") assert(mistake.empty());
                           for (volatile bool on = mistake == "build_loop"; on;) {
                           }
                           if (mistake == "build_division") {
                             volatile int zero = 0;
                             zero = 7 / zero;
                           }
                           m.add<Client>(static_cast<std::size_t>(m.run()["clients"]));
                           m.add<Server>();
                           m.refines<Tally>("tally").at<&Server::serve>(
                               [](const Server&, const Server& after, Calls<Tally>& calls) {
                                 calls.call<&Tally::reach>(after.seen);
                               });
                           if (mistake.starts_with("finally")) {
                             m.finally("served", [](const View& v) {
                               const int seen = v.all<Server>()[0].seen;
                               if (mistake == "finally") assert(seen % 3 != 0);
                               volatile int divisor = seen % 3;
                               return mistake != "finally_division" || 7 / divisor != 5;
                             });
                           }
                           m.always("safe", [](const View& v) {
                             const int seen = v.all<Server>()[0].seen;
                             if (mistake == "property") assert(seen < 2);
                             volatile int divisor = seen - 2;
                             if (mistake == "property_division") return 7 / divisor != 5;
                             if (mistake == "property_throws" && seen == 2) throw std::runtime_error("boom");
                             static int evaluated = 0;
                             if (mistake == "property_static") return ++evaluated % 2 == 0;
                             return true;
                           });
                         }});

const Register histories({.name = "histories",
                          .summary = "mistakes of a sequential specification",
                          .parameters = {{"mistake",
                                          {"none", "specification", "specification_division", "specification_throws",
                                           "specification_throws_int"},
                                          "which"}},
                          .build = [](Model& m) {
                            mistake = m.run().text("mistake");
                            m.add<Counter>();
                            m.linearizable<Cell, Operation>("linearizability");
                          }});

// What is wrong with it is code that no step runs: the size of a quorum, the values of a message.
int divide(int by) { return 7 / by; }
struct Majority {
  static std::size_t size(std::size_t members, const Run&) {
    if (mistake == "quorum") assert(members > 9);
    if (mistake == "quorum_throws") throw std::runtime_error("quo");
    volatile int zero = 0;
    if (mistake == "quorum_division") zero = divide(zero);
    return members / 2 + 1;
  }
};
struct Collector;
struct Vote {
  std::string reason;
  static std::vector<Vote> domain(const Run&) {
    if (mistake == "domain") assert(mistake.empty());
    if (mistake == "domain_throws") throw std::runtime_error("dom");
    static int asked = 0;
    if (mistake == "domain_static" && ++asked % 2 == 0) return {{"no"}};
    volatile int zero = 0;
    if (mistake == "domain_division") zero = divide(zero);
    return {{"yes"}};
  }
};
struct Voter {
  bool voted = false;
  void vote(To<Collector, Vote> out) {
    require(!voted);
    voted = true;
    out.send({"yes"});
  }
  static constexpr auto transitions = heddle::transitions<&Voter::vote>;
};
struct Collector {
  bool decided = false;
  void decide(const Quorum<Vote, Voter, Majority>&) { decided = true; }
  static constexpr auto transitions = heddle::transitions<&Collector::decide>;
};
const Register votes({.name = "votes",
                      .summary = "mistakes outside of steps",
                      .parameters = {{"mistake",
                                      {"none", "quorum", "quorum_division", "quorum_throws", "domain",
                                       "domain_division", "domain_static", "domain_throws"},
                                      "which"}},
                      .build = [](Model& m) {
                        mistake = m.run().text("mistake");
                        m.add<Voter>(3);
                        m.add<Collector>();
                        m.always("true", [](const View&) { return true; });
                      }});

}  // namespace
