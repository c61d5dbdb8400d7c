// A bounded queue of work between producers and consumers: a monitor with two condition variables (Hoare, Monitors: an
// operating system structuring concept, 1974; signals as in Mesa, Lampson and Redell 1980: who wakes must look again).
//
//   heddle check work_queue.cpp                     holds
//   heddle check work_queue.cpp -- -DBUG_...        see below
//
// expect: holds
// expect -DBUG_WAIT_ONCE: violated assertion
// expect -DBUG_ONE_CONDITION: violated deadlock
// expect -DBUG_NO_NOTIFY: violated deadlock
// expect -DBUG_UNLOCKED_TEST: violated race
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class WorkQueue {
  static constexpr int capacity = 1;
  std::mutex mutex_;
  std::condition_variable not_full_;
#ifdef BUG_ONE_CONDITION
  std::condition_variable& not_empty_ = not_full_;  // notify_one may wake one of the same kind
#else
  std::condition_variable not_empty_;
#endif
  int items_[capacity] = {};
  int first_ = 0, size_ = 0;

 public:
  void put(int item) {
    std::unique_lock<std::mutex> lock(mutex_);
#ifdef BUG_WAIT_ONCE
    if (size_ == capacity) not_full_.wait(lock);
#else
    while (size_ == capacity) not_full_.wait(lock);
#endif
    assert(size_ < capacity);
    items_[(first_ + size_++) % capacity] = item;
    not_empty_.notify_one();
  }

  int take() {
#ifdef BUG_UNLOCKED_TEST
    if (size_ == 0) std::this_thread::yield();  // a look that costs no lock, it seems
#endif
    std::unique_lock<std::mutex> lock(mutex_);
#ifdef BUG_WAIT_ONCE
    if (size_ == 0) not_empty_.wait(lock);
#else
    while (size_ == 0) not_empty_.wait(lock);
#endif
    assert(size_ > 0);
    const int item = items_[first_];
    first_ = (first_ + 1) % capacity;
    --size_;
#ifndef BUG_NO_NOTIFY
    not_full_.notify_one();
#endif
    return item;
  }
};

static WorkQueue queue;
static int done[3];

static void produce(int item) { queue.put(item); }
static void consume() { done[queue.take()] = 1; }

int main() {
  std::thread first_producer(produce, 0), second_producer(produce, 1);
  std::thread first_consumer(consume), second_consumer(consume);
  queue.put(2);
  consume();
  first_producer.join();
  second_producer.join();
  first_consumer.join();
  second_consumer.join();
  assert(done[0] && done[1] && done[2]);  // nothing is lost
}
