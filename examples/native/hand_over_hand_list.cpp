// A sorted linked list as a set, with a lock in every node; a thread holds two neighbours at a time ("lock coupling",
// Bayer and Schkolnick 1977; as a list in Herlihy and Shavit, The Art of Multiprocessor Programming, section 9.5).
//
//   heddle check hand_over_hand_list.cpp                     holds
//   heddle check hand_over_hand_list.cpp -- -DBUG_...        see below
//
// A node that is removed is freed at once: who wants its lock must hold the lock of the node before it, which the
// remover has.
//
// expect: holds
// expect -DBUG_LET_GO: violated race
// expect -DBUG_HALF: violated race
// expect -DBUG_HALF --races allow --client 'add(0); add(1); remove(0) | remove(1); remove(1)': violated linearizability
// expect -DBUG_FREE_LOCKED: violated memory
#include <heddle/native.h>
#include <climits>
#include <mutex>

class ListSet {
  struct Node {
    const int key;
    Node* next;
    std::mutex mutex = {};
  };
  Node* const head_ = new Node{INT_MIN, new Node{INT_MAX, nullptr}};

  struct Place {
    Node *pred, *curr;
  };

  // Both nodes of the place are locked: pred->key < key <= curr->key.
  Place find(int key) {
    head_->mutex.lock();
    Node* pred = head_;
    Node* curr = pred->next;
    curr->mutex.lock();
    while (curr->key < key) {
      pred->mutex.unlock();
      pred = curr;
#ifdef BUG_LET_GO
      pred->mutex.unlock();  // for a moment the thread holds no lock: the node may go away
      pred->mutex.lock();
#endif
      curr = pred->next;
      curr->mutex.lock();
    }
    return {pred, curr};
  }
  static void unlock(Place place) {
    place.curr->mutex.unlock();
    place.pred->mutex.unlock();
  }

 public:
  bool add(int key) {
    const Place place = find(key);
    const bool absent = place.curr->key != key;
    if (absent) place.pred->next = new Node{key, place.curr};
    unlock(place);
    return absent;
  }

  bool remove(int key) {
#ifdef BUG_HALF
    // Holds the node before, but not the one that is removed.
    head_->mutex.lock();
    Node* pred = head_;
    while (pred->next->key < key) {
      Node* const next = pred->next;
      next->mutex.lock();
      pred->mutex.unlock();
      pred = next;
    }
    Node* const curr = pred->next;
    const bool present = curr->key == key;
    if (present) pred->next = curr->next;
    pred->mutex.unlock();
    return present;
#else
    const Place place = find(key);
    const bool present = place.curr->key == key;
    if (present) place.pred->next = place.curr->next;
#ifdef BUG_FREE_LOCKED
    if (present) delete place.curr;
    unlock(place);
#else
    unlock(place);
    if (present) delete place.curr;
#endif
    return present;
#endif
  }

  bool contains(int key) {
    const Place place = find(key);
    const bool present = place.curr->key == key;
    unlock(place);
    return present;
  }
};

HEDDLE_HARNESS(ListSet, add, remove, contains)
