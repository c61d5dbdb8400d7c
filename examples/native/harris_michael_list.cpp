// A sorted list as a set, without locks (Harris, DISC 2001; Michael, SPAA 2002). The lowest bit of a node's link marks
// the node as removed. Mark and link are one word, so a compare-and-swap of the link fails if the node was marked.
//
//   heddle check harris_michael_list.cpp                     holds
//   heddle check harris_michael_list.cpp -- -DBUG_...        see below
//
// A node is removed when it is marked. Whoever walks past a marked node unlinks it. Memory is not reclaimed: others may
// still stand on a node that is unlinked. BUG_REUSE uses nodes again, without care (the ABA problem).
//
// expect: holds
// expect -DBUG_NO_MARK --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_MARK_BY_STORE --client 'add(0); remove(0) | remove(0)': violated linearizability
// expect -DBUG_ADD_ONCE --client 'add(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_REMOVE_ONCE --client 'add(0); remove(0); contains(0) | add(1)': violated linearizability
// expect -DBUG_REUSE --client 'add(0); remove(0); add(2) | add(1); contains(1)': violated linearizability
// expect --client 'add(0); remove(1) | add(1); remove(0) | add(0); contains(1)': holds
// expect --linearizable set: holds
// expect --linearizable set -DBUG_NO_MARK --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
#include <heddle/native.h>
#include <atomic>
#include <cstdint>

class ListSet {
  using Link = std::uintptr_t;  // the address of a node, plus one if the node that has the link is removed
  struct Node {
#ifdef BUG_REUSE
    std::atomic<int> key;
#else
    const int key;
#endif
    std::atomic<Link> next;
    Node(int k, Link n) : key(k), next(n) {}
  };
  static Node* node_of(Link link) { return reinterpret_cast<Node*>(link & ~Link{1}); }
  static Link link_to(Node* node) { return reinterpret_cast<Link>(node); }
  static bool marked(Link link) { return (link & 1) != 0; }

  std::atomic<Link> head_{0};
#ifdef BUG_REUSE
  std::atomic<Node*> spare_{nullptr};
#endif

  Node* make(int key) {
#ifdef BUG_REUSE
    if (Node* const spare = spare_.exchange(nullptr)) {
      spare->key = key;
      return spare;
    }
#endif
    return new Node(key, 0);
  }
  void dispose([[maybe_unused]] Node* node) {
#ifdef BUG_REUSE
    spare_ = node;  // another thread may be about to swing a link from or to it
#endif
  }

  // The place of a key: `curr` is the first node that is not smaller, `*prev` the link that led to it. Unlinks marked
  // nodes on the way. True if curr has the key.
  bool find(int key, std::atomic<Link>*& prev, Link& curr) {
  again:
    prev = &head_;
    curr = *prev;
    while (Node* const node = node_of(curr)) {
      Link next = node->next;
      if (*prev != curr) goto again;  // node was unlinked, or the node before it was marked
      if (marked(next)) {
        next &= ~Link{1};
        if (!prev->compare_exchange_strong(curr, next)) goto again;
        dispose(node);
      } else {
        if (node->key >= key) return node->key == key;
        prev = &node->next;
      }
      curr = next;
    }
    return false;
  }

 public:
  bool add(int key) {
    Node* const node = make(key);
    std::atomic<Link>* prev = nullptr;
    Link curr = 0;
    for (;;) {
      if (find(key, prev, curr)) return false;  // BUG_ADD_ONCE: from here
      node->next = curr;
      if (prev->compare_exchange_strong(curr, link_to(node))) return true;  // BUG_ADD_ONCE: to here
#ifdef BUG_ADD_ONCE
      return true;  // as if nobody else had changed the place
#endif
    }
  }

  bool remove(int key) {
    std::atomic<Link>* prev = nullptr;
    Link curr = 0;
    for (;;) {
      if (!find(key, prev, curr)) return false;
      Node* const node = node_of(curr);
      Link next = node->next;
      if (marked(next)) continue;  // somebody else removed it
#if defined BUG_NO_MARK
      // What others insert behind the node from here on is lost.
#elif defined BUG_MARK_BY_STORE
      node->next = next | 1;  // somebody else may have marked it since
#else
      if (!node->next.compare_exchange_strong(next, next | 1)) {
#ifdef BUG_REMOVE_ONCE
        return true;  // either somebody else has removed it, or something was inserted behind it
#endif
        continue;
      }
#endif
      // The node is removed. If it cannot be unlinked here, then whoever comes next does it.
      if (prev->compare_exchange_strong(curr, next)) {
        dispose(node);
      } else {
        find(key, prev, curr);
      }
      return true;
    }
  }

  bool contains(int key) {
    Node* node = node_of(head_);
    while (node != nullptr && node->key < key) node = node_of(node->next);
    return node != nullptr && node->key == key && !marked(node->next);
  }
};

HEDDLE_HARNESS(ListSet, add, remove, contains)
