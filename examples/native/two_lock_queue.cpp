// The two-lock queue of Michael and Scott (PODC 1996): a linked list with a dummy node; one lock for the head, one for
// the tail, so that an enqueue and a dequeue go on side by side.
//
//   heddle check two_lock_queue.cpp                     holds
//   heddle check two_lock_queue.cpp -- -DBUG_...        see below
//
// Of an empty queue, the link of the dummy is written under one lock and read under the other: it is an atomic. The old
// dummy is freed: who holds the lock of the tail does not touch the node before the last any more.
//
// expect: holds
// expect -DBUG_PLAIN_NEXT: violated race
// expect -DBUG_NO_HEAD_LOCK: violated race
// expect -DBUG_VALUE_TOO_LATE --client 'enqueue(1); enqueue(2); dequeue() | dequeue()': violated race
// expect -DBUG_EMPTY_BY_TAIL: violated race
// expect -DBUG_LET_GO --client 'enqueue(1); enqueue(2); dequeue() | dequeue()': violated linearizability
// expect -DBUG_NO_UNLOCK: violated deadlock
#include <heddle/native.h>
#include <atomic>
#include <mutex>
#include <optional>

template <class T>
class Queue {
  struct Node {
    T value{};
#ifdef BUG_PLAIN_NEXT
    Node* next{nullptr};
#else
    std::atomic<Node*> next{nullptr};
#endif
  };
  Node* head_ = new Node;
  Node* tail_ = head_;
  std::mutex head_mutex_, tail_mutex_;

 public:
  void enqueue(T value) {
    Node* const node = new Node{value};
    std::lock_guard<std::mutex> lock(tail_mutex_);
    tail_->next = node;
    tail_ = node;
  }

  std::optional<T> dequeue() {
#if defined BUG_NO_HEAD_LOCK
    std::unique_lock<std::mutex> lock(head_mutex_, std::defer_lock);
#else
    std::unique_lock<std::mutex> lock(head_mutex_);
#endif
    Node* const dummy = head_;  // BUG_LET_GO: from here
#ifdef BUG_EMPTY_BY_TAIL
    if (dummy == tail_) return std::nullopt;
#endif
    Node* const next = dummy->next;
    if (next == nullptr) {
#ifdef BUG_NO_UNLOCK
      lock.release();  // an early return that forgets the lock
#endif
      return std::nullopt;
    }
#ifdef BUG_VALUE_TOO_LATE
    head_ = next;
    lock.unlock();
    const T value = next->value;  // as the dummy it may be freed already
#else
#ifdef BUG_LET_GO
    lock.unlock();
    lock.lock();  // another may have taken the same value
#endif
    const T value = next->value;
    head_ = next;  // BUG_LET_GO: to here
#endif
#ifndef BUG_LET_GO
    delete dummy;
#endif
    return value;
  }
};

HEDDLE_HARNESS(Queue<int>, enqueue, dequeue)
