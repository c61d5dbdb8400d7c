// The queue of Michael and Scott (PODC 1996): a linked list with a dummy node, swung by compare-and-swap.
//
//   heddle check michael_scott_queue.cpp                  holds
//   heddle check michael_scott_queue.cpp -- -DBUG_...     see below
//
// Nodes that were dequeued are not freed, so that none is used again: reclamation is another problem.
//
// expect: holds
// expect -DBUG_BLIND_LINK: violated linearizability
// expect -DBUG_PLAIN_VALUE: violated race
// expect --history: holds
// expect --linearizable queue: holds
// expect --linearizable queue -DBUG_BLIND_LINK: violated linearizability
#include <heddle/native.h>
#include <atomic>
#include <optional>

template <class T>
class Queue {
  struct Node {
    T value{};
    std::atomic<Node*> next{nullptr};
  };
  std::atomic<Node*> head_, tail_;

 public:
  Queue() {
    Node* dummy = new Node;
    head_ = dummy;
    tail_ = dummy;
  }

  void enqueue(T value) {
    Node* node = new Node;
#ifndef BUG_PLAIN_VALUE
    node->value = value;
#endif
    for (;;) {
      Node* tail = tail_;
      Node* next = tail->next;  // BUG_BLIND_LINK: from here
      if (tail != tail_) continue;
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next);  // help another that has linked its node
        continue;
      }
#ifdef BUG_BLIND_LINK
      tail->next = node;  // BUG_BLIND_LINK: to here; may overwrite a node that another has linked
      tail_.compare_exchange_strong(tail, node);
      return;
#else
      if (tail->next.compare_exchange_strong(next, node)) {
        tail_.compare_exchange_strong(tail, node);
#ifdef BUG_PLAIN_VALUE
        node->value = value;  // too late: others see the node already
#endif
        return;
      }
#endif
    }
  }

  std::optional<T> dequeue() {
    for (;;) {
      Node* head = head_;
      Node* tail = tail_;
      Node* next = head->next;
      if (head != head_) continue;
      if (next == nullptr) return std::nullopt;
      if (head == tail) {
        tail_.compare_exchange_strong(tail, next);
        continue;
      }
      const T value = next->value;
      if (head_.compare_exchange_strong(head, next)) return value;
    }
  }
};

HEDDLE_HARNESS(Queue<int>, enqueue, dequeue)
