// Classes that are right as long as nobody contends, for native_history_test.cpp: which one is checked is a macro.
#include <atomic>
#include <mutex>
#include <optional>

#include <heddle/native.h>

// A register whose readers do not wait: if somebody holds the lock, a reader takes what the latest reader saw.
class StaleRegister {
 public:
  void write(int value) {
    const std::lock_guard guard(mutex_);
    value_ = value;
  }
  int read() {
    if (mutex_.try_lock()) {
      seen_.store(value_);
      mutex_.unlock();
    }
    return seen_.load();
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
  std::atomic<int> seen_{0};
};

// A counter whose increments get lost.
class LossyCounter {
 public:
  int get_and_add(int amount) {
    const int before = count_.load();
    count_.store(before + amount);
    return before;
  }
  int read() { return count_.load(); }

 private:
  std::atomic<int> count_{0};
};

// A queue of two lanes: who finds the first one taken puts its value into the second.
class LaneQueue {
 public:
  void enqueue(int value) {
    Lane& lane = lanes_[0].mutex.try_lock() ? lanes_[0] : lanes_[1];
    if (&lane == &lanes_[1]) lane.mutex.lock();
    lane.items[lane.tail++] = value;
    lane.mutex.unlock();
  }
  std::optional<int> dequeue() {
    for (Lane& lane : lanes_) {
      const std::lock_guard guard(lane.mutex);
      if (lane.head < lane.tail) return lane.items[lane.head++];
    }
    return std::nullopt;
  }

 private:
  struct Lane {
    std::mutex mutex;
    int items[8] = {}, head = 0, tail = 0;
  };
  Lane lanes_[2];
};

// Right.
class Register {
 public:
  void write(int value) { value_.store(value); }
  int read() { return value_.load(); }

 private:
  std::atomic<int> value_{0};
};

#if defined(STALE_REGISTER)
HEDDLE_HARNESS(StaleRegister, write, read)
#elif defined(LOSSY_COUNTER)
HEDDLE_HARNESS(LossyCounter, get_and_add, read)
#elif defined(LANE_QUEUE)
HEDDLE_HARNESS(LaneQueue, enqueue, dequeue)
#else
HEDDLE_HARNESS(Register, write, read)
#endif
