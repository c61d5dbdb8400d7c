// A sorted linked list as a set: walk without locks, lock two neighbours, look whether they still are neighbours, else
// begin again (Herlihy and Shavit, The Art of Multiprocessor Programming, section 9.6; `contains` does not lock). The
// numbers beside the code are lines of the Java class that it follows (OptimisticListSortedSetWaitFreeContains of
// Synchrobench); Cirisci's thesis (2022) seeds the two late locks and names blocks by them.
//
//   heddle check optimistic_list.cpp                             holds
//   heddle check optimistic_list.cpp -- -DBUG_LATE_LOCK_ADD      add looks before it locks
//   heddle check optimistic_list.cpp -- -DBUG_LATE_LOCK_REMOVE   remove does
//   heddle check optimistic_list.cpp -- -DBUG_LOCK_ORDER         remove locks the two nodes the other way round
//   heddle check optimistic_list.cpp -- -DBUG_PLAIN_NEXT         links are plain, though read without a lock
//
// What is removed is not freed: others may still walk through it.
//
// expect: holds
// expect -DBUG_LATE_LOCK_ADD: violated linearizability
// expect -DBUG_LATE_LOCK_REMOVE --client 'add(1); remove(1) | add(0); remove(1)': violated linearizability
// expect -DBUG_LOCK_ORDER: violated deadlock
// expect -DBUG_PLAIN_NEXT: violated race
//
// The clients of the thesis, and how many outcomes they have that are linearizable (lin) and that are not (bad).
// outcomes of -DBUG_LATE_LOCK_ADD
//    6 lin  3 bad: remove(1); remove(0); add(0) | add(1); remove(1); add(0)
//   11 lin 22 bad: add(0); add(1); add(1); remove(0) | add(0); add(1); remove(1); add(1)
//    6 lin  8 bad: add(0); remove(1) | add(0); add(1) | add(0); add(0)
// outcomes of -DBUG_LATE_LOCK_REMOVE
//    7 lin  3 bad: remove(0); add(0); remove(0) | add(0); remove(0); add(1)
//    9 lin  3 bad: remove(1); add(0); remove(1); remove(1) | add(0); add(0); add(1); remove(0)
//   13 lin  3 bad: add(1); remove(0) | add(0); add(1) | remove(0); remove(1)
// outcomes of -DBUG_LATE_LOCK_ADD -DBUG_LATE_LOCK_REMOVE
//    6 lin  4 bad: remove(1); remove(1); add(0) | add(1); remove(0); remove(1)
//    6 lin  4 bad: add(1); remove(1); add(1); remove(0) | remove(0); remove(1); add(1); remove(0)
//    6 lin  8 bad: add(0); remove(1) | add(0); add(1) | add(0); add(0)
#include <heddle/native.h>
#include <atomic>
#include <climits>
#include <mutex>

class ListSet {
  struct Node {
    const int key;
#ifdef BUG_PLAIN_NEXT
    Node* next;
#else
    std::atomic<Node*> next;
#endif
    std::mutex mutex;
    Node(int k, Node* n) : key(k), next(n) {}
  };
  Node* const head_ = new Node(INT_MIN, new Node(INT_MAX, nullptr));

  bool validate(Node* pred, Node* curr) {
    Node* node = head_;
    while (node->key <= pred->key) {
      if (node == pred) return pred->next == curr;
      node = node->next;
    }
    return false;
  }

 public:
  bool add(int key) {
    for (;;) {
      Node* pred = head_;        // 42
      Node* curr = pred->next;   // 43
      while (curr->key < key) {  // 44
        pred = curr;             // 45
        curr = curr->next;       // 46
      }
#ifdef BUG_LATE_LOCK_ADD
      if (!validate(pred, curr)) continue;  // 51
#endif
      std::lock_guard<std::mutex> lock_pred(pred->mutex);  // 48
      std::lock_guard<std::mutex> lock_curr(curr->mutex);  // 49
#ifndef BUG_LATE_LOCK_ADD
      if (!validate(pred, curr)) continue;  // 51
#endif
      if (curr->key == key) return false;  // 52
      pred->next = new Node(key, curr);    // 56
      return true;
    }
  }

  bool remove(int key) {
    for (;;) {
      Node* pred = head_;        // 69
      Node* curr = pred->next;   // 70
      while (curr->key < key) {  // 71
        pred = curr;             // 72
        curr = curr->next;       // 73
      }
#ifdef BUG_LATE_LOCK_REMOVE
      if (!validate(pred, curr)) continue;  // 78
#endif
#ifdef BUG_LOCK_ORDER
      std::lock_guard<std::mutex> lock_curr(curr->mutex);
      std::lock_guard<std::mutex> lock_pred(pred->mutex);
#else
      std::lock_guard<std::mutex> lock_pred(pred->mutex);  // 75
      std::lock_guard<std::mutex> lock_curr(curr->mutex);  // 76
#endif
#ifndef BUG_LATE_LOCK_REMOVE
      if (!validate(pred, curr)) continue;  // 78
#endif
      if (curr->key != key) return false;  // 79, 82
#ifdef BUG_PLAIN_NEXT
      pred->next = curr->next;
#else
      pred->next = curr->next.load();  // 80
#endif
      return true;
    }
  }

  bool contains(int key) {
    Node* curr = head_->next;
    while (curr->key < key) curr = curr->next;
    return curr->key == key;
  }
};

HEDDLE_HARNESS(ListSet, add, remove, contains)
