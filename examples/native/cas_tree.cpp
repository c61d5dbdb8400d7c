// A binary search tree as a set, by compare-and-swap alone: an internal tree as that of Howley and Jones (SPAA 2012),
// without the part that takes nodes out. A node has a key and a flag that says whether the key is in the set; adding
// links a node or sets its flag, removing clears the flag.
//
//   heddle check cas_tree.cpp                     holds
//   heddle check cas_tree.cpp -- -DBUG_...        see below
//
// Invariant: a child that is not null never changes. So whoever reaches null has seen every node that can have the key.
//
// expect: holds
// expect -DBUG_BLIND_LINK --client 'add(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_LINK_ONCE --client 'add(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_LINK_ONCE --client 'add(0) | add(0)': holds
// expect -DBUG_LOOK_THEN_SET: violated linearizability
// expect -DBUG_LOOK_THEN_SET --client 'add(0); remove(0); add(0) | add(0)': violated linearizability
// expect -DBUG_LINK_FIRST --client 'add(0) | add(0); contains(0)': violated linearizability
// expect -DBUG_LOOK_THEN_CLEAR --client 'add(0); remove(0) | remove(0)': violated linearizability
// expect --client 'add(1); remove(0) | add(0); remove(1) | add(1); contains(0)': holds
// expect --linearizable set: holds
// expect --linearizable set -DBUG_LINK_ONCE --client 'add(0) | add(1); contains(1)': violated linearizability
#include <heddle/native.h>
#include <atomic>

class TreeSet {
  struct Node {
    const int key;
    std::atomic<bool> present;
    std::atomic<Node*> left{nullptr}, right{nullptr};
    Node(int k, bool p) : key(k), present(p) {}
  };
  std::atomic<Node*> root_{nullptr};

  // The node with the key; or null, and the null link where it would be.
  Node* find(int key, std::atomic<Node*>*& link) {
    link = &root_;
    Node* node = *link;
    while (node != nullptr && node->key != key) {
      link = key < node->key ? &node->left : &node->right;
      node = *link;
    }
    return node;
  }

  static bool set(Node* node) {
#ifdef BUG_LOOK_THEN_SET
    if (node->present) return false;
    node->present = true;
    return true;
#else
    bool absent = false;
    return node->present.compare_exchange_strong(absent, true);
#endif
  }

 public:
  bool add(int key) {
    std::atomic<Node*>* link = nullptr;
    Node* made = nullptr;
    for (;;) {
      Node* node = find(key, link);  // BUG_LINK_ONCE: from here
      if (node != nullptr) return set(node);
#ifdef BUG_LINK_FIRST
      if (made == nullptr) made = new Node(key, false);  // the key joins when its node can be seen already
#else
      if (made == nullptr) made = new Node(key, true);
#endif
#ifdef BUG_BLIND_LINK
      *link = made;  // forgets what another has linked there
      return true;
#else
      if (link->compare_exchange_strong(node, made)) {  // BUG_LINK_FIRST: from here
#ifdef BUG_LINK_FIRST
        made->present = true;  // BUG_LINK_FIRST: to here
#endif
        return true;
      }
#ifdef BUG_LINK_ONCE
      return false;  // BUG_LINK_ONCE: to here; another was quicker, but with the same key?
#endif
#endif
    }
  }

  bool remove(int key) {
    std::atomic<Node*>* link = nullptr;
    Node* const node = find(key, link);
    if (node == nullptr) return false;
#ifdef BUG_LOOK_THEN_CLEAR
    if (!node->present) return false;  // BUG_LOOK_THEN_CLEAR: from here
    node->present = false;             // BUG_LOOK_THEN_CLEAR: to here
    return true;
#else
    bool present = true;
    return node->present.compare_exchange_strong(present, false);
#endif
  }

  bool contains(int key) {
    std::atomic<Node*>* link = nullptr;
    Node* const node = find(key, link);
    return node != nullptr && node->present;
  }
};

HEDDLE_HARNESS(TreeSet, add, remove, contains)
