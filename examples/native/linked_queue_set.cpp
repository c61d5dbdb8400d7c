// A set over a linked queue without locks from whose middle elements can be removed, as from java.util.concurrent's
// ConcurrentLinkedQueue. The queue is that of Michael and Scott (PODC 1996): nodes join at the end only. An element
// leaves when its place in the node is emptied by compare-and-swap; the empty node is unlinked afterwards.
//
//   heddle check linked_queue_set.cpp                     holds
//   heddle check linked_queue_set.cpp -- -DBUG_...        see below
//
// Invariants
//   1. A node that is empty stays empty.
//   2. A link that is not null leads to all nodes behind it that are not empty: what is skipped is empty. So whoever
//      walks on from an unlinked node misses nothing.
//   3. The last node stays linked, because its null link is where the next one joins.
// So whoever has seen all nodes and joins behind the last one knows that no other has the element. Memory is not
// reclaimed.
//
// expect: holds
// expect -DBUG_SPLIT_TAKE --client 'add(0); remove(0) | remove(0)': violated linearizability
// expect -DBUG_UNLINK_LAST --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_JOIN_ONCE --client 'add(0) | add(1); contains(1)': violated linearizability
// expect -DBUG_NO_SECOND_LOOK --client 'add(0) | add(0)': violated linearizability
// expect -DBUG_NO_SECOND_LOOK --client 'add(0); contains(0) | add(1); contains(1)': holds
// expect -DBUG_LOOK_THEN_ADD --client 'add(0) | add(0)': violated linearizability
// expect --client 'add(0); remove(0) | add(1); remove(1) | add(0); contains(1)': holds
// expect --linearizable set: holds
// expect --linearizable set -DBUG_UNLINK_LAST --client 'add(0); remove(0) | add(1); contains(1)': violated linearizability
#include <heddle/native.h>
#include <atomic>

class QueueSet {
  static constexpr int empty = -1;
  struct Node {
    std::atomic<int> item;
    std::atomic<Node*> next{nullptr};
    explicit Node(int i) : item(i) {}
  };
  Node* const head_ = new Node(empty);

  // The first node behind `from` with the element; or null, and the last node.
  static Node* find(int element, Node* from, Node*& pred) {
    pred = from;
    for (;;) {
      Node* const node = pred->next;
      if (node == nullptr || node->item == element) return node;
      pred = node;
    }
  }

 public:
  bool add(int element) {
    Node* const node = new Node(element);
#ifdef BUG_LOOK_THEN_ADD
    if (contains(element)) return false;  // BUG_LOOK_THEN_ADD: from here
    Node* last = head_;
    for (;;) {
      while (Node* const next = last->next) last = next;  // the element may have joined since
#else
    Node* last = head_;
    for (;;) {
      if (find(element, last, last) != nullptr) return false;
#endif
      Node* none = nullptr;
      if (last->next.compare_exchange_strong(none, node)) return true;  // BUG_LOOK_THEN_ADD: to here
#if defined BUG_JOIN_ONCE
      return true;
#elif defined BUG_NO_SECOND_LOOK
      while (Node* const next = last->next) last = next;  // without a look at what has joined
#endif
    }
  }

  bool remove(int element) {
    Node* pred = head_;
    for (;;) {
      Node* const node = find(element, pred, pred);  // BUG_SPLIT_TAKE: from here
      if (node == nullptr) return false;
#ifdef BUG_SPLIT_TAKE
      node->item = empty;  // BUG_SPLIT_TAKE: to here; another may have taken it since
#else
      int expected = element;
      if (!node->item.compare_exchange_strong(expected, empty)) {
        pred = node;  // another took it; the element may have joined again, further behind
        continue;
      }
#endif
      Node* const next = node->next;
#ifndef BUG_UNLINK_LAST
      if (next == nullptr) return true;
#endif
      Node* unlinked = node;
      pred->next.compare_exchange_strong(unlinked, next);  // if it fails, the node stays for another to skip
      return true;
    }
  }

  bool contains(int element) {
    Node* pred = nullptr;
    return find(element, head_, pred) != nullptr;
  }
};

HEDDLE_HARNESS(QueueSet, add, remove, contains)
