// Atomics: every operation, references, flags, fences, floating point, pointers, structs, shared pointers, waiting.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>

namespace {

std::atomic<unsigned> bits{0};
std::atomic<std::int8_t> narrow{120};
std::atomic<std::int64_t> wide{1};
std::atomic<double> real{0.5};
std::atomic<int*> pointer{nullptr};
std::atomic_flag flag = ATOMIC_FLAG_INIT;
std::atomic<std::shared_ptr<int>> owner;
int cells[4] = {1, 2, 3, 4};
int plain = 0, published = 0;
std::atomic<bool> ready{false};

struct Point {
  int x, y;
  bool operator==(const Point&) const = default;
};
std::atomic<Point> point{Point{1, 2}};

void spin_lock() {
  while (flag.test_and_set(std::memory_order_acquire)) flag.wait(true);
}
void spin_unlock() {
  flag.clear(std::memory_order_release);
  flag.notify_one();
}

void work(unsigned me) {
  bits.fetch_or(1u << me);
  bits.fetch_xor(16u);
  wide.fetch_add(me + 1);
  narrow.fetch_sub(static_cast<std::int8_t>(me));
  real.fetch_add(0.25);
  std::atomic_ref<int> reference(plain);
  reference.fetch_add(5);
  int expected = 0;
  while (!reference.compare_exchange_weak(expected, expected + 1)) {
  }
  Point old = point.load();
  while (!point.compare_exchange_strong(old, Point{old.x + 1, old.y + 2})) {
  }
  spin_lock();
  published += 10;
  spin_unlock();
  auto mine = owner.load();
  while (!owner.compare_exchange_strong(mine, std::make_shared<int>((mine ? *mine : 0) + 1))) {
  }
}

void publish() {
  cells[0] = 9;
  std::atomic_thread_fence(std::memory_order_release);
  ready.store(true, std::memory_order_relaxed);
  ready.notify_all();
}

}  // namespace

int main() {
  std::thread a(work, 0u), b(work, 1u);
  a.join();
  b.join();
  std::thread publisher(publish);
  ready.wait(false, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  const int seen = cells[0];
  publisher.join();
  std::atomic_signal_fence(std::memory_order_seq_cst);

  pointer = cells;
  int* const second = pointer.fetch_add(1) + 1;
  pointer += 2;
  const unsigned before = bits.exchange(0xF0), masked = bits.fetch_and(0x3C);
  bits |= 1u;
  bits ^= 3u;
  bits &= ~4u;
  const auto up = ++wide;
  const auto down = wide--;
  int expected = 3;
  const bool failed =
      !std::atomic_compare_exchange_strong(reinterpret_cast<std::atomic<int>*>(&cells[1]), &expected, 8);
  std::printf("%u %u %u %d %lld %lld %.2f %d %d %d\n", before, masked, bits.load(), narrow.load(),
              static_cast<long long>(up), static_cast<long long>(down), real.load(), plain, published, seen);
  std::printf("%d %d %d %d %d %d %d %d\n", *second, *pointer.load(), point.load().x, point.load().y, *owner.load(),
              failed, expected, std::atomic<Point>::is_always_lock_free);
  return 0;
}
