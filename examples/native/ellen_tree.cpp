// The non-blocking binary search tree of Ellen, Fatourou, Ruppert and van Breugel (PODC 2010), as a set. Keys are in
// the leaves; inner nodes show the way. Whoever changes a child of an inner node flags the node before, by a word that
// leads to a record of all that is to be done, so that others who are in the way can finish it. An inner node that is
// about to leave the tree is marked, for ever.
//
//   insertion    parent clean → IFlag, swing its child to a new inner node with two leaves, IFlag → clean
//   removal      grandparent clean → DFlag, parent clean → Mark, swing the grandparent's child to the leaf's sibling,
//                DFlag → clean; if the parent was not clean: DFlag → clean (backtrack), and again
//
//   heddle check ellen_tree.cpp                     holds
//   heddle check ellen_tree.cpp -- -DBUG_...        see below
//
// Memory is not reclaimed. So a child never becomes what it was before, and a flag word never does either: it leads to
// its record even when it is clean again.
//
// expect: holds
// expect -DBUG_NO_FLAG --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_NO_MARK --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_READ_CHILD_FIRST --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_FLAG_ONCE --client 'add(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_MARK_ONCE --client 'add(0); remove(0); contains(0) | add(1)': violated linearizability
// expect -DBUG_NO_BACKTRACK --client 'add(1); remove(1) | add(0); remove(0)': violated spin
// expect --client 'add(0); remove(0) | add(1); contains(0) | remove(1)': holds
// expect --client 'add(0); remove(1) | add(1); remove(0) | contains(0); contains(1)': holds
// expect --linearizable set --clients 200: holds
#include <heddle/native.h>
#include <atomic>
#include <climits>
#include <cstdint>

class TreeSet {
  using Update = std::uintptr_t;  // the address of a record, and in the two lowest bits what it is about
  enum State : Update { Clean, DFlag, IFlag, Mark };
  static constexpr int infinity1 = INT_MAX - 1, infinity2 = INT_MAX;

  struct Node {
    const int key;
    const bool leaf;
    std::atomic<Update> update{Clean};
    std::atomic<Node*> left, right;
    explicit Node(int k) : key(k), leaf(true), left(nullptr), right(nullptr) {}
    Node(int k, Node* l, Node* r) : key(k), leaf(false), left(l), right(r) {}
  };
  // What is to be done: an insertion replaces `leaf` below `parent` by `fresh`; a removal takes out parent and leaf.
  struct Record {
    Node *grandparent, *parent, *leaf, *fresh;
    Update parent_update;
  };
  struct Place {
    Node *grandparent, *parent, *leaf;
    Update grandparent_update, parent_update;
  };
  static State state(Update update) { return static_cast<State>(update & 3); }
  static Record* record(Update update) { return reinterpret_cast<Record*>(update & ~Update{3}); }
  static Update make_update(State state, Record* about) { return reinterpret_cast<Update>(about) | state; }

  Node* const root_ = new Node(infinity2, new Node(infinity1), new Node(infinity2));

  Place search(int key) {
    Place at{nullptr, nullptr, root_, Clean, Clean};
    do {
      at.grandparent = at.parent;
      at.parent = at.leaf;
      at.grandparent_update = at.parent_update;
#ifdef BUG_READ_CHILD_FIRST
      at.leaf = key < at.parent->key ? at.parent->left : at.parent->right;
      at.parent_update = at.parent->update;  // clean, perhaps, since the child was replaced
#else
      // In this order: if the word is still the same when it is flagged, then so is the child.
      at.parent_update = at.parent->update;
      at.leaf = key < at.parent->key ? at.parent->left : at.parent->right;
#endif
    } while (!at.leaf->leaf);
    return at;
  }

  static void swing(Node* parent, Node* old, Node* fresh) {
    (fresh->key < parent->key ? parent->left : parent->right).compare_exchange_strong(old, fresh);
  }

  void help(Update update) {
    if (state(update) == IFlag) help_insert(record(update));
    if (state(update) == Mark) help_marked(record(update));
    if (state(update) == DFlag) help_remove(record(update));
  }
  void help_insert(Record* op) {
    swing(op->parent, op->leaf, op->fresh);
    Update flagged = make_update(IFlag, op);
    op->parent->update.compare_exchange_strong(flagged, make_update(Clean, op));
  }
  // False if the parent has changed since it was looked at: the removal has to begin again.
  bool help_remove(Record* op) {
#ifndef BUG_NO_MARK
    Update found = op->parent_update;
    const Update mark = make_update(Mark, op);
    if (!op->parent->update.compare_exchange_strong(found, mark) && found != mark) {
#ifdef BUG_MARK_ONCE
      Update dropped = make_update(DFlag, op);
      op->grandparent->update.compare_exchange_strong(dropped, make_update(Clean, op));
      return true;  // nothing is removed
#endif
      help(found);
#ifndef BUG_NO_BACKTRACK
      Update flagged = make_update(DFlag, op);
      op->grandparent->update.compare_exchange_strong(flagged, make_update(Clean, op));
#endif
      return false;
    }
#endif
    help_marked(op);
    return true;
  }
  void help_marked(Record* op) {
    Node* const right = op->parent->right;
    swing(op->grandparent, op->parent, right == op->leaf ? op->parent->left.load() : right);
    Update flagged = make_update(DFlag, op);
    op->grandparent->update.compare_exchange_strong(flagged, make_update(Clean, op));
  }

 public:
  bool add(int key) {
    Node* const added = new Node(key);
    for (;;) {
      const Place at = search(key);
      if (at.leaf->key == key) return false;
      if (state(at.parent_update) != Clean) {
        help(at.parent_update);
        continue;
      }
      Node* const sibling = new Node(at.leaf->key);
      Node* const fresh = key < at.leaf->key ? new Node(at.leaf->key, added, sibling) : new Node(key, sibling, added);
#ifdef BUG_NO_FLAG
      Node* old = at.leaf;  // still a child of the parent, but is the parent still in the tree?
      if ((key < at.parent->key ? at.parent->left : at.parent->right).compare_exchange_strong(old, fresh)) return true;
#else
      Record* const op = new Record{nullptr, at.parent, at.leaf, fresh, Clean};
      Update found = at.parent_update;
      if (at.parent->update.compare_exchange_strong(found, make_update(IFlag, op))) {
        help_insert(op);
        return true;
      }
#ifdef BUG_FLAG_ONCE
      help_insert(op);  // the leaf is not a child any more if another was quicker
      return true;
#else
      help(found);
#endif
#endif
    }
  }

  bool remove(int key) {
    for (;;) {
      const Place at = search(key);
      if (at.leaf->key != key) return false;
      if (state(at.grandparent_update) != Clean) {
        help(at.grandparent_update);
        continue;
      }
      if (state(at.parent_update) != Clean) {
        help(at.parent_update);
        continue;
      }
      Record* const op = new Record{at.grandparent, at.parent, at.leaf, nullptr, at.parent_update};
      Update found = at.grandparent_update;
      if (at.grandparent->update.compare_exchange_strong(found, make_update(DFlag, op))) {
        if (help_remove(op)) return true;
      } else {
        help(found);
      }
    }
  }

  bool contains(int key) { return search(key).leaf->key == key; }
};

HEDDLE_HARNESS(TreeSet, add, remove, contains)
