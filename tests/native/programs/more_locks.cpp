// Locks of C++ of every kind: recursive, timed, shared, several at once, adopted and handed over.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <utility>

namespace {

class Account {
 public:
  explicit Account(int money) : money_(money) {}
  friend void transfer(Account& from, Account& to, int amount) {
    std::scoped_lock guard(from.mutex_, to.mutex_);
    from.money_ -= amount;
    to.money_ += amount;
  }
  int money() const {
    std::lock_guard guard(mutex_);
    return money_;
  }

 private:
  mutable std::mutex mutex_;
  int money_;
};

class Tree {
 public:
  int add(int depth) {
    std::lock_guard guard(mutex_);
    ++nodes_;
    return depth == 0 ? nodes_ : add(depth - 1);
  }

 private:
  std::recursive_mutex mutex_;
  int nodes_ = 0;
};

class Cell {
 public:
  void set(int value) {
    const std::unique_lock guard(mutex_);
    value_ = value;
  }
  std::optional<int> try_get() {
    const std::shared_lock guard(mutex_, std::try_to_lock);
    if (!guard) return std::nullopt;
    return value_;
  }
  int get() {
    const std::shared_lock guard(mutex_);
    return value_;
  }

 private:
  std::shared_timed_mutex mutex_;
  int value_ = 0;
};

std::timed_mutex timed;
std::recursive_timed_mutex recursive_timed;
int by_timed = 0;

void take_in_time() {
  using namespace std::chrono_literals;
  for (;;) {
    if (timed.try_lock_for(5ms)) break;
    if (timed.try_lock_until(std::chrono::steady_clock::now() + 1ms)) break;
  }
  ++by_timed;
  timed.unlock();
}

std::unique_lock<std::mutex> locked(std::mutex& mutex) {
  std::unique_lock guard(mutex, std::defer_lock);
  guard.lock();
  return guard;
}

}  // namespace

int main() {
  Account a(100), b(50);
  std::thread there([&] { transfer(a, b, 30); }), back([&] { transfer(b, a, 10); });
  there.join();
  back.join();

  Tree tree;
  std::thread grower([&] { tree.add(3); });
  tree.add(2);
  grower.join();

  Cell cell;
  std::thread setter([&] { cell.set(7); });
  const std::optional<int> seen = cell.try_get();
  setter.join();

  std::thread first(take_in_time), second(take_in_time);
  first.join();
  second.join();

  recursive_timed.lock();
  const bool again = recursive_timed.try_lock();
  recursive_timed.unlock();
  recursive_timed.unlock();

  std::mutex one, two;
  std::lock(one, two);
  std::lock_guard adopted(one, std::adopt_lock);
  two.unlock();
  std::unique_lock handed = locked(two);
  std::unique_lock owner = std::move(handed);
  const bool busy = !two.try_lock();
  std::mutex* released = owner.release();
  released->unlock();
  const int free = std::try_lock(two, timed);
  std::printf("%d %d %d %d %d %d %d %d %d %d\n", a.money(), b.money(), tree.add(0), cell.get(),
              !seen || *seen == 0 || *seen == 7, by_timed, again, busy, handed.owns_lock(), free);
  two.unlock();
  timed.unlock();
  return 0;
}
