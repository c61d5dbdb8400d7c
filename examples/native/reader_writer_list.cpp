// A sorted list as a set under a reader-writer lock (Courtois, Heymans, Parnas, CACM 1971): whoever looks shares the
// lock, whoever changes the list has it alone. Nodes are freed, since nobody stands on them then.
//
//   heddle check reader_writer_list.cpp                     holds
//   heddle check reader_writer_list.cpp -- -DBUG_...        see below
//
// expect: holds
// expect -DBUG_SHARED_ADD: violated race
// expect -DBUG_SHARED_ADD --races allow --client 'add(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_SHARED_REMOVE_LAST --client 'add(0); remove(0) | remove(0)': violated race
// expect -DBUG_LOOK_THEN_ADD --client 'add(0) | add(0)': violated linearizability
// expect -DBUG_LOOK_THEN_REMOVE --client 'add(0); remove(0) | remove(0)': violated linearizability
// expect -DBUG_EARLY_UNLOCK --client 'add(0); remove(0) | contains(0)': violated race
// expect -DBUG_EARLY_UNLOCK --races allow --client 'add(0); remove(0) | contains(0)': violated memory
// expect --client 'add(0); remove(1) | add(1); remove(0) | contains(0); contains(1)': holds
// expect --linearizable set: holds
#include <heddle/native.h>
#include <climits>
#include <mutex>
#include <shared_mutex>

class ListSet {
  struct Node {
    const int key;
    Node* next;
  };
  std::shared_mutex mutex_;
  Node* const head_ = new Node{INT_MIN, new Node{INT_MAX, nullptr}};

  // The last node smaller than the key.
  Node* before(int key) {
    Node* pred = head_;
    while (pred->next->key < key) pred = pred->next;
    return pred;
  }

 public:
  bool add(int key) {
#ifdef BUG_SHARED_ADD
    std::shared_lock lock(mutex_);
#else
    std::unique_lock lock(mutex_, std::defer_lock);
#endif
#ifdef BUG_LOOK_THEN_ADD
    mutex_.lock_shared();
    Node* const pred = before(key);
    const bool found = pred->next->key == key;
    mutex_.unlock_shared();  // the place may be another one, when the lock is taken again
    if (found) return false;
    lock.lock();
#else
#ifndef BUG_SHARED_ADD
    lock.lock();
#endif
    Node* const pred = before(key);
    if (pred->next->key == key) return false;
#endif
    pred->next = new Node{key, pred->next};
    return true;
  }

  bool remove(int key) {
#ifdef BUG_LOOK_THEN_REMOVE
    if (!contains(key)) return false;  // BUG_LOOK_THEN_REMOVE: from here
    std::unique_lock lock(mutex_);
    Node* const pred = before(key);
    Node* const curr = pred->next;  // it was there: is it still?
#else
    std::unique_lock lock(mutex_);
    Node* const pred = before(key);
    Node* const curr = pred->next;
    if (curr->key != key) return false;
#endif
#ifdef BUG_SHARED_REMOVE_LAST
    // As if to take off the last node did not disturb others: wrong in this case only.
    if (curr->next->key == INT_MAX) {
      lock.unlock();
      std::shared_lock shared(mutex_);
      pred->next = curr->next;
      delete curr;
      return true;
    }
#endif
    pred->next = curr->next;  // BUG_LOOK_THEN_REMOVE: to here
    delete curr;
    return true;
  }

  bool contains(int key) {
    std::shared_lock lock(mutex_);
    const Node* const curr = before(key)->next;
#ifdef BUG_EARLY_UNLOCK
    lock.unlock();  // the node may be freed now
#endif
    return curr->key == key;
  }
};

HEDDLE_HARNESS(ListSet, add, remove, contains)
