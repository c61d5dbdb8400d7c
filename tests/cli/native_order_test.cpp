// What a program reads and writes happens in the order of its source, whatever heddle-lower makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle::cli::native_order_test {
namespace {

using NativeOrder = ProgramTest;

// LLVM makes registers of `from` and `local`. Nothing forbids it to read `data` where `from` is chosen, which is before
// `flag` is read, unless all reads of shared memory are pinned meanwhile.
TEST_F(NativeOrder, AReadThroughAPointerToOneOfTwoIsNotMadeEarlier) {
  write("order.c", R"(#include <assert.h>
#include <pthread.h>
int data, flag;
static void* writer(void* unused) {
  data = 1;
  flag = 1;
  return unused;
}
static int is_consistent(int shared) {
  int local = 1;
  int* from;
  if (shared)
    from = &data;
  else
    from = &local;
  int seen = flag;
  int value = *from;
  return !seen || value == 1;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  assert(is_consistent(1));
  pthread_join(thread, 0);
  return 0;
}
)");
  const Outcome outcome = heddle({"check", "order.c", "--races", "allow"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.last_line(), testing::StartsWith("holds"));
}

}  // namespace
}  // namespace heddle::cli::native_order_test
