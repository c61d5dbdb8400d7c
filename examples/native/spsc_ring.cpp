// A ring between one producer and one consumer, without locks (Lamport, Proving the correctness of multiprocess
// programs, 1977): the producer alone moves the tail, the consumer alone the head.
//
//   heddle check spsc_ring.cpp --client 'push(1); push(2); push(3) | pop(); pop(); pop()'        holds
//   heddle check spsc_ring.cpp --client 'push(1) | push(2)'      two producers: not what it is made for
//   heddle check spsc_ring.cpp --client ... -- -DBUG_...         see below
//
// The cells are plain memory: writing a cell happens before the consumer reads it because of the tail, and reading it
// happens before it is written again because of the head.
//
// expect --client 'push(1); push(2); push(3) | pop(); pop(); pop()': holds
// expect --client 'push(1) | push(2)': violated race
// expect -DBUG_PUBLISH_FIRST --client 'push(1) | pop()': violated race
// expect -DBUG_PUBLISH_FIRST --races allow --client 'push(1) | pop()': violated linearizability
// expect -DBUG_FREE_FIRST --client 'push(1); push(2); push(3) | pop()': violated race
// expect -DBUG_FREE_FIRST --races allow --client 'push(1); push(2); push(3) | pop()': violated linearizability
// expect -DBUG_PLAIN_TAIL --client 'push(1) | pop()': violated race
#include <heddle/native.h>
#include <atomic>
#include <optional>

class Ring {
  static constexpr unsigned capacity = 2;
  int cells_[capacity] = {};
  std::atomic<unsigned> head_{0};
#ifdef BUG_PLAIN_TAIL
  unsigned tail_ = 0;
#else
  std::atomic<unsigned> tail_{0};
#endif

 public:
  bool push(int value) {
    const unsigned tail = tail_;
    if (tail - head_ == capacity) return false;
#ifdef BUG_PUBLISH_FIRST
    tail_ = tail + 1;                 // BUG_PUBLISH_FIRST: from here
    cells_[tail % capacity] = value;  // BUG_PUBLISH_FIRST: to here
#else
    cells_[tail % capacity] = value;
    tail_ = tail + 1;
#endif
    return true;
  }

  std::optional<int> pop() {
    const unsigned head = head_;
    if (head == tail_) return std::nullopt;
#ifdef BUG_FREE_FIRST
    head_ = head + 1;
    const int value = cells_[head % capacity];
#else
    const int value = cells_[head % capacity];
    head_ = head + 1;
#endif
    return value;
  }
};

HEDDLE_HARNESS(Ring, push, pop)
