// Wrong and difficult programs in C and C++: what `heddle check` says, within its budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"
#include "run/component.h"
#include "run/lower_program.h"
#include "run/model_cache.h"

namespace heddle::cli::native_input_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class NativeInput : public ProgramTest {
 protected:
  // The error is in the closing line and in the JSON.
  std::string error_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"check"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Outcome run = heddle(words);
    EXPECT_EQ(run.code, 3) << run.out << run.err;
    EXPECT_THAT(run.last_line(), StartsWith("error: "));
    words.insert(words.begin() + 1, "--json");
    const auto json = heddle(words).json();
    EXPECT_EQ(json.at("verdict").as_string(), "error");
    EXPECT_EQ("error: " + std::string(json.at("error").as_string()), run.last_line());
    return run.last_line();
  }
};

constexpr const char* queue = R"(#include <heddle/native.h>
#include <atomic>
struct Queue {
  std::atomic<int> cell{0};
  void push(int x) { cell = x; }
  int pop() { return cell; }
};
HEDDLE_HARNESS(Queue, push, pop)
)";

TEST_F(NativeInput, CompileErrorIsClangsFirst) {
  write("wrong.cpp", "#include <mutex>\nint main() {\n  return missing;\n}\nint f() { return also_missing; }\n");
  EXPECT_THAT(error_of({"wrong.cpp"}), AllOf(HasSubstr("wrong.cpp:3:10: "), HasSubstr("'missing'")));
  EXPECT_THAT(error_of({"wrong.cpp", "--", "-fno-such-flag"}), HasSubstr("-fno-such-flag"));
}

TEST_F(NativeInput, WhatHeddleLowerSaysIsTheError) {
  write("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n");
  write("b.c", "int f(void) { return 2; }\n");
  EXPECT_THAT(error_of({"a.c", "b.c"}), HasSubstr("the files do not fit together"));
  write("large.c", "char large[5 << 20];\nint main(void) { return large[1]; }\n");
  EXPECT_THAT(error_of({"large.c"}), HasSubstr("the global large has 5242880 bytes"));
  EXPECT_THAT(error_of({"a.c", "nowhere.c"}), HasSubstr("nowhere.c"));
}

TEST_F(NativeInput, NeitherMainNorHarness) {
  write("library.c", "int f(int x) { return x; }\n");
  EXPECT_THAT(error_of({"library.c"}), AllOf(HasSubstr("library.c: there is nothing to run"), HasSubstr("`main`"),
                                             HasSubstr("HEDDLE_HARNESS(Queue, push, pop)")));
}

TEST_F(NativeInput, ClientsThatAreNone) {
  write("queue.cpp", queue);
  EXPECT_THAT(error_of({"queue.cpp", "--client", "steal() | push(1)"}),
              AllOf(HasSubstr("the harness has no method 'steal'"), HasSubstr("it has push(1); pop()")));
  EXPECT_THAT(error_of({"queue.cpp", "--client", "push() | pop()"}), HasSubstr("push takes 1 argument"));
  EXPECT_THAT(error_of({"queue.cpp", "--client", "push(one)"}),
              AllOf(HasSubstr("'one'"), HasSubstr("is not a number of 32 bits")));
  EXPECT_THAT(error_of({"queue.cpp", "--client", "push(1) |"}), HasSubstr("a client looks like"));
  EXPECT_THAT(error_of({"queue.cpp", "--client", ""}), HasSubstr("a client looks like"));
  EXPECT_THAT(error_of({"queue.cpp", "--client", "push"}), HasSubstr("is not a call; calls look like push(1); pop()"));
  write("main.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(error_of({"main.c", "--client", "push(1)"}), HasSubstr("main.c has no harness; drop --client"));
}

TEST_F(NativeInput, UnknownFunctionsAndInstructions) {
  write("unknown.c", "int nobody_has_this(int);\nint main(void) {\n  return nobody_has_this(1);\n}\n");
  EXPECT_THAT(error_of({"unknown.c"}),
              AllOf(HasSubstr("unknown.c:3: calls nobody_has_this, which Heddle does not know"),
                    HasSubstr("heddle doctor --list-externals")));
  write("letter.c", "int i(void);\nint main(void) { return i(); }\n");
  EXPECT_THAT(error_of({"letter.c"}), HasSubstr("letter.c:2: calls i, which Heddle does not know"));
  write("assembly.c", "int main(void) {\n  int x;\n  __asm__(\"cpuid\" : \"=a\"(x));\n  return x;\n}\n");
  EXPECT_THAT(error_of({"assembly.c"}), HasSubstr("assembly.c:3: the program uses the inline assembly \"cpuid\""));
}

TEST_F(NativeInput, AProgramThatNeverEndsIsToldSo) {
  write("polls.cpp", R"(#include <mutex>
#include <thread>
std::mutex m;
int ready = 0;
int main() {
  std::thread t([] {
    for (;;) {
      std::lock_guard guard(m);
      if (ready != 0) return;
    }
  });
  t.join();
}
)");
  const Outcome run = heddle({"check", "polls.cpp"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("no run ends: in every state some thread can go on"));
  write("main.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(heddle({"check", "main.c"}).out, Not(HasSubstr("no run ends")));
}

TEST_F(NativeInput, ExternalsAreListed) {
  const Outcome list = heddle({"doctor", "--list-externals"});
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* name :
       {"\npthread_mutex_lock\n", "\nprintf\n", "\nsqrt\n", "\nstd::thread::join()\n", "\nmalloc\n"}) {
    EXPECT_THAT(list.out, HasSubstr(name));
  }
  EXPECT_THAT(list.out, Not(HasSubstr("__heddle_")));
  const auto json = heddle({"doctor", "--list-externals", "--json"}).json();
  EXPECT_GT(json.at("externals").as_array().size(), 200u);
}

TEST_F(NativeInput, AFileThatIsNotThere) {
  EXPECT_EQ(error_of({"nowhere.cpp"}), "error: there is no file 'nowhere.cpp'");
  EXPECT_EQ(error_of({"nowhere.c"}), "error: there is no file 'nowhere.c'");
}

// As natively: what no computer has is refused. What Heddle does not have is an error.
TEST_F(NativeInput, MuchMemory) {
  write("much.c", R"(#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
  const size_t all = (size_t)-1;
  assert(malloc(all) == NULL && errno == ENOMEM);
  assert(calloc(all / 2 + 1, 1) == NULL && calloc(all, 2) == NULL && aligned_alloc(16, all) == NULL);
  char* some = malloc(1);
  *some = 7;
  assert(realloc(some, all) == NULL && *some == 7);
  free(some);
}
)");
  EXPECT_EQ(heddle({"check", "much.c"}).code, 0);
  write("more.c", "#include <stdlib.h>\nint main(void) { return malloc(1 << 30) == 0; }\n");
  EXPECT_THAT(error_of({"more.c"}), HasSubstr("more.c:2"));
}

TEST_F(NativeInput, ThrowThatIsReached) {
  write("throw.cpp", "int main(int count, char**) {\n  if (count > 0)\n    throw 1;\n  return 0;\n}\n");
  EXPECT_THAT(error_of({"throw.cpp"}), HasSubstr("throw.cpp:3"));
}

TEST_F(NativeInput, WhatDoesNotEnd) {
  write("endless.c", "int main(void) {\n  for (volatile int i = 0;; ++i) {}\n}\n");
  const Outcome endless = heddle({"check", "endless.c"});
  EXPECT_EQ(endless.code, 1) << endless.out << endless.err;
  EXPECT_THAT(endless.last_line(), StartsWith("violated: endless "));
  EXPECT_THAT(endless.out, HasSubstr("endless.c:2"));

  write("deep.c", "int f(int x) {\n  return f(x + 1) + 1;\n}\nint main(void) { return f(0); }\n");
  EXPECT_THAT(error_of({"deep.c"}), HasSubstr("deep.c:2: calls are 10000 deep"));

  // Before any thread is started.
  write("alone.c", "#include <stdatomic.h>\natomic_int said;\nint main(void) {\n  while (!said) {\n  }\n}\n");
  const Outcome alone = heddle({"check", "alone.c"});
  EXPECT_EQ(alone.code, 1) << alone.out << alone.err;
  EXPECT_THAT(alone.last_line(), StartsWith("violated: spin "));
  write("itself.c", R"(#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}
)");
  const Outcome itself = heddle({"check", "itself.c"});
  EXPECT_EQ(itself.code, 1) << itself.out << itself.err;
  EXPECT_THAT(itself.out,
              AllOf(HasSubstr("for mutex at itself.c:5, which it has taken itself"), Not(HasSubstr("lanes"))));

  write("spin.c", R"(#include <pthread.h>
#include <stdatomic.h>
atomic_int said;
static void* wait(void* unused) {
  while (!said) {
  }
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, wait, 0);
  pthread_join(other, 0);
  return 0;
}
)");
  const Outcome spin = heddle({"check", "spin.c"});
  EXPECT_EQ(spin.code, 1) << spin.out << spin.err;
  EXPECT_THAT(spin.last_line(), StartsWith("violated: spin "));
  EXPECT_THAT(spin.out, HasSubstr("spin.c:5"));
}

TEST_F(NativeInput, TooManyThreadsAndObjects) {
  write("threads.c", R"(#include <assert.h>
#include <pthread.h>
static void* work(void* unused) { return unused; }
int main(void) {
  for (int i = 0; i < 40; ++i) {
    pthread_t thread;
    assert(pthread_create(&thread, 0, work, 0) == 0);
    pthread_detach(thread);
  }
  return 0;
}
)");
  EXPECT_THAT(error_of({"threads.c", "--time", "60"}),
              AllOf(HasSubstr("threads.c:7"), HasSubstr("at most 30 at a time")));
  // Those that somebody has waited for do not count, and a new one has nothing of theirs.
  write("one_by_one.c", R"(#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int* kept[40];
static void* work(void* i) {
  kept[(long)i] = malloc(sizeof(int));
  *kept[(long)i] = (int)(long)i;
  return (long)i % 2 == 0 ? i : 0;
}
int main(void) {
  for (long i = 0; i < 40; ++i) {
    pthread_t thread;
    void* result = &thread;
    assert(pthread_create(&thread, 0, work, (void*)i) == 0);
    assert(pthread_join(thread, i % 3 == 0 ? 0 : &result) == 0);
    assert(i % 3 == 0 || result == (i % 2 == 0 ? (void*)i : 0));
  }
  for (int i = 0; i < 40; ++i) assert(*kept[i] == i);
  return 0;
}
)");
  const Outcome one_by_one = heddle({"check", "one_by_one.c"});
  EXPECT_EQ(one_by_one.code, 0) << one_by_one.out << one_by_one.err;
  write("objects.c", R"(#include <stdlib.h>
static void* all[10000];
int main(void) {
  for (int i = 0; i < 10000; ++i)
    all[i] = malloc(8);
  return all[9999] == 0;
}
)");
  EXPECT_THAT(error_of({"objects.c", "--time", "60"}), AllOf(HasSubstr("objects.c:5"), HasSubstr("objects")));
}

TEST_F(NativeInput, DamagedImageIsMadeAgain) {
  environment["XDG_CACHE_HOME"] = (home / "cache").string();
  write("queue.cpp", queue);
  const std::vector<std::string> check = {"check", "queue.cpp", "--client", "push(1) | pop()"};
  ASSERT_EQ(heddle(check).code, 0);
  const auto image = [&] {
    for (const auto& entry : fs::directory_iterator(home / "cache" / "heddle")) {
      if (entry.path().extension() == ".image") return entry.path();
    }
    return fs::path();
  }();
  const std::string whole = read(image);
  // What the list of files vouches for, and is wrong all the same: cut off, of another version, empty.
  std::string other_version = whole;
  other_version[8] = 99;
  for (const std::string& bytes : {whole.substr(0, whole.size() / 2), other_version, std::string()}) {
    std::ofstream(image, std::ios::binary) << bytes;
    fs::path list = image;
    list.replace_extension(".files");
    const std::string text = read(list);
    const auto second = text.find('\n') + 1;
    std::ofstream(list, std::ios::binary)
        << text.substr(0, second) << run::hash_text(bytes) << text.substr(text.find('\n', second));
    EXPECT_EQ(heddle(check).code, 0);
    EXPECT_EQ(read(image), whole);
  }
}

// Two source trees that share a cache have programs heddle-lower of their own.
TEST_F(NativeInput, AnImageBelongsToTheTreeThatMadeIt) {
  write("queue.cpp", queue);
  const run::ProgramFiles program{.sources = {home / "queue.cpp"}};
  const run::ComponentTree& one = run::own_components();
  run::ComponentTree other = one;
  other.prefix = home;
  EXPECT_EQ(run::image_key(program, one), run::image_key(program, run::own_components()));
  EXPECT_NE(run::image_key(program, one), run::image_key(program, other));
}

TEST_F(NativeInput, ClangIsNotThere) {
  environment["XDG_CACHE_HOME"] = (home / "cache").string();
  environment["HEDDLE_CLANG"] = "/nowhere/clang-19";
  write("main.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(error_of({"main.c"}), HasSubstr("cannot run /nowhere/clang-19; install the package clang-19"));
}

TEST_F(NativeInput, TheFirstLineSaysWhichDoorWasTaken) {
  write("main.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(heddle({"check", "main.c"}).out, StartsWith("program main.c\n"));
  ASSERT_EQ(heddle({"new", "lock"}).code, 0);
  EXPECT_THAT(heddle({"check", "lock.cpp"}).out, StartsWith("protocol lock ("));
}

}  // namespace
}  // namespace heddle::cli::native_input_test
