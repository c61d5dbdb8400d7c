// Histories of clients with real-time order: `heddle check --history`.
//
// The oracle tries every order of the calls of a history that real time allows on an object written by hand, and shares
// nothing with the judge, which runs the class itself in the machine. Histories are met in searches with all steps,
// with reductions, with calls and returns as steps of their own, and with every access as a step: the verdicts agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "check/model_history.h"
#include "cli/program.h"
#include "native/history_judge.h"
#include "run/lower_program.h"
#include "support/checked_program.h"
#include "support/long_run.h"

namespace heddle::cli::native_history_test {
namespace {

using testing::count_of;
using testing::HasSubstr;
using testing::StartsWith;

const std::string contended = std::string(HEDDLE_SOURCE_DIR) + "/tests/cli/programs/contended.cpp";

class NativeHistory : public ProgramTest {
 protected:
  std::shared_ptr<const native::Image> image(const std::string& which) {
    EXPECT_EQ(::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1), 0);
    return run::lower_program({.sources = {contended}, .flags = {"-D" + which}});
  }
  Outcome check(const std::string& which, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"check", contended};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", "-D" + which});
    return heddle(arguments);
  }
};

// A call, its answer, and when it began and ended.
struct Call {
  std::string method;
  int argument = 0;
  std::string answer;
  std::uint32_t begin = 0, end = 0;
};

// An object written by hand: what a call answers, and what becomes of the object.
using State = std::deque<int>;
using Model = std::function<std::string(State&, const Call&)>;

std::string register_model(State& state, const Call& call) {
  if (state.empty()) state = {0};
  if (call.method == "read") return std::to_string(state[0]);
  state[0] = call.argument;
  return "null";
}
std::string counter_model(State& state, const Call& call) {
  if (state.empty()) state = {0};
  const int before = state[0];
  if (call.method != "read") state[0] += call.argument;
  return std::to_string(before);
}
std::string queue_model(State& state, const Call& call) {
  if (call.method == "enqueue") {
    state.push_back(call.argument);
    return "null";
  }
  if (state.empty()) return "null";
  const int first = state.front();
  state.pop_front();
  return std::to_string(first);
}

// Tries every order. All calls have returned.
bool some_order_explains(const std::vector<Call>& calls, const Model& model) {
  std::vector<std::size_t> order(calls.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    bool good = true;
    State state;
    for (std::size_t i = 0; i < order.size() && good; ++i) {
      for (std::size_t later = i + 1; later < order.size(); ++later) {
        if (calls[order[later]].end < calls[order[i]].begin) good = false;
      }
      good = good && model(state, calls[order[i]]) == calls[order[i]].answer;
    }
    if (good) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

std::vector<Call> calls_of(const RecordedHistory& history) {
  std::vector<Call> out;
  for (const RecordedOperation& op : history.operations) {
    out.push_back({history.functions[op.function],
                   op.argument == nil ? 0 : static_cast<int>(history.values.as_integer(op.argument)),
                   history.values.json(op.result), op.invoked, op.returned});
  }
  return out;
}

struct Search {
  bool reduced = false;
  native::Calls calls = native::Calls::Local;
  native::Races races = native::Races::Report;
};

// Whether a history of the client is bad, as the oracle sees it; it must agree with the judge on each.
bool has_bad_history(const std::shared_ptr<const native::Image>& image, const native::Client& client,
                     const Model& model, const Search& how) {
  const native::Harness harness = native::harness_of(*image).value();
  native::SystemOptions options;
  options.clients = {client};
  options.calls = how.calls;
  options.races = how.races;
  options.judge = native::judge_by_library(image, harness, options.clients);
  bool bad = false;
  std::set<Slot> seen;
  const auto judge = [&](const native::System& system, std::span<const Slot> state) {
    const std::size_t property = system.properties().size() - 1;
    EXPECT_EQ(system.properties()[property].name, "linearizability");
    const auto met = system.histories()->history_of(property, state);
    if (!seen.insert(state[system.histories()->history_slot()]).second) return;
    const bool good = some_order_explains(calls_of(met->history), model);
    const bool judged = (system.evaluate(state, ~std::uint64_t{0}) >> property & 1) != 0;
    EXPECT_EQ(judged, good) << native::text(client, harness);
    bad |= !good;
  };
  EXPECT_TRUE(checked_program(image, options, {.safe = how.reduced}, judge).search.exhausted);
  return bad;
}

native::Client random_client(std::mt19937& random, const native::Harness& harness) {
  native::Client client;
  client.threads.resize(2 + random() % 2);
  for (auto& thread : client.threads) {
    thread.resize(1 + random() % (client.threads.size() == 2 ? 3 : 2));
    for (native::ClientCall& call : thread) {
      call.method = static_cast<std::uint32_t>(random() % harness.methods.size());
      for (std::uint32_t i = 0; i < harness.methods[call.method].arity; ++i) {
        call.arguments.push_back(static_cast<std::int32_t>(random() % 3 + 1));
      }
    }
  }
  return client;
}

TEST_F(NativeHistory, JudgesAsABruteForceOracleDoes) {
  const std::map<std::string, Model> models = {{"STALE_REGISTER", register_model},
                                               {"LOSSY_COUNTER", counter_model},
                                               {"LANE_QUEUE", queue_model},
                                               {"REGISTER", register_model}};
  std::mt19937 random(20261118);
  for (const auto& [which, model] : models) {
    const auto program = image(which);
    const native::Harness harness = native::harness_of(*program).value();
    std::size_t bad = 0;
    const std::size_t clients = count_of(12, 400);
    for (std::size_t i = 0; i < clients; ++i) {
      const native::Client client = random_client(random, harness);
      SCOPED_TRACE(which + ": " + native::text(client, harness));
      const bool found = has_bad_history(program, client, model, {});
      EXPECT_EQ(has_bad_history(program, client, model, {.reduced = true}), found);
      EXPECT_EQ(has_bad_history(program, client, model, {.reduced = true, .calls = native::Calls::Visible}), found);
      if (i % 4 == 0) {
        EXPECT_EQ(has_bad_history(program, client, model, {.reduced = true, .races = native::Races::Allow}), found);
      }
      bad += found ? 1 : 0;
    }
    // Both kinds of clients occur, except of the class that is right.
    EXPECT_LT(bad, clients) << which;
    EXPECT_EQ(bad > 0, which != "REGISTER") << which;
  }
}

TEST_F(NativeHistory, FindsWhatOutcomesDoNotShow) {
  const std::vector<std::string> client = {"--client", "write(1) | read() | read()"};
  const Outcome outcomes = check("STALE_REGISTER", client);
  EXPECT_EQ(outcomes.code, 0) << outcomes.out << outcomes.err;
  EXPECT_THAT(outcomes.last_line(), StartsWith("holds: "));

  const Outcome histories = check("STALE_REGISTER", {client[0], client[1], "--history"});
  EXPECT_EQ(histories.code, 1) << histories.out << histories.err;
  EXPECT_THAT(histories.last_line(), StartsWith("violated: linearizability "));
  EXPECT_THAT(histories.out, HasSubstr("read by thread"));
  EXPECT_THAT(histories.out, HasSubstr("write(1) by thread 1 had returned before it began."));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
}

TEST_F(NativeHistory, HoldsOfARegister) {
  const Outcome run = check("REGISTER", {"--history", "--json"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.json().at("histories").as_string(), "the class itself, one call at a time");
}

TEST_F(NativeHistory, NeedsAHarness) {
  write("main.c", "int main(void) { return 0; }\n");
  const Outcome run = heddle({"check", "main.c", "--history"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out, HasSubstr("main.c has no harness; drop --history"));
}

// A call that waits for ever is a deadlock unless it waits in an order that real time allows, too.
TEST_F(NativeHistory, CallsThatWait) {
  write("gate.cpp", R"(
#include <condition_variable>
#include <mutex>
#include <heddle/native.h>
class Gate {
 public:
  void open() {
    { std::lock_guard guard(mutex_); open_ = true; }
#ifndef BUG
    changed_.notify_all();
#endif
  }
  void close() { std::lock_guard guard(mutex_); open_ = false; }
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_; });
  }
 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};
HEDDLE_HARNESS(Gate, open, close, pass)
)");
  EXPECT_EQ(heddle({"check", "gate.cpp", "--history", "--client", "pass() | close()"}).code, 0);
  EXPECT_EQ(heddle({"check", "gate.cpp", "--history", "--client", "pass() | open()"}).code, 0);
  EXPECT_EQ(heddle({"check", "gate.cpp", "--history", "--client", "pass() | open(); close()"}).code, 0);
  const Outcome lost = heddle({"check", "gate.cpp", "--history", "--client", "pass() | open()", "--", "-DBUG"});
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.last_line(), StartsWith("violated: deadlock "));
}

}  // namespace
}  // namespace heddle::cli::native_history_test
