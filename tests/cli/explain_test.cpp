// `heddle explain`: which code of a program should have been atomic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <atomic>
#include <boost/json.hpp>
#include <string>
#include <vector>

#include "cli/explain_program.h"
#include "core/budget.h"
#include "run/root_cause.h"

namespace heddle::cli::explain_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string queue = failing_queue;

std::string text(const boost::json::value& value) { return json_text(value); }

using Explain = ExplainTest;

TEST_F(Explain, FromAFailingQueueToAVerifiedRepair) {
  write("queue.cpp", queue);
  const Outcome outcome = explain({"queue.cpp", "--json"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(text(json.at("client")), "push(0) | push(0); push(0)");
  EXPECT_EQ(text(json.at("bad_executions")), "14");
  EXPECT_EQ(text(json.at("good_executions")), "6");
  const auto& best = json.at("repairs").at(0);
  EXPECT_EQ(blocks_of(best), "push:9-12,pop:16-19");
  EXPECT_TRUE(best.at("verified").as_bool());
  EXPECT_EQ(best.at("excluded_good").to_number<int>(), 0);
  EXPECT_EQ(json.at("verified_clients").to_number<int>(), 78);
  EXPECT_TRUE(json.at("all_repairs").as_bool());
  EXPECT_EQ(json.at("cycle").as_array().size(), 2u);
  // What it says of itself can be tried.
  const Outcome checked = heddle({"check", "queue.cpp", "--atomic", blocks_of(best)});
  EXPECT_EQ(checked.code, 0) << checked.out;
}

// Repairs are ranked by the good executions of every client that needed one, so these are what was compared.
TEST_F(Explain, CountsTheExecutionsOfAllClientsThatWereCompared) {
  write("queue.cpp", queue);
  const auto all = explain({"queue.cpp", "--json"}).json();
  std::size_t bad = 0, good = 0;
  for (const char* client : {"push(0) | push(0); push(0)", "push(0); pop() | pop()"}) {
    const auto one = explain({"queue.cpp", "--json", "--client", client}).json();
    bad += std::stoul(text(one.at("bad_executions")));
    good += std::stoul(text(one.at("good_executions")));
  }
  EXPECT_EQ(text(all.at("bad_executions")), std::to_string(bad));
  EXPECT_EQ(text(all.at("good_executions")), std::to_string(good));
  for (const auto& repair : all.at("repairs").as_array()) {
    EXPECT_LE(repair.at("excluded_good").to_number<std::size_t>(), good);
  }
}

TEST_F(Explain, SaysItInWords) {
  write("queue.cpp", queue);
  const Outcome outcome = explain({"queue.cpp", "--width", "100"});
  expect_golden("explain_queue", outcome.out);
  const Outcome ascii =
      explain({"queue.cpp", "--client", "push(1); pop() | pop()", "--ascii", "--all-repairs", "--width", "72"});
  expect_golden("explain_client", ascii.out);
  const Outcome quiet = explain({"queue.cpp", "-q"});
  EXPECT_EQ(quiet.out, quiet.last_line() + "\n");
}

TEST_F(Explain, AsJson) {
  write("queue.cpp", queue);
  const Outcome outcome = explain({"queue.cpp", "--client", "push(1); pop() | pop()", "--json"});
  boost::json::object all = outcome.json().as_object();
  for (const char* varies : {"seconds", "peak_bytes", "bytes_per_state", "version"}) all.erase(varies);
  expect_golden("explain_json", boost::json::serialize(all) + "\n");
}

TEST_F(Explain, CheckNamesTheCommand) {
  write("queue.cpp", queue);
  const Outcome outcome = heddle({"check", "queue.cpp", "--client", "push(0) | push(0); push(0)", "--", "-DX=1"});
  EXPECT_THAT(
      outcome.out,
      HasSubstr("which code should have been atomic: heddle explain queue.cpp --client 'push(0) | push(0); push(0)' "
                "-- -DX=1"));
  const Outcome holds = heddle({"check", "queue.cpp", "--client", "push(1) | pop()"});
  EXPECT_THAT(holds.out, Not(HasSubstr("heddle explain")));
}

TEST_F(Explain, AStackWhosePopReadsThenClears) {
  const std::vector<std::string> subject = {(native_examples / "afek_stack.cpp").string(), "--client",
                                            "push(1) | push(2); pop() | pop()", "--json"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = subject;
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--", "-DBUG_READ_THEN_CLEAR"});
    return explain(all).json();
  };
  const std::string pop =
      fmt::format("pop:{}-{}", line_of("afek_stack.cpp", "pop", 8), line_of("afek_stack.cpp", "pop", 9));
  const auto json = with({});
  EXPECT_EQ(text(json.at("bad_executions")), "62");
  EXPECT_EQ(text(json.at("good_executions")), "93");
  EXPECT_EQ(json.at("repairs").as_array().size(), 1u) << "of all bad executions together";
  EXPECT_EQ(blocks_of(json.at("repairs").at(0)), pop);
  EXPECT_EQ(json.at("repairs").at(0).at("excluded_good").to_number<int>(), 60);
  EXPECT_TRUE(json.at("repairs").at(0).at("verified").as_bool());
}

// A lock that is written by hand is data like any other, unless the source says that it is a lock.
TEST_F(Explain, AWordThatBelongsToALock) {
  const std::string source = R"(#include <atomic>
#include <heddle/native.h>

class SpinLock {
 public:
  SpinLock() { HEDDLE_LOCK(taken_); }
  void lock() {
    while (taken_.exchange(true)) {
    }
  }
  void unlock() { taken_.store(false); }

 private:
  std::atomic<bool> taken_{false};
};

class Counter {
 public:
  int increment() {
    lock_.lock();
    const int old = value_;
    lock_.unlock();
    lock_.lock();
    value_ = old + 1;
    lock_.unlock();
    return old;
  }

 private:
  SpinLock lock_;
  int value_ = 0;
};

HEDDLE_HARNESS(Counter, increment)
)";
  write("counter.cpp", source);
  const std::vector<std::string> client = {"--client", "increment() | increment()", "--json"};
  const auto explained = [&](std::string file) {
    std::vector<std::string> all = {std::move(file)};
    all.insert(all.end(), client.begin(), client.end());
    return explain(all).json();
  };
  const auto as_lock = explained("counter.cpp");
  EXPECT_EQ(blocks_of(as_lock.at("repairs").at(0)), "increment:21-24");
  EXPECT_EQ(text(as_lock.at("bad_executions")), "2");
  std::string plain = source;
  const std::string says = "HEDDLE_LOCK(taken_);";
  plain.replace(plain.find(says), says.size(), "");
  write("plain.cpp", plain);
  const auto as_data = explained("plain.cpp");
  EXPECT_EQ(blocks_of(as_data.at("repairs").at(0)), "increment:22-23") << "the gap between two times of holding it";
  EXPECT_EQ(text(as_data.at("bad_executions")), "4");
}

// Somebody may come into a statement that a block alone does not protect.
TEST_F(Explain, AStatementThatIsNotInOnePiece) {
  write("bank.cpp", R"(#include <atomic>
#include <heddle/native.h>
class Bank {
 public:
  void transfer(int n) {
    a_.fetch_sub(n);
    b_.fetch_add(n);
  }
  int total() { return b_.load() + a_.load(); }

 private:
  std::atomic<int> a_{5}, b_{5};
};
HEDDLE_HARNESS(Bank, transfer, total)
)");
  const auto json = explain({"bank.cpp", "--json"}).json();
  EXPECT_EQ(blocks_of(json.at("repairs").at(0)), "transfer:6-7,total:9");
  EXPECT_EQ(text(json.at("repairs").at(0).at("standing")), "verified");
  ASSERT_EQ(heddle({"check", "bank.cpp"}).code, 1);
  const auto of_trace = explain({"heddle-trace.json", "--json"}).json();
  EXPECT_EQ(blocks_of(of_trace.at("repairs").at(0)), "transfer:6-7,total:9")
      << "by the definition, since nobody tries it";
  // The same as another tool records it.
  const std::string calls = R"({"event": "call", "thread": 0, "invocation": 0, "function": "R"}
{"event": "call", "thread": 1, "invocation": 1, "function": "W"}
)";
  const auto access = [](const char* kind, int thread, int address, int line) {
    return fmt::format(
               R"({{"event": "{}", "thread": {}, "invocation": {}, "address": {}, "file": "x.cpp", "line": {}}})", kind,
               thread, thread, address, line) +
           "\n";
  };
  const std::string read_0 = access("read", 0, 0, 15), write_1 = access("write", 1, 1, 5),
                    write_0 = access("write", 1, 0, 6), read_1 = access("read", 0, 1, 15);
  write("apart.jsonl", calls + read_0 + write_1 + write_0 + read_1);
  EXPECT_EQ(blocks_of(explain({"--bad", "apart.jsonl", "--json"}).json().at("repairs").at(0)), "R:15,W:5-6");
  std::string joined = read_1;
  joined.insert(joined.rfind('}'), R"(, "together": true)");
  write("together.jsonl", calls + write_1 + read_0 + joined + write_0);
  EXPECT_EQ(blocks_of(explain({"--bad", "together.jsonl", "--json"}).json().at("repairs").at(0)), "W:5-6");
}

// That a lock was not to be had is not data, so the graph of conflicts does not show it.
TEST_F(Explain, WhoTriedALock) {
  write("tries.cpp", R"(#include <mutex>
#include <heddle/native.h>
class Tries {
 public:
  bool add() {
    if (!mutex_.try_lock()) return false;
    ++value_;
    mutex_.unlock();
    return true;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
};
HEDDLE_HARNESS(Tries, add)
)");
  const Outcome outcome = explain({"tries.cpp"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("tried a lock that another held"));
}

TEST_F(Explain, NothingToRepair) {
  write("queue.cpp", queue);
  const Outcome outcome = explain({"queue.cpp", "--client", "push(1); push(2) | pop()"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.last_line(), HasSubstr("holds: nothing to repair"));
  // A run that goes well.
  ASSERT_EQ(heddle({"simulate", "queue.cpp", "--client", "push(1) | pop()", "--trace", "run.json"}).code, 2);
  EXPECT_EQ(explain({"run.json"}).code, 0);
}

TEST_F(Explain, OnlyARace) {
  std::string plain = queue;
  for (std::size_t at; (at = plain.find("std::atomic<int>")) != plain.npos;) plain.replace(at, 16, "int");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{".load()", ""},
                                 {".store(value)", " = value"},
                                 {".store(tail + 1)", " = tail + 1"},
                                 {".store(head + 1)", " = head + 1"}}) {
    for (std::size_t at; (at = plain.find(from)) != plain.npos;) plain.replace(at, from.size(), to);
  }
  write("plain.cpp", plain);
  const Outcome outcome = explain({"plain.cpp"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("no atomic section explains it"), HasSubstr("--races allow")));
  // The race itself is shown, from the program and from a trace.
  const auto shows = AllOf(HasSubstr("race: thread"), HasSubstr("at plain.cpp:"), HasSubstr("nothing orders them"));
  EXPECT_THAT(outcome.out, shows);
  ASSERT_EQ(heddle({"check", "plain.cpp"}).code, 1);
  EXPECT_THAT(explain({"heddle-trace.json"}).out, AllOf(shows, HasSubstr("--races allow")));
  const auto json = explain({"plain.cpp", "--races", "allow", "--json"}).json();
  EXPECT_EQ(blocks_of(json.at("repairs").at(0)), "push:9-12,pop:16-19");
}

TEST_F(Explain, WhatNoSectionExplains) {
  write("wrong.cpp", R"(#include <heddle/native.h>
#include <mutex>
#include <optional>
class Stack {
  std::mutex mutex_;
  int items_[4], size_ = 0;
 public:
  void push(int x) { std::lock_guard lock(mutex_); items_[size_++] = x; }
  std::optional<int> pop() {
    std::lock_guard lock(mutex_);
    if (size_ == 0) return std::nullopt;
    const int x = items_[0];
    for (int i = 1; i < size_; ++i) items_[i - 1] = items_[i];
    --size_;
    return x;
  }
};
HEDDLE_HARNESS(Stack, push, pop)
)");
  const Outcome stack = explain({"wrong.cpp", "--linearizable", "stack", "--client", "push(1); push(2) | pop()"});
  EXPECT_EQ(stack.code, 1) << stack.err;
  EXPECT_THAT(stack.out, AllOf(HasSubstr("no atomic section"), HasSubstr("one at a time")));
  EXPECT_EQ(explain({"wrong.cpp", "--client", "push(1); push(2) | pop()"}).code, 0) << "it is its own specification";
  write("deadlock.cpp", R"(#include <heddle/native.h>
#include <mutex>
class Pair {
  std::mutex a_, b_;
  int x_ = 0;
 public:
  int first() { std::lock_guard a(a_); std::lock_guard b(b_); return ++x_; }
  int second() { std::lock_guard b(b_); std::lock_guard a(a_); return ++x_; }
};
HEDDLE_HARNESS(Pair, first, second)
)");
  const Outcome deadlock = explain({"deadlock.cpp"});
  EXPECT_EQ(deadlock.code, 1);
  EXPECT_THAT(deadlock.out, AllOf(HasSubstr("no atomic section"), HasSubstr("wait for ever")));
}

TEST_F(Explain, ABudgetThatEnds) {
  const Outcome outcome =
      explain({(native_examples / "optimistic_list.cpp").string(), "--races", "allow", "--calls", "4",
               "--client-threads", "3", "--clients", "2000", "--time", "2", "--", "-DBUG_LATE_LOCK_ADD"});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_THAT(outcome.last_line(), HasSubstr("unknown"));
}

// So little that not even the calls can be made one at a time.
TEST_F(Explain, AMemoryLimitThatIsReachedAtOnce) {
  write("queue.cpp", failing_queue);
  ASSERT_EQ(explain({"queue.cpp", "--client", "push(1) | pop()"}).code, 0) << "it is compiled now";
#ifdef __SANITIZE_THREAD__  // the program alone holds more than twice the limit, which ends it elsewhere
  const std::string limit = "unknown: memory limit";
#else
  const std::string limit = "unknown: memory limit of 6 MiB";
#endif
  for (const char* command : {"explain", "check"}) {
    const Outcome outcome = heddle({command, "queue.cpp", "--memory", "6M"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_THAT(outcome.last_line(), AllOf(HasSubstr(limit), Not(HasSubstr("default"))));
  }
}

// The budget ends while the first repair is tried: it is the best one so far, and not verified.
TEST_F(Explain, ABudgetThatEndsWhileARepairIsTried) {
  write("queue.cpp", queue);
  ASSERT_EQ(::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1), 0);
  std::atomic<bool> stop = false;
  Budget budget({.stop = &stop});
  run::RootCauseRequest request{.file = (home / "queue.cpp").string()};
  request.says = [&](const std::string& sentence) { stop = stop || sentence.starts_with("trying"); };
  const run::RootCause cause = run::root_cause(request, budget);
  EXPECT_EQ(cause.outcome, run::RootCause::Outcome::Stopped);
  ASSERT_FALSE(cause.repairs.empty());
  EXPECT_EQ(cause.repairs[0].blocks.at(0).where(), "push:9-12");
  for (const auto& repair : cause.repairs) EXPECT_EQ(repair.standing, run::ExplainedRepair::Standing::NotTried);
  EXPECT_EQ(cause.clients, 0u) << "it was verified on none";
}

// Whoever puts waits under the mutex until there is room. A section that begins inside, at the wait, would keep the
// mutex while it waits; one that is the whole method does not begin before there is room.
TEST_F(Explain, ARepairThatMakesAThreadWaitIsRejectedAndALargerOneFound) {
  write("mailbox.cpp", R"(#include <condition_variable>
#include <mutex>
#include <heddle/native.h>
class Mailbox {
  std::mutex mutex_;
  std::condition_variable changed_;
  int value_ = 0;
  bool full_ = false;
 public:
  void put(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !full_; });
    lock.unlock();
    lock.lock();
    value_ = value, full_ = true;
    changed_.notify_all();
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return full_; });
    full_ = false;
    changed_.notify_all();
    return value_;
  }
};
HEDDLE_HARNESS(Mailbox, put, take)
)");
  const auto json = explain({"mailbox.cpp", "--json"}).json();
  const auto& repairs = json.at("repairs").as_array();
  ASSERT_GE(repairs.size(), 2u);
  EXPECT_EQ(text(repairs[0].at("standing")), "verified");
  EXPECT_THAT(blocks_of(repairs[0]), testing::StartsWith("put:1"));
  EXPECT_FALSE(json.as_object().contains("also_fails"));
  EXPECT_EQ(heddle({"check", "mailbox.cpp", "--atomic", blocks_of(repairs[0])}).code, 0);
  EXPECT_EQ(blocks_of(repairs[1]), "put:12-15");
  EXPECT_EQ(text(repairs[1].at("standing")), "rejected");
  EXPECT_THAT(text(repairs[1].at("why")), AllOf(HasSubstr("deadlock"), HasSubstr("mailbox.cpp:12")));
  const Outcome rejected = heddle({"check", "mailbox.cpp", "--atomic", "put:12-15"});
  EXPECT_THAT(rejected.last_line(), HasSubstr("violated: deadlock"));
}

// An assumption of the search about this program turns out wrong while executions are collected.
TEST_F(Explain, ExecutionsAreCollectedAgainAfterAMistake) {
  const Outcome outcome =
      explain({(native_examples / "ellen_tree.cpp").string(), "--client", "add(0); remove(0) | add(1); contains(1)",
               "--json", "--", "-DBUG_READ_CHILD_FIRST"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(text(json.at("bad_executions")), "86");
  EXPECT_EQ(text(json.at("repairs").at(0).at("standing")), "verified");
}

TEST_F(Explain, WrongInput) {
  const auto error = [&](std::vector<std::string> arguments) {
    const Outcome outcome = explain(std::move(arguments));
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    return outcome.out + outcome.err;
  };
  EXPECT_THAT(error({}), HasSubstr("name a program"));
  EXPECT_THAT(error({"no.cpp"}), HasSubstr("no.cpp: there is no such file"));
  write("text.txt", "x");
  EXPECT_THAT(error({"text.txt"}), HasSubstr("name a .cpp or .c file"));
  write("main.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(error({"main.c"}), HasSubstr("HEDDLE_HARNESS"));
  write("bad.json", "{]");
  EXPECT_THAT(error({"bad.json"}), HasSubstr("bad.json:1:2"));
  EXPECT_THAT(error({"--good", "x"}), HasSubstr("--bad"));
  EXPECT_THAT(error({"--bad", "none.jsonl"}), HasSubstr("none.jsonl"));
  write("queue.cpp", queue);
  EXPECT_THAT(error({"queue.cpp", "--bad", "x"}), HasSubstr("leave queue.cpp or --bad out"));
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  EXPECT_THAT(error({"heddle-trace.json", "--client", "push(1)"}), HasSubstr("--client"));
}

}  // namespace
}  // namespace heddle::cli::explain_test
