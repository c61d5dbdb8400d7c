// How runs of programs in C and C++ end, in words and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::native_endings_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using NativeEndings = ProgramTest;

TEST_F(NativeEndings, AFailureHidesNoRaceOfItsStep) {
  write("fails.c", R"(#include <assert.h>
#include <pthread.h>
int g;
static void* f(void* u) { return g ? u : 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, &t);
  g = 1;
  assert(0);
}
)");
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{}, {"--reduce", "none"}, {"--reduce", "lazy"}, {"--search", "dpor"}}) {
    std::vector<std::string> words = {"check", "fails.c", "--all"};
    words.insert(words.end(), how.begin(), how.end());
    const Outcome run = heddle(words);
    EXPECT_THAT(run.out, AllOf(HasSubstr("race: main writes g at fails.c:8"), HasSubstr("assertion: main fails")));
  }
}

TEST_F(NativeEndings, AnInterruptedStepIsUnknown) {
  write("loop.c", "volatile int x;\nint main(void) {\n  for (;;) x++;\n}\n");
  heddle({"check", "loop.c", "--states", "1"});  // compiles it
  const Outcome run = heddle({"check", "loop.c"}, 3, SIGINT);
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(run.last_line(), StartsWith("unknown: interrupted"));
}

TEST_F(NativeEndings, AVariableThatNoFileDefinesIsNamed) {
  write("extern.c", "extern int ev;\nint main(void) {\n  return ev;\n}\n");
  const Outcome run = heddle({"check", "extern.c"});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.last_line(), HasSubstr("extern.c:3: uses the variable ev, which no file defines"));
  // Nobody minds where it is not used.
  write("unused.c", "extern int ev;\nint main(int count, char** words) {\n  return words[0][0] == 0 ? ev : 0;\n}\n");
  EXPECT_EQ(heddle({"check", "unused.c"}).code, 0);
}

TEST_F(NativeEndings, ALocalVariableThatRacesEnds) {
  write("ends.c", R"(#include <pthread.h>
int* _Atomic p;
static void* a(void* u) {
  int l = 1;
  p = &l;
  return u;
}
static void* b(void* u) {
  int* q = p;
  if (q) *q = 2;
  return u;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
)");
  const Outcome run = heddle({"check", "ends.c"});
  EXPECT_THAT(run.out, AllOf(HasSubstr("thread 1 ends l 1.1 at ends.c:7"),
                             HasSubstr("thread 2 writes l 1.1 at ends.c:10"), Not(HasSubstr("thread 1 writes l"))));
}

TEST_F(NativeEndings, AnUninitialisedExitCodeIsBlamedOnMain) {
  write("code.c", "int main(void) {\n  int x;\n  return x;\n}\n");
  const Outcome run = heddle({"check", "code.c"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("main fails at code.c:3: the exit code depends on the uninitialised variable x"));
}

}  // namespace
}  // namespace heddle::cli::native_endings_test
