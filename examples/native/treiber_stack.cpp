// The stack of Treiber (IBM report RJ 5118, 1986): a linked list, its top swung by compare-and-swap.
//
//   heddle check treiber_stack.cpp                     holds
//   heddle check treiber_stack.cpp -- -DBUG_...        see below
//
// Nodes that were popped are not freed: another thread may have read the same top and be about to follow it. BUG_FREE
// frees them, BUG_REUSE pushes them again (the ABA problem).
//
// expect: holds
// expect -DBUG_BLIND_PUSH: violated linearizability
// expect -DBUG_BLIND_POP: violated linearizability
// expect -DBUG_FREE: violated race
// expect -DBUG_FREE --races allow --client 'push(1); pop() | pop()': violated memory
// expect -DBUG_REUSE --client 'push(1); push(2); pop() | pop(); pop(); push(3); pop()': violated linearizability
// expect --client 'push(1); push(2); pop() | pop(); pop(); push(3); pop()': holds
// expect --linearizable stack: holds
// expect --linearizable stack -DBUG_BLIND_POP: violated linearizability
#include <heddle/native.h>
#include <atomic>
#include <optional>
#include <utility>

template <class T>
class Stack {
  struct Node {
    std::atomic<T> value;
    std::atomic<Node*> next;
  };
  std::atomic<Node*> top_{nullptr};
#ifdef BUG_REUSE
  std::atomic<Node*> spare_{nullptr};
#endif

  Node* make(T value) {
#ifdef BUG_REUSE
    if (Node* const spare = spare_.exchange(nullptr)) {
      spare->value = value;
      return spare;
    }
#endif
    return new Node{value, nullptr};
  }
  void dispose([[maybe_unused]] Node* node) {
#if defined BUG_FREE
    delete node;
#elif defined BUG_REUSE
    Node* none = nullptr;
    spare_.compare_exchange_strong(none, node);
#endif
  }

 public:
  void push(T value) {
    Node* const node = make(value);
    Node* top = top_;
#ifdef BUG_BLIND_PUSH
    node->next = top;
    top_ = node;  // forgets what others have pushed meanwhile
#else
    do node->next = top;
    while (!top_.compare_exchange_weak(top, node));
#endif
  }

  std::optional<T> pop() {
    Node* top = top_;  // BUG_BLIND_POP: from here
#ifdef BUG_BLIND_POP
    if (top == nullptr) return std::nullopt;
    top_ = top->next.load();  // BUG_BLIND_POP: to here; another may have popped the same node
#else
    do {
      if (top == nullptr) return std::nullopt;
    } while (!top_.compare_exchange_weak(top, top->next));
#endif
    const T value = top->value;
    dispose(top);
    return value;
  }
};

HEDDLE_HARNESS(Stack<int>, push, pop)
