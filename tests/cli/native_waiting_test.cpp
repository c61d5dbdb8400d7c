// Programs in C and C++ whose threads wait while others go on, and what verdicts on them leave out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::native_waiting_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class NativeWaiting : public ProgramTest {
 protected:
  // Every search says the same: `last` is how the closing line begins.
  void expect_everywhere(const std::string& file, const std::string& last) {
    for (const std::vector<std::string>& how : {std::vector<std::string>{},
                                                {"--reduce", "none"},
                                                {"--reduce", "futures"},
                                                {"--reduce", "lazy"},
                                                {"--reduce", "eager"},
                                                {"--reduce", "spor"},
                                                {"--races", "allow"}}) {
      std::vector<std::string> words = {"check", file};
      words.insert(words.end(), how.begin(), how.end());
      SCOPED_TRACE(file + (how.empty() ? "" : " " + how[0] + " " + how[1]));
      const Outcome run = heddle(words);
      EXPECT_THAT(run.last_line(), StartsWith(last)) << run.out << run.err;
    }
  }
};

// The first two threads are `one` and `two`; the third never stops.
std::string beside_a_clock(const std::string& one, const std::string& two) {
  return R"(#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
atomic_int ticks;
void* one(void* x) { )" +
         one + R"( return x; }
void* two(void* x) { )" +
         two + R"( return x; }
void* clock_ticks(void* x) {
  for (;;) ticks ^= 1;
  return x;
}
int main(void) {
  pthread_t thread[3];
  pthread_create(&thread[0], 0, one, 0);
  pthread_create(&thread[1], 0, two, 0);
  pthread_create(&thread[2], 0, clock_ticks, 0);
  for (int i = 0; i < 3; ++i) pthread_join(thread[i], 0);
}
)";
}

constexpr const char* a_then_b =
    "pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);";
constexpr const char* b_then_a =
    "pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);";

TEST_F(NativeWaiting, AKnotOfLocksIsADeadlockWhateverOthersDoSlow) {
  write("order.c", beside_a_clock(a_then_b, b_then_a));
  const Outcome run = heddle({"check", "order.c"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("thread 1 waits for b at order.c:8, taken by thread 2\n"
                                       "  thread 2 waits for a at order.c:9, taken by thread 1"),
                             Not(HasSubstr("thread 3 waits")), Not(HasSubstr("main waits"))));
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  EXPECT_THAT(heddle({"simulate", "order.c", "--runs", "1000", "--steps", "200"}).last_line(),
              StartsWith("violated: deadlock"));
  expect_everywhere("order.c", "violated: deadlock ");
  // In one order there is none.
  write("same.c", beside_a_clock(a_then_b, a_then_b));
  const Outcome same = heddle({"check", "same.c"});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("no run ends"));
}

TEST_F(NativeWaiting, KnotsOfAllKinds) {
  const std::vector<std::pair<const char*, std::string>> programs = {
      {"itself.c", beside_a_clock("pthread_mutex_lock(&a); pthread_mutex_lock(&a);", "")},
      {"writer.c", beside_a_clock("pthread_rwlock_wrlock(&r); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); "
                                  "pthread_rwlock_unlock(&r);",
                                  "pthread_mutex_lock(&a); pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); "
                                  "pthread_mutex_unlock(&a);")},
      // Whoever is signalled waits for the mutex, whose owner waits for what the one signalled holds.
      {"signal.c", beside_a_clock("pthread_mutex_lock(&b); pthread_mutex_lock(&a); while (!ready) "
                                  "pthread_cond_wait(&c, &a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);",
                                  "pthread_mutex_lock(&a); ready = 1; pthread_cond_signal(&c); "
                                  "pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);")},
  };
  for (const auto& [name, text] : programs) {
    write(name, text);
    EXPECT_THAT(heddle({"check", name}).last_line(), StartsWith("violated: deadlock ")) << name;
  }
  write("join.c", R"(#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
atomic_int ticks;
void* work(void* x) {
  pthread_mutex_lock(&a);
  return x;
}
void* clock_ticks(void* x) {
  for (;;) ticks ^= 1;
  return x;
}
int main(void) {
  pthread_t thread, other;
  pthread_create(&other, 0, clock_ticks, 0);
  pthread_mutex_lock(&a);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
}
)");
  EXPECT_THAT(heddle({"check", "join.c"}).last_line(), StartsWith("violated: deadlock "));
}

// What a waiting thread counts does not make it do anything else.
TEST_F(NativeWaiting, CountingIsSpinning) {
  const auto program = [&](const char* name, const char* before_join, const char* use) {
    write(name, std::string(R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int said;
static void* wait(void* unused) {
  long n = 0;
  while (!said) n++;
  )") + use + R"(
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wait, 0);
  )" + before_join +
                    R"(
  pthread_join(other, 0);
}
)");
  };
  program("never.c", "", "assert(n >= 0);");
  const Outcome never = heddle({"check", "never.c", "--time", "60"});
  EXPECT_THAT(never.last_line(), StartsWith("violated: spin ")) << never.out;
  EXPECT_THAT(never.out, HasSubstr("never.c:7"));
  // Nobody looks at the count: states do not differ in it.
  program("unused.c", "said = 1;", "");
  EXPECT_EQ(heddle({"check", "unused.c", "--time", "60"}).code, 0);
  // It gives up after a while, so it does not spin.
  write("gives_up.c", R"(#include <pthread.h>
#include <stdatomic.h>
atomic_int said;
static void* wait(void* unused) {
  for (int n = 0; n < 300 && !said; ++n) {
  }
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wait, 0);
  pthread_join(other, 0);
}
)");
  const Outcome gives_up = heddle({"check", "gives_up.c", "--time", "60"});
  EXPECT_EQ(gives_up.code, 0) << gives_up.out;
}

// Whoever returns from a call and spins in the next one, and changes nothing that is shared on the way, waits in the
// next one. Calls that are made one at a time wait there, too.
TEST_F(NativeWaiting, ACallThatReturnsDoesNotWait) {
  struct Case {
    const char *client, *count;
  };
  for (const Case& x : {Case{"look(); pass() | look()", ""}, Case{"look(); pass()", "total += ++rounds;"}}) {
    write("gate.cpp", std::string(R"(#include <atomic>
#include <heddle/native.h>
class Gate {
 public:
  int look() {
    int seen = 0;
    for (int i = 0; i < 3; ++i) seen += open_.load();
    return seen;
  }
  void pass() {
    int rounds = 0, total = 0;
    while (!open_.load()) { )") +
                          x.count + R"( }
    passed_ = total;
  }
 private:
  std::atomic<bool> open_{false};
  std::atomic<int> passed_{0};
};
HEDDLE_HARNESS(Gate, look, pass)
)");
    for (const char* reduce : {"auto", "none", "futures", "lazy"}) {
      const Outcome run = heddle({"check", "gate.cpp", "--client", x.client, "--reduce", reduce});
      EXPECT_EQ(run.code, 0) << run.out << run.err;
    }
  }
}

TEST_F(NativeWaiting, ComparisonsWithFreedMemoryAreTold) {
  const auto program = [&](const char* name, const char* give_back) {
    write(name, std::string(R"(#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node* next; };
_Atomic(struct node*) top;
void* pop(void* x) {
  struct node* first = top;
  if (first) atomic_compare_exchange_strong(&top, &first, 0);
  return x;
}
void* change(void* x) {
  struct node* first = atomic_exchange(&top, 0);
  )") + give_back + R"(
  struct node* more = malloc(sizeof *more);
  more->next = 0;
  top = more;
  return x;
}
int main(void) {
  top = malloc(sizeof(struct node));
  pthread_t one, two;
  pthread_create(&one, 0, pop, 0);
  pthread_create(&two, 0, change, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
)");
  };
  program("frees.c", "free(first);");
  program("keeps.c", "(void)first;");
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{}, {"--reduce", "none"}, {"--reduce", "lazy"}, {"--search", "dpor"}}) {
    std::vector<std::string> frees = {"check", "frees.c"}, keeps = {"check", "keeps.c"};
    frees.insert(frees.end(), how.begin(), how.end());
    keeps.insert(keeps.end(), how.begin(), how.end());
    EXPECT_THAT(heddle(frees).out, HasSubstr("addresses are not given out twice: a pointer to freed memory is compared "
                                             "at frees.c:8"));
    EXPECT_THAT(heddle(keeps).out, AllOf(HasSubstr("holds: "), Not(HasSubstr("given out twice"))));
  }
  const auto json = heddle({"check", "frees.c", "--json"}).json();
  EXPECT_EQ(json.at("freed_comparisons").as_array().at(0).as_string(), "frees.c:8");
}

TEST_F(NativeWaiting, RunsBeforeAnInterruptCount) {
  write("order.c", beside_a_clock(a_then_b, a_then_b));
  heddle({"check", "order.c", "--states", "1"});  // compiles it
  const Outcome run = heddle({"simulate", "order.c", "--runs", "1000000000", "--steps", "100"}, 3, SIGINT);
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(run.last_line(), testing::ContainsRegex("^unknown: interrupted; [0-9,]+ runs by random choice"));
}

}  // namespace
}  // namespace heddle::cli::native_waiting_test
