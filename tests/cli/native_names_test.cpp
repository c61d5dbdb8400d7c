// Pictures of programs call objects, their parts and their values as the source does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"
#include "support/golden.h"

namespace heddle::cli::native_names_test {
namespace {

using NativeNames = ProgramTest;

// What stands between the first line and the verdict.
std::string picture(const Outcome& outcome) {
  const std::size_t begin = outcome.out.find('\n'), end = outcome.out.find("\ntrace in ");
  return begin < end && end != std::string::npos ? outcome.out.substr(begin, end - begin + 1) : outcome.out;
}

TEST_F(NativeNames, OfClasses) {
  write("names.cpp", R"(#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
enum class State { idle, busy, done };
struct Counted {
  int references = 1;
};
struct Node : Counted {
  std::atomic<int> value{7};
  unsigned narrow : 3 = 5, wide : 20 = 9;
  std::pair<short, double> pair{1, 2.5};
  Node* next = nullptr;
};
struct Queue {
  std::mutex lock;
  std::condition_variable more;
  State state = State::idle;
  union {
    long number;
    void* pointer;
  };
  std::atomic<Node*> head{nullptr};
  std::unique_ptr<Node[]> spare;
  bool flags[3] = {};
};
int main() {
  Queue queue;
  queue.number = 3;
  std::thread other([&queue] {
    std::lock_guard guard(queue.lock);
    queue.state = State::busy;
    Node* node = new Node;
    queue.head = node;
    node->value = 8;
    node->pair.second = 1.5;
    node->next = node;
    queue.number = 4;
    queue.flags[2] = true;
    queue.spare = std::make_unique<Node[]>(2);
    queue.spare[1].next = &queue.spare[1];
    queue.spare[1].narrow = 2;
    queue.more.notify_one();
  });
  other.join();
  assert(queue.state == State::idle);
}
)");
  const Outcome outcome = heddle({"check", "names.cpp", "--races", "allow"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  support::expect_golden("cli/golden/native_names.txt", picture(outcome));
}

// Two members, or two variables, of one name are not the same.
TEST_F(NativeNames, ThatAreThereTwice) {
  write("twice.cpp", R"(#include <cassert>
#include <optional>
#include <thread>
struct A {
  int a;
};
struct B {
  int a;
};
struct C : A, B {
} c;
struct {
  struct {
    int x;
  };
  unsigned low : 4, high : 12;
} anonymous;
std::optional<int> some, other;
thread_local int own;
int* shared;
int count() {
  int sum = 0;
  {
    static int calls;
    sum += ++calls;
  }
  {
    static int calls;
    sum += calls += 10;
  }
  return sum;
}
int main() {
  std::thread thread([] {
    c.A::a = 1;
    anonymous.x = 2;
    anonymous.high = 200;
    some = 5;
    other = some;
    shared = &own;
    own = count();
  });
  thread.join();
  c.B::a = 2;
  assert(c.A::a == 2);
}
)");
  const Outcome outcome = heddle({"check", "twice.cpp", "--races", "allow"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  support::expect_golden("cli/golden/native_names_twice.txt", picture(outcome));
}

TEST_F(NativeNames, OfC) {
  write("names.c", R"(#include <pthread.h>
#include <stdlib.h>
struct item {
  struct item* next;
  char text[4];
};
struct {
  pthread_mutex_t lock[2];
  struct item* first;
  float load;
} shared;
_Atomic unsigned total;
static void* work(void* unused) {
  struct item* made = malloc(sizeof *made);
  made->next = shared.first;
  made->text[1] = 'x';
  pthread_mutex_lock(&shared.lock[1]);
  shared.first = made;
  shared.load = 0.5f;
  total--;
  made->text[2] = 'y';
  pthread_mutex_unlock(&shared.lock[1]);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&shared.lock[0]);
  if (shared.first) shared.first->text[3] = 'z';
  pthread_mutex_unlock(&shared.lock[0]);
  pthread_join(thread, 0);
  free(shared.first);
  return 0;
}
)");
  const Outcome race = heddle({"check", "names.c"});
  EXPECT_EQ(race.code, 1) << race.err;
  support::expect_golden("cli/golden/native_names_race.txt", picture(race));
}

}  // namespace
}  // namespace heddle::cli::native_names_test
