// A stack of Treiber's kind, for the golden dump.
#include <atomic>

struct Node {
  int value;
  Node* next;
};

class Stack {
 public:
  void push(Node* node) {
    node->next = head_.load();
    while (!head_.compare_exchange_weak(node->next, node)) {
    }
  }
  Node* pop() {
    Node* old = head_.load();
    while (old != nullptr && !head_.compare_exchange_weak(old, old->next)) {
    }
    return old;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

Stack stack;

void give(Node* node) { stack.push(node); }
int take(int otherwise) {
  const Node* node = stack.pop();
  return node == nullptr ? otherwise : node->value;
}
