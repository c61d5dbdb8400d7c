// Waiting in C++: condition variables of any lock, stop tokens, timed waits, barriers and latches, exits of threads.
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;

class Mailbox {
 public:
  void put(std::string text) {
    std::unique_lock guard(mutex_);
    text_ = std::move(text);
    full_ = true;
    changed_.notify_all();
  }
  bool take(std::stop_token token, std::string& out) {
    std::unique_lock guard(mutex_);
    if (!changed_.wait(guard, token, [this] { return full_; })) return false;
    out = text_;
    full_ = false;
    return true;
  }

 private:
  std::shared_mutex mutex_;
  std::condition_variable_any changed_;
  std::string text_;
  bool full_ = false;
};

std::mutex mutex;
std::condition_variable condition;
bool ready = false;

bool wait_a_while() {
  std::unique_lock guard(mutex);
  while (!condition.wait_for(guard, 10ms, [] { return ready; })) {
  }
  while (condition.wait_until(guard, std::chrono::steady_clock::now() + 1ms) == std::cv_status::no_timeout && !ready) {
  }
  return ready;
}

}  // namespace

int main() {
  Mailbox box;
  std::string got;
  bool stopped = false;
  {
    std::jthread reader([&](std::stop_token token) {
      box.take(token, got);
      std::string more;
      stopped = !box.take(token, more);
    });
    box.put("letter");
    while (true) {
      std::this_thread::yield();
      if (reader.request_stop()) break;
    }
  }

  int callbacks = 0;
  std::stop_source source;
  {
    std::stop_callback first(source.get_token(), [&] { ++callbacks; });
    source.request_stop();
    std::stop_callback second(source.get_token(), [&] { ++callbacks; });
  }

  bool woken = false;
  std::thread waiter([&] { woken = wait_a_while(); });
  {
    std::lock_guard guard(mutex);
    ready = true;
  }
  condition.notify_one();
  waiter.join();

  std::latch latch(2);
  std::counting_semaphore<3> permits(0);
  int sum = 0;
  std::thread counter([&] {
    latch.count_down();
    permits.acquire();
    sum += 1;
    permits.release(2);
  });
  latch.arrive_and_wait();
  permits.release();
  counter.join();
  const bool both = permits.try_acquire() && permits.try_acquire() && !permits.try_acquire();

  int rounds = 0;
  std::barrier meeting(2, [&rounds]() noexcept { ++rounds; });
  std::thread visitor([&] {
    meeting.arrive_and_wait();
    meeting.arrive_and_drop();
  });
  meeting.arrive_and_wait();
  meeting.wait(meeting.arrive());
  visitor.join();
  meeting.arrive_and_wait();

  std::condition_variable at_exit;
  bool gone = false;
  std::thread last([&] {
    std::unique_lock guard(mutex);
    gone = true;
    std::notify_all_at_thread_exit(at_exit, std::move(guard));
  });
  {
    std::unique_lock guard(mutex);
    at_exit.wait(guard, [&] { return gone; });
  }
  last.join();
  std::this_thread::sleep_for(1ms);
  const bool some = std::thread::hardware_concurrency() < 10'000;
  std::printf("%d %d %d %d %d %d %d %d %d\n", stopped || got == "letter", got == "letter" || got.empty(), callbacks,
              woken, sum, both, rounds, gone, some);
  return 0;
}
