// Atomic sections of programs in C and C++ (native/statements.h): what outcomes clients have when some statements are
// one step. The oracle of the small programs is the same program with a lock around the statements: everything that
// they share is accessed inside sections, so the two must agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

#include "cli/program.h"
#include "run/client_outcomes.h"
#include "run/lower_program.h"
#include "support/checked_program.h"

namespace heddle::cli::native_sections_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native";

class NativeSections : public ProgramTest {
 protected:
  NativeSections() { ::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1); }

  std::shared_ptr<const native::Image> image_of(const fs::path& file, const std::vector<std::string>& flags = {}) {
    return run::lower_program({.sources = {file}, .flags = flags});
  }
};

std::set<std::string> outcomes_of(const std::shared_ptr<const native::Image>& image,
                                  const native::SystemOptions& options, bool reduce = true) {
  ProgramAnswer answer = checked_program(image, options, {.safe = reduce});
  EXPECT_TRUE(answer.check.search.exhausted);
  return std::move(answer.outcomes);
}

native::SystemOptions options_for(const native::Image& image, const std::string& client,
                                  const std::vector<std::string>& sections = {}) {
  native::SystemOptions options = options_of_client(image, client);
  for (const std::string& text : sections) options.sections.push_back(native::parse_section(image, text));
  return options;
}

TEST_F(NativeSections, SlowOfWholeMethodsGiveTheSequentialOutcomes) {
  struct Subject {
    const char* file;
    std::vector<std::string> flags, methods;
    const char* client;
  };
  for (const Subject& x :
       {Subject{"afek_stack.cpp", {"-DBUG_READ_THEN_CLEAR"}, {"push", "pop"}, "push(1) | push(2); pop() | pop()"},
        Subject{"optimistic_list.cpp",
                {"-DBUG_LATE_LOCK_ADD"},
                {"add", "remove"},
                "add(0); remove(1) | add(0); add(1) | add(0); add(0)"},
        Subject{"michael_scott_queue.cpp", {}, {"enqueue", "dequeue"}, "enqueue(1); dequeue() | enqueue(2); dequeue()"},
        Subject{"treiber_stack.cpp", {"-DBUG_BLIND_POP"}, {"push", "pop"}, "push(1); pop() | push(2); pop()"}}) {
    SCOPED_TRACE(x.file);
    const auto image = image_of(folder / x.file, x.flags);
    const native::SystemOptions options = options_for(*image, x.client, x.methods);
    const std::set<std::string> admitted = run::sequential_outcomes(image, options).at(0);
    EXPECT_FALSE(admitted.empty());
    EXPECT_EQ(outcomes_of(image, options), admitted);
    EXPECT_EQ(outcomes_of(image, options, false), admitted);
  }
}

// Cirisci 2022, figure 2.22: of the two critical sections of that execution one repairs the stack.
TEST_F(NativeSections, ThatRepairTheAfekStack) {
  const auto image = image_of(folder / "afek_stack.cpp", {"-DBUG_READ_THEN_CLEAR"});
  const std::string client = "push(1) | push(2); pop() | pop()";
  const auto bad = [&](const std::vector<std::string>& sections) {
    const native::SystemOptions options = options_for(*image, client, sections);
    const std::set<std::string> admitted = run::sequential_outcomes(image, options).at(0);
    return std::ranges::count_if(outcomes_of(image, options), [&](const auto& x) { return !admitted.contains(x); });
  };
  EXPECT_EQ(bad({}), 4);
  EXPECT_EQ(bad({"pop:46-47"}), 0);
  EXPECT_EQ(bad({"push:37-39"}), 2);
  EXPECT_EQ(bad({"afek_stack.cpp:46-47", "Stack::push"}), 0);
}

constexpr const char* prelude = R"(#include <heddle/native.h>
#include <atomic>
#include <mutex>
#ifdef LOCKED
std::recursive_mutex everything;
#define ATOMIC std::lock_guard<std::recursive_mutex> guard(everything);
#else
#define ATOMIC
#endif
class Box {
  std::atomic<int> x_{0}, y_{0};
 public:
  int look() {
    {  // section
      ATOMIC
      return x_ * 10 + y_;
    }  // end
  }
)";
constexpr const char* coda = "};\nHEDDLE_HARNESS(Box, work, look)\n";

struct Case {
  const char* name;
  const char* code;
};
constexpr Case cases[] = {
    {"early_return", R"(  int work(int v) {
    {  // section
      ATOMIC
      if (x_ == v) return y_;
      x_ = x_ + v;
      y_ = y_ + v;
    }  // end
    return -1;
  })"},
    {"leaving_loops", R"(  int work(int v) {
    int seen = 0;
    for (int i = 0; i < 3; ++i) {
      {  // section
        ATOMIC
        if (i == 0 && v == 1) continue;
        x_ = x_ + 1;
        if (x_ > 2) break;
        seen += y_ = x_ + v;
      }  // end
    }
    return seen;
  })"},
    {"iterations_are_apart", R"(  int work(int v) {
    for (int i = 0; i < 2; ++i)
      {  // section
        ATOMIC
        x_ = x_ + v;
        y_ = x_ + 0;
      }  // end
    return 0;
  })"},
    {"the_whole_loop", R"(  int work(int v) {
    {  // section
      ATOMIC
      for (int i = 0; i < 2; ++i) {
        x_ = x_ + v;
        y_ = x_ + 0;
      }
    }  // end
    return 0;
  })"},
    {"calls", R"(  void add(int v) {
    x_ = x_ + v;
    y_ = y_ + x_;
  }
  int work(int v) {
    {  // section
      ATOMIC
      add(v);
      add(v);
    }  // end
    return 0;
  })"},
    {"recursion", R"(  int work(int v) {
    {  // section
      ATOMIC
      x_ = x_ + 1;
      if (v > 0) work(v - 1);
      return y_ = y_ + x_;
    }  // end
  })"},
    {"nested_calls", R"(  int deepest(int v) {
    if (v == 1) return x_ + 0;
    x_ = x_ + v;
    return x_;
  }
  int deeper(int v) {
    const int seen = deepest(v);
    y_ = y_ + seen + 1;
    return seen;
  }
  int work(int v) {
    {  // section
      ATOMIC
      if (deeper(v) > 2) return y_;
      deeper(v + 1);
    }  // end
    return 0;
  })"},
    {"sections_of_caller_and_callee", R"(  void add(int v) {
    {  // section
      ATOMIC
      x_ = x_ + v;
    }  // end
  }
  int work(int v) {
    add(v);
    {  // section
      ATOMIC
      add(v);
      y_ = y_ + x_;
    }  // end
    return 0;
  })"},
    // A section that would wait inside does not begin. The lock around it is taken after the one inside: otherwise the
    // two programs would differ, since the thread that has the lock inside needs the other one as well.
    {"a_lock_that_others_hold", R"(  std::recursive_mutex inner_;
  int work(int v) {
    if (v == 2) {
      inner_.lock();
      {  // section
        ATOMIC
        x_ = x_ + v;
      }  // end
      {  // section
        ATOMIC
        y_ = y_ + x_;
      }  // end
      inner_.unlock();
      return 0;
    }
    {  // section
      std::lock_guard<std::recursive_mutex> guard_inside(inner_);
      ATOMIC
      x_ = x_ + v;
      y_ = y_ + x_;
    }  // end
    return 0;
  })"},
    {"a_loop_left_by_return", R"(  int work(int v) {
    for (int i = 0; i < 2; ++i) {
      {  // section
        ATOMIC
        x_ = x_ + 1;
        if (x_ > v) return y_;
        y_ = y_ + x_;
      }  // end
    }
    return -1;
  })"},
    {"a_lock_inside", R"(  std::mutex inner_;
  int work(int v) {
    {  // section
      ATOMIC
      std::lock_guard<std::mutex> guard_inside(inner_);
      x_ = x_ + v;
      y_ = y_ + x_;
    }  // end
    return 0;
  })"},
};

// The sections that the comments of a file mark.
std::vector<std::string> marked(const std::string& text, const std::string& file) {
  std::vector<std::string> sections;
  std::istringstream in(text);
  int first = 0, number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("// section")) first = number;
    if (line.ends_with("// end")) sections.push_back(fmt::format("{}:{}-{}", file, first, number));
  }
  return sections;
}

TEST_F(NativeSections, SlowAreWhatALockAroundThemIs) {
  for (const Case& x : cases) {
    SCOPED_TRACE(x.name);
    const std::string text = std::string(prelude) + x.code + "\n" + coda, file = std::string(x.name) + ".cpp";
    write(file, text);
    const auto plain = image_of(home / file), locked = image_of(home / file, {"-DLOCKED"});
    for (const char* client : {"work(1); look() | work(2); look()", "work(2) | look(); look() | work(1)"}) {
      SCOPED_TRACE(client);
      const std::set<std::string> wanted = outcomes_of(locked, options_for(*locked, client));
      const native::SystemOptions options = options_for(*plain, client, marked(text, file));
      EXPECT_EQ(outcomes_of(plain, options), wanted);
      EXPECT_EQ(outcomes_of(plain, options, false), wanted);
      // Without sections there are more: the comparison says something.
      EXPECT_GT(outcomes_of(plain, options_for(*plain, client)).size(), wanted.size());
    }
  }
}

TEST_F(NativeSections, RacesAreThoseWithWhatIsOutside) {
  write("race.c", R"(#include <pthread.h>
int shared, other;
static void* work(void* unused) {
  shared = shared + 1;
#ifdef OUTSIDE
  other = 1;
#endif
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
  EXPECT_EQ(heddle({"check", "race.c"}).code, 1);
  EXPECT_EQ(heddle({"check", "race.c", "--atomic", "work:4"}).code, 0);
  const Outcome outside = heddle({"check", "race.c", "--atomic", "work:4", "--", "-DOUTSIDE"});
  EXPECT_EQ(outside.code, 1);
  EXPECT_THAT(outside.last_line(), StartsWith("violated: race "));
}

// A plain access inside does race with an atomic one outside, unless something orders the two: here, another section.
TEST_F(NativeSections, PlainAccessesInsideRaceWithAtomicOnesOutside) {
  write("mixed.c", R"(#include <pthread.h>
int shared, flag;
static void* writes(void* unused) {
  shared = 1, flag = 1;
  return unused;
}
static int get(void) { return flag; }
static void* reads(void* unused) {
#ifdef ORDERED
  if (get())
#endif
    __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writes, 0);
  pthread_create(&b, 0, reads, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
  for (const char* reduce : {"none", "auto", "futures", "lazy"}) {
    const Outcome mixed = heddle({"check", "mixed.c", "--atomic", "writes,get", "--reduce", reduce});
    EXPECT_EQ(mixed.code, 1) << mixed.out << mixed.err;
    EXPECT_THAT(mixed.last_line(), StartsWith("violated: race "));
    EXPECT_THAT(mixed.out, HasSubstr("reads atomically"));
    EXPECT_THAT(mixed.out, HasSubstr("mixed.c:4"));
    const Outcome ordered =
        heddle({"check", "mixed.c", "--atomic", "writes,get", "--reduce", reduce, "--", "-DORDERED"});
    EXPECT_EQ(ordered.code, 0) << ordered.out << ordered.err;
  }
}

// The oracle is arithmetic: the numbers of ways to choose.
TEST_F(NativeSections, MayHaveChoices) {
  write("choices.cpp", R"(
#include <atomic>
#include <mutex>
#include <heddle/native.h>
class Dice {
 public:
  int roll() {
    const int first = static_cast<int>(HEDDLE_CHOOSE(3));
    int sum = first;
    for (int i = 0; i < first; ++i) sum = sum * 10 + static_cast<int>(HEDDLE_CHOOSE(2));
    total_.fetch_add(1);
    return sum;
  }
  int wait() {
    const bool really = HEDDLE_CHOOSE(2) == 1;
    if (!really) return 0;
    const std::lock_guard guard(mutex_);
    return 1;
  }
 private:
  std::atomic<int> total_{0};
  std::mutex mutex_;
};
HEDDLE_HARNESS(Dice, roll, wait)
)");
  const auto image = image_of(home / "choices.cpp");
  // 0, 10, 11, 200, 201, 210, 211
  for (const std::vector<std::string>& sections : {std::vector<std::string>{}, {"roll"}}) {
    EXPECT_EQ(outcomes_of(image, options_for(*image, "roll()", sections)).size(), 7u);
    EXPECT_EQ(outcomes_of(image, options_for(*image, "roll() | roll()", sections)).size(), 49u);
  }
  EXPECT_EQ(outcomes_of(image, options_for(*image, "wait() | wait()", {"wait"})).size(), 4u);
  // Whole calls, for the outcomes that are admitted.
  EXPECT_EQ(run::sequential_outcomes(image, options_for(*image, "roll(); roll() | roll()")).at(0).size(), 343u);
  const Outcome run = heddle({"check", "choices.cpp", "--client", "roll() | roll()", "--atomic", "roll"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  const Outcome history = heddle({"check", "choices.cpp", "--client", "roll() | roll()", "--history"});
  EXPECT_EQ(history.code, 3);
  EXPECT_THAT(history.out + history.err, HasSubstr("makes a choice"));
  write("suite.c", R"(
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int __VERIFIER_atomic_pick(void) { return __VERIFIER_nondet_int() * 3 + __VERIFIER_nondet_int(); }
int main(void) {
  if (__VERIFIER_atomic_pick() == 7) reach_error();
  return 0;
}
)");
  const Outcome suite = heddle({"check", "suite.c"});
  EXPECT_EQ(suite.code, 1) << suite.out << suite.err;
  EXPECT_EQ(heddle({"replay", "heddle-trace.json"}).code, 1);
  EXPECT_EQ(heddle({"check", "suite.c", "--nondet", "0..1"}).code, 0);
}

TEST_F(NativeSections, ThatCannotRunThroughSayWhereTheyWait) {
  write("waits.c", R"(#include <pthread.h>
#include <stdatomic.h>
atomic_int said, heard;
static void* answer(void* unused) {
  while (!said) {}
  heard = 1;
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, answer, 0);
  said = 1;
  while (!heard) {}
  pthread_join(other, 0);
  return 0;
}
)");
  EXPECT_EQ(heddle({"check", "waits.c"}).code, 0);
  const Outcome run = heddle({"check", "waits.c", "--atomic", "main:12-13"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("at waits.c:13, inside the atomic section that begins at waits.c:12"));
}

// A section may begin on the line of the brace that opens the body, and end on that of the one that closes it.
TEST_F(NativeSections, OnTheLinesOfTheBraces) {
  write("narrow.cpp", R"(#include <atomic>
#include <heddle/native.h>
class Counter {
 public:
  int add() { const int old = value_.load();
    value_.store(old + 1);
    return old; }
  int twice() { const int old = value_.load();
    value_.store(old + 2); return old; }
  int inside(int n) {
    if (n > 0) { const int old = value_.load();
      value_.store(old + 1);
      return old;
    }
    return 0;
  }
 private:
  std::atomic<int> value_{0};
};
HEDDLE_HARNESS(Counter, add, twice, inside)
)");
  const auto code = [&](const char* where) {
    return heddle({"check", "narrow.cpp", "--client", "add() | twice()", "--atomic", where, "--atomic", "twice:8-9"})
        .code;
  };
  EXPECT_EQ(code("add:5-6"), 0);
  EXPECT_EQ(code("add:5"), 1) << "the body is not part of it";
  // What an answer names can be tried, also inside a statement that begins on the same line.
  for (const auto& [client, where] :
       {std::pair<std::string, std::string>{"add() | add()", "add:5-6"}, {"inside(1) | inside(1)", "inside:11-12"}}) {
    const auto answer = heddle({"explain", "narrow.cpp", "--client", client, "--json"}).json();
    EXPECT_EQ(answer.at("repairs").at(0).at("blocks").at(0).at("atomic").as_string(), where);
    EXPECT_EQ(heddle({"check", "narrow.cpp", "--client", client, "--atomic", where}).code, 0);
  }
  const Outcome cut = heddle({"check", "narrow.cpp", "--atomic", "inside:10-12"});
  EXPECT_THAT(cut.last_line(), HasSubstr("the statement from line 11 to line 14 is cut"));
}

TEST_F(NativeSections, ThatAreNone) {
  const std::string stack = (folder / "afek_stack.cpp").string();
  const auto error = [&](const std::string& where) {
    const Outcome run = heddle({"check", stack, "--client", "push(1) | pop()", "--atomic", where});
    EXPECT_EQ(run.code, 3) << where;
    return run.last_line();
  };
  EXPECT_THAT(error("peek"), HasSubstr("--atomic peek: there is no function of that name; the program's functions are: "
                                       "Stack::Stack, Stack::pop, Stack::push"));
  EXPECT_THAT(error("nowhere.cpp:3"), HasSubstr("no function or file of that name"));
  EXPECT_THAT(error("pop:44-46"), HasSubstr("the statement from line 44 to line 52 is cut"));
  EXPECT_THAT(error("pop:9-3"), HasSubstr("the lines end before they begin"));
  EXPECT_THAT(error("pop:1000"), HasSubstr("there is no statement in these lines"));
  EXPECT_THAT(error(":3"), HasSubstr("a section is FUNCTION"));
  const Outcome twice =
      heddle({"check", stack, "--client", "push(1) | pop()", "--atomic", "pop", "--atomic", "pop:43"});
  EXPECT_THAT(twice.last_line(), HasSubstr("two atomic sections share the statement at line 43"));
}

}  // namespace
}  // namespace heddle::cli::native_sections_test
