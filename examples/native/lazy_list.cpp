// The lazy list (Heller, Herlihy, Luchangco, Moir, Scherer, Shavit, OPODIS 2005): like the optimistic list, but a node
// carries a mark that it is removed, so that looking at two nodes tells whether they still are neighbours.
//
//   heddle check lazy_list.cpp                     holds
//   heddle check lazy_list.cpp -- -DBUG_...        see below
//
// What is removed is not freed: others may still walk through it.
//
// expect: holds
// expect -DBUG_NO_VALIDATION: violated linearizability
// expect -DBUG_MARKS_IGNORED --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_NO_MARK --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_LOCK_ORDER: violated deadlock
// expect -DBUG_PLAIN_MARK: violated race
// expect --linearizable set: holds
// expect --linearizable set -DBUG_NO_MARK --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
#include <heddle/native.h>
#include <atomic>
#include <climits>
#include <mutex>

class ListSet {
  struct Node {
    const int key;
    std::atomic<Node*> next;
#ifdef BUG_PLAIN_MARK
    bool marked = false;
#else
    std::atomic<bool> marked = false;
#endif
    std::mutex mutex;
    Node(int k, Node* n) : key(k), next(n) {}
  };
  Node* const head_ = new Node(INT_MIN, new Node(INT_MAX, nullptr));

  static bool validate([[maybe_unused]] Node* pred, [[maybe_unused]] Node* curr) {
#if defined BUG_NO_VALIDATION
    return true;
#elif defined BUG_MARKS_IGNORED
    return pred->next == curr;
#else
    return !pred->marked && !curr->marked && pred->next == curr;
#endif
  }

 public:
  bool add(int key) {
    for (;;) {
      Node* pred = head_;
      Node* curr = pred->next;
      while (curr->key < key) {
        pred = curr;
        curr = curr->next;
      }
      std::lock_guard<std::mutex> lock_pred(pred->mutex);
      std::lock_guard<std::mutex> lock_curr(curr->mutex);
      if (!validate(pred, curr)) continue;
      if (curr->key == key) return false;
      pred->next = new Node(key, curr);
      return true;
    }
  }

  bool remove(int key) {
    for (;;) {
      Node* pred = head_;
      Node* curr = pred->next;
      while (curr->key < key) {
        pred = curr;
        curr = curr->next;
      }
#ifdef BUG_LOCK_ORDER
      std::lock_guard<std::mutex> lock_curr(curr->mutex);
      std::lock_guard<std::mutex> lock_pred(pred->mutex);
#else
      std::lock_guard<std::mutex> lock_pred(pred->mutex);
      std::lock_guard<std::mutex> lock_curr(curr->mutex);
#endif
      if (!validate(pred, curr)) continue;
      if (curr->key != key) return false;
#ifndef BUG_NO_MARK
      curr->marked = true;  // from here on it is not in the set
#endif
      pred->next = curr->next.load();
      return true;
    }
  }

  bool contains(int key) {
    Node* curr = head_;
    while (curr->key < key) curr = curr->next;
    return curr->key == key && !curr->marked;
  }
};

HEDDLE_HARNESS(ListSet, add, remove, contains)
