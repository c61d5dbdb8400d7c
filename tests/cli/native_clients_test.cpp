// Clients of a harness: specifications of the library, all failing clients, the smallest one, wrong clients, results
// and arguments of all types, runs on real threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cli/program.h"
#include "run/client_outcomes.h"
#include "run/lower_program.h"
#include "support/checked_program.h"

namespace heddle::cli::native_clients_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string contended = std::string(HEDDLE_SOURCE_DIR) + "/tests/cli/programs/contended.cpp";

class NativeClients : public ProgramTest {
 protected:
  Outcome check(const std::string& which, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"check", contended};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", "-D" + which});
    return heddle(arguments);
  }
};

TEST_F(NativeClients, AreComparedWithASpecification) {
  EXPECT_EQ(check("REGISTER", {"--linearizable", "register"}).code, 0);
  const Outcome queue = check("LANE_QUEUE", {"--linearizable", "queue", "--client",
                                             "enqueue(1) | enqueue(2); enqueue(3); dequeue(); dequeue()"});
  EXPECT_EQ(queue.code, 1) << queue.out << queue.err;
  EXPECT_THAT(queue.last_line(), StartsWith("violated: linearizability "));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  const Outcome counter =
      check("LOSSY_COUNTER", {"--linearizable", "counter", "--client", "get_and_add(1) | get_and_add(1)"});
  EXPECT_EQ(counter.code, 1) << counter.out << counter.err;
  EXPECT_THAT(counter.out, HasSubstr("compared with a counter"));
}

// The class itself is wrong, one call at a time: only a specification shows that.
TEST_F(NativeClients, ASpecificationFindsWhatTheClassAlwaysDoes) {
  write("stack.cpp", R"(
#include <deque>
#include <mutex>
#include <optional>
#include <heddle/native.h>
class Queue {
 public:
  void push(int value) { std::lock_guard guard(mutex_); items_.push_back(value); }
  std::optional<int> tryPop() {
    std::lock_guard guard(mutex_);
    if (items_.empty()) return std::nullopt;
    const int last = items_.back();
    items_.pop_back();
    return last;
  }
 private:
  std::mutex mutex_;
  std::deque<int> items_;
};
HEDDLE_HARNESS(Queue, push, tryPop)
)");
  const std::vector<std::string> client = {"check", "stack.cpp", "--client", "push(1); push(2) | tryPop()"};
  EXPECT_EQ(heddle(client).code, 0);
  const auto with = [&](const std::string& object) {
    std::vector<std::string> all = client;
    all.insert(all.end(), {"--linearizable", object});
    return heddle(all);
  };
  EXPECT_EQ(with("stack").code, 0);
  EXPECT_EQ(with("queue").code, 1);
  const Outcome set = with("set");
  EXPECT_EQ(set.code, 3);
  EXPECT_THAT(set.out, AllOf(HasSubstr("the harness has push, which is no operation of a set"),
                             HasSubstr("--linearizable queue or --linearizable stack")));
  const Outcome wrong = with("quue");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.out, HasSubstr("there is no object 'quue'; did you mean queue?"));
}

TEST_F(NativeClients, AllThatFailAreListed) {
  const Outcome text = check("LOSSY_COUNTER", {"--all", "--calls", "1"});
  EXPECT_EQ(text.code, 1) << text.out << text.err;
  EXPECT_THAT(text.out, HasSubstr("1 client fails:\n  get_and_add(1) | get_and_add(1): linearizability\n"
                                  "    good: 0 | 1; 1 | 0\n    bad:  0 | 0"));
  const Outcome json = check("LOSSY_COUNTER", {"--all", "--calls", "1", "--json"});
  const boost::json::array rows = json.json().at("failing_clients").as_array();
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].at("client").as_string(), "get_and_add(1) | get_and_add(1)");
  EXPECT_EQ(boost::json::serialize(rows[0].at("bad")), R"(["0 | 0"])");
  EXPECT_EQ(boost::json::serialize(rows[0].at("good")), R"(["0 | 1","1 | 0"])");
}

TEST_F(NativeClients, ACompleteEnumerationSaysSo) {
  const Outcome all = check("REGISTER", {});
  EXPECT_THAT(all.last_line(), HasSubstr("for all 78 clients of at most 2 threads, 2 calls each, 2 values"));
  const Outcome some = check("REGISTER", {"--clients", "20"});
  EXPECT_EQ(some.code, 0);
  EXPECT_THAT(some.out, HasSubstr("clients were sampled: others may fail"));
}

// Two calls are enough to lose an increment, whatever the amounts, as long as they are not 0.
TEST_F(NativeClients, AFailingOneIsReducedToTheSmallest) {
  const std::string client = "read(); get_and_add(7) | get_and_add(5); read() | read()";
  const Outcome run = check("LOSSY_COUNTER", {"--client", client});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("reduced from the client " + client));
  const std::string trace = read(home / "heddle-trace.json");
  EXPECT_THAT(trace, HasSubstr(R"x("client": "get_and_add(1) | get_and_add(1)")x"));
  const Outcome again = heddle({"replay", "heddle-trace.json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  const Outcome whole = check("LOSSY_COUNTER", {"--client", client, "--no-minimise"});
  EXPECT_EQ(whole.code, 1);
  EXPECT_THAT(whole.out, Not(HasSubstr("reduced from")));
}

TEST_F(NativeClients, WrongOnesAreErrorsWithPlaceAndExample) {
  const auto error_of = [&](const std::string& client) {
    const Outcome run = check("REGISTER", {"--client", client});
    EXPECT_EQ(run.code, 3) << client;
    return run.out;
  };
  EXPECT_THAT(error_of(""), HasSubstr("--client: a thread, at character 1 of '', calls nothing; a client looks like "
                                      "'write(1); read() | write(1); read()'"));
  EXPECT_THAT(error_of("read() | "), HasSubstr("at character 10 of"));
  EXPECT_THAT(
      error_of("read(); write(1"),
      HasSubstr("'write(1', at character 9 of 'read(); write(1', is not a call; calls look like write(1); read()"));
  EXPECT_THAT(error_of("reed()"), HasSubstr("the harness has no method 'reed', at character 1"));
  EXPECT_THAT(error_of("read(1)"), HasSubstr("read takes 0 arguments; calls look like"));
  EXPECT_THAT(error_of("write(one)"), HasSubstr("'one', at character 7 of 'write(one)', is not a number"));
}

const char* const many_types = R"(
#include <memory>
#include <string>
#include <vector>
#include <heddle/native.h>
enum class Colour { red, green };
struct Point { int x; bool far; };
struct Everything {
  bool yes() { return true; }
  double quarter(int x) { return x / 4.0; }
  Colour paint(Colour colour) const { return colour; }
  std::string shout(std::string_view text) noexcept { return std::string(text) + "! \"a, b\""; }
  std::optional<int> nothing() { return std::nullopt; }
  std::pair<int, bool> pair(unsigned char x) { return {x, false}; }
  Point point(long x) { return {static_cast<int>(x), true}; }
  std::vector<int> list() { return {1, 2}; }
};
struct Outputs {
  bool pop(int& out) { out = 7; return true; }
  bool empty(int&) { return false; }
  void two(int x, int& a, std::string& b) { a = x; b = "b"; }
  int also(int& a) { a = 3; return 4; }
  std::unique_ptr<int> owner() { return nullptr; }
  const char* name(const char* given) { return given; }
  int* pointer() { static int x; return &x; }
  std::tuple<> none() { return {}; }
};
struct Hidden { Hidden() {} int x = 0; };
struct Wrong { Hidden hide() { return {}; } void take(int* p) { *p = 1; } };
#if defined(OUTPUTS)
HEDDLE_HARNESS(Outputs, pop, empty, two, also, owner, name, pointer, none)
#elif defined(WRONG_RESULT)
HEDDLE_HARNESS(Wrong, hide)
#elif defined(WRONG_ARGUMENT)
HEDDLE_HARNESS(Wrong, take)
#else
HEDDLE_HARNESS(Everything, yes, quarter, paint, shout, nothing, pair, point, list)
#endif
)";

std::string only_outcome(const fs::path& file, const std::vector<std::string>& flags, const std::string& client) {
  const auto image = run::lower_program({.sources = {file}, .flags = flags});
  const std::set<std::string> outcomes = run::sequential_outcomes(image, options_of_client(*image, client)).at(0);
  EXPECT_EQ(outcomes.size(), 1);
  return outcomes.empty() ? "" : *outcomes.begin();
}

TEST_F(NativeClients, ResultsAndArgumentsOfManyTypes) {
  ASSERT_EQ(::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1), 0);
  write("types.cpp", many_types);
  EXPECT_EQ(only_outcome(home / "types.cpp", {},
                         "yes(); quarter(3); paint(1); shout(5); nothing(); pair(9); point(-2); list()"),
            R"(true, 0.75, 1, "5! \"a, b\"", none, (9, false), (-2, true), [1, 2])");
  EXPECT_EQ(only_outcome(home / "types.cpp", {"-DOUTPUTS"},
                         "pop(); empty(); two(6); also(); owner(); name(8); pointer(); none()"),
            R"(7, none, (6, "b"), (4, 3), null, "8", pointer, ())");
}

TEST_F(NativeClients, TypesThatAreNotSupportedAreNamed) {
  write("types.cpp", many_types);
  const Outcome result = heddle({"check", "types.cpp", "--", "-DWRONG_RESULT"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("is_result<Hidden>"), HasSubstr("Wrap the class")));
  const Outcome argument = heddle({"check", "types.cpp", "--", "-DWRONG_ARGUMENT"});
  EXPECT_EQ(argument.code, 3);
  EXPECT_THAT(argument.out, AllOf(HasSubstr("int *"), HasSubstr("Wrap the class")));
}

// Real threads lose increments sooner or later; how often is up to the machine.
TEST_F(NativeClients, SlowStressOnRealThreadsNeverHolds) {
  const Outcome good = check("REGISTER", {"--stress", "--time", "1", "--client", "write(1) | read()"});
  EXPECT_EQ(good.code, 2) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("write(1) | read(): "));
  EXPECT_THAT(good.last_line(), StartsWith("unknown: "));
  const Outcome json = check("REGISTER", {"--stress", "--time", "1", "--client", "write(1) | read()", "--json"});
  const boost::json::value client = json.json().at("stress").as_array().at(0);
  EXPECT_GT(client.at("runs").to_number<int>(), 0);
  for (const auto& outcome : client.at("outcomes").as_array()) EXPECT_FALSE(outcome.at("bad").as_bool());
}

TEST_F(NativeClients, SlowStressFindsWhatAlwaysFails) {
  write("wrong.cpp", R"(
#include <atomic>
#include <thread>
#include <heddle/native.h>
class Ticket {
 public:
  int take() {
    const int mine = next_.load();
    inside_.fetch_add(1);
    while (inside_.load() < 2 && tries_.fetch_add(1) < 100000) std::this_thread::yield();
    next_.store(mine + 1);
    return mine;
  }
 private:
  std::atomic<int> next_{0}, inside_{0}, tries_{0};
};
HEDDLE_HARNESS(Ticket, take)
)");
  const Outcome run = heddle({"check", "wrong.cpp", "--stress", "--time", "2", "--client", "take() | take()"});
  // In the machine a call that waits for the other one is long, but ends.
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("0 | 0   <- no order of the calls gives this"));
  EXPECT_THAT(run.last_line(), StartsWith("violated: linearizability"));
}

TEST_F(NativeClients, StressThatIsInterruptedSaysWhatItHasSeenSlow) {
  const std::vector<std::string> words = {"check",    contended,           "--stress", "--time",    "100",
                                          "--client", "write(1) | read()", "--",       "-DREGISTER"};
  // Compiling for real threads takes most of the time.
  for (const double delay : {3, 9, 27, 81}) {
    const Outcome run = heddle(words, delay);
    EXPECT_EQ(run.code, 2) << run.out << run.err;
    EXPECT_THAT(run.last_line(), HasSubstr("interrupted"));
    if (run.out.find("void | 0") == run.out.npos && delay < 81) continue;
    EXPECT_THAT(run.out, AllOf(HasSubstr("write(1) | read(): "), HasSubstr("void | 0")));
    return;
  }
}

TEST_F(NativeClients, StressNeedsAHarness) {
  write("main.c", "int main(void) { return 0; }\n");
  const Outcome run = heddle({"check", "main.c", "--stress"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out, HasSubstr("main.c has no harness; drop --stress"));
}

// A thread that waits is said to wait for the condition variable, not for the mutex that goes with it.
TEST_F(NativeClients, AConditionVariableIsNamed) {
  write("lost.c", R"(
#include <pthread.h>
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
void* take(void* nothing) {
  pthread_mutex_lock(&guard);
  pthread_cond_wait(&filled, &guard);
  pthread_mutex_unlock(&guard);
  return nothing;
}
int main(void) {
  pthread_t taker;
  pthread_create(&taker, 0, take, 0);
  pthread_join(taker, 0);
  return 0;
}
)");
  const Outcome run = heddle({"check", "lost.c"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("thread 1 waits for filled at lost.c:7"));
}

}  // namespace
}  // namespace heddle::cli::native_clients_test
