// A sorted list with a lock in every node.
#include <climits>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {
struct Node {
  explicit Node(int k, Node* n = nullptr) : key(k), next(n) {}
  int key;
  Node* next;
  std::mutex lock;
};
class List {
 public:
  ~List() {
    while (head_ != nullptr) {
      Node* next = head_->next;
      delete head_;
      head_ = next;
    }
  }
  bool insert(int key) {
    Node* before = find(key);
    Node* after = before->next;
    const bool is_new = after->key != key;
    if (is_new) before->next = new Node(key, after);
    after->lock.unlock();
    before->lock.unlock();
    return is_new;
  }
  bool remove(int key) {
    Node* before = find(key);
    Node* node = before->next;
    const bool there = node->key == key;
    if (there) before->next = node->next;
    node->lock.unlock();
    if (there) delete node;
    before->lock.unlock();
    return there;
  }
  int sum() const {
    int total = 0;
    for (const Node* node = head_->next; node->next != nullptr; node = node->next) total += node->key;
    return total;
  }

 private:
  // Returns the last node with a smaller key; it and the one after it are locked.
  Node* find(int key) {
    Node* before = head_;
    before->lock.lock();
    Node* node = before->next;
    node->lock.lock();
    while (node->key < key) {
      before->lock.unlock();
      before = node;
      node = node->next;
      node->lock.lock();
    }
    return before;
  }
  Node* head_ = new Node(INT_MIN, new Node(INT_MAX));
};
}  // namespace

int main() {
  List list;
  std::thread a([&] {
    list.insert(3);
    list.insert(1);
    list.remove(3);
  });
  std::thread b([&] {
    list.insert(2);
    list.insert(5);
  });
  a.join();
  b.join();
  std::printf("%d\n", list.sum());
  return 0;
}
