// The stack with elimination of Hendler, Shavit and Yerushalmi (SPAA 2004). A push and a pop that meet need no stack at
// all: the pop takes the value of the push. So a thread that fails to swing the top of Treiber's stack, because others
// are busy there, looks for a partner first and then tries the stack again.
//
//   heddle check elimination_stack.cpp                     holds
//   heddle check elimination_stack.cpp -- -DBUG_...        see below
//
// An operation that waits is a record whose `partner` is the record itself. Whoever sets it to something else by
// compare-and-swap decides: a pop takes a push and leaves null, a push takes a pop and leaves its own record, and the
// owner withdraws it, before it goes back to the stack, with null. Records are found in one place, where each leaves
// its own and takes the one before. Waiting is as long as it takes to withdraw, so nobody waits for ever. In the paper
// a record is found by the number of its thread, and there are several places.
//
// Two calls meet if a third one has kept both from the stack: that takes three threads. Memory is not reclaimed.
//
// expect: holds
// expect --client 'push(1) | push(2) | push(3); pop()': holds
// expect -DBUG_NO_WITHDRAWAL --client 'push(1) | push(2) | push(3); pop(); pop(); pop()': violated linearizability
// expect -DBUG_ANY_PARTNER --client 'push(1) | push(2) | push(3); pop(); pop(); pop()': violated linearizability
// expect -DBUG_BLIND_MEETING --client 'push(1) | push(2) | push(3); pop(); pop()': violated linearizability
// expect -DBUG_PUSH_ONCE --client 'push(1) | push(2); pop(); pop()': violated linearizability
// expect -DBUG_VALUE_LATE --client 'push(1) | push(2) | push(3); pop()': violated linearizability
// expect --client 'push(1); pop() | push(2); pop() | push(3); pop()': holds
// expect --linearizable stack: holds
#include <heddle/native.h>
#include <atomic>
#include <optional>

class Stack {
  struct Node {
    const int value;
    Node* next;
  };
  struct Record {
    const bool pushes;
    std::atomic<Node*> node;  // what is pushed, or was popped
    std::atomic<Record*> partner{nullptr};
    Record(bool p, Node* n) : pushes(p), node(n) {}
  };
  std::atomic<Node*> top_{nullptr};
  std::atomic<Record*> place_{nullptr};

  bool try_push(Node* node) {
    Node* top = top_;
    node->next = top;
    return top_.compare_exchange_strong(top, node);
  }
  // False if another was quicker. The node is null if the stack is empty.
  bool try_pop(Node*& node) {
    node = top_;
    return node == nullptr || top_.compare_exchange_strong(node, node->next);
  }

  // Meets another operation, if there is one. True if that was all there was to do.
  bool eliminate(Record* mine) {
    mine->partner = mine;
    Record* const other = place_.exchange(mine);
#ifdef BUG_ANY_PARTNER
    const bool fits = other != nullptr && other != mine;
#else
    const bool fits = other != nullptr && other->pushes != mine->pushes;
#endif
    if (fits && other->partner == other) {
      if (!withdraw(mine)) return true;
      return meet(mine, other);
    }
    return !withdraw(mine);
  }

  // False if another has met the operation already: then it is done.
  static bool withdraw(Record* mine) {
#ifdef BUG_NO_WITHDRAWAL
    return true;  // others may meet it while it is at the stack
#else
    Record* waiting = mine;
    if (mine->partner.compare_exchange_strong(waiting, nullptr)) return true;
    if (!mine->pushes) mine->node = waiting->node.load();
    return false;
#endif
  }

  // Takes another operation that waits.
  static bool meet(Record* mine, Record* other) {
#ifdef BUG_BLIND_MEETING
    other->partner = mine->pushes ? mine : nullptr;  // a third one may have met it since
#else
    Record* waiting = other;
    if (!other->partner.compare_exchange_strong(waiting, mine->pushes ? mine : nullptr)) return false;
#endif
    if (!mine->pushes) mine->node = other->node.load();
    return true;
  }

 public:
  void push(int value) {
    Node* const node = new Node{value, nullptr};
    if (try_push(node)) return;
#ifdef BUG_PUSH_ONCE
    return;
#endif
#ifdef BUG_VALUE_LATE
    Record* const mine = new Record(true, nullptr);
    while (!eliminate(mine) && !try_push(node)) mine->node = node;  // in the first round it waits without a value
#else
    Record* const mine = new Record(true, node);
    while (!eliminate(mine) && !try_push(node)) {
    }
#endif
  }

  std::optional<int> pop() {
    Node* node = nullptr;
    if (!try_pop(node)) {
      Record* const mine = new Record(false, nullptr);
      do {
        if (eliminate(mine)) {
          node = mine->node;
          break;
        }
      } while (!try_pop(node));
    }
    return node == nullptr ? std::nullopt : std::optional(node->value);
  }
};

HEDDLE_HARNESS(Stack, push, pop)
