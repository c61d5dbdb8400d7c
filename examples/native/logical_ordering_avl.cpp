// The balanced tree with logical ordering of Drachsler, Vechev and Yahav (PPoPP 2014), as a set. There are two layouts:
// the ordering, a list in which each node knows its neighbours, and the tree, an AVL tree that leads near the place
// quickly. What is in the set is decided by the ordering alone. So a thread that loses its way in the tree, because
// nodes rotate or move up meanwhile, walks along the ordering to where it belongs, without locks and without retrying.
//
//   heddle check logical_ordering_avl.cpp                     holds
//   heddle check logical_ordering_avl.cpp -- -DBUG_...        see below
//
// Locks, in this order: succ_lock of a node, for its link to the next node and that one's link back, in ascending order
// of keys; then tree_lock, for a node's children, heights and for the links of its children to it, upwards in the tree.
// Downwards they are only tried; who fails lets go and begins again. A node leaves the set when `valid` becomes false,
// with all locks held. Memory is not reclaimed: others may still walk through what is removed.
//
// A new node is linked in one direction first. Here that is p.succ, since a walk ends in this direction. The program
// that the authors published sets s.pred first (BUG_PRED_FIRST). Then a thread that comes from the right finds the
// node, and when it comes again, now from the left because p has joined the tree meanwhile, it does not.
//
// expect: holds
// expect -DBUG_PRED_FIRST --client 'insert(0) | insert(1) | contains(1); contains(1)': violated linearizability
// expect -DBUG_EARLY_UNLOCK --client 'insert(0); remove(0); insert(1) | insert(1)': violated linearizability
// expect -DBUG_LATE_LOCK --client 'insert(1); remove(1); insert(0) | insert(0)': violated linearizability
// expect -DBUG_NO_VALID --client 'insert(0); remove(0); insert(1) | insert(1)': violated linearizability
// expect -DBUG_ONE_LOCK --client 'insert(0); remove(0); insert(1) | insert(1)': violated linearizability
// expect -DBUG_FOUND_IN_TREE --client 'insert(0); contains(0); insert(0) | remove(0)': violated linearizability
// expect -DBUG_TREE_ONLY --client 'insert(0); insert(1); contains(0) | insert(2)': violated linearizability
// expect -DBUG_BLOCK_DOWN --client 'insert(0); insert(1); remove(0) | insert(2)': violated deadlock
// expect --client 'insert(0); insert(1) | insert(2); remove(1)': holds
// expect --client 'insert(1); insert(0); insert(2); remove(1) | contains(2); contains(0)': holds
// expect --client 'insert(0); remove(1) | insert(1); remove(0) | contains(0); contains(1)': holds
// expect --client 'insert(3); insert(2); insert(0) | insert(1) | contains(1); contains(1)': holds
// expect --linearizable set --clients 200: holds
#include <heddle/native.h>
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <mutex>

class TreeSet {
  struct Node {
    const int key;
    std::atomic<bool> valid{true};
    std::atomic<Node*> pred, succ;  // the ordering
    std::mutex succ_lock;
    std::atomic<Node*> parent, left{nullptr}, right{nullptr};  // the tree
    int left_height = 0, right_height = 0;
    std::mutex tree_lock;

    Node(int k, Node* p, Node* s, Node* up) : key(k), pred(p), succ(s), parent(up) {}
    int height() const { return std::max(left_height, right_height) + 1; }
    int balance() const { return left_height - right_height; }
  };
  // The ends of the ordering. The greatest key is the root of the tree, all others are on its left.
  Node* const least_ = new Node(INT_MIN, nullptr, nullptr, nullptr);
  Node* const root_ = new Node(INT_MAX, least_, nullptr, least_);

  // The node with the key, or a node where the way down ends.
  Node* search(int key) const {
    Node* node = root_;
    for (;;) {
      if (node->key == key) return node;
      Node* const child = node->key < key ? node->right : node->left;
      if (child == nullptr) return node;
      node = child;
    }
  }

  // Locks the one of two neighbours in the ordering below which there is room for a node between them. One of them is
  // an ancestor of the other, so it is one of them, as soon as a removed node between them has left the tree.
  static Node* choose_parent(Node* p, Node* s, Node* first) {
    Node* candidate = first == p || first == s ? first : p;
    for (;;) {
      candidate->tree_lock.lock();
      if ((candidate == p ? candidate->right : candidate->left) == nullptr) return candidate;
      candidate->tree_lock.unlock();
      candidate = candidate == p ? s : p;
    }
  }

  // REQUIRES: node is locked.
  static Node* lock_parent(Node* node) {
    for (;;) {
      Node* const parent = node->parent;
      parent->tree_lock.lock();
      if (node->parent == parent && parent->valid) return parent;
      parent->tree_lock.unlock();
    }
  }

  static bool update_child(Node* parent, Node* old, Node* child) {
    if (child != nullptr) child->parent = parent;
    const bool is_left = parent->left == old;
    (is_left ? parent->left : parent->right) = child;
    return is_left;
  }

  // Parent is locked, and below it is room for the node.
  void insert_to_tree(Node* parent, Node* node) {
    const bool is_left = node->key < parent->key;
    (is_left ? parent->left : parent->right) = node;
    (is_left ? parent->left_height : parent->right_height) = 1;
    if (parent == root_) return parent->tree_lock.unlock();
    Node* const grandparent = lock_parent(parent);
    rebalance(grandparent, parent, grandparent->left == parent);
  }

  // Locks what changes when node n leaves the tree: n, its parent, and its child; or, if it has two, its successor,
  // which takes its place, with that one's parent and child. True if n has two children.
  static bool acquire_tree_locks(Node* n) {
    for (;;) {
      n->tree_lock.lock();
      Node* const parent = lock_parent(n);
      Node* const left = n->left;
      Node* const right = n->right;
      if (left == nullptr || right == nullptr) {
        Node* const child = left == nullptr ? right : left;
#ifdef BUG_BLOCK_DOWN
        if (child != nullptr) return child->tree_lock.lock(), false;  // who has it may be on the way up
#endif
        if (child == nullptr || child->tree_lock.try_lock()) return false;
      } else {
        Node* const s = n->succ;
        Node* const s_parent = s->parent;
        if (s_parent == n || s_parent->tree_lock.try_lock()) {
          if (s->parent == s_parent && s_parent->valid && s->tree_lock.try_lock()) {
            Node* const child = s->right;
            if (child == nullptr || child->tree_lock.try_lock()) return true;
            s->tree_lock.unlock();
          }
          if (s_parent != n) s_parent->tree_lock.unlock();
        }
      }
      parent->tree_lock.unlock();
      n->tree_lock.unlock();
    }
  }

  // REQUIRES: acquire_tree_locks(n) was called; it said whether n has two children.
  void remove_from_tree(Node* n, bool two_children) {
    Node* const parent = n->parent;
    if (!two_children) {
      Node* const child = n->left == nullptr ? n->right : n->left;
      const bool is_left = update_child(parent, n, child);
      n->tree_lock.unlock();
      return rebalance(parent, child, is_left);
    }
    Node* const s = n->succ;
    Node* const child = s->right;
    Node* const s_parent = s->parent;
    update_child(s_parent, s, child);
    s->left_height = n->left_height;
    s->right_height = n->right_height;
    s->left = n->left.load();
    n->left.load()->parent = s;
    s->right = n->right.load();
    if (Node* const right = n->right) right->parent = s;
    update_child(parent, n, s);
    const bool violated = std::abs(s->balance()) >= 2;  // as n was, which cannot be balanced any more
    parent->tree_lock.unlock();
    n->tree_lock.unlock();
    if (s_parent == n) {
      rebalance(s, child, false);
    } else {
      s->tree_lock.unlock();
      rebalance(s_parent, child, true);
    }
    if (!violated) return;
    s->tree_lock.lock();
    Node* heavy = nullptr;
    if (!lock_heavy_child(s, heavy)) return;
    if (heavy == nullptr) return s->tree_lock.unlock();
    rebalance(s, heavy, s->left == heavy);
  }

  // Node is locked; locks its child on the side that is too high, if there is one. Lets go of the node while it waits.
  // False, and the node is not locked, if the node was removed meanwhile.
  static bool lock_heavy_child(Node* node, Node*& child) {
    for (;;) {
      if (!node->valid) {
        node->tree_lock.unlock();
        return false;
      }
      child = nullptr;
      if (node->balance() >= 2) child = node->left;
      if (node->balance() <= -2) child = node->right;
      if (child == nullptr || child->tree_lock.try_lock()) return true;
      node->tree_lock.unlock();
      node->tree_lock.lock();
    }
  }

  // Child takes the place of node below parent, and node goes down to the left or to the right. All three are locked.
  static void rotate(Node* child, Node* node, Node* parent, bool to_left) {
    update_child(parent, node, child);
    node->parent = child;
    Node* const grandchild = to_left ? child->left : child->right;
    (to_left ? node->right : node->left) = grandchild;
    (to_left ? child->left : child->right) = node;
    if (grandchild != nullptr) grandchild->parent = node;
    (to_left ? node->right_height : node->left_height) = to_left ? child->left_height : child->right_height;
    (to_left ? child->left_height : child->right_height) = node->height();
  }

  // The height of child, on one side of node, may have changed. Corrects the height there, balances the node and goes
  // up as long as there is something to do. Node is locked and so is child, which may be null. Unlocks both.
  void rebalance(Node* node, Node* child, bool is_left) {
    Node* parent = nullptr;  // of node, if it is locked
    while (node != root_) {
      int& height = is_left ? node->left_height : node->right_height;
      const int before = height;
      height = child == nullptr ? 0 : child->height();
      if (height == before && std::abs(node->balance()) < 2) break;
      while (std::abs(node->balance()) >= 2) {
        bool locked = true;
        if (is_left != (node->balance() > 0)) {  // it is the other side that is too high
          if (child != nullptr) child->tree_lock.unlock();
          is_left = !is_left;
          child = is_left ? node->left : node->right;
          locked = child->tree_lock.try_lock();
        }
        if (locked && (is_left ? child->balance() < 0 : child->balance() > 0)) {
          Node* const grandchild = is_left ? child->right : child->left;
          locked = grandchild->tree_lock.try_lock();
          if (locked) rotate(grandchild, child, node, is_left);
          child->tree_lock.unlock();
          child = grandchild;
        }
        if (!locked) {
          if (parent != nullptr) parent->tree_lock.unlock();
          parent = nullptr;
          if (!lock_heavy_child(node, child)) return;  // who removed the node sees to what has taken its place
          is_left = child != nullptr && node->left == child;
          continue;
        }
        if (parent == nullptr) parent = lock_parent(node);
        rotate(child, node, parent, !is_left);
        if (std::abs(node->balance()) >= 2) {  // once more, below the child
          parent->tree_lock.unlock();
          parent = child;
          child = nullptr;
          is_left = node->balance() < 0;
        } else {
          std::swap(node, child);
          is_left = node->left == child;
        }
      }
      if (child != nullptr) child->tree_lock.unlock();
      child = node;
      node = parent != nullptr ? parent : lock_parent(node);
      parent = nullptr;
      is_left = node->left == child;
    }
    if (child != nullptr) child->tree_lock.unlock();
    node->tree_lock.unlock();
    if (parent != nullptr) parent->tree_lock.unlock();
  }

 public:
  TreeSet() {
    least_->succ = root_;
    least_->right = root_;
  }

  bool contains(int key) {
    Node* node = search(key);
#ifndef BUG_TREE_ONLY
    while (node->key > key) node = node->pred;
    while (node->key < key) node = node->succ;
#endif
    return node->key == key && node->valid;
  }

  bool insert(int key) {
    for (;;) {
      Node* const node = search(key);
#ifdef BUG_FOUND_IN_TREE
      if (node->key == key) return false;  // it may be removed from the ordering already
#endif
      Node* const p = node->key >= key ? node->pred.load() : node;
#ifdef BUG_LATE_LOCK
      Node* const s = p->succ;
      p->succ_lock.lock();  // its successor may be another one now
#else
      p->succ_lock.lock();
      Node* const s = p->succ;
#endif
      bool here = p->key < key && key <= s->key;
#ifndef BUG_NO_VALID
      here = here && p->valid;
#endif
      if (!here || s->key == key) {
        p->succ_lock.unlock();
        if (here) return false;
        continue;
      }
#ifdef BUG_EARLY_UNLOCK
      p->succ_lock.unlock();  // p may be removed before the new node is linked
#endif
      Node* const parent = choose_parent(p, s, node);
      Node* const fresh = new Node(key, p, s, parent);
#ifdef BUG_PRED_FIRST
      s->pred = fresh;
      p->succ = fresh;
#else
      p->succ = fresh;  // from here on it is in the set
      s->pred = fresh;
#endif
#ifndef BUG_EARLY_UNLOCK
      p->succ_lock.unlock();
#endif
      insert_to_tree(parent, fresh);
      return true;
    }
  }

  bool remove(int key) {
    for (;;) {
      Node* const node = search(key);
      Node* const p = node->key >= key ? node->pred.load() : node;
      p->succ_lock.lock();
      Node* const s = p->succ;
      const bool here = p->key < key && key <= s->key && p->valid;
      if (!here || s->key != key) {
        p->succ_lock.unlock();
        if (here) return false;
        continue;
      }
#ifndef BUG_ONE_LOCK
      s->succ_lock.lock();  // otherwise what is inserted behind it is lost
#endif
      const bool two_children = acquire_tree_locks(s);
      s->valid = false;  // from here on it is not in the set
      Node* const next = s->succ;
      next->pred = p;
      p->succ = next;
#ifndef BUG_ONE_LOCK
      s->succ_lock.unlock();
#endif
      p->succ_lock.unlock();
      remove_from_tree(s, two_children);
      return true;
    }
  }
};

HEDDLE_HARNESS(TreeSet, insert, remove, contains)
