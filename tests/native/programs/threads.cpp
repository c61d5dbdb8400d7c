// std::thread, mutex, condition_variable, atomic, lock guards.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {
std::mutex lock;
std::condition_variable ready;
std::atomic<int> hits{0};
int turn = 0;
thread_local int own = 1;

class Counter {
 public:
  void add(int by) {
    std::lock_guard guard(mutex_);
    value_ += by;
  }
  int value() const {
    std::lock_guard guard(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  int value_ = 0;
};
}  // namespace

int main() {
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([i, &counter] {
      own += i;
      std::unique_lock guard(lock);
      ready.wait(guard, [i] { return turn == i; });
      std::printf("thread %d own %d\n", i, own);
      ++turn;
      ready.notify_all();
      guard.unlock();
      counter.add(i);
      hits.fetch_add(1, std::memory_order_relaxed);
    });
  }
  for (auto& thread : threads) thread.join();
  std::printf("%d %d %d\n", counter.value(), hits.load(), own);
  return 0;
}
