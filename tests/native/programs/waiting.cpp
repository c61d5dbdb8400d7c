// Waiting in the ways of C++20: atomic wait, latch, barrier, semaphores, jthread, shared_mutex, call_once, futures.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

namespace {
std::atomic<int> flag{0};
std::atomic<bool> small{false};
std::latch start{2};
std::counting_semaphore<4> slots{1};
std::binary_semaphore done{0};
std::shared_mutex shared;
std::once_flag once;
int value = 0, inits = 0, phases = 0;

void work(int me) {
  start.arrive_and_wait();
  std::call_once(once, [] { ++inits; });
  flag.wait(0);
  small.wait(false);
  slots.acquire();
  {
    std::unique_lock guard(shared);
    value += me;
  }
  slots.release();
  {
    std::shared_lock guard(shared);
    if (value == 3) done.release();
  }
}
}  // namespace

int main() {
  {
    std::jthread a(work, 1), b(work, 2);
    flag.store(1);
    flag.notify_all();
    small.store(true);
    small.notify_all();
    done.acquire();
  }
  auto on_completion = []() noexcept { ++phases; };
  std::barrier barrier(2, on_completion);
  std::thread c([&] {
    for (int i = 0; i < 2; ++i) barrier.arrive_and_wait();
  });
  for (int i = 0; i < 2; ++i) barrier.arrive_and_wait();
  c.join();

  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread d([&promise] { promise.set_value(42); });
  const int answer = future.get();
  d.join();
  auto later = std::async(std::launch::async, [] { return 7; });
  auto lazy = std::async(std::launch::deferred, [] { return 8; });
  std::packaged_task<int(int)> task([](int x) { return x * 2; });
  auto doubled = task.get_future();
  std::thread e(std::move(task), 21);
  e.join();

  std::atomic<int> polled{0};
  std::jthread stopper([&polled](std::stop_token token) {
    while (!token.stop_requested()) polled.store(1);
  });
  stopper.request_stop();
  stopper.join();
  std::printf("%d %d %d %d %d %d %d %d\n", value, inits, phases, answer, later.get(), lazy.get(), doubled.get(),
              flag.load());
  return 0;
}
