// Sorted lists as sets of which single calls are buggy: `late_add` and `late_remove` look before they lock, `add` and
// `remove` lock before they look. So a client decides how many of its invocations have the bug (bench_thread_sets
// --orders; Cirisci 2022, section 2.2.3.2).
//
//   without flags   an optimistic list: walks once more to see whether two neighbours still are neighbours
//   -DMARKED        a lazy list: removed nodes are marked, so one look is enough
#include <heddle/native.h>
#include <atomic>
#include <climits>
#include <mutex>

class ListSet {
  struct Node {
    const int key;
    std::atomic<Node*> next;
    std::atomic<bool> marked = false;
    std::mutex mutex;
    Node(int k, Node* n) : key(k), next(n) {}
  };
  Node* const head_ = new Node(INT_MIN, new Node(INT_MAX, nullptr));

  bool validate(Node* pred, Node* curr) {
#ifdef MARKED
    return !pred->marked && !curr->marked && pred->next == curr;
#else
    Node* node = head_;
    while (node->key <= pred->key) {
      if (node == pred) return pred->next == curr;
      node = node->next;
    }
    return false;
#endif
  }
  // Calls change(pred, curr) with the neighbours around a key, locked.
  template <class Change>
  bool at(int key, bool late, Change change) {
    for (;;) {
      Node* pred = head_;
      Node* curr = pred->next;
      while (curr->key < key) {
        pred = curr;
        curr = curr->next;
      }
      if (late && !validate(pred, curr)) continue;
      std::lock_guard<std::mutex> lock_pred(pred->mutex);
      std::lock_guard<std::mutex> lock_curr(curr->mutex);
      if (!late && !validate(pred, curr)) continue;
      return change(pred, curr);
    }
  }
  bool add_at(int key, bool late) {
    return at(key, late, [&](Node* pred, Node* curr) {
      if (curr->key == key) return false;
      pred->next = new Node(key, curr);
      return true;
    });
  }
  bool remove_at(int key, bool late) {
    return at(key, late, [&](Node* pred, Node* curr) {
      if (curr->key != key) return false;
      curr->marked = true;
      pred->next = curr->next.load();
      return true;
    });
  }

 public:
  bool add(int key) { return add_at(key, false); }
  bool remove(int key) { return remove_at(key, false); }
  bool late_add(int key) { return add_at(key, true); }
  bool late_remove(int key) { return remove_at(key, true); }
};

HEDDLE_HARNESS(ListSet, add, remove, late_add, late_remove)
