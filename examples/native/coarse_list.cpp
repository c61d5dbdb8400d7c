// A sorted linked list as a set, under one lock. The numbers beside the code are lines of the Java class that it
// follows (RWLockCoarseGrainedListIntSet of Synchrobench); Cirisci's thesis (2022) seeds the two bugs and names blocks
// by them.
//
//   heddle check coarse_list.cpp                             holds
//   heddle check coarse_list.cpp -- -DBUG_LATE_LOCK_ADD      add takes the lock when it has found its place already
//   heddle check coarse_list.cpp -- -DBUG_LATE_LOCK_REMOVE   remove does
//
// Whoever walks without the lock reads links that others write: that is a data race, and reported as such. What else it
// leads to is seen with --races allow.
//
// expect: holds
// expect -DBUG_LATE_LOCK_ADD: violated race
// expect -DBUG_LATE_LOCK_REMOVE: violated race
// expect --races allow -DBUG_LATE_LOCK_ADD --client 'add(0) | add(1); contains(1)': violated linearizability
// expect --races allow -DBUG_LATE_LOCK_REMOVE --client 'add(1); remove(1) | remove(1)': violated linearizability
// expect --races allow --history -DBUG_LATE_LOCK_REMOVE --client 'add(1); remove(1) | remove(1)': violated linearizability
//
// The clients of the thesis, and how many outcomes they have that are linearizable (lin) and that are not (bad).
// outcomes of --races allow -DBUG_LATE_LOCK_ADD
//   10 lin  1 bad: remove(0); remove(1); add(1) | add(0); add(1); remove(1)
//    6 lin 13 bad: add(0); add(1); remove(1); add(1) | add(1); remove(0); remove(0); add(0)
//   12 lin  4 bad: add(1); add(1) | remove(1); remove(0) | add(0); remove(1)
// outcomes of --races allow -DBUG_LATE_LOCK_REMOVE
//    3 lin  1 bad: add(1); add(1); remove(1) | remove(0); add(0); remove(1)
//   22 lin  3 bad: add(0); add(1); remove(1); remove(1) | add(1); remove(0); remove(1); add(1)
//   14 lin 12 bad: remove(1); add(0) | add(1); remove(1) | add(1); add(0)
// outcomes of --races allow -DBUG_LATE_LOCK_ADD -DBUG_LATE_LOCK_REMOVE
//   12 lin 15 bad: add(1); remove(1); add(1) | add(1); remove(1); add(1)
//   11 lin 13 bad: remove(1); add(1); remove(0); remove(0) | add(0); remove(1); add(0); add(1)
//   14 lin  8 bad: add(1); remove(1) | add(0); add(1) | remove(0); remove(1)
#include <heddle/native.h>
#include <climits>
#include <mutex>

class ListSet {
  struct Node {
    const int key;
    Node* next;
  };
  Node* const head_ = new Node{INT_MIN, new Node{INT_MAX, nullptr}};
  std::mutex mutex_;

  // What is removed can be freed only if everybody walks under the lock.
  static void dispose([[maybe_unused]] Node* node) {
#if !defined BUG_LATE_LOCK_ADD && !defined BUG_LATE_LOCK_REMOVE
    delete node;
#endif
  }

 public:
  bool add(int key) {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
#ifndef BUG_LATE_LOCK_ADD
    lock.lock();
#endif
    Node* pred = head_;        // 26
    Node* curr = pred->next;   // 27
    while (curr->key < key) {  // 28
      pred = curr;             // 29
      curr = pred->next;       // 30
    }
#ifdef BUG_LATE_LOCK_ADD
    lock.lock();
#endif
    if (curr->key == key) return false;  // 32
    pred->next = new Node{key, curr};    // 35
    return true;
  }

  bool remove(int key) {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
#ifndef BUG_LATE_LOCK_REMOVE
    lock.lock();
#endif
    Node* pred = head_;        // 47
    Node* curr = pred->next;   // 48
    while (curr->key < key) {  // 49
      pred = curr;             // 50
      curr = pred->next;       // 51
    }
#ifdef BUG_LATE_LOCK_REMOVE
    lock.lock();
#endif
    if (curr->key != key) return false;  // 53
    pred->next = curr->next;             // 54
    dispose(curr);
    return true;
  }

  bool contains(int key) {
    std::lock_guard<std::mutex> lock(mutex_);
    Node* curr = head_->next;
    while (curr->key < key) curr = curr->next;
    return curr->key == key;
  }
};

HEDDLE_HARNESS(ListSet, add, remove, contains)
